/** @module The facts of a listing that filters, orders and counts read, from a listing in full or from a row of the archive. */
import { secondsOf } from "../../../config/format/time.ts";
import type { Listing } from "../schema.ts";

export type TimeName = "goLiveAt" | "closeAt" | "maturityAt" | "updatedAt";

/** The fields of a listing by which listings are filtered, ordered and named. */
export type ListingFacts = Pick<
  Listing,
  | TimeName
  | "publicId"
  | "refnum"
  | "escrowAddress"
  | "onchainId"
  | "originator"
  | "originatorGrade"
  | "status"
  | "acceptsMoney"
  | "repayment"
  | "pricingMode"
  | "couponRateBps"
  | "tenorDays"
  | "targetAmount"
  | "minRaise"
  | "raisedAmount"
  | "projectedAmount"
  | "outstandingPrincipal"
  | "refundableAmount"
  | "subscriberCount"
  | "updatedBlock"
>;

/** A row of the archive: it gives some facts faster than as their texts. The same object shows one row after the other. */
export type RowFacts = ListingFacts & {
  readonly row: number;
  /** unix seconds, like the last change */
  readonly createdAt: number;
  readonly changedAt: number;
  /** unix seconds */
  secondsAt(name: TimeName): bigint | null;
  /** `updatedBlock` as a number */
  readonly lastBlock: number;
  /** Whether the title, the refnum or the public id has these letters. @param word without case, accents and white space */
  has(word: string): boolean;
};

export function isRow(facts: ListingFacts): facts is RowFacts {
  return "row" in facts;
}

/** A time in unix seconds. */
export function secondsAt(facts: ListingFacts, name: TimeName): bigint | null {
  if (isRow(facts)) return facts.secondsAt(name);
  const time = facts[name];
  return time === null ? null : secondsOf(time);
}
