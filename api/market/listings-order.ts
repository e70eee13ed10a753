/** @module The orders of listings, prepared: a page is cut from one, not sorted for each request. */
import { isRow, type ListingFacts, secondsAt, type TimeName } from "./archive/facts.ts";
import { raisedShareBps } from "./listing.ts";
import { byPublicId, type Compare, type Edit, withEdits } from "./ordered.ts";
import { GRADES, type Listing, type Status } from "./schema.ts";

/** Each order next to its reverse. */
export const SORTS = [
  "newest",
  "oldest",
  "closing_soon",
  "closing_late",
  "due_soon",
  "due_late",
  "most_raised",
  "least_raised",
  "largest_target",
  "smallest_target",
  "most_funded",
  "least_funded",
  "most_subscribers",
  "fewest_subscribers",
  "highest_coupon",
  "lowest_coupon",
  "shortest_term",
  "longest_term",
  "best_grade",
  "worst_grade",
] as const;
export type Sort = (typeof SORTS)[number];

/** A place in an order: lowest key first, ties by public id. */
export type SortKey = { key: bigint; publicId: string };

/** Later than any time: for raises without one, and raises that the order is not about. */
const NEVER = 2n ** 64n;

/** Earliest or latest first; raises that the order is not about, and those without a time, come last either way. */
function byTime(name: TimeName, isAbout: (listing: ListingFacts) => boolean) {
  const keyOf = (direction: bigint) => (listing: ListingFacts) => {
    const time = secondsAt(listing, name);
    return (isAbout(listing) ? 0n : 3n * NEVER) + (time === null ? NEVER : direction * time);
  };
  return [keyOf(1n), keyOf(-1n)] as const;
}

const [closingSoon, closingLate] = byTime("closeAt", ({ acceptsMoney }) => acceptsMoney);
const [dueSoon, dueLate] = byTime("maturityAt", ({ outstandingPrincipal }) => outstandingPrincipal !== "0");
const openedFirst = (listing: ListingFacts) => secondsAt(listing, "goLiveAt") ?? 0n;

/** From A on; unrated businesses come last either way. */
function gradeKey(direction: 1 | -1) {
  return ({ originatorGrade }: ListingFacts) =>
    BigInt(originatorGrade === "NR" ? GRADES.length : direction * GRADES.indexOf(originatorGrade));
}

/** The key of each order, lowest first. */
const KEYS: Record<Sort, (listing: ListingFacts) => bigint> = {
  newest: (listing) => -openedFirst(listing),
  oldest: openedFirst,
  closing_soon: closingSoon,
  closing_late: closingLate,
  due_soon: dueSoon,
  due_late: dueLate,
  most_raised: ({ raisedAmount }) => -BigInt(raisedAmount),
  least_raised: ({ raisedAmount }) => BigInt(raisedAmount),
  largest_target: ({ targetAmount }) => -BigInt(targetAmount),
  smallest_target: ({ targetAmount }) => BigInt(targetAmount),
  most_funded: (listing) => -BigInt(raisedShareBps(listing) ?? 0),
  least_funded: (listing) => BigInt(raisedShareBps(listing) ?? 0),
  most_subscribers: ({ subscriberCount }) => BigInt(-subscriberCount),
  fewest_subscribers: ({ subscriberCount }) => BigInt(subscriberCount),
  highest_coupon: ({ couponRateBps }) => BigInt(-couponRateBps),
  lowest_coupon: ({ couponRateBps }) => BigInt(couponRateBps),
  shortest_term: ({ tenorDays }) => BigInt(tenorDays),
  longest_term: ({ tenorDays }) => BigInt(-tenorDays),
  best_grade: gradeKey(1),
  worst_grade: gradeKey(-1),
};

const ORDERS = Object.fromEntries(SORTS.map((sort) => [sort, createOrder(KEYS[sort])])) as Record<
  Sort,
  ReturnType<typeof createOrder>
>;

/** Keys are kept with their listing: finding a place compares some dozens of them. */
function createOrder(keyOf: (listing: ListingFacts) => bigint) {
  const keys = new WeakMap<ListingFacts, bigint>();
  const sortKeyOf = (listing: ListingFacts): SortKey => {
    if (isRow(listing)) return { key: keyOf(listing), publicId: listing.publicId };
    const key = keys.get(listing) ?? keyOf(listing);
    keys.set(listing, key);
    return { key, publicId: listing.publicId };
  };
  const compare: Compare<Listing> = (a, b) => compareSortKeys(sortKeyOf(a), sortKeyOf(b));
  return { sortKeyOf, compare };
}

/** The place of a listing in an order, as cursors carry it. The unit of `key` is the order's own: unix seconds, base units, or basis points. */
export function sortKeyOf(listing: ListingFacts, sort: Sort): SortKey {
  return ORDERS[sort].sortKeyOf(listing);
}

/** Compares two places of the same order, for sorting: negative if `a` comes first. Keys of different orders cannot be compared. */
export function compareSortKeys(a: SortKey, b: SortKey): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return byPublicId(a, b);
}

/** The same listings in other orders, or only those in one state. */
type Prepared = Map<string, { sort: Sort; status: Status | null; listings: readonly Listing[] }>;
const prepared = new WeakMap<readonly Listing[], Prepared>();

/** These listings, or those in one state, in an order; built once for each list. */
export function inOrder(
  listings: readonly Listing[],
  sort: Sort,
  status: Status | null = null,
): readonly Listing[] {
  const orders: Prepared = prepared.get(listings) ?? new Map();
  prepared.set(listings, orders);
  const name = `${sort} ${status}`;
  const known = orders.get(name);
  if (known !== undefined) return known.listings;
  const inState = status === null ? listings : listings.filter((listing) => listing.status === status);
  const sorted = inState.toSorted(ORDERS[sort].compare);
  orders.set(name, { sort, status, listings: sorted });
  return sorted;
}

/** A list in the order of the market, newest first, after these edits; its prepared orders are edited too, not rebuilt. */
export function withOrders(
  listings: readonly Listing[],
  edits: readonly Edit<Listing>[],
): readonly Listing[] {
  if (edits.length === 0) return listings;
  const after = withEdits(listings, edits, ORDERS.newest.compare);
  const orders: Prepared = new Map();
  for (const [name, { sort, status, listings: before }] of prepared.get(listings) ?? []) {
    const own = status === null ? edits : edits.map((edit) => onlyOf(edit, status));
    orders.set(name, { sort, status, listings: withEdits(before, own, ORDERS[sort].compare) });
  }
  prepared.set(after, orders);
  return after;
}

function onlyOf({ before, after }: Edit<Listing>, status: Status): Edit<Listing> {
  return {
    before: before?.status === status ? before : null,
    after: after?.status === status ? after : null,
  };
}

export const compareNewest: Compare<Listing> = ORDERS.newest.compare;
