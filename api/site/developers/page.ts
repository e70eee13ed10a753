/** @module The page for developers: each interface with its operations and snippets. http.md, "Pages". */
import type { PublicSettings } from "../../../config/public-settings.ts";
import { PATHS } from "../../http/links.ts";
import { fact, facts, links, linkTo, paragraph, section, snippet, table } from "../blocks.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { embedPath } from "../embed/routes.ts";
import { embedWhere, frameHtml } from "../embed/section.tsx";
import type { Page, Section } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { knowledgeUpdated } from "../times.ts";
import { code, text } from "../value.ts";
import { CLIENT_PATH } from "./client-package.ts";
import { groupPath } from "./described.ts";
import { describeOperations, operationsBlock, TAGS } from "./operations.ts";
import { type DevelopersContext, firstRequest, snippetsOf } from "./snippets.ts";

export function developersPage({
  publicSettings,
  contracts,
  knowledge,
  toolServer,
  description,
}: Pick<
  SiteDependencies,
  "publicSettings" | "contracts" | "knowledge" | "toolServer" | "description"
>): Page {
  const { publicUrl } = publicSettings;
  const operations = describeOperations(description(), publicUrl);
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
      ...(contracts.isModule ? [contractsSection(contracts)] : []),
      clientSection(context),
      ...restSections(context),
      toolsSection(context),
      graphqlSection(context),
      filesSection(),
      ...(publicSettings.embedOrigins.length === 0 ? [] : [cardsSection(publicSettings)]),
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
      fact("userAgent", "User-Agent", text("identify your client"), "Requested, never required."),
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
      linkTo("llms.txt", PATHS.llms, "this site in one file for language models, knowledge base included"),
      linkTo("Authentication for agents", PATHS.auth, "none needed, and why"),
    ]),
  ]);
}

/** The events of an operator's own contracts, and their kinds here. */
function contractsSection({ name, decimals, events }: SiteDependencies["contracts"]): Section {
  return section("contracts", "Contracts", [
    paragraph(
      `The contracts that are followed are those of ${name}. Each of their events means a kind of event here:`,
    ),
    table({
      caption: "The events of the contracts, and the kinds of events of the ledger",
      items: events,
      keyOf: ({ declaration }) => declaration,
      columns: [
        ["event", "Event on the chain", ({ declaration }) => code(declaration)],
        ["emitter", "Contract", ({ emitter }) => text(emitter)],
        [
          "kinds",
          "Kind",
          ({ kinds }) => (kinds.length === 0 ? text("depends on its values") : code(kinds.join(", "))),
        ],
      ],
      empty: "No events.",
    }),
    facts("list", [
      fact(
        "decimals",
        "Decimals of the dollar token",
        text(`${decimals} on the chain`),
        "Amounts are scaled to 18 exactly.",
      ),
    ]),
  ]);
}

function filesSection(): Section {
  const files = section("files", "Files, pages and proofs", [
    links([
      linkTo("API catalog", PATHS.apiCatalog, "the interfaces, as a linkset"),
      linkTo("AI catalog", PATHS.aiCatalog, "the tool server and the skills, for agents"),
      linkTo("Agent skills", PATHS.skills, "each with its digest"),
      linkTo("Sitemap", PATHS.sitemapXml, "every page"),
      linkTo("Open data", SITE_PATHS.data, "Parquet files of everything final, to query with SQL"),
    ]),
    paragraph(
      "Every page is also available as Markdown: accept text/markdown, append .md to its path, or put /md before it.",
    ),
    links([
      linkTo("Proofs", groupPath("proofs"), "evidence for events and totals"),
      linkTo("All discovery files", groupPath("discovery"), "in the reference"),
      linkTo("All pages, feeds and pictures", groupPath("pages"), "in the reference"),
    ]),
  ]);
  return { ...files, fold: "Catalogs, sitemap, open data, Markdown" };
}

function cardsSection(settings: PublicSettings): Section {
  const cards = section("cards", "A raise on your site", [
    paragraph(
      `A card with the state, terms and progress of a raise, for a frame. It sets no cookies and runs no script, and its links open the raise in a new tab. ${embedWhere(settings)}`,
    ),
    snippet({
      label: "HTML",
      language: "html",
      text: frameHtml(settings.publicUrl + embedPath("{publicId}")),
    }),
    paragraph(
      "Its colours follow the color-scheme of the frame; ?theme=light and ?theme=dark choose them. An unknown raise is a card that says so, with status 404.",
    ),
  ]);
  return { ...cards, fold: "A card for a frame" };
}

function freshnessSection({ snippets }: DevelopersContext): Section {
  const freshness = section("freshness", "Freshness and caching", [
    facts("list", [
      fact(
        "indexedBlock",
        "X-Indexed-Block",
        text("the last indexed block; without asOf the response is as of it"),
      ),
      fact("indexedAt", "X-Indexed-At", text("the time of that block")),
      fact(
        "etag",
        "ETag",
        text("changes only when the response does"),
        "Send it in If-None-Match: a 304 means that nothing has changed.",
      ),
    ]),
    paragraph("Final events cannot be reversed; pending ones still can, by a reorganisation of the chain."),
    snippet(snippets.current),
    links([linkTo("Health", PATHS.health, "as JSON"), linkTo("System", SITE_PATHS.system, "in words")]),
  ]);
  return { ...freshness, fold: "Headers and conditional requests" };
}

function limitsSection(): Section {
  return section("limits", "Limits and errors", [
    paragraph("No key needed. See all limits and errors, with fixes:"),
    { kind: "action", link: linkTo("Limits and errors", SITE_PATHS.limits) },
  ]);
}

function clientSection({ snippets }: DevelopersContext): Section {
  return section("client", "TypeScript client", [
    paragraph(
      "Installed from this service, without a registry. Paths, filters and responses are typed, pages are iterated, errors are thrown, amounts stay strings.",
    ),
    snippet(snippets.install),
    snippet(snippets.client),
    links([
      linkTo("The package", CLIENT_PATH, "JavaScript with types, for Node 20 or later and for browsers"),
    ]),
  ]);
}

/** A section for each tag of the REST interface; the first says where to try them. */
function restSections({ operations }: DevelopersContext): Section[] {
  return TAGS.rest.flatMap((name, index) => {
    const tag = operations.get(name);
    if (tag === undefined) return [];
    const isFirst = index === 0;
    return section(name.toLowerCase(), `REST: ${name.toLowerCase()}`, [
      paragraph(tag.description),
      isFirst
        ? paragraph("Open an operation for a request and its response, recorded from the demo's market.")
        : null,
      isFirst
        ? { kind: "action", link: linkTo("All of it in the API reference", SITE_PATHS.reference) }
        : null,
      operationsBlock(tag, { isFirstOpen: isFirst }),
      isFirst ? links([linkTo("OpenAPI 3.1", PATHS.openApi, "for tools and generators")]) : null,
    ]);
  });
}

function toolsSection({ publicUrl, toolServer, operations, snippets }: DevelopersContext): Section {
  const tools = section("mcp", "Tools for agents (MCP)", [
    facts("list", [
      fact("endpoint", "Endpoint", code(publicUrl + PATHS.tools), "/mcp is an alias."),
      fact("transport", "Transport", text("streamable HTTP, without a session"), "Responses are JSON."),
    ]),
    table({
      caption: "The tools, all read-only; in a visitor's browser the board adds its form, show_raises",
      items: toolServer.tools,
      keyOf: ({ name }) => name,
      columns: [
        ["name", "Tool", ({ name }) => code(name)],
        ["title", "What it does", ({ title }) => text(title)],
      ],
      empty: "No tools.",
    }),
    snippet(snippets.servers),
    snippet(snippets.inspector),
    ...operationsOf(operations, TAGS.tools),
    links([linkTo("Server card", PATHS.serverCard, "how clients discover the endpoint")]),
  ]);
  return { ...tools, fold: "Endpoint, tools and calls" };
}

function graphqlSection({ publicUrl, operations, snippets }: DevelopersContext): Section {
  const graphql = section("graphql", "GraphQL", [
    facts("list", [fact("endpoint", "Endpoint", code(publicUrl + PATHS.graphql))]),
    snippet(snippets.query),
    snippet(snippets.codegen),
    ...operationsOf(operations, TAGS.graphql),
    links([linkTo("Try a query", SITE_PATHS.graphql, "with its response, and every type of the schema")]),
  ]);
  return { ...graphql, fold: "Endpoint and queries" };
}

function operationsOf(operations: DevelopersContext["operations"], tags: readonly string[]) {
  return tags.flatMap((name) => {
    const tag = operations.get(name);
    return tag === undefined ? [] : [operationsBlock(tag)];
  });
}
