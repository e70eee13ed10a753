/**
 * The page for developers: the address of each interface, its operations, and snippets to paste. http.md, "Pages".
 * @module
 */
import { PATHS } from "../../http/links.ts";
import { fact, facts, links, linkTo, section } from "../blocks.ts";
import type { SiteDependencies } from "../dependencies.ts";
import type { Page, Section } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { knowledgeUpdated } from "../times.ts";
import { code, text } from "../value.ts";
import { filesSection, freshnessSection, limitsSection } from "./behaviour.ts";
import { clientSection, graphqlSection, restSections, toolsSection } from "./interfaces.ts";
import { describeOperations } from "./operations.ts";
import { type DevelopersContext, firstRequest, snippetsOf } from "./snippets.ts";

/** The page, which changes only with the service. */
export function developersPage({
  publicSettings: { publicUrl },
  knowledge,
  toolServer,
  description,
}: Pick<SiteDependencies, "publicSettings" | "knowledge" | "toolServer" | "description">): Page {
  const operations = describeOperations(description, publicUrl);
  const snippets = snippetsOf(publicUrl, toolServer.name);
  const context: DevelopersContext = { publicUrl, toolServer, operations, snippets };
  return {
    path: SITE_PATHS.developers,
    title: "For developers",
    description:
      "The interfaces of this service, with requests to paste and real responses: no key, no account.",
    updated: knowledgeUpdated(knowledge),
    crumbs: [CRUMBS.board],
    sections: [
      startSection(context),
      clientSection(context),
      ...restSections(context),
      toolsSection(context),
      graphqlSection(context),
      filesSection(context),
      freshnessSection(context),
      limitsSection(),
    ],
    hasContents: true,
    isLive: false,
  };
}

function startSection({ publicUrl }: DevelopersContext): Section {
  return section("start", "Start here", [
    { kind: "tabs", tabs: firstRequest(publicUrl) },
    facts("list", [
      fact("baseUrl", "Base URL", code(`${publicUrl}/v1`), "No key, no account: everything here is public."),
      fact("userAgent", "User-Agent", text("say who you are"), "Requested, never required."),
      fact(
        "amounts",
        "Amounts",
        text("strings in base units, with 18 decimals"),
        "Read them with a big-integer type: a floating-point number cannot hold them.",
      ),
      fact("rates", "Rates", text("integers in basis points"), "1250 is 12.5%."),
      fact("times", "Times", text("ISO 8601 in UTC"), "By the chain's clock."),
      fact(
        "ids",
        "On-chain ids",
        text("unique only together with their escrow address"),
        "Name a raise by its publicId, which never changes.",
      ),
    ]),
    links([
      linkTo("Knowledge base", PATHS.knowledge, "terms and rules explained"),
      linkTo("Authentication for agents", PATHS.auth, "none needed, and why"),
    ]),
  ]);
}
