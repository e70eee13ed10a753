/** @module The invariants of the status, and of the sums that it rests on, over random histories. */
import fc from "fast-check";
import { STATUSES, type Status } from "../../api/market/schema.ts";
import { acceptsMoney, statusAt } from "../../api/market/status.ts";
import { pairKey } from "../../api/registry/schema.ts";
import type { LocatedEvent } from "../../src/fold/events.ts";
import { fold } from "../../src/fold/fold.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { arbitraryHistory } from "./arbitrary-history.ts";
import { type Book, createBook, escrowLog, placeAt, toListingEvent } from "./book.ts";
import { permittedHistory, type Transaction } from "./permitted-history.ts";

const MAX = 2n ** 256n - 1n;
const OPEN: readonly Status[] = ["listed", "funding"];
const FINAL: readonly Status[] = ["matured", "voided", "cancelled"];
/** The transitions that the reference escrow permits; live and refunding turn once at most, when an auction closes. */
const EDGES: Record<Status, readonly Status[]> = {
  listed: ["funding", "live", "refunding", "cancelled"],
  funding: ["live", "refunding", "cancelled"],
  live: ["matured", "voided", "refunding"],
  refunding: ["voided", "live"],
  matured: [],
  voided: [],
  cancelled: [],
};

/** Every listed edge but refunding -> live: clearing an auction pays bids back, so it never raises the figure. */
export const REACHABLE_EDGES = Object.entries(EDGES)
  .flatMap(([from, targets]) => targets.map((to) => `${from} -> ${to}`))
  .filter((edge) => edge !== "refunding -> live")
  .sort();

/** Fails, with the seed and the smallest history, when an arbitrary history breaks an invariant. */
export function checkArbitraryHistories(numRuns: number): void {
  const property = fc.property(arbitraryHistory(), (events) => {
    tellStory(events.map((event) => ({ blockTime: event.at.blockTime, events: [event] })));
  });
  fc.assert(property, { numRuns });
}

/**
 * The same for histories that the reference escrow permits, which in addition keep to the listed edges.
 * Returns the edges that were taken, as `from -> to`: those that never are have not been tested.
 */
export function checkPermittedHistories(numRuns: number): Set<string> {
  const taken = new Set<string>();
  const property = fc.property(permittedHistory(), (transactions) => {
    const { book, path, turns } = tellStory(transactions);
    if (book.anomalies.length > 0) broken("a permitted history has an anomaly", book.anomalies);
    for (const [index, after] of path.entries()) {
      const before = path[index - 1];
      if (before === undefined) continue;
      if (!EDGES[before].includes(after)) broken("an edge that is not listed", path);
      taken.add(`${before} -> ${after}`);
    }
    for (const { by, pricingMode } of turns) {
      if (by !== "listing_closed" || pricingMode !== "auction") broken("turned by something else", by);
    }
    if (turns.length > 1) broken("live and refunding turned more than once", path);
  });
  fc.assert(property, { numRuns });
  return taken;
}

/** A change between live and refunding: the last event of the transaction that brought it about. */
type Turn = { by: string; pricingMode: string | null };
type Story = { book: Book; path: Status[]; turns: Turn[] };

/**
 * Folds transaction by transaction and looks at the listing as soon as it exists: when a block comes, before its
 * events (what time alone made of it), and after them. Several transactions of one block are looked at one by one,
 * as each is a step of its own.
 */
function tellStory(transactions: readonly Transaction[]): Story {
  const book = createBook();
  const path: Status[] = [];
  const turns: Turn[] = [];
  let row: ListingRow | undefined;

  const look = (now: bigint, by: string): void => {
    if (row === undefined || row.createdEventId === null) return;
    const before = path.at(-1);
    const status = checkedStatus(row, now);
    if (before === status) return;
    path.push(status);
    if (before === undefined) return;
    if (FINAL.includes(before)) broken("a final state was left", path);
    if (!OPEN.includes(before) && OPEN.includes(status)) broken("open again after a close", path);
    const verdicts: readonly Status[] = ["live", "refunding"];
    if (verdicts.includes(before) && verdicts.includes(status)) {
      turns.push({ by, pricingMode: row.pricingMode });
    }
  };

  for (const { blockTime, events } of transactions) {
    look(blockTime, "time");
    let by = "nothing";
    for (const event of events) {
      const before = row;
      row = book.record(event).listing;
      by = event.kind;
      checkSums(book, row);
      if (before !== undefined) checkFreeze(before, row, event);
    }
    look(blockTime, by);
    if (row !== undefined && row.createdEventId !== null) checkTimeAlone(row, blockTime);
  }
  return { book, path, turns };
}

/** The status at `now`, and that `acceptsMoney` is what a subscription at `now` would meet. */
function checkedStatus(row: ListingRow, now: bigint): Status {
  const { status } = statusAt(row, now);
  if (!STATUSES.includes(status)) broken("not one of the seven", status);
  if (acceptsMoney(status) !== OPEN.includes(status)) broken("accepts money in the wrong state", status);

  const knock = toListingEvent(escrowLog("Subscribed", { amount: 1n, totalRaised: row.raisedAmount }));
  const state = { listing: row, position: null, tokenOwner: null };
  const { anomalies } = fold(state, { ...knock, at: placeAt(1_000, now) });
  const refused = anomalies.some(({ kind }) => kind === "subscribed_after_close");
  if (acceptsMoney(status) === refused) broken("status and freeze disagree", { status, refused, now });
  return status;
}

/** For fixed facts the status changes at most once, at `closeAt`, from an open state to live or refunding. */
function checkTimeAlone(row: ListingRow, now: bigint): void {
  const closeAt = row.closeAt ?? 0n;
  const times = [now, closeAt - 1n, closeAt, closeAt + 1n, closeAt + 10_000n, 2n ** 64n].filter(
    (time) => time >= now,
  );
  const seen = times.map((time) => statusAt(row, time));
  for (const [index, { status, since }] of seen.entries()) {
    const before = seen[index - 1];
    if (before === undefined) continue;
    if (before.status === status) {
      if (before.since !== since) broken("began at another time than a moment ago", [before.since, since]);
      continue;
    }
    if (times[index] !== closeAt || since !== closeAt) broken("changed at another time", times[index]);
    if (!OPEN.includes(before.status) || OPEN.includes(status) || FINAL.includes(status)) {
      broken("time alone made this change", [before.status, status]);
    }
  }
}

/** Nothing negative, nothing above a uint256, and counts and sums that agree. */
function checkSums(book: Book, row: ListingRow): void {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === "bigint" && (value < 0n || value > MAX)) broken(`${name} is out of range`, value);
  }
  let holders = 0;
  let principal = 0n;
  for (const { netPrincipal, subscribedAmount, refundedAmount } of book.positions
    .get(pairKey(row))
    ?.values() ?? []) {
    for (const value of [netPrincipal, subscribedAmount, refundedAmount]) {
      if (value < 0n || value > MAX) broken("a position is out of range", value);
    }
    if (netPrincipal > subscribedAmount) broken("more principal than was subscribed", netPrincipal);
    if (netPrincipal > 0n) holders += 1;
    principal += netPrincipal;
  }
  if (row.subscriberCount !== holders) broken("subscriberCount", [row.subscriberCount, holders]);
  const addsUp = !book.anomalies.some(({ kind }) => kind === "total_mismatch");
  if (addsUp && row.raisedAmount !== principal) broken("raisedAmount", [row.raisedAmount, principal]);
}

/** Once frozen, nothing but an auction's clearing and its first close moves the raise. */
function checkFreeze(before: ListingRow, after: ListingRow, event: LocatedEvent): void {
  const ended = before.closedAt !== null || before.terminalKind !== null;
  const deadline = before.closeAt !== null && event.at.blockTime >= before.closeAt;
  const frozen = ended || deadline || before.frozenAt !== null;
  if (before.frozenAt !== null && after.frozenAt !== before.frozenAt) broken("thawed", after.frozenAt);
  if (!frozen) return;
  if (after.frozenAt === null) broken("not frozen", event);
  const { minRaise, couponRateBps, closeAt } = before;
  const sameTerms =
    after.minRaise === minRaise && after.couponRateBps === couponRateBps && after.closeAt === closeAt;
  // Terms that came before the creation are none yet.
  if (!sameTerms && before.createdEventId !== null) broken("terms changed after the close", event);
  const clearing =
    event.kind === "refunded" && event.args.reason === "outbid" && before.pricingMode === "auction";
  if (!ended && (clearing || event.kind === "listing_closed")) return;
  if (after.raisedAmount !== before.raisedAmount || after.subscriberCount !== before.subscriberCount) {
    broken("the frozen raise moved", event);
  }
}

function broken(what: string, fact: unknown): never {
  const shown = JSON.stringify(fact, (_key, value) => (typeof value === "bigint" ? `${value}` : value));
  throw new Error(`${what}: ${shown}`);
}
