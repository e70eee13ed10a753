/**
 * What the author of the market says about one raise; everything else is drawn from the seed.
 * Days count from the end of the market: -30 is thirty days before it.
 * @module
 */
import type { EscrowName, PricingMode } from "./actions.ts";
import type { BusinessName } from "./cast.ts";

export type Course =
  /** Everything is paid back, `afterMaturity` days after maturity (before it when negative). */
  | { readonly kind: "repaid"; readonly afterMaturity?: number; readonly payments?: number }
  /** The originator pays all but `shortfall`, which the reserve covers. */
  | { readonly kind: "repaidWithReserve"; readonly shortfall: number }
  /** What neither the originator (all but `shortfall`) nor the reserve pays is written off. */
  | { readonly kind: "writtenOff"; readonly shortfall: number; readonly settledAfterMaturity: number }
  /** Drawn and not settled: current, grace, late or default, as `drawnDay` and the tenor have it. */
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
  /** Takes money at the end of the market; `reached` 0 is a raise that nobody has subscribed to. */
  | { readonly kind: "open"; readonly reached: number; readonly postponed?: boolean };

/**
 * How the living market treats a raise. Each of these keeps a promise for as long as the demo runs: `untouched` is
 * never subscribed to, `unfilled` never reaches its target, `failing` not even its minimum, `distressed` is never
 * repaid nor settled.
 */
export type Role = "untouched" | "unfilled" | "failing" | "distressed";

export type RaiseStory = {
  readonly publicId: string;
  readonly escrow: EscrowName;
  readonly business: BusinessName;
  readonly title: string;
  readonly description: string;
  /** Dollars; the seed moves it by up to ten percent. */
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
  /** The day of the drawdown, where a later state depends on it; else one to three days after the close. */
  readonly drawnDay?: number;
  readonly course: Course;
  readonly role?: Role;
  /** Left out of the registry: on the chain, and not shown. */
  readonly unpublished?: boolean;
};
