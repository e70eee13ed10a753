/**
 * The input and the output of the handlers, one for each kind of event (`fold.ts`).
 * @module
 */
import type { AnomalyLog } from "./anomalies.ts";
import type { ListingEventKind, LocatedEvent } from "./events.ts";
import type { ListingPatch, ListingRow, PositionAmounts, TokenRow } from "./state.ts";

/** The state before an event. */
export type Before = {
  /** a stub before the listing's first event; frozen already once its closing time has passed */
  listing: Readonly<ListingRow>;
  /** of the event's backer; all zero for a new backer and for events without one */
  position: Readonly<PositionAmounts>;
  /** the owner of the token that a `listing_created` names */
  tokenOwner: Readonly<TokenRow> | null;
};

/** The columns that an event changes, and the token that it binds to its listing. */
export type Change = { listing: ListingPatch; position?: Partial<PositionAmounts>; token?: TokenRow };

/** Returns what an event changes, and reports to `anomalies` what does not add up. Changes nothing itself. */
export type Handler<Kind extends ListingEventKind> = (
  before: Before,
  event: LocatedEvent<Kind>,
  anomalies: AnomalyLog,
) => Change;

/**
 * Latches the freeze at `time` (unix seconds), unless the raise is frozen already. A frozen raise keeps its amount, net
 * principals and subscriber count.
 */
export function freeze({ frozenAt }: Readonly<ListingRow>, time: bigint): ListingPatch {
  return frozenAt === null ? { frozenAt: time, decidedAt: time } : {};
}
