/**
 * The hand-written part of a raise; everything else is drawn from the seed. Days count from the end of the market: -30 is
 * thirty days before it.
 * @module
 */
import type { EscrowName, PricingMode } from "./actions.ts";
import type { BusinessName } from "./cast.ts";

export type Course =
  /** Repaid in full, `afterMaturity` days after maturity (before it when negative). */
  | { readonly kind: "repaid"; readonly afterMaturity?: number; readonly payments?: number }
  /** The originator pays all but `shortfall`, which the reserve covers. */
  | { readonly kind: "repaidWithReserve"; readonly shortfall: number }
  /** The originator pays all but `shortfall`; what the reserve does not cover is written off. */
  | { readonly kind: "writtenOff"; readonly shortfall: number; readonly settledAfterMaturity: number }
  /** Drawn and not settled: current, grace, late or default, depending on `drawnDay` and the tenor. */
  | { readonly kind: "outstanding"; readonly payments: number; readonly paidShare: number }
  /** Closed with the minimum met, not drawn yet. */
  | { readonly kind: "undrawn" }
  /** Below the minimum at close. */
  | { readonly kind: "missed"; readonly reached: number; readonly refundedShare: number }
  | { readonly kind: "voided"; readonly reason: string; readonly refundedShare: number }
  | {
      readonly kind: "cancelled";
      readonly reason: string;
      readonly reached: number;
      readonly refundedShare: number;
    }
  /** Still open at the end of the market; `reached` 0 has no subscriptions. */
  | { readonly kind: "open"; readonly reached: number; readonly postponed?: boolean };

/**
 * The live market's guarantee for a raise: `untouched` never gets a subscription, `unfilled` never reaches its target,
 * `failing` not even its minimum, `distressed` is never repaid or settled.
 */
export type Role = "untouched" | "unfilled" | "failing" | "distressed";

export type RaiseStory = {
  readonly publicId: string;
  readonly escrow: EscrowName;
  readonly business: BusinessName;
  readonly title: string;
  readonly description: string;
  /** A file next to the registry. */
  readonly cover?: string;
  /** Dollars; the seed varies it by up to ten percent. */
  readonly target: number;
  /** Percent of the target. */
  readonly minimum: number;
  readonly couponRateBps: number;
  readonly insuranceBps: number;
  readonly tenorDays: number;
  readonly pricingMode: PricingMode;
  readonly goLiveDay: number;
  /** Null: no closing time. */
  readonly closeDay: number | null;
  /** Day of the drawdown, if a later state depends on it. Default: one to three days after the close. */
  readonly drawnDay?: number;
  readonly course: Course;
  readonly role?: Role;
  /** Missing from the registry: on the chain, but not shown. */
  readonly unpublished?: boolean;
};

/** Begins the stories of one escrow's raises: the public id is `lst_<business>_<name>`. */
export function storiesOf(escrow: EscrowName) {
  const storyOf = (pricingMode: PricingMode) => (business: BusinessName, name: string) => {
    return { escrow, pricingMode, business, publicId: `lst_${business}_${name}` };
  };
  return { fixed: storyOf("fixed"), auction: storyOf("auction") };
}
