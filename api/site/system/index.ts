/**
 * The page about the service itself: whether its figures can be trusted now, and how current they are. http.md,
 * "Pages".
 * @module
 */
import { isoTime } from "../../../format/time.ts";
import type { Health } from "../../health/schema.ts";
import { API_VERSION } from "../../version.ts";
import { BADGE_PATH } from "../badge.ts";
import { fact, facts, links, linkTo, notice, paragraph, section, snippet } from "../blocks.ts";
import type { SiteDependencies } from "../dependencies.ts";
import type { Block, Page, Section } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { knowledgeUpdated } from "../times.ts";
import { blockCode, code, count, NONE, text, time, word } from "../value.ts";
import { anomaliesSection } from "./anomalies-section.ts";
import { auditSection } from "./audit-section.ts";
import { contractsSection } from "./contracts-section.ts";
import { registrySection } from "./registry-section.ts";
import { grouped, type Sync, syncOf, TROUBLE_WORDS } from "./sync.ts";

/** The current state, not to be cached. */
export function systemPage(deps: SiteDependencies): Page {
  const health = deps.health.report();
  const sync = syncOf(deps);
  const market = deps.feed.current()?.market ?? null;
  return {
    path: SITE_PATHS.system,
    title: "System",
    description: "The state of the service: how far it has read the chain, and what it found wrong.",
    updated: updatedOf(deps, health),
    crumbs: [CRUMBS.board],
    sections: [
      stateSection(deps, health, sync),
      indexSection(deps, health, sync),
      registrySection(health),
      anomaliesSection(health),
      auditSection(deps.audit.state()),
      contractsSection(market, deps.publicSettings),
      versionsSection(health, deps),
      badgeSection(deps, sync),
    ],
    isLive: true,
  };
}

const STATE_WORDS: Record<Sync["state"], string> = {
  ok: "In order",
  syncing: "Catching up",
  degraded: "Degraded",
  starting: "Starting",
};

const TONES = { ok: "good", syncing: "busy", degraded: "warn" } as const;

function statusNote({ status, audit }: Health, { state }: Sync): string {
  if (status === "degraded")
    return "Something needs the operator's attention; pages and interfaces still respond.";
  if (state === "starting") return "Pages and interfaces have no figures to show yet.";
  if (status === "syncing") return "Figures are correct, but older than the head of the chain.";
  const audited =
    audit === null
      ? "no audit has finished yet"
      : audit.status === "failed"
        ? "the last audit could not be completed"
        : "the last audit found nothing wrong";
  return `The index is at the head of the chain, the registry is valid, and ${audited}.`;
}

/** The banner above says how far the index is. */
function stateSection(deps: SiteDependencies, health: Health, sync: Sync): Section {
  const { status } = health;
  const state = word(STATE_WORDS[status === "syncing" ? sync.state : status], status, TONES[status]);
  return section("state", null, [
    facts("headline", [fact("status", "Status", state, statusNote(health, sync))]),
    ...deps.health.troubles().map((trouble) => notice("warning", TROUBLE_WORDS[trouble])),
    blockProgress(sync),
  ]);
}

/** Progress from the first block of the index to the head; nothing once the index is at the head. */
function blockProgress({ state, start, indexed, head, percent }: Sync): Block | null {
  if (state === "ok" || percent === 100) return null;
  if (start === null || head === null || head <= start) return null;
  const done = indexed === null || indexed < start ? 0n : (indexed < head ? indexed : head) - start;
  const progress = {
    label: "Blocks indexed",
    value: done.toString(),
    max: (head - start).toString(),
    marks: [],
    text: `${percent}% of the blocks from ${grouped(start)} to ${grouped(head)}`,
  };
  return { kind: "progress", progress };
}

function indexSection({ feed }: SiteDependencies, health: Health, { start, indexed, head }: Sync): Section {
  const { chainId, indexedBlock, headBlock, indexedAt, lagSeconds, restarts } = health;
  const finalized = feed.current()?.finalized ?? null;
  const behind = indexed === null || head === null ? null : Number(head - indexed);
  return section("index", "Sync status", [
    facts("grid", [
      fact("chainId", "Chain", code(`${chainId}`), "Id of the indexed chain."),
      fact("indexedBlock", "Indexed block", blockCode(indexedBlock), "All figures are as of this block."),
      fact("indexedAt", "Time of that block", time(indexedAt)),
      fact("headBlock", "Head of the chain", blockCode(headBlock), "The newest known block."),
      fact("blocksBehind", "Blocks behind", count(behind)),
      fact(
        "lagSeconds",
        "Lag",
        count(lagSeconds, "seconds"),
        "From the indexed block to the head, by the chain's clock.",
      ),
      fact(
        "finalizedBlock",
        "Final block",
        blockCode(finalized?.number.toString() ?? null),
        "No reorganisation can revert anything up to this block.",
      ),
      fact("startBlock", "First block", blockCode(start?.toString() ?? null), "The index begins here."),
      fact(
        "restarts.count",
        "Restarts",
        count(restarts.count),
        "Unplanned restarts of the indexer since the service started.",
      ),
      fact(
        "restarts.reason",
        "Reason for the last restart",
        restarts.reason === null ? NONE : text(restarts.reason),
      ),
    ]),
  ]);
}

function versionsSection({ version }: Health, { toolServer }: SiteDependencies): Section {
  return section("versions", "Versions", [
    facts("grid", [
      fact("version", "Service", code(version)),
      fact("apiVersion", "HTTP interface", code(API_VERSION)),
      fact("mcpRevisions", "Tool protocol (MCP)", text(toolServer.revisions.join(", "))),
    ]),
    links([
      linkTo("Health as JSON", "/v1/health", "the figures of this page for programs"),
      linkTo("Readiness", "/v1/ready", "answers 200 only at the head of the chain"),
      linkTo("Developers", SITE_PATHS.developers, "how to use this service"),
    ]),
  ]);
}

function badgeSection({ publicSettings: { publicUrl } }: SiteDependencies, { state }: Sync): Section {
  return section("badge", "Badge", [
    paragraph(`A small image of the service's state, for your own pages. It now says: ${state}.`),
    {
      kind: "picture",
      picture: { src: BADGE_PATH, alt: `Badge: ${state}`, height: 20 },
    },
    snippet({
      label: "Markdown to paste",
      language: "markdown",
      text: `[![State of the service](${publicUrl}${BADGE_PATH})](${publicUrl}${SITE_PATHS.system})`,
    }),
  ]);
}

/** The time of the indexed block; before there is one, of the head; before that, the date of the newest text. */
function updatedOf(deps: SiteDependencies, { indexedAt }: Health): string {
  if (indexedAt !== null) return indexedAt;
  const head = deps.health.head();
  if (head !== null) return isoTime(head.timestamp);
  return knowledgeUpdated(deps.knowledge);
}
