/** @module The orders of listings in the words of the documents, independent of the code. */
import type { Sort } from "../../api/market/listings-order.ts";
import type { Listing } from "../../api/market/schema.ts";

/** The order in the words of the documents: the first difference of a list of them decides. */
export function sorted(listings: readonly Listing[], sort: Sort): Listing[] {
  const never = "~";
  type Order = (a: bigint | number | string, b: bigint | number | string) => number;
  const falling: Order = (a, b) => (a === b ? 0 : a > b ? -1 : 1);
  const rising: Order = (a, b) => -falling(a, b);
  const closes = (order: Order, none: string) => (a: Listing, b: Listing) => [
    falling(Number(a.acceptsMoney), Number(b.acceptsMoney)),
    order(a.closeAt ?? none, b.closeAt ?? none),
  ];
  const due = (order: Order, none: string) => (a: Listing, b: Listing) => [
    rising(Number(a.outstandingPrincipal === "0"), Number(b.outstandingPrincipal === "0")),
    order(a.maturityAt ?? none, b.maturityAt ?? none),
  ];
  // In basis points, as it is shown.
  const funded = ({ raisedAmount, targetAmount }: Listing) =>
    targetAmount === "0" ? 0n : (BigInt(raisedAmount) * 10_000n) / BigInt(targetAmount);
  const graded = (letters: string) => (a: Listing, b: Listing) => [
    rising(letters.indexOf(a.originatorGrade[0] ?? ""), letters.indexOf(b.originatorGrade[0] ?? "")),
  ];
  const differences: Record<Sort, (a: Listing, b: Listing) => number[]> = {
    newest: (a, b) => [falling(a.goLiveAt, b.goLiveAt)],
    oldest: (a, b) => [rising(a.goLiveAt, b.goLiveAt)],
    closing_soon: closes(rising, never),
    closing_late: closes(falling, ""),
    due_soon: due(rising, never),
    due_late: due(falling, ""),
    most_raised: (a, b) => [falling(BigInt(a.raisedAmount), BigInt(b.raisedAmount))],
    least_raised: (a, b) => [rising(BigInt(a.raisedAmount), BigInt(b.raisedAmount))],
    largest_target: (a, b) => [falling(BigInt(a.targetAmount), BigInt(b.targetAmount))],
    smallest_target: (a, b) => [rising(BigInt(a.targetAmount), BigInt(b.targetAmount))],
    most_funded: (a, b) => [falling(funded(a), funded(b))],
    least_funded: (a, b) => [rising(funded(a), funded(b))],
    most_subscribers: (a, b) => [falling(a.subscriberCount, b.subscriberCount)],
    fewest_subscribers: (a, b) => [rising(a.subscriberCount, b.subscriberCount)],
    highest_coupon: (a, b) => [falling(a.couponRateBps, b.couponRateBps)],
    lowest_coupon: (a, b) => [rising(a.couponRateBps, b.couponRateBps)],
    shortest_term: (a, b) => [rising(a.tenorDays, b.tenorDays)],
    longest_term: (a, b) => [falling(a.tenorDays, b.tenorDays)],
    best_grade: graded("ABCDEN"),
    worst_grade: graded("EDCBAN"),
  };
  return [...listings].sort((a, b) => {
    const all = [...differences[sort](a, b), -falling(a.publicId, b.publicId)];
    return all.find((difference) => difference !== 0) ?? 0;
  });
}
