/** @module Follows the end of the ledger for all streams: one read per block with events, none without followers. */
import { setTimeout as sleep } from "node:timers/promises";
import { DEFAULT_MAX_STREAMS } from "../../../config/defaults.ts";
import type { Logger } from "../../../config/log.ts";
import { ledgerRevisionOf, ledgerRowsAt } from "../../database/checkpoint.ts";
import { notIndexedYet, ProblemError, pageOrProblem } from "../../http/problem.ts";
import { continues, ReorganisingError } from "../../ledger/in-step.ts";
import type { Continuation, OnwardReader } from "../../ledger/read-onward.ts";
import { BEFORE_ALL, decodeRowId } from "../../ledger/row-id.ts";
import type { Market } from "../../market/market.ts";
import type { Listing } from "../../market/schema.ts";
import type { MarketSource, Snapshot } from "../../market/snapshot.ts";
import type { BookRoots } from "../../proof/book-root.ts";
import { changedListings, type Pair, pairKey, pairOf } from "../../registry/schema.ts";
import { createFanOut, type FanOut, type Member } from "./fan-out.ts";
import { advance, headItem, lastRowOf, type Resend, remaining, type StreamState } from "./followed.ts";
import { createJournal, type Journal } from "./journal.ts";

/** Milliseconds. */
const TIMES = {
  /** between checks of the market */
  step: 20,
  /** until the next check when tables and market differ */
  mismatch: 200,
  /** until all streams are ended, when tables and market keep differing */
  standstill: 30_000,
  /** until the next attempt after a database error */
  retry: 1_000,
  /** between looks for followers that are due a keep-alive */
  beat: 1_000,
  /** timeout for reading the first state */
  begin: 5_000,
};

export type StreamLimits = {
  readonly followers: number;
  /** pending rows, including those of the new block; beyond it followers have to reconnect */
  readonly pendingRows: number;
  /** held for followers that read slowly; who falls behind has to reconnect. Default: `journal.ts` has it */
  readonly journalBytes?: number | undefined;
};

export const STREAM_LIMITS: StreamLimits = { followers: DEFAULT_MAX_STREAMS, pendingRows: 50_000 };

/** Extra streams for the webhook deliverer: one for each of its targets. */
const DELIVERER_PLACES = 100;

export type Tail = Omit<FanOut, "add" | "endAll" | "tellAll" | "beat"> & {
  journal: Journal;
  /** Adds a follower; the webhook deliverer may exceed the limit. @throws ProblemError when all places are taken or there is nothing to follow, ReorganisingError while blocks are being replaced */
  join(member: Member, isDeliverer?: boolean): Promise<StreamState>;
  /** whether only the deliverer can still join */
  isFull(): boolean;
  /** null after all streams have been ended, until the next follower */
  current(): StreamState | null;
};

export function createTail(parameters: {
  updater: MarketSource;
  reader: OnwardReader;
  finalRoot: BookRoots["finalRoot"];
  exposeAccounts: boolean;
  log: Logger;
  closing: AbortSignal;
  limits?: StreamLimits | undefined;
}): Tail {
  const { updater, reader, finalRoot, exposeAccounts, log, closing, limits = STREAM_LIMITS } = parameters;
  let journal = createJournal(limits.journalBytes);
  const members = createFanOut(() => journal);
  let followed: StreamState | null = null;
  let isRunning = false;

  const endAll = () => {
    followed = null;
    journal = createJournal(limits.journalBytes);
    members.endAll();
  };
  closing.addEventListener("abort", endAll);
  const isFull = () => members.size() >= limits.followers;

  const matches = (snapshot: Snapshot, { progress }: Continuation) =>
    progress.backfilled &&
    (ledgerRevisionOf(progress) === snapshot.ledgerRevision || continues(progress, snapshot));

  /** The state that followers begin with; null while tables and market differ. */
  const begin = async (snapshot: Snapshot): Promise<StreamState | null> => {
    const base = snapshot.finalized.number;
    const last = await reader.lastRow(base);
    const anchor = last?.block ?? null;
    const root = await finalRoot(snapshot);
    const start = { snapshot, base, root, anchor, finalRow: last?.id ?? BEFORE_ALL, blocks: [] };
    const known = anchor === null ? [] : [anchor];
    const read = await reader.continue(known, base, snapshot.lastChanged.number, limits.pendingRows);
    if (read === null || read.lost !== null || !matches(snapshot, read)) return null;
    if (read.rows.length === limits.pendingRows) throw tooMuch();
    const begun = advance(start, read, snapshot, exposeAccounts, null, root).followed;
    return lastRowOf(begun) === snapshot.market.head.lastRow ? begun : null;
  };

  /** Sends followers what is new in the market. False while tables and market differ. */
  const publish = async (before: StreamState, snapshot: Snapshot): Promise<boolean> => {
    let read: Pick<Continuation, "lost" | "rows"> = { lost: null, rows: [] };
    if (snapshot.ledgerRevision !== before.snapshot.ledgerRevision) {
      const known = [...(before.anchor === null ? [] : [before.anchor]), ...before.blocks];
      const limit = limits.pendingRows;
      const found = await reader.continue(known, before.base, snapshot.lastChanged.number, limit);
      if (found === null || !matches(snapshot, found)) return false;
      const whole = isTooMuch(before, found) ? found : await withGap(before, snapshot, found);
      if (whole === null) return false;
      if (isTooMuch(before, whole)) {
        endAll();
        return true;
      }
      read = whole;
    }
    const resend = await findResend(reader, before, read.lost, snapshot);
    const root = await finalRoot(snapshot);
    const next = advance(before, read, snapshot, exposeAccounts, resend, root);
    // The block was read while only some of its rows were written.
    if (lastRowOf(next.followed) !== snapshot.market.head.lastRow) return false;
    if (followed !== before) return true;
    followed = next.followed;
    const place = journal.end();
    journal.add(next.items);
    if (next.items.length > 0) members.tellAll(place);
    return true;
  };

  /**
   * Tables that were filled again may have a row before the last that an endpoint had left out (decision 0046): from its block on
   * everything is sent again, as after a reorg. Null while tables and market differ.
   */
  const withGap = async (before: StreamState, snapshot: Snapshot, found: Continuation) => {
    const kept = remaining(before, found.lost);
    const gone = rowsIn(before) - rowsIn(kept);
    const expected = ledgerRowsAt(before.snapshot.ledgerRevision) - gone + found.rows.length;
    if (expected === ledgerRowsAt(snapshot.ledgerRevision)) return found;
    const anchor = before.anchor === null ? [] : [before.anchor];
    const until = snapshot.lastChanged.number;
    const all = await reader.continue(anchor, before.base, until, limits.pendingRows);
    if (all === null || !matches(snapshot, all)) return null;
    const sent = new Map(kept.blocks.map(({ number, rows }) => [number, rows.length]));
    const rows = Map.groupBy(all.rows, ({ blockNumber }) => blockNumber);
    const numbers = [...new Set([...sent.keys(), ...rows.keys()])].sort((a, b) => Number(a - b));
    const first = numbers.find((number) => sent.get(number) !== rows.get(number)?.length);
    // Before all of these: what was sent as final lacks it.
    const isFinal = first === undefined || first > (kept.blocks.at(-1)?.number ?? before.base);
    const lost = isFinal ? before.base : first;
    return { ...all, lost, rows: all.rows.filter(({ blockNumber }) => blockNumber >= lost) };
  };
  const rowsIn = ({ blocks }: StreamState) => blocks.reduce((total, { rows }) => total + rows.length, 0);

  /** Also true when a final block was reverted: then nothing that was sent can be relied on. */
  const isTooMuch = (before: StreamState, { lost, rows }: Continuation) =>
    (lost !== null && lost <= before.base) || rowsIn(before) + rows.length >= limits.pendingRows;

  const update = async (snapshot: Snapshot): Promise<boolean> => {
    if (followed !== null) return publish(followed, snapshot);
    followed = await begin(snapshot);
    return followed !== null;
  };

  const run = async () => {
    let seen: Snapshot | null = null;
    let failure: string | null = null;
    let isDoneSince = performance.now();
    while (members.size() > 0) {
      const snapshot = updater.current();
      // After a restart of the indexer, pending rows are indexed again in the same blocks.
      const news: Snapshot | null =
        snapshot?.backfilled && (snapshot !== seen || followed === null) ? snapshot : null;
      try {
        const isDone = news === null || (await update(news));
        failure = null;
        if (isDone) {
          seen = news ?? seen;
          isDoneSince = performance.now();
        } else if (performance.now() - isDoneSince > TIMES.standstill) {
          const lastRow = followed && lastRowOf(followed);
          log.warn({ msg: "The stream has stalled", lastRow, ofMarket: news?.market.head.lastRow });
          endAll();
        }
        await sleep(isDone ? TIMES.step : TIMES.mismatch);
      } catch (error) {
        if (error instanceof ProblemError) endAll();
        if (failure !== String(error)) log.warn({ msg: "The stream has stalled", error });
        failure = String(error);
        await sleep(TIMES.retry);
      }
    }
    followed = null;
    journal = createJournal(limits.journalBytes);
    isRunning = false;
  };
  const beat = setInterval(() => {
    if (followed !== null) members.beat(headItem(followed));
  }, TIMES.beat).unref();
  closing.addEventListener("abort", () => clearInterval(beat));

  const { size, remove, end, attach, ready, nextBeat } = members;
  return {
    ...{ size, remove, end, attach, ready, nextBeat },
    get journal() {
      return journal;
    },
    current: () => followed,
    isFull,
    async join(member, isDeliverer = false) {
      const snapshot = updater.current();
      if (snapshot === null) throw notIndexedYet();
      if (!snapshot.backfilled) pageOrProblem("backfilling");
      if (closing.aborted) throw stopping();
      if (isFull() && !(isDeliverer && members.size() < limits.followers + DELIVERER_PLACES))
        throw busy(`${limits.followers} streams are open already; ask again later.`, 30);
      members.add(member);
      if (!isRunning) {
        isRunning = true;
        void run();
      }
      const deadline = performance.now() + TIMES.begin;
      while (followed === null && !member.ended && performance.now() < deadline) await sleep(TIMES.step);
      if (followed !== null && !member.ended) return followed;
      members.remove(member);
      if (closing.aborted) throw stopping();
      throw member.ended ? tooMuch() : new ReorganisingError();
    },
  };
}

async function findResend(
  reader: OnwardReader,
  before: StreamState,
  lost: bigint | null,
  snapshot: Snapshot,
): Promise<Resend | null> {
  const last = decodeRowId(lastRowOf(remaining(before, lost)));
  if (last === null || last === BEFORE_ALL) return null;
  const gone = shownOtherwise(before.snapshot, snapshot);
  const pairs = [...shownOtherwise(snapshot, before.snapshot), ...gone];
  const from = pairs.length === 0 ? null : await reader.firstBlock(pairs);
  if (from === null || from > last.blockNumber) return null;
  const left = await reader.lastRow(from - 1n);
  const [keys, hides] = [new Set(pairs.map(pairKey)), gone.length > 0];
  return { from, pairs: keys, hides, lastRow: left?.id ?? BEFORE_ALL };
}

/** The raises that the other market lacks or names differently. In the archive there are such only after a change of the registry. */
function shownOtherwise({ market, registry }: Snapshot, other: Snapshot): Pair[] {
  const { full } = market.listings;
  const listings = changedIn(full, other.market.listings.full);
  const entries = registry === other.registry ? [] : changedListings(other.registry, registry);
  return [...listings, ...entries].map(pairOf).filter((pair) => {
    const names = namesIn(market, pair);
    return names !== null && names !== namesIn(other.market, pair);
  });
}

/** The listings that are not the same object in the other list. What both lists begin and end with is skipped. */
function changedIn(listings: readonly Listing[], others: readonly Listing[]): readonly Listing[] {
  const most = Math.min(listings.length, others.length);
  let start = 0;
  while (start < most && listings[start] === others[start]) start += 1;
  let end = 0;
  while (end < most - start && listings.at(-1 - end) === others.at(-1 - end)) end += 1;
  const known = new Set(others.slice(start, others.length - end));
  return listings.slice(start, listings.length - end).filter((listing) => !known.has(listing));
}

function namesIn({ factsByPair }: Market, pair: Pair): string | null {
  const facts = factsByPair(pairKey(pair));
  return facts === undefined ? null : NAMES.map((name) => facts[name]).join(" ");
}

const NAMES = ["publicId", "refnum", "originator"] as const;

function busy(detail: string, seconds: number): ProblemError {
  return new ProblemError({ code: "busy", detail, headers: { "Retry-After": `${seconds}` } });
}

function stopping(): ProblemError {
  return busy("The service is about to stop.", 1);
}

function tooMuch(): ProblemError {
  return busy("More is happening than can be followed at the moment; ask for pages of events.", 30);
}
