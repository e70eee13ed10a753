/** @module The start of a follower: now, at the first row, or after the row whose id it sends. */
import { setTimeout as sleep } from "node:timers/promises";
import { isoTime } from "../../../config/format/time.ts";
import { quote } from "../../../config/format/untrusted-text.ts";
import { endOfBlock } from "../../../src/fold/event-id.ts";
import type { Block } from "../../../src/fold/events.ts";
import { ProblemError } from "../../http/problem.ts";
import type { OnwardReader } from "../../ledger/read-onward.ts";
import { BEFORE_ALL, encodeRowId, type RowId } from "../../ledger/row-id.ts";
import { pairKey, pairOf } from "../../registry/schema.ts";
import type { Filter } from "./filter.ts";
import type { StreamState } from "./followed.ts";
import { pendingPlace, type Start } from "./follower.ts";
import { reorgFrame } from "./frames.ts";

/** Milliseconds for the market to reach a row that the tables already have. */
const PATIENCE = 5_000;
const STEP = 20;
/** How many blocks another server may be ahead: as many as a fast chain has in an hour, for which this one's indexer may stand still. */
const MOST_AHEAD = 10_000n;

type Sources = {
  current(): StreamState | null;
  reader: Omit<OnwardReader, "page" | "continue">;
  filter: Pick<Filter, "pair" | "finalOnly">;
};

/**
 * @param id null to start now
 * @param name the parameter or header that held the id
 * @throws ProblemError for an id that was never issued, and while the answer is unknown
 */
export async function startAfter(
  id: RowId | typeof BEFORE_ALL | null,
  name: string,
  sources: Sources,
): Promise<Start> {
  if (id === BEFORE_ALL) return { after: null, first: null, floor: null };
  const begun = sources.current();
  if (begun === null) throw notNow("The stream has just been ended");
  if (id === null) return fromNow(begun);
  const start = await startAt(id, name, sources);
  const until = start.after?.blockNumber;
  const since = until === undefined ? null : await momentBefore(until, id.asOf, sources.reader);
  if (until === undefined || since === null) return start;
  const { reader, filter } = sources;
  // No row is final behind a missing event, unless LOGS_PROVEN has become stricter since.
  const refolded = filter.finalOnly ? null : await reader.refoldedFrom(since.number);
  const missed = [await firstOpened(since.timestamp, sources), refolded].filter(
    (block) => block !== null && block <= until,
  ) as bigint[];
  return missed.length === 0
    ? start
    : after(
        missed.reduce((a, b) => (a < b ? a : b)),
        reader,
      );
}

/**
 * A block up to which the follower had been shown everything when it was sent its last row: the row's own, unless its id names
 * a later one. The row's own does not tell whether it was sent before or after a raise opened. Null if there is no row.
 */
async function momentBefore(row: bigint, asOf: Block | undefined, reader: Sources["reader"]) {
  if (asOf !== undefined && asOf.number >= row) return asOf;
  const last = await reader.lastRow(row);
  return last && { number: row, timestamp: last.blockTime };
}

/** The first block of the raises that have opened since then: they were invisible before. Null if there is none. */
async function firstOpened(time: bigint, { current, reader, filter }: Sources): Promise<bigint | null> {
  const market = current()?.snapshot.market;
  if (market === undefined) return null;
  const since = isoTime(time);
  const opened: ReturnType<typeof pairOf>[] = [];
  for (const facts of market.listings.walk("newest")) {
    if (facts.goLiveAt <= since) break;
    const listing = pairOf(facts);
    if (filter.pair === null || pairKey(listing) === filter.pair) opened.push(listing);
  }
  return opened.length === 0 ? null : reader.firstBlock(opened);
}

async function startAt(id: RowId, name: string, { current, reader }: Sources): Promise<Start> {
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    const followed = current();
    if (followed === null) throw notNow("The stream has just been ended");
    const pending = pendingPlace(followed, id);
    if (pending !== null) return { after: pending, first: null, floor: null };
    const place = await reader.place(id);
    if (place === "on chain" && id.blockNumber <= followed.base)
      return { after: id, first: null, floor: null };
    if (place === "unknown") return startOfUnknown(id, name, followed, reader);
    if (place !== "on chain") return after(place.lost, reader);
    if (performance.now() > deadline) throw notNow("The block of this id is indexed but not yet served");
    await sleep(STEP);
  }
}

function fromNow({ base, blocks, finalRow }: StreamState): Start {
  const last = blocks.at(-1)?.number ?? base;
  return { after: endOfBlock(last), first: null, floor: { block: base, lastRow: finalRow } };
}

/** The id is of no known fork. In a block that is not final it may come from another server: all pending rows are resent. */
function startOfUnknown(
  id: RowId,
  name: string,
  { base, snapshot }: StreamState,
  reader: Sources["reader"],
): Promise<Start> {
  const head = snapshot.market.head.number;
  if (id.blockNumber > head + MOST_AHEAD || id.blockNumber <= base) {
    const detail = `${quote(encodeRowId(id, id.hash))} is not the id of a row of this stream`;
    const errors = [{ parameter: name, detail: `${detail}.`, allowed: [ID_FORM] }];
    throw new ProblemError({ code: "invalid_parameter", detail: `"${name}": ${detail}.`, errors });
  }
  if (id.blockNumber > head) throw notNow("This server has not reached the block of this id");
  return after(base + 1n, reader);
}

export const ID_FORM = "the id of a row of this stream, or 0 for the beginning";

async function after(lost: bigint, reader: Sources["reader"]): Promise<Start> {
  const last = await reader.lastRow(lost - 1n);
  return { after: endOfBlock(lost - 1n), first: reorgFrame(lost, last?.id ?? BEFORE_ALL), floor: null };
}

function notNow(what: string): ProblemError {
  const detail = `${what}: ask again in a moment.`;
  return new ProblemError({ code: "reorganising", detail, headers: { "Retry-After": "2" } });
}
