/**
 * Decides what becomes final while the chain is followed. Every endpoint is asked for its final block, often while rows wait. Up to the
 * lowest of those blocks nothing can be taken back any more, if they are the very blocks that are indexed, and so Ponder is told to
 * hold them for final. While the endpoints name no such block, or always the same one, what is deep enough below the head is served
 * as final (docs/decisions/0045-finality.md).
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { isPassing, RpcError } from "../../chain/call.ts";
import { FINAL_EVERY, finalBlockOf, reorgWindow, WAITING_EVERY } from "../../chain/finality.ts";
import type { RawBlock } from "../../chain/pages.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { FINAL_COLUMN, FINALITY_COLUMN, type FinalitySource } from "../../config/table-names.ts";
import {
  checkpointTableOf,
  connectionOf,
  endOf,
  type Finality,
  type OpenBlock,
  type PonderApp,
} from "./ponder.ts";

/** Milliseconds for an answer. */
const TIMEOUT = 5_000;
/** Milliseconds between two looks at whether the endpoints are to be asked. */
const TICK = 200;
/** Milliseconds after which an endpoint without an answer is not waited for any more. */
const MISSING_AFTER = 300_000;
/** Milliseconds between two ranges without any event that Ponder is told of. */
const QUIET = 1_000;
/** Final blocks of an endpoint that are remembered, as the index may be some blocks behind. */
const REMEMBERED = 32;
const BACKWARDS = "An endpoint's final block goes backwards: what is final stays final";
const STALLED = "The endpoints' final block stands still: what is deep enough is served as final";

type Endpoint = {
  readonly url: string;
  /** without credentials, path and query */
  readonly host: string;
  /** hashes of its newest final blocks by their numbers */
  readonly finals: LRUCache<number, string>;
  /** the newest and the highest of them */
  newest: number;
  highest: number;
  /** whether it names final blocks; null before its first answer */
  hasTag: boolean | null;
  /** `performance.now()` at its first failure since its last answer */
  silentSince: number | null;
  isAsked: boolean;
  /** `performance.now()` from which it may be asked again after it has refused for its rate */
  restsUntil: number;
};

export type FinalityParameters = {
  settings: Pick<Settings, "rpcUrls" | "finalityDepth">;
  log: Pick<Logger, "info" | "warn">;
  /** the number of the block that is final at first */
  floor: number;
  /** Notes the block that is served as final by its depth, and the source of finality. */
  note(state: { source: FinalitySource; byDepth: RawBlock | null }): Promise<unknown>;
  /** The number of the newest block that the endpoints have announced, which may be far above the index; 0 before any. */
  announced(): number;
  /** Called when an endpoint has named another block. */
  nudge(): void;
};

/** Makes Ponder treat as final exactly the blocks that the chain has finalized, from now on. */
export function followFinality(app: PonderApp, settings: Settings, log: Logger): void {
  const [chain] = app.indexingBuild.chains;
  const [finalized] = app.indexingBuild.finalizedBlocks;
  if (chain === undefined || finalized === undefined) return;
  const table = checkpointTableOf(app);
  const finality = createFinality({
    ...{ settings, log, floor: Number(finalized.number), ...announcedHeads(app) },
    async note({ source, byDepth }) {
      const checkpoint = byDepth === null ? null : await endOf(byDepth, settings.chainId);
      await connectionOf(app).query(
        `UPDATE ${table} SET ${FINALITY_COLUMN} = $1,
        ${FINAL_COLUMN} = GREATEST(${FINAL_COLUMN}, CASE WHEN $2 <= latest_checkpoint THEN $2 END)`,
        [source, checkpoint],
      );
    },
  });
  chain.finality = finality;
  chain.finalityBlockCount = reorgWindow(settings);
  void keepAsking(finality);
}

async function keepAsking(finality: Finality): Promise<void> {
  let askedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    if (performance.now() - askedAt >= (finality.isAwaited() ? WAITING_EVERY : FINAL_EVERY)) {
      askedAt = performance.now();
      void finality.ask();
    }
    await sleep(TICK, undefined, { ref: false });
  }
}

/** The heads that Ponder is told of. A nudge announces the last one again, so that it looks at what is final. */
function announcedHeads({ indexingBuild }: PonderApp): Pick<FinalityParameters, "announced" | "nudge"> {
  let again = () => {};
  let newest = 0;
  for (const rpc of indexingBuild.rpcs) {
    const subscribe = rpc.subscribe.bind(rpc);
    rpc.subscribe = (listener) =>
      subscribe({
        ...listener,
        onBlock(block) {
          newest = Number(block.number);
          again = () => void listener.onBlock(block);
          return listener.onBlock(block);
        },
      });
  }
  return { announced: () => newest, nudge: () => again() };
}

export function createFinality(parameters: FinalityParameters): Finality {
  const { settings, log, note, announced, nudge } = parameters;
  const { finalityDepth: depth } = settings;
  const endpoints = settings.rpcUrls.map(
    (url): Endpoint => ({
      ...{ url, host: new URL(url).host, finals: new LRUCache({ max: REMEMBERED }), newest: -1, highest: -1 },
      ...{ hasTag: null, silentSince: null, isAsked: false, restsUntil: 0 },
    }),
  );
  let { floor } = parameters;
  /** the lowest final block when it last came nearer, and the chain's head then */
  let lowest = -1;
  let tipThen: number | null = null;
  let toldAt = Number.NEGATIVE_INFINITY;
  let source: FinalitySource | null = null;
  let noted = "";
  let isNoting = false;
  let isAwaited = false;

  const askOne = async (endpoint: Endpoint) => {
    const { url, host } = endpoint;
    endpoint.isAsked = true;
    try {
      const block = await finalBlockOf({ url, timeout: TIMEOUT });
      endpoint.silentSince = null;
      if (block === null) {
        endpoint.hasTag ??= false;
        return;
      }
      endpoint.hasTag = true;
      const number = Number(block.number);
      const { newest, highest, finals } = endpoint;
      const isNew = finals.get(number) !== block.hash;
      if (number < highest && newest === highest)
        log.warn({ msg: BACKWARDS, endpoint: host, from: highest, to: number });
      endpoint.newest = number;
      endpoint.highest = Math.max(highest, number);
      finals.set(number, block.hash);
      if (isNew) nudge();
    } catch (error) {
      const now = performance.now();
      if (error instanceof RpcError && !isPassing(error)) endpoint.hasTag ??= false;
      if (error instanceof RpcError && error.kind === "rate")
        endpoint.restsUntil = now + Math.min(Math.max(FINAL_EVERY, error.retryAfter ?? 0), MISSING_AFTER);
      endpoint.silentSince ??= now;
    } finally {
      endpoint.isAsked = false;
    }
  };

  /** Whether it is waited for: its word counts, or is not known yet. */
  const counts = ({ hasTag, silentSince }: Endpoint) =>
    hasTag !== false && performance.now() - (silentSince ?? performance.now()) < MISSING_AFTER;

  /** The highest of its final blocks that is one of ours; -1 without any. */
  const sharedWith = ({ finals, newest }: Endpoint, blocks: readonly OpenBlock[]): number => {
    if (newest <= floor) return newest;
    const first = floor + 1;
    const shared = [...finals].filter(([number, hash]) => blocks[number - first]?.hash === hash);
    return Math.max(-1, ...shared.map(([number]) => number));
  };

  const tell = (next: FinalitySource) => {
    const hosts = endpoints.filter(({ hasTag }) => hasTag === true).map(({ host }) => host);
    if (next === "stalled") log.warn({ msg: STALLED, block: lowest, depth, endpoints: hosts.join(", ") });
    else if (next === "depth")
      log.info({ msg: "The endpoints report no final block: FINALITY_DEPTH applies", depth });
    else if (source !== null) log.info({ msg: "The endpoints' final block moves again" });
    source = next;
  };

  /** Notes what has changed. */
  const report = (next: FinalitySource, byDepth: OpenBlock | undefined) => {
    if (next !== source) tell(next);
    const state = `${next} ${byDepth?.number}`;
    if (isNoting || state === noted) return;
    isNoting = true;
    void note({ source: next, byDepth: byDepth ?? null })
      .then(() => {
        noted = state;
      })
      // Probably a database outage, which is logged elsewhere: it is noted with the next head.
      .catch(() => {})
      .finally(() => {
        isNoting = false;
      });
  };

  return {
    floor: () => floor,
    isAwaited: () => isAwaited,
    async ask() {
      const now = performance.now();
      const free = endpoints.filter(({ isAsked, restsUntil }) => !isAsked && now >= restsUntil);
      await Promise.all(free.map(askOne));
    },
    settled(blocks, finalized) {
      floor = Number(finalized.number);
      const newest = blocks.at(-1);
      const head = newest === undefined ? floor : Number(newest.number);
      const heard = endpoints.filter(counts);
      const shared = heard.map((endpoint) => sharedWith(endpoint, blocks));
      const reached = shared.length === 0 ? -1 : Math.min(...shared);
      // The index may be catching up, as after a deep reorg, while the chain's own head does not advance.
      const tip = Math.max(head, announced());
      tipThen ??= tip;
      // During that time the endpoints' final blocks may be above every indexed block, though not above the chain's head.
      const isAhead = heard.some(({ newest }) => newest > head && newest <= tip);
      if (reached > lowest || isAhead) tipThen = tip;
      lowest = Math.max(lowest, reached);

      const next = heard.length === 0 ? "depth" : tip - tipThen > depth ? "stalled" : "finalized";
      report(next, next === "finalized" ? undefined : blocks[head - depth - floor - 1]);
      isAwaited = blocks.some(({ hasEvents }) => hasEvents);
      if (reached <= floor) return undefined;
      const ours = blocks.slice(0, reached - floor);
      const isDue = ours.some(({ hasEvents }) => hasEvents) || performance.now() - toldAt >= QUIET;
      const block = ours.at(-1);
      if (!isDue || block === undefined) return undefined;
      toldAt = performance.now();
      floor = Number(block.number);
      return block;
    },
  };
}
