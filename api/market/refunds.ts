/**
 * The money that goes back to the backers of a raise that came to nothing: how much of it is left to claim, and the words
 * for it on every face.
 * @module
 */
import type { ListingRow } from "../../src/fold/state.ts";
import { formatAmount } from "./amount.ts";
import type { Listing, Status } from "./schema.ts";

const FAILED: ReadonlySet<Status> = new Set(["refunding", "voided", "cancelled"]);

/** Whether the raise failed: no loan comes of it, and the money goes back. */
export function hasFailed({ status }: Pick<Listing, "status">): boolean {
  return FAILED.has(status);
}

/**
 * What backers can still claim, base units: `raisedAmount` stands still from the close on, so what went back since is
 * counted beside it. `refundedAmount` says nothing of this: withdrawals before the close are in it too.
 */
export function refundableAmount(
  { raisedAmount, returnedPrincipal }: Pick<ListingRow, "raisedAmount" | "returnedPrincipal">,
  status: Status,
): bigint {
  return hasFailed({ status }) && raisedAmount > returnedPrincipal ? raisedAmount - returnedPrincipal : 0n;
}

/** How the refunds of a raise stand; null while it returns no money. */
export function refundWords(
  listing: Pick<Listing, "status" | "raisedAmount" | "refundedAmount" | "refundableAmount" | "appUrl">,
): string | null {
  const { raisedAmount, refundedAmount, refundableAmount, appUrl } = listing;
  if (!hasFailed(listing)) return null;
  if (raisedAmount === "0") {
    return refundedAmount === "0"
      ? "Nobody had subscribed, so there is nothing to claim."
      : "All that was subscribed had been taken out before, so there is nothing to claim.";
  }
  if (refundableAmount === "0") {
    return `It is fully refunded: all of the ${formatAmount(raisedAmount)} is back with its backers.`;
  }
  const where = appUrl === null ? "; no app to do so in is configured here" : " in the app";
  return `Of ${formatAmount(raisedAmount)}, ${formatAmount(refundableAmount)} is not claimed yet: its backers can claim it at any time${where}.`;
}
