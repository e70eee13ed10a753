/** The sync status in a sentence, for the banner on every page. @module */
import type { Trouble } from "../../health/troubles.ts";
import type { SiteDependencies } from "../dependencies.ts";

export type Sync = {
  /** as in `/v1/health`; `starting` while no block is indexed, so that there is nothing to show */
  state: "ok" | "syncing" | "degraded" | "starting";
  /** block numbers; null when unknown */
  indexed: bigint | null;
  head: bigint | null;
  start: bigint | null;
  /** whole percent of the blocks from start to head, 0 to 100, rounded down; null when the head is unknown */
  percent: number | null;
  text: string;
};

/** The reason that the service is degraded, and the meaning for readers. */
export const TROUBLE_WORDS: Record<Trouble, string> = {
  node_silent: "The blockchain node has not answered for more than a minute: newer events are not shown yet.",
  index_stalled:
    "The blockchain goes on, but reading it has stalled for more than a minute: newer events are not shown yet.",
  database_silent:
    "The database is not responding: figures are those of the last block that was read, and histories are unavailable.",
  endpoints_disagree:
    "The blockchain nodes that are read do not agree about a block: nothing from that block on is called final until they do.",
  finality_stalled:
    "The blockchain goes on, but its nodes call no newer block final: events are called final once they are deep enough below the newest block.",
  logs_incomplete:
    "A blockchain node left out events of a block. They were found, and are shown; the operator has to look at the node.",
  endpoint_unfit:
    "A blockchain node lacks a part of the history, or gives events that cannot be used: older events may be missing until another node has them.",
  registry_refused:
    "The last update of the registry was invalid: names and texts are those of the last valid copy.",
  audit_red: "The last audit found figures that differ from the contracts: the system page lists them.",
};

export function syncOf({
  updater,
  health,
  firstBlock,
}: Pick<SiteDependencies, "updater" | "health" | "firstBlock">): Sync {
  const { status } = health.report();
  const indexed = updater.current()?.market.head.number ?? null;
  const head = health.head()?.number ?? null;
  const start = firstBlock;
  const state = indexed === null ? "starting" : status;
  const percent = percentOf(start, indexed, head);
  const troubles = health.troubles().map((trouble) => TROUBLE_WORDS[trouble]);
  const text = [progressText({ state, indexed, head, percent }), ...troubles].filter(Boolean).join(" ");
  return { state, indexed, head, start, percent, text };
}

function percentOf(start: bigint, indexed: bigint | null, head: bigint | null): number | null {
  if (head === null) return null;
  if (indexed === null || indexed < start) return 0;
  if (indexed >= head) return 100;
  return Number((100n * (indexed - start)) / (head - start));
}

/** Block numbers change the text of every page with every block, so a degraded service names none. */
function progressText({ state, indexed, head, percent }: Omit<Sync, "start" | "text">): string {
  if (state === "degraded") return "";
  if (state === "starting")
    return "Nothing has been read from the blockchain yet: the market appears as soon as it is.";
  if (state === "ok") return "The figures are up to date with the blockchain.";
  if (head === null) return `Reading the blockchain: block ${grouped(indexed)}, of a number not known yet.`;
  return `Catching up with the blockchain: block ${grouped(indexed)} of ${grouped(head)}, ${percent}%. All figures are as of the block read last.`;
}

export function grouped(block: bigint | null): string {
  return block === null ? "–" : block.toLocaleString("en-US");
}
