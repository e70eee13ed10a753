/** @module A visible listing, with everything that its answers are made of. */
import type { Correction } from "../../src/fold/derived.ts";
import type { OfferRow, RepaymentRow, TradeRow } from "../../src/fold/state.ts";
import type { Flow } from "./flows.ts";
import type { Published } from "./listing.ts";
import type { DeskEntry } from "./trading.ts";

/** A visible listing, with the data of its other answers. */
export type Visible = Published & {
  /** in the order of the chain, like the others */
  repayments: readonly RepaymentRow[];
  offers: readonly OfferRow[];
  trades: readonly TradeRow[];
  flows: readonly Flow[];
  corrections: readonly Correction[];
  /** of the originator, ISO 3166-1 alpha-2 */
  country: string;
  /** unix seconds: the last time at which anything but its days changed by time alone */
  madeAt: bigint;
  /** null without a desk */
  entry: DeskEntry | null;
};
