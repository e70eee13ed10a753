/**
 * Reads the pages of events that a query asks of many listings together: all that are asked for at one depth wait for
 * each other and are read at once. A listing that the others crowd out of the common read is read alone; the cost of a
 * query has a ledger read for each.
 * @module
 */
import { setImmediate } from "node:timers/promises";
import type { LedgerRow } from "../../src/fold/state.ts";
import { pairOf } from "../ledger/pages.ts";
import type { LedgerPage, LedgerQuery, LedgerReader, NoPage } from "../ledger/read.ts";
import type { Listing } from "../market/schema.ts";
import { pairKey } from "../registry/schema.ts";

export type EventLoader = {
  /** A page of one listing's events. The same page is read once, however often it is asked for. */
  load(listing: Listing, query: LedgerQuery): Promise<LedgerPage | NoPage>;
};

/** The most rows of one read for many listings. */
const MOST_ROWS = 2_000;

type Answer = Promise<LedgerPage | NoPage>;
type Waiting = { listing: Listing; resolve(page: LedgerPage | NoPage): void; reject(error: unknown): void };
/** Listings of which the same query is asked, by their key on the chain. */
type Batch = { query: LedgerQuery; waiting: Map<string, Waiting> };

/** A loader for one request. */
export function createEventLoader(ledger: LedgerReader): EventLoader {
  const answers = new Map<string, Answer>();
  let batches = new Map<string, Batch>();

  const flush = async () => {
    // After everything that is ready to be resolved: what it asks for is part of this batch.
    await setImmediate();
    const ready = batches;
    batches = new Map();
    for (const batch of ready.values()) await readBatch(ledger, batch);
  };

  return {
    load(listing, query) {
      const about = textOf(query);
      const key = pairKey(listing);
      const known = answers.get(`${key} ${about}`);
      if (known !== undefined) return known;
      if (batches.size === 0) void flush();
      const batch = batches.get(about) ?? { query, waiting: new Map() };
      batches.set(about, batch);
      const answer: Answer = new Promise((resolve, reject) => {
        batch.waiting.set(key, { listing, resolve, reject });
      });
      answers.set(`${key} ${about}`, answer);
      return answer;
    },
  };
}

/** Answers everybody who waits. Never throws: a failure is theirs. */
async function readBatch(ledger: LedgerReader, { query, waiting }: Batch): Promise<void> {
  try {
    const rest = waiting.size > 1 ? await readTogether(ledger, query, waiting) : waiting;
    for (const { listing, resolve } of rest.values()) {
      resolve(await ledger.ofListing(pairOf(listing), query));
    }
  } catch (error) {
    for (const { reject } of waiting.values()) reject(error);
  }
}

/**
 * One read for all of them. Whose page is not whole in it, because others have so many newer events, is left over;
 * so is everybody while the index that such a read needs is missing.
 */
async function readTogether(ledger: LedgerReader, query: LedgerQuery, waiting: Batch["waiting"]) {
  const pairs = [...waiting.values()].map(({ listing }) => pairOf(listing));
  const limit = Math.min(waiting.size * (query.limit + 1), MOST_ROWS);
  const all = await ledger.ofListings(pairs, { ...query, limit });
  if (all === "backfilling") return waiting;
  const rows = typeof all === "string" ? new Map<string, LedgerRow[]>() : Map.groupBy(all.rows, pairKey);
  const rest: Batch["waiting"] = new Map();
  for (const [key, one] of waiting) {
    const own = rows.get(key) ?? [];
    if (typeof all === "string") one.resolve(all);
    else if (all.next === null || own.length > query.limit) one.resolve(pageOf(all, own, query.limit));
    else rest.set(key, one);
  }
  return rest;
}

function pageOf({ progress }: LedgerPage, own: readonly LedgerRow[], limit: number): LedgerPage {
  const rows = own.slice(0, limit);
  const last = rows.at(-1);
  const isMore = own.length > limit && last !== undefined;
  return {
    progress,
    rows,
    next: isMore ? { blockNumber: last.blockNumber, logIndex: last.logIndex } : null,
  };
}

function textOf({ kinds, ...rest }: LedgerQuery): string {
  const asked = { ...rest, kinds: kinds && [...kinds].sort() };
  return JSON.stringify(asked, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
}
