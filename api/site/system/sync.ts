/** @module The sync status in a sentence, for the banner on every page. */
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
  /** the part of the text that changes with every block; null without one */
  progress: string | null;
};

/** The reason that the service is degraded, and the meaning for readers. */
export const TROUBLE_WORDS: Record<Trouble, string> = {
  node_silent:
    "The blockchain node has not responded for more than a minute, so newer events are not shown yet.",
  index_stalled:
    "New blocks exist, but indexing has stalled for more than a minute, so newer events are not shown yet.",
  database_silent:
    "The database is not responding. Figures are as of the last block read; histories are unavailable.",
  endpoints_disagree:
    "Our blockchain nodes disagree about a block. Nothing from that block on counts as final until they agree.",
  finality_stalled:
    "New blocks exist, but the nodes report no newer final block. Events count as final once they are deep enough below the newest block.",
  logs_incomplete:
    "A blockchain node left out events of a block. We found and show them; the operator should check the node.",
  endpoint_unfit:
    "A blockchain node lacks a part of the history or returns unusable events. Older events may be missing until another node supplies them.",
  registry_refused:
    "The last update of the registry was invalid. Names and texts come from the last valid copy.",
  audit_red: "The last audit found figures that differ from the contracts. The system page lists them.",
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
  const progress = state === "syncing" ? blocksText({ indexed, head, percent }) : null;
  const text = [progressText(state, progress), ...troubles].filter(Boolean).join(" ");
  return { state, indexed, head, start, percent, text, progress };
}

function percentOf(start: bigint, indexed: bigint | null, head: bigint | null): number | null {
  if (head === null) return null;
  if (indexed === null || indexed < start) return 0;
  if (indexed >= head) return 100;
  return Number((100n * (indexed - start)) / (head - start));
}

/** Block numbers change the text of every page with every block, so a degraded service names none. */
function progressText(state: Sync["state"], progress: Sync["progress"]): string {
  if (state === "degraded") return "";
  if (state === "starting") return "We have not read any blocks yet. Raises will appear here shortly.";
  if (state === "ok") return "The figures are up to date with the blockchain.";
  return `Catching up with the blockchain: ${progress}. Figures are as of the last block read.`;
}

function blocksText({ indexed, head, percent }: Pick<Sync, "indexed" | "head" | "percent">): string {
  if (head === null) return `block ${grouped(indexed)}; the newest block is not known yet`;
  return `block ${grouped(indexed)} of ${grouped(head)}, ${percent}%`;
}

export function grouped(block: bigint | null): string {
  return block === null ? "–" : block.toLocaleString("en-US");
}
