/**
 * Load, fold, save: what every handler does with an event.
 * @module
 */
import type { Context } from "ponder:registry";
import {
  anomaly,
  backerPosition,
  ledger,
  listing,
  listingToken,
  offer,
  refund,
  repayment,
  subscription,
  tally,
  trade,
} from "ponder:schema";
import type { Hex } from "viem";
import { type DeskLog, foldDesk } from "./fold/desk.ts";
import { type EscrowLog, type LocatedEvent, lower, type Provenance, toListingEvent } from "./fold/events.ts";
import { type FoldState, fold } from "./fold/fold.ts";
import type { AnomalyRow, LedgerRow } from "./fold/state.ts";

type Db = Context["db"];

/** What Ponder tells of an event beside its arguments. */
type PonderEvent = {
  id: string;
  block: { number: bigint; timestamp: bigint; hash: Hex };
  transaction: { hash: Hex };
  log: { address: Hex; logIndex: number };
};

/**
 * Folds one escrow log into the tables. A log that is delivered twice (of an escrow that is both in the list
 * and from the factory) has one event id and folds once.
 */
export async function recordEscrowLog(db: Db, event: PonderEvent, log: EscrowLog): Promise<void> {
  const at = locate(event, lower(event.log.address), log.args.onchainId);
  if ((await db.find(ledger, at)) !== null) return;

  const located: LocatedEvent = { ...toListingEvent(log), at };
  const result = fold(await load(db, located), located);

  const { escrowAddress, onchainId, ...changes } = result.listing;
  await db.insert(listing).values(result.listing).onConflictDoUpdate(changes);
  if (result.position !== null) {
    const { netPrincipal, subscribedAmount, refundedAmount, returnedAmount } = result.position;
    await db
      .insert(backerPosition)
      .values(result.position)
      .onConflictDoUpdate({ netPrincipal, subscribedAmount, refundedAmount, returnedAmount });
  }
  if (result.token !== null) await db.insert(listingToken).values(result.token);
  await saveTyped(db, located);
  await saveLedger(db, event, result.ledger, result.anomalies);
}

/** Folds one log of the desk into the tables; an offer of a token that no followed listing has is left alone. */
export async function recordDeskLog(db: Db, event: PonderEvent, log: DeskLog): Promise<void> {
  const desk = lower(event.log.address);
  const known = await db.find(offer, { desk, offerId: log.args.offerId });
  const token = known?.token ?? ("token" in log.args ? lower(log.args.token) : null);
  const owner = token === null ? null : await db.find(listingToken, { token });
  if (owner === null) return;

  const at = locate(event, owner.escrowAddress, owner.onchainId);
  const result = foldDesk(known, { log, desk, at });
  if (result.offer !== null) {
    const { remaining, cancelledAt, updatedEventId } = result.offer;
    await db
      .insert(offer)
      .values(result.offer)
      .onConflictDoUpdate({ remaining, cancelledAt, updatedEventId });
  }
  if (result.trade !== null) await db.insert(trade).values(result.trade);
  await saveLedger(db, event, result.ledger, result.anomalies);
}

function locate(event: PonderEvent, escrowAddress: Hex, onchainId: bigint): Provenance {
  return {
    escrowAddress,
    onchainId,
    eventId: event.id,
    blockNumber: event.block.number,
    blockTime: event.block.timestamp,
    txHash: event.transaction.hash,
    logIndex: event.log.logIndex,
  };
}

async function load(db: Db, { kind, args, at }: LocatedEvent): Promise<FoldState> {
  const { escrowAddress, onchainId } = at;
  return {
    listing: await db.find(listing, { escrowAddress, onchainId }),
    position:
      kind === "subscribed" || kind === "refunded"
        ? await db.find(backerPosition, { escrowAddress, onchainId, backer: args.backer })
        : null,
    tokenOwner: kind === "listing_created" ? await db.find(listingToken, { token: args.token }) : null,
  };
}

/** The same event once more with typed columns, for those who query the database. */
async function saveTyped(db: Db, { kind, args, at }: LocatedEvent): Promise<void> {
  const { logIndex, ...row } = at;
  if (kind === "subscribed") await db.insert(subscription).values({ ...row, ...args });
  if (kind === "refunded") await db.insert(refund).values({ ...row, ...args });
  if (kind === "repaid") await db.insert(repayment).values({ ...row, ...args });
}

async function saveLedger(
  db: Db,
  { block }: PonderEvent,
  row: LedgerRow,
  anomalies: AnomalyRow[],
): Promise<void> {
  await db.insert(ledger).values(row);
  if (anomalies.length > 0) await db.insert(anomaly).values(anomalies);
  const last = { lastEventId: row.eventId, lastBlockHash: block.hash };
  await db
    .insert(tally)
    .values({ name: "ledger", events: 1, ...last })
    .onConflictDoUpdate((known) => ({ events: known.events + 1, ...last }));
}
