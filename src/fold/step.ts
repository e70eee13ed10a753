/**
 * The only write path: determines which rows an event needs and which rows it changes.
 *
 * A step is a generator. It yields the rows that it needs, one after another, and returns its writes. A store answers it:
 * Ponder's tables (`src/record.ts`) or rows in memory (`memory.ts`). Stores load and save; they decide nothing.
 * @module
 */
import { type Hex, zeroAddress } from "viem";
import type * as tables from "../../ponder.schema.ts";
import { foldDesk } from "./desk.ts";
import {
  type ChainEvent,
  type LocatedDeskEvent,
  type LocatedEvent,
  type LogOrigin,
  lower,
  type Provenance,
} from "./events.ts";
import { backerOf, fold } from "./fold.ts";
import { eventOf, isOfDesk } from "./ledger.ts";
import { EMPTY_POSITION, type LedgerRow, type MoneyDeltas, NO_DELTAS, stubListing } from "./state.ts";
import { foldTransfer } from "./transfer.ts";
import type { AnomalyKind, TableFamily } from "./vocabulary.ts";

export type TableName = keyof typeof tables;
export type RowOf<Name extends TableName> = (typeof tables)[Name]["$inferSelect"];

/** The tables whose rows later events read and change, with their primary keys. The others are append-only. */
export const KEYS = {
  tally: ["family"],
  listing: ["escrowAddress", "onchainId"],
  backerPosition: ["escrowAddress", "onchainId", "backer"],
  listingToken: ["token"],
  tokenHolder: ["token", "holder"],
  offer: ["desk", "offerId"],
} as const satisfies { [Name in TableName]?: readonly (keyof RowOf<Name>)[] };

export type KeyedTable = keyof typeof KEYS;
export type AppendedTable = Exclude<TableName, KeyedTable>;
type KeyOf<Name extends KeyedTable> = Pick<RowOf<Name>, (typeof KEYS)[Name][number] & keyof RowOf<Name>>;

/** A row that a step needs. The store answers with it, or with null. */
type Read = { [Name in KeyedTable]: { table: Name; key: KeyOf<Name> } }[KeyedTable];

export type Write =
  | { [Name in TableName]: { table: Name; row: RowOf<Name> } }[TableName]
  | { [Name in KeyedTable]: { table: Name; key: KeyOf<Name>; changes: Partial<RowOf<Name>> } }[KeyedTable];

/** In order. The row of the ledger comes first: if it exists already, the event has been recorded. */
export type Writes = Write[];

export type Step<Result = Writes> = Generator<Read, Result, RowOf<KeyedTable> | null>;

type Of<Source extends ChainEvent["source"]> = Extract<ChainEvent, { source: Source }>;

/** The block of an event, for the tally. */
type Counted = Pick<LogOrigin, "eventId" | "blockNumber" | "blockHash">;

/** Anomalies that the events of a market's contracts cannot show (`derived.ts`); they are not recorded. */
type Unknowable = ReadonlySet<AnomalyKind>;
const EVERYTHING_KNOWN: Unknowable = new Set();

/** Records an event of the chain. An event of a token that is not followed writes nothing. */
export function* recordEvent(event: ChainEvent, unknowable = EVERYTHING_KNOWN): Step {
  if (event.source === "token") return yield* recordTransfer(event);
  const located = event.source === "escrow" ? locateEscrowEvent(event) : yield* locateDeskEvent(event);
  return located === null ? [] : yield* withTally(yield* foldLocated(located, unknowable), event);
}

/** Records the event of a ledger row, in tables that do not have it. */
export function* recordRow(row: LedgerRow, blockHash: Hex, unknowable = EVERYTHING_KNOWN): Step {
  const { eventId, blockNumber } = row;
  const writes = yield* foldLocated(eventOf(row), unknowable);
  return yield* withTally(writes, { eventId, blockNumber, blockHash });
}

/** Folds the event of a ledger row into the tables derived from the ledger alone, without the tally. */
export const replayRow = (row: LedgerRow, unknowable = EVERYTHING_KNOWN): Step =>
  foldLocated(eventOf(row), unknowable);

/** The changes that an event's writes make to the money of its raise. */
export function deltasOf(writes: Writes): MoneyDeltas {
  const [first] = writes;
  return first?.table === "ledger" && "row" in first ? first.row : NO_DELTAS;
}

const foldLocated = (event: LocatedEvent | LocatedDeskEvent, unknowable: Unknowable): Step =>
  isOfDesk(event) ? foldDeskEvent(event) : foldEscrowEvent(event, unknowable);

function* foldEscrowEvent(event: LocatedEvent, unknowable: Unknowable): Step {
  const { kind, args, at } = event;
  const key = { escrowAddress: at.escrowAddress, onchainId: at.onchainId };
  const backer = backerOf(event);
  const ofBacker = backer === null ? null : { ...key, backer };
  const before = yield* find("listing", key);
  const position = ofBacker === null ? null : yield* find("backerPosition", ofBacker);
  const token = kind === "listing_created" ? args.token : null;
  const tokenOwner = token === null ? null : yield* find("listingToken", { token });
  const listing = before ?? stubListing(at);
  const result = fold({ listing, position, tokenOwner }, event);

  const writes: Writes = [{ table: "ledger", row: Object.assign(result.ledger, result.deltas) }];
  if (before !== null) writes.push({ table: "listing", key, changes: result.listing });
  else writes.push({ table: "listing", row: Object.assign(listing, result.listing) });
  if (ofBacker !== null && position !== null) {
    writes.push({ table: "backerPosition", key: ofBacker, changes: result.position });
  } else if (ofBacker !== null) {
    writes.push({ table: "backerPosition", row: { ...ofBacker, ...EMPTY_POSITION, ...result.position } });
  }
  if (result.token !== null) writes.push({ table: "listingToken", row: result.token });
  if (result.typed !== null) writes.push(result.typed);
  for (const row of result.anomalies) if (!unknowable.has(row.kind)) writes.push({ table: "anomaly", row });
  return writes;
}

function* foldDeskEvent(event: LocatedDeskEvent): Step {
  const { desk, offerId } = event.args;
  const before = yield* find("offer", { desk, offerId });
  const { ledger, offer, trade, anomalies } = foldDesk(before, event);
  const writes: Writes = [{ table: "ledger", row: { ...ledger, ...NO_DELTAS } }];
  if (offer !== null && before === null) writes.push({ table: "offer", row: offer });
  else if (offer !== null) {
    const { remaining, cancelledAt, updatedEventId } = offer;
    const changes = { remaining, cancelledAt, updatedEventId };
    writes.push({ table: "offer", key: { desk, offerId }, changes });
  }
  if (trade !== null) writes.push({ table: "trade", row: trade });
  for (const row of anomalies) writes.push({ table: "anomaly", row });
  return writes;
}

/**
 * A transfer changes the balances of the token's holders and has no ledger row. With `ESCROW_FACTORY` an unrelated contract's event
 * can make the indexer fetch the transfers of any token; those of a token without a followed listing are ignored.
 */
function* recordTransfer(event: Of<"token">): Step {
  const { address: token, transfer } = event;
  const owner = yield* find("listingToken", { token });
  if (owner === null) return [];
  const [from, to] = [lower(transfer.from), lower(transfer.to)];
  const sender = from === zeroAddress ? null : yield* find("tokenHolder", { token, holder: from });
  const receiver = to === zeroAddress ? null : yield* find("tokenHolder", { token, holder: to });
  const at = provenanceOf(event, owner);
  const before = { token: owner, from: sender, to: receiver };
  const result = foldTransfer(before, { ...transfer, from, to, at });

  const writes: Writes = [];
  for (const { holder, balance } of result.holders) {
    const isKnown = (holder === from ? sender : receiver) !== null;
    if (isKnown) writes.push({ table: "tokenHolder", key: { token, holder }, changes: { balance } });
    else writes.push({ table: "tokenHolder", row: { token, holder, balance } });
  }
  const { holderCount, updatedBlock } = result.token;
  if (holderCount !== owner.holderCount)
    writes.push({ table: "listingToken", key: { token }, changes: { holderCount, updatedBlock } });
  for (const row of result.anomalies) writes.push({ table: "anomaly", row });
  return yield* withTally(writes, event, "holders");
}

/**
 * Adds to an event's writes the event count of each changed family of tables, by which readers detect changes, and the
 * event's block, unless an earlier event of the block has added it.
 */
function* withTally(writes: Writes, block: Counted, family?: TableFamily): Step {
  const { eventId, blockNumber, blockHash } = block;
  const last = { lastEventId: eventId, lastBlockHash: blockHash };
  let isNewBlock = false;
  for (const one of familiesOf(writes, family)) {
    const key = { family: one };
    const before = yield* find("tally", key);
    if (before === null) writes.push({ table: "tally", row: { family: one, events: 1, ...last } });
    else writes.push({ table: "tally", key, changes: { events: before.events + 1, ...last } });
    isNewBlock ||= before?.lastBlockHash !== blockHash;
  }
  if (isNewBlock) writes.push({ table: "eventBlock", row: { number: blockNumber, hash: blockHash } });
  return writes;
}

function familiesOf(writes: Writes, family?: TableFamily): Set<TableFamily> {
  const families = new Set<TableFamily>(family === undefined ? [] : [family]);
  for (const write of writes) {
    if (write.table === "ledger" && "row" in write) families.add(isOfDesk(write.row) ? "desk" : "listings");
    else if (write.table === "listingToken") families.add("holders");
    else if (write.table === "repayment") families.add("repayments");
    else if (write.table === "anomaly") families.add("anomalies");
  }
  return families;
}

function locateEscrowEvent(origin: Of<"escrow">): LocatedEvent {
  const { address: escrowAddress, onchainId, event } = origin;
  return { ...event, at: provenanceOf(origin, { escrowAddress, onchainId }) };
}

/** An event of the desk belongs to the raise of the offered token; null if no followed listing has that token. */
function* locateDeskEvent(origin: Of<"desk">): Step<LocatedDeskEvent | null> {
  const { event } = origin;
  const { desk, offerId } = event.args;
  const offer = yield* find("offer", { desk, offerId });
  const token = offer?.token ?? ("token" in event.args ? event.args.token : null);
  const owner = token === null ? null : yield* find("listingToken", { token });
  return owner === null ? null : { ...event, at: provenanceOf(origin, owner) };
}

function provenanceOf(
  place: LogOrigin,
  { escrowAddress, onchainId }: Pick<Provenance, "escrowAddress" | "onchainId">,
): Provenance {
  const { eventId, blockNumber, blockTime, txHash, logIndex, part } = place;
  return { escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash, logIndex, part };
}

function* find<Name extends KeyedTable>(table: Name, key: KeyOf<Name>): Step<RowOf<Name> | null> {
  // The store answers with a row of this table; the compiler sees the union of all.
  return (yield { table, key } as unknown as Read) as RowOf<Name> | null;
}
