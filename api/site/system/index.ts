/**
 * The page on the service itself: whether its figures can be trusted now, and how far they go. http.md, "Pages".
 * @module
 */

import type { Health } from "../../health/schema.ts";
import { isoTime } from "../../time.ts";
import { API_VERSION } from "../../version.ts";
import { BADGE_PATH } from "../badge.ts";
import type { SiteDependencies } from "../dependencies.ts";
import type { Block, Fact, Page, Section } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { knowledgeUpdated } from "../updated.ts";
import { code, count, NONE, text, time, type Value, word } from "../value.ts";
import { anomaliesSection } from "./anomalies-section.ts";
import { auditSection } from "./audit-section.ts";
import { contractsSection } from "./contracts-section.ts";
import { registrySection } from "./registry-section.ts";
import { grouped, type Sync, syncOf } from "./sync.ts";
import { TROUBLE_WORDS } from "./troubles.ts";

/** The page as of now: not to be cached. */
export function systemPage(deps: SiteDependencies): Page {
  const health = deps.health.report();
  const sync = syncOf(deps);
  const market = deps.feed.current()?.market ?? null;
  return {
    path: SITE_PATHS.system,
    title: "System",
    description: "How the service is doing: how far it has read the chain, and what it found to be wrong.",
    updated: updatedOf(deps, health),
    crumbs: [CRUMBS.board],
    sections: [
      stateSection(deps, health, sync),
      indexSection(deps, health, sync),
      registrySection(health),
      anomaliesSection(health),
      auditSection(deps.audit.state()),
      contractsSection(market, deps.site),
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
  if (status === "degraded") return "Something needs the operator; pages and interfaces still answer.";
  if (state === "starting") return "Pages and interfaces have no figures to show so far.";
  if (status === "syncing") return "Figures are right, but older than the head of the chain.";
  const audited =
    audit === null
      ? "no audit has ended yet"
      : audit.status === "failed"
        ? "the last audit could not be done"
        : "the last audit found nothing wrong";
  return `The index is at the head of the chain, the registry is good, and ${audited}.`;
}

/** How far the index is stands above, in the banner that every page has until the index is at the head. */
function stateSection(deps: SiteDependencies, health: Health, sync: Sync): Section {
  const { status } = health;
  const { state } = sync;
  const troubles = deps.health
    .troubles()
    .map((trouble): Block => ({ kind: "notice", tone: "warning", text: TROUBLE_WORDS[trouble] }));
  const blocks: Block[] = [
    {
      kind: "facts",
      look: "headline",
      facts: [
        {
          key: "status",
          label: "Status",
          value: word(STATE_WORDS[status === "syncing" ? state : status], status, TONES[status]),
          note: statusNote(health, sync),
        },
      ],
    },
    ...troubles,
    ...progressOf(sync),
  ];
  return { id: "state", title: null, blocks };
}

/** While blocks are missing, from the first one of the index to the head. Of a service at the head it would say nothing. */
function progressOf({ state, start, indexed, head, percent }: Sync): Block[] {
  if (state === "ok" || percent === 100) return [];
  if (start === null || head === null || head <= start) return [];
  const done = indexed === null || indexed < start ? 0n : (indexed < head ? indexed : head) - start;
  const progress = {
    label: "Blocks indexed",
    value: done.toString(),
    max: (head - start).toString(),
    marks: [],
    text: `${percent} % of the blocks from ${grouped(start)} to ${grouped(head)}`,
  };
  return [{ kind: "progress", progress }];
}

function indexSection({ feed }: SiteDependencies, health: Health, sync: Sync): Section {
  const { chainId, indexedBlock, headBlock, indexedAt, lagSeconds, restarts } = health;
  const finalized = feed.current()?.finalized ?? null;
  const facts: Fact[] = [
    { key: "chainId", label: "Chain", value: code(`${chainId}`), note: "Id of the chain that is followed." },
    {
      key: "indexedBlock",
      label: "Indexed block",
      value: block(indexedBlock),
      note: "All figures are as of it.",
    },
    { key: "indexedAt", label: "Time of that block", value: time(indexedAt) },
    {
      key: "headBlock",
      label: "Head of the chain",
      value: block(headBlock),
      note: "The newest block known.",
    },
    { key: "blocksBehind", label: "Blocks behind", value: blocksBehind(sync) },
    {
      key: "lagSeconds",
      label: "Lag",
      value: lagSeconds === null ? NONE : count(lagSeconds, "seconds"),
      note: "From the indexed block to the head, by the chain's clock.",
    },
    {
      key: "finalizedBlock",
      label: "Final block",
      value: block(finalized?.number.toString() ?? null),
      note: "What happened up to it cannot be undone by a reorganisation.",
    },
    {
      key: "startBlock",
      label: "First block",
      value: block(sync.start?.toString() ?? null),
      note: "The index begins here.",
    },
    {
      key: "restarts.count",
      label: "Restarts",
      value: count(restarts.count),
      note: "Starts of the indexer, since the service began, after an end that nobody asked for.",
    },
    {
      key: "restarts.reason",
      label: "Why the last time",
      value: restarts.reason === null ? NONE : text(restarts.reason),
    },
  ];
  return { id: "index", title: "How far the index is", blocks: [{ kind: "facts", look: "grid", facts }] };
}

function blocksBehind({ indexed, head }: Sync): Value {
  return indexed === null || head === null ? NONE : count(Number(head - indexed));
}

function versionsSection({ version }: Health, { toolServer }: SiteDependencies): Section {
  const facts: Fact[] = [
    { key: "version", label: "Service", value: code(version) },
    { key: "apiVersion", label: "HTTP interface", value: code(API_VERSION) },
    { key: "mcpRevisions", label: "Tool protocol (MCP)", value: text(toolServer.revisions.join(", ")) },
  ];
  return {
    id: "versions",
    title: "Versions",
    blocks: [
      { kind: "facts", look: "grid", facts },
      {
        kind: "links",
        links: [
          { text: "Health as JSON", href: "/v1/health", note: "the figures of this page for programs" },
          { text: "Readiness", href: "/v1/ready", note: "answers 200 only at the head of the chain" },
          { text: "Developers", href: SITE_PATHS.developers, note: "how to ask this service" },
        ],
      },
    ],
  };
}

function badgeSection({ site: { publicUrl } }: SiteDependencies, { state }: Sync): Section {
  return {
    id: "badge",
    title: "Badge",
    blocks: [
      paragraph(
        `A small image that says how the service is doing, for a page of yours. Its word now: ${state}.`,
      ),
      {
        kind: "picture",
        picture: { src: BADGE_PATH, alt: `Badge: ${state}`, height: 20 },
      },
      {
        kind: "snippet",
        snippet: {
          label: "Markdown to paste",
          language: "markdown",
          text: `[![State of the service](${publicUrl}${BADGE_PATH})](${publicUrl}${SITE_PATHS.system})`,
        },
      },
    ],
  };
}

/** The indexed block's time; before there is one the head's, and before that the day of the newest text. */
function updatedOf(deps: SiteDependencies, { indexedAt }: Health): string {
  if (indexedAt !== null) return indexedAt;
  const head = deps.health.head();
  if (head !== null) return isoTime(head.timestamp);
  return knowledgeUpdated(deps.knowledge);
}

function block(number: string | null): Value {
  return number === null ? NONE : code(number);
}

function paragraph(content: string): Block {
  return { kind: "paragraph", text: content };
}
