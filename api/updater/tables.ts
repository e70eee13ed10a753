/** @module Reads the tables behind the market: where they are, and what has changed in them since. Never writes. */
import type { SQL } from "drizzle-orm";
import { and, asc, eq, gt, gte, type ReadonlyDrizzle, sql } from "ponder";
import { derivesEvents, lacksTerms, NOTHING_DERIVED } from "../../src/fold/derived.ts";
import { blockOf, firstEventIdAfter } from "../../src/fold/event-id.ts";
import type { StoredRow } from "../../src/fold/state.ts";
import { type AnomalyKind, DESK_EVENT_KINDS, type TableFamily } from "../../src/fold/vocabulary.ts";
import {
  CHECKPOINT,
  type Checkpoint,
  type CheckpointRow,
  type Database,
  isTableMissing,
  ledgerRevisionOf,
  ledgerRowsAt,
  ONE_SNAPSHOT,
  readCheckpoint,
  toCheckpoint,
} from "../database/checkpoint.ts";
import { inPairs } from "../database/in-pairs.ts";
import type { AnomalyCounts } from "../ledger/anomaly.ts";
import type { ChainRows } from "../market/chain-rows.ts";
import { pairKey } from "../registry/schema.ts";
import { readFlows, readNewFlows } from "./flows.ts";
import { afterReorg, type RecentEvents, readRecent, withLater } from "./recent.ts";
import {
  countAnomalies,
  type Pair,
  readAll,
  readBids,
  readHolders,
  readRepayments,
  type Tables,
  type TakePart,
  type Wanted,
} from "./whole.ts";

/** The rows at one block, read in one transaction. */
export type TableSnapshot = Checkpoint & {
  /** whether `rows` are the last part of all rows, or those that changed */
  isWhole: boolean;
  rows: ChainRows;
  anomalies: AnomalyCounts;
  recent: RecentEvents;
};

export type TableQueries = {
  /** The position now, by one small statement; null before Ponder's first checkpoint. */
  position(): Promise<Checkpoint | null>;
  /**
   * The rows that changed since a position; after a reorg all rows of the raises with an event that it took back. All rows without a
   * position, when the tables were filled again, and when so much has changed that reading everything is faster. Null before
   * Ponder's first checkpoint.
   * @param restarted raises of which all events are needed, as they are folded again from the start
   * @param take is given all rows in parts but for the last part, so that they need not be in memory together
   */
  read(since: Since | null, restarted: readonly Pair[], take: TakePart): Promise<TableSnapshot | null>;
};

export type Since = Checkpoint & Pick<TableSnapshot, "anomalies" | "recent">;

/** Above this many events since a position, everything is read. */
const MOST_EVENTS = 2_000;
/** The same for raises whose fold starts over. */
const MOST_RESTARTED = 200;

export function createTableQueries(
  database: Database,
  tables: Tables,
  wanted: Wanted = { lifecycle: NOTHING_DERIVED, hasHolders: true },
): TableQueries {
  return {
    position: () =>
      database
        .statement<CheckpointRow>("raisebook_position", CHECKPOINT)
        .then(([row]) => toCheckpoint(row))
        .catch((error) => {
          if (isTableMissing(error)) return null;
          throw error;
        }),
    read: (since, restarted, take) =>
      database.transaction(async (tx) => {
        const position = await readCheckpoint(tx);
        if (position === null) return null;
        // In an ordinary backfill so much changes that reading everything is faster.
        const canFollow = since?.filled && position.filled && restarted.length <= MOST_RESTARTED;
        const changes = canFollow
          ? await readChanges(tx, tables, { since, position, restarted, ...wanted })
          : null;
        if (changes !== null) return changes;
        const recent = position.filled ? await readRecent(tx, tables, position.finalized.number) : null;
        const all = await readAll(tx, { tables, position, take, ...wanted });
        return { ...position, ...all, recent };
      }, ONE_SNAPSHOT),
  };
}

export function sameRows(a: Checkpoint, b: Checkpoint): boolean {
  const families = new Set([...Object.keys(a.revisions), ...Object.keys(b.revisions)]) as Set<TableFamily>;
  return [...families].every((family) => a.revisions[family] === b.revisions[family]);
}

const rowsOf = (checkpoint: Checkpoint | Since) => ledgerRowsAt(ledgerRevisionOf(checkpoint));

type ChangesParameters = Wanted & {
  since: Since;
  position: Checkpoint;
  restarted: readonly Pair[];
};

/** The rows changed by events since a position; null when everything must be read. */
async function readChanges(
  tx: ReadonlyDrizzle,
  { listing, ledger, repayment, offer, trade, listingToken, anomaly, eventBlock }: Tables,
  { since, position, restarted, lifecycle, hasHolders }: ChangesParameters,
): Promise<TableSnapshot | null> {
  if (since.lastEvent === null) return null;
  const { eventId, blockHash } = since.lastEvent;
  const [block] = await tx
    .select()
    .from(eventBlock)
    .where(eq(eventBlock.number, blockOf(eventId).number));
  const isReorg = block?.hash !== blockHash;
  // All rows are read: raises may be there without an event.
  if (isReorg && (derivesEvents(lifecycle) || lifecycle.derivesCreation)) return null;
  const left = isReorg
    ? await afterReorg(tx, eventBlock, since.recent)
    : { kept: since.recent, lastKept: { eventId }, lost: [] };
  if (left === null) return null;
  const { kept, lastKept, lost } = left;
  const { number } = blockOf(lastKept.eventId);

  const later = await tx
    .select({ event: ledger, blockHash: eventBlock.hash })
    .from(ledger)
    .innerJoin(eventBlock, eq(eventBlock.number, ledger.blockNumber))
    .where(and(gt(ledger.blockNumber, number), gt(eventBlock.number, number)))
    .orderBy(asc(ledger.blockNumber), asc(ledger.logIndex), asc(ledger.part))
    .limit(MOST_EVENTS + 1);
  if (later.length > MOST_EVENTS) return null;
  const events = later.map(({ event }) => event);
  // Tables that were filled again, with an event that they had lacked, may have one before the last.
  if (rowsOf(position) !== rowsOf(since) - lost.length + events.length) return null;

  const isOfDesk = (event: (typeof events)[number]) =>
    DESK_EVENT_KINDS.some((deskKind) => deskKind === event.kind);
  const pairsOf = (someEvents: readonly Pair[]) =>
    distinct(someEvents.map((event) => sql`(${event.escrowAddress}, ${`${event.onchainId}`}::numeric)`));
  const offersOf = (someEvents: typeof events) =>
    distinct(someEvents.map((event) => sql`(${event.args.desk}, ${`${event.args.offerId}`}::numeric)`));
  const replaced = [...new Map(lost.map((event) => [pairKey(event), event])).values()];
  const isReplaced = new Set(replaced.map(pairKey));
  const ofDesk = events.filter((event) => isOfDesk(event) && !isReplaced.has(pairKey(event)));
  const pairs = pairsOf([...events.filter((event) => !isOfDesk(event)), ...replaced]);
  const repaid = pairsOf(
    events.filter((event) => event.kind === "repaid" && !isReplaced.has(pairKey(event))),
  );
  const offers = offersOf(ofDesk);
  const filled = offersOf(ofDesk.filter((event) => event.kind === "offer_filled"));
  const isNew = firstEventIdAfter(lastKept.eventId);
  const none = Promise.resolve([]);
  const isChanged = (family: TableFamily) => since.revisions[family] !== position.revisions[family];
  // A reorg takes numbers of holders back to what they were at an earlier block.
  const changedHolders = isReorg ? undefined : gt(listingToken.updatedBlock, number);
  const listings = await (pairs === null
    ? none
    : tx.select().from(listing).where(sql`(${listing.escrowAddress}, ${listing.onchainId}) IN ${pairs}`));
  const whole = new Set(listings.filter((row) => !lacksTerms(row)).map(pairKey));
  const toFold = [...restarted, ...listings.filter((row) => isReplaced.has(pairKey(row)) && lacksTerms(row))];
  const restartedPairs = new Set(toFold.map(pairKey));
  const isFolded = (event: StoredRow) =>
    !restartedPairs.has(pairKey(event)) && (derivesEvents(lifecycle) || !whole.has(pairKey(event)));
  return {
    ...position,
    isWhole: false,
    rows: {
      listings,
      bids: await readBids(tx, ledger, listings),
      flows: [
        ...(await readNewFlows(
          tx,
          ledger,
          events.filter((event) => !isReplaced.has(pairKey(event))),
          number,
        )),
        ...(replaced.length === 0 ? [] : await readFlows(tx, ledger, inPairs(ledger, replaced))),
      ],
      restarted: restartedPairs,
      replaced: isReplaced,
      events: [
        ...events.filter((event) => !isOfDesk(event) && isFolded(event)),
        ...(toFold.length === 0
          ? []
          : await tx.select().from(ledger).where(inPairs(ledger, toFold)).orderBy(asc(ledger.eventId))),
      ],
      repayments: [
        ...(repaid === null
          ? []
          : await tx
              .select()
              .from(repayment)
              .where(
                and(
                  sql`(${repayment.escrowAddress}, ${repayment.onchainId}) IN ${repaid}`,
                  gte(repayment.eventId, isNew),
                ),
              )
              .orderBy(asc(repayment.eventId))),
        ...(replaced.length === 0 ? [] : await readRepayments(tx, repayment, inPairs(repayment, replaced))),
      ],
      offers: [
        ...(offers === null
          ? []
          : await tx.select().from(offer).where(sql`(${offer.desk}, ${offer.offerId}) IN ${offers}`)),
        ...(replaced.length === 0 ? [] : await tx.select().from(offer).where(inPairs(offer, replaced))),
      ],
      trades: [
        ...(filled === null
          ? []
          : await tx
              .select()
              .from(trade)
              .where(and(sql`(${trade.desk}, ${trade.offerId}) IN ${filled}`, gte(trade.eventId, isNew)))
              .orderBy(asc(trade.eventId))),
        ...(replaced.length === 0
          ? []
          : await tx.select().from(trade).where(inPairs(trade, replaced)).orderBy(asc(trade.eventId))),
      ],
      holders:
        hasHolders && isChanged("holders") ? await readHolders(tx, listingToken, changedHolders) : new Map(),
    },
    anomalies: isReorg
      ? await countAnomalies(tx, anomaly)
      : isChanged("anomalies")
        ? sumOf(since.anomalies, await countAnomalies(tx, anomaly, gte(anomaly.eventId, isNew)))
        : since.anomalies,
    recent:
      kept === null
        ? await readRecent(tx, { ledger, eventBlock }, position.finalized.number)
        : withLater(kept, later, position.finalized.number),
  };
}

/** The keys as a list in SQL, each once; null for none. */
function distinct(keys: readonly SQL[]): SQL | null {
  if (keys.length === 0) return null;
  return sql`(SELECT DISTINCT * FROM (VALUES ${sql.join([...keys], sql`, `)}) AS keys)`;
}

function sumOf(before: TableSnapshot["anomalies"], since: TableSnapshot["anomalies"]) {
  const kinds = [...new Set([...Object.keys(before), ...Object.keys(since)])] as AnomalyKind[];
  return Object.fromEntries(kinds.map((kind) => [kind, (before[kind] ?? 0) + (since[kind] ?? 0)]));
}
