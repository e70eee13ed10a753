/**
 * Load, fold, save: each function records one log in the tables.
 * @module
 */
import type { Context } from "ponder:registry";
import {
  anomaly,
  backerPosition,
  eventBlock,
  ledger,
  listing,
  listingToken,
  offer,
  refund,
  repayment,
  subscription,
  tally,
  tokenHolder,
  trade,
} from "ponder:schema";
import { type Hex, zeroAddress } from "viem";
import { foldDesk } from "./fold/desk.ts";
import {
  type DeskLog,
  type EscrowLog,
  type LocatedEvent,
  lower,
  type Provenance,
  toDeskEvent,
  toListingEvent,
} from "./fold/events.ts";
import { backerOf, type FoldState, fold, type TypedRow } from "./fold/fold.ts";
import { type AnomalyRow, EMPTY_POSITION, stubListing } from "./fold/state.ts";
import { foldTransfer } from "./fold/transfer.ts";
import type { TableFamily } from "./fold/vocabulary.ts";

type Db = Context["db"];

/** An event of Ponder, without its arguments. */
type PonderEvent = {
  id: string;
  block: { number: bigint; timestamp: bigint; hash: Hex };
  transaction: { hash: Hex };
  log: { address: Hex; logIndex: number };
};

/**
 * Records one log of an escrow. Ponder delivers a log twice when its escrow is both listed and from the factory; both
 * have the same event id, and the second is ignored.
 */
export async function recordEscrowLog(db: Db, event: PonderEvent, log: EscrowLog): Promise<void> {
  const at = locate(event, lower(event.log.address), log.args.onchainId);
  const located: LocatedEvent = { ...toListingEvent(log), at };
  const { kind, args } = located;
  const key = { escrowAddress: at.escrowAddress, onchainId: at.onchainId };
  const backer = backerOf(located);
  const before: FoldState = {
    listing: await db.find(listing, key),
    position: backer === null ? null : await db.find(backerPosition, { ...key, backer }),
    tokenOwner: kind === "listing_created" ? await db.find(listingToken, { token: args.token }) : null,
  };
  const result = fold(before, located);
  const row = { ...result.ledger, ...result.deltas };
  if ((await db.insert(ledger).values(row).onConflictDoNothing()) === null) return;

  if (before.listing !== null) await db.update(listing, key).set(result.listing);
  else await db.insert(listing).values({ ...stubListing(at), ...result.listing });
  if (backer !== null) {
    if (before.position !== null) await db.update(backerPosition, { ...key, backer }).set(result.position);
    else await db.insert(backerPosition).values({ ...key, backer, ...EMPTY_POSITION, ...result.position });
  }
  if (result.token !== null) await db.insert(listingToken).values(result.token);
  if (result.typed !== null) await saveTyped(db, result.typed);
  await saveAnomalies(db, event, result.anomalies);
  await count(db, event, "listings");
  if (result.token !== null) await count(db, event, "holders");
  if (result.typed?.table === "repayment") await count(db, event, "repayments");
}

/** Records one log of the desk; offers of tokens without a followed listing are ignored. */
export async function recordDeskLog(db: Db, event: PonderEvent, log: DeskLog): Promise<void> {
  const desk = lower(event.log.address);
  const before = await db.find(offer, { desk, offerId: log.args.offerId });
  const token = before?.token ?? ("token" in log.args ? lower(log.args.token) : null);
  const owner = token === null ? null : await db.find(listingToken, { token });
  if (owner === null) return;

  const at = locate(event, owner.escrowAddress, owner.onchainId);
  const result = foldDesk(before, { ...toDeskEvent(log, desk), at });
  if (result.offer !== null) {
    const { remaining, cancelledAt, updatedEventId } = result.offer;
    await db
      .insert(offer)
      .values(result.offer)
      .onConflictDoUpdate({ remaining, cancelledAt, updatedEventId });
  }
  if (result.trade !== null) await db.insert(trade).values(result.trade);
  await db.insert(ledger).values(result.ledger);
  await saveAnomalies(db, event, result.anomalies);
  await count(db, event, "desk");
}

/**
 * Records one transfer in the balances of a token's holders. Tokens without a followed listing are ignored: with
 * `ESCROW_FACTORY` a stranger's event can make the indexer fetch the transfers of any token.
 */
export async function recordTransfer(
  db: Db,
  event: PonderEvent,
  { from, to, value }: { from: Hex; to: Hex; value: bigint },
): Promise<void> {
  const token = lower(event.log.address);
  const owner = await db.find(listingToken, { token });
  if (owner === null) return;

  const [sender, receiver] = [lower(from), lower(to)];
  const result = foldTransfer(
    {
      token: owner,
      from: sender === zeroAddress ? null : await db.find(tokenHolder, { token, holder: sender }),
      to: receiver === zeroAddress ? null : await db.find(tokenHolder, { token, holder: receiver }),
    },
    { from: sender, to: receiver, value, at: locate(event, owner.escrowAddress, owner.onchainId) },
  );
  for (const { balance, ...key } of result.holders) {
    await db
      .insert(tokenHolder)
      .values({ ...key, balance })
      .onConflictDoUpdate({ balance });
  }
  const { holderCount, updatedBlock } = result.token;
  if (holderCount !== owner.holderCount) {
    await db.update(listingToken, { token }).set({ holderCount, updatedBlock });
  }
  await saveAnomalies(db, event, result.anomalies);
  await count(db, event, "holders");
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

async function saveTyped(db: Db, { table, row }: TypedRow): Promise<void> {
  if (table === "subscription") await db.insert(subscription).values(row);
  if (table === "refund") await db.insert(refund).values(row);
  if (table === "repayment") await db.insert(repayment).values(row);
}

async function saveAnomalies(db: Db, event: PonderEvent, rows: AnomalyRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.insert(anomaly).values(rows);
  await count(db, event, "anomalies");
}

/** Counts an event of a family of tables, by which readers notice that its rows have changed. */
async function count(db: Db, { id, block }: PonderEvent, family: TableFamily): Promise<void> {
  const last = { lastEventId: id, lastBlockHash: block.hash };
  const before = await db.find(tally, { family });
  if (before === null) await db.insert(tally).values({ family, events: 1, ...last });
  else await db.update(tally, { family }).set({ events: before.events + 1, ...last });
  if (before?.lastBlockHash === block.hash) return;
  await db.insert(eventBlock).values({ number: block.number, hash: block.hash }).onConflictDoNothing();
}
