/** @module The page about the service: whether its figures can be trusted now. http.md, "Pages". */
import { isoTime } from "../../../config/format/time.ts";
import type { UnfitReason } from "../../../config/unfit-endpoints.ts";
import type { Health } from "../../health/schema.ts";
import { API_VERSION } from "../../version.ts";
import { BADGE_PATH } from "../badge.ts";
import { fact, facts, linkTo, notice, paragraph, programsSection, section, snippet } from "../blocks.ts";
import type { SiteDependencies } from "../dependencies.ts";
import type { Block, Fact, Page, Section } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { formatTime, knowledgeUpdated } from "../times.ts";
import { blockCode, code, count, text, time, type Value, word } from "../value.ts";
import { auditSection } from "./audit-section.ts";
import { anomaliesSection, checksSection, contractsSection, registrySection } from "./sections.ts";
import { grouped, type Sync, syncOf, TROUBLE_WORDS } from "./sync.ts";

export function systemPage(deps: SiteDependencies): Page {
  const health = deps.health.report();
  const sync = syncOf(deps);
  const market = deps.updater.current()?.market ?? null;
  return {
    path: SITE_PATHS.system,
    title: "System status",
    description: "Whether the figures on this site can be trusted right now, and how current they are.",
    updated: updatedOf(deps, health),
    crumbs: [CRUMBS.board],
    sections: [
      stateSection(health, sync),
      checksSection(deps, health),
      auditSection(deps.audit.state()),
      indexSection(deps, health, sync),
      registrySection(health),
      anomaliesSection(health),
      { ...contractsSection(market, deps.publicSettings, health), isFolded: true },
      { ...versionsSection(health, deps), isFolded: true },
      { ...badgeSection(deps, sync), isFolded: true },
      {
        ...programsSection(
          linkTo("Health", "/v1/health", "JSON, the figures of this page"),
          linkTo("Readiness", "/v1/ready", "responds with 200 only when the figures are current"),
          linkTo("Developers", SITE_PATHS.developers, "how to use this service"),
        ),
        isFolded: true,
      },
    ],
    isLive: true,
  };
}

const STATE_WORDS: Record<Sync["state"], string> = {
  ok: "All systems normal",
  syncing: "Catching up",
  degraded: "Needs attention",
  starting: "Starting",
};

const TONES = { ok: "good", syncing: "busy", degraded: "warn" } as const;

function statusNote({ status, audit }: Health, { state }: Sync): string {
  if (status === "degraded") return "The operator should check something. The site keeps working.";
  if (state === "starting") return "There are no figures to show yet.";
  if (status === "syncing") return "The figures are correct, but not yet up to date.";
  const audited =
    audit === null
      ? "No audit has finished yet."
      : audit.status === "failed"
        ? "The last audit could not be completed."
        : "The last audit found nothing wrong.";
  return `The figures are up to date with the blockchain. ${audited}`;
}

/** The banner above says how far the index is. */
function stateSection(health: Health, sync: Sync): Section {
  const { status } = health;
  const state = word(STATE_WORDS[status === "syncing" ? sync.state : status], status, TONES[status]);
  return {
    ...section("status", null, [
      facts("figure", [fact("status", "Status", state, statusNote(health, sync))]),
      ...health.troubles.map(({ code, since }) => {
        const began = since === null ? "" : ` Noticed at ${formatTime(since)}.`;
        return notice("warning", `${TROUBLE_WORDS[code]}${began}`);
      }),
      blockProgress(sync),
    ]),
    tone: TONES[status],
  };
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
    text: `${percent}% of blocks ${grouped(start)} to ${grouped(head)}`,
  };
  return { kind: "progress", progress };
}

function indexSection(
  { updater }: SiteDependencies,
  health: Health,
  { start, indexed, head }: Sync,
): Section {
  const { indexedBlock, headBlock, finality, disputedBlock, indexedAt, lagSeconds, restarts } = health;
  const finalized = updater.current()?.finalized ?? null;
  const behind = indexed === null || head === null ? null : Number(head - indexed);
  return section("index", "Sync status", [
    facts("grid", [
      fact(
        "indexedBlock",
        "Last block read",
        blockCode(indexedBlock),
        "Every figure on this site is as of this block.",
      ),
      fact("indexedAt", "Time of that block", time(indexedAt)),
      fact("headBlock", "Newest block", blockCode(headBlock), "The newest block of the blockchain."),
      fact("blocksBehind", "Blocks behind", count(behind)),
      fact("lagSeconds", "Behind by", count(lagSeconds, "seconds"), "Measured by block times."),
      fact(
        "finalizedBlock",
        "Final up to",
        blockCode(finalized?.number.toString() ?? null),
        "Events up to this block can no longer change.",
      ),
      ...(finality === null
        ? []
        : [
            fact(
              "finality.source",
              "Final by",
              finality.source === "finalized"
                ? word("The nodes", "finalized", "good")
                : word("Depth", "depth", "idle"),
              "When nodes report no final block, blocks deep enough below the newest count as final.",
            ),
            fact("finality.lagBlocks", "Blocks not final yet", count(finality.lagBlocks)),
          ]),
      ...(disputedBlock === null
        ? []
        : [
            fact(
              "disputedBlock",
              "Disputed from",
              blockCode(disputedBlock),
              "The nodes disagree about this block.",
            ),
          ]),
      ...completenessFacts(health),
      ...unfitFacts(health),
      fact("blockNotices", "Learns of new blocks", NOTICE_WORDS[health.blockNotices]),
      fact("startBlock", "First block", blockCode(start?.toString() ?? null), "Indexing starts here."),
      fact(
        "restarts.count",
        "Restarts",
        count(restarts.count),
        "Unplanned restarts since the service started.",
      ),
      ...(restarts.reason === null
        ? []
        : [fact("restarts.reason", "Reason for the last restart", text(restarts.reason))]),
      ...instanceFacts(health),
    ]),
  ]);
}

/** Which of several machines reads the chain. */
function instanceFacts({ instances }: Health): Fact[] {
  if (instances === null) return [];
  const { indexing, standby } = instances;
  return [
    fact(
      "instances.indexing",
      "Indexed by",
      indexing === null ? text("none") : code(indexing.id),
      "The random name of the machine that reads the blockchain now.",
    ),
    fact(
      "instances.standby",
      "Machines standing by",
      count(standby.length),
      "They take over when that one is gone.",
    ),
  ];
}

/** The blocks that are proven to lack no event. */
function completenessFacts({ completeness }: Health): Fact[] {
  if (completeness === null || completeness.mode === "none") return [];
  const { provenBlock, provenBlocks, unprovenBlocks, endpoints } = completeness;
  const all = BigInt(provenBlocks) + BigInt(unprovenBlocks);
  return [
    fact(
      "completeness.provenBlock",
      "Proven complete up to",
      blockCode(provenBlock),
      `No event is missing in ${grouped(BigInt(provenBlocks))} of ${grouped(all)} blocks with events: their receipts prove it.`,
    ),
    ...(endpoints.length === 0
      ? []
      : [fact("completeness.endpoints", "Nodes that left out events", text(endpoints.join(", ")))]),
  ];
}

const NOTICE_WORDS: Record<Health["blockNotices"], Value> = {
  database: word("Notified", "database", "good"),
  primary: word("By primary", "primary", "good"),
  none: word("By polling", "none", "idle"),
};

const LACKS: Record<UnfitReason, string> = {
  pruned: "Lacks old blocks",
  unusable_logs: "Returns unusable events",
};

/** The nodes that lack what reading the chain needs. */
function unfitFacts({ unfitEndpoints }: Health): Fact[] {
  return unfitEndpoints.map(({ endpoint, reason }) =>
    fact(`unfitEndpoints.${reason}.${endpoint}`, LACKS[reason], text(endpoint)),
  );
}

function versionsSection({ version, chainId }: Health, { toolServer }: SiteDependencies): Section {
  return section("versions", "Chain and versions", [
    facts("grid", [
      fact("chainId", "Chain ID", code(`${chainId}`)),
      fact("version", "Service", code(version)),
      fact("apiVersion", "API", code(API_VERSION)),
      fact("mcpRevisions", "Tools for agents (MCP)", text(toolServer.revisions.join(", "))),
    ]),
  ]);
}

function badgeSection({ publicSettings: { publicUrl } }: SiteDependencies, { state }: Sync): Section {
  return section("badge", "A badge for your own pages", [
    paragraph(`A small image of this status. It now says: ${state}.`),
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

/** The time of the indexed block; without one, of the head; without that, the date of the newest text. */
function updatedOf(deps: SiteDependencies, { indexedAt }: Health): string {
  if (indexedAt !== null) return indexedAt;
  const head = deps.health.head();
  if (head !== null) return isoTime(head.timestamp);
  return knowledgeUpdated(deps.knowledge);
}
