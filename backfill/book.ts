/**
 * All tables, folded from the events in the order of the chain: what `src/record.ts` saves event by event, kept in memory
 * where a later event can change it, and handed out where none can.
 * @module
 */
import { type Hex, zeroAddress } from "viem";
import type * as tables from "../ponder.schema.ts";
import { type DeskLog, type EscrowLog, lower, toDeskEvent, toListingEvent } from "../src/fold/events.ts";
import { toLedgerArgs } from "../src/fold/ledger.ts";
import { createReplay, type ReplayState, type Rows } from "../src/fold/replay.ts";
import type { HolderRow, LedgerRow, OfferRow, PositionRow, TokenRow } from "../src/fold/state.ts";
import { foldTransfer } from "../src/fold/transfer.ts";
import { DESK_EVENT_KINDS, type TableFamily } from "../src/fold/vocabulary.ts";
import type { ChainEvent, Place, Transfer } from "./events.ts";
import type { TableName } from "./ponder.ts";

type RowOf<Name extends TableName> = (typeof tables)[Name]["$inferSelect"];
/** Rows of each table. */
export type TableRows = { [Name in TableName]?: Iterable<RowOf<Name>> };

export type Book = {
  /** Events must come in the order of the chain, each once. */
  add(event: ChainEvent): void;
  /** Adds an event as a ledger has it; transfers are in none. */
  addRow(row: LedgerRow, blockHash: Hex): void;
  /** The number of rows that wait to be taken. */
  waiting(): number;
  /** The rows since the last call that no later event changes. */
  take(): TableRows;
  /** The rows that later events could have changed, once there are none. */
  rest(): TableRows;
  /** events that count, so far */
  count(): number;
};

type LastEvent = Pick<Place, "eventId" | "blockHash">;

export function createBook(): Book {
  const positions = createPositions();
  const listings: ReplayState["listings"] = new Map();
  const tokens = new Map<string, TokenRow>();
  const offers = new Map<string, OfferRow>();
  const holders = new Map<string, HolderRow>();
  const tally = new Map<TableFamily, RowOf<"tally">>();
  const ledger: RowOf<"ledger">[] = [];
  const eventBlocks: RowOf<"eventBlock">[] = [];
  const anomalies: ReplayState["anomalies"] = [];
  const [subscriptions, refunds, repayments, trades] = [
    [] as ReplayState["subscriptions"],
    [] as ReplayState["refunds"],
    [] as ReplayState["repayments"],
    [] as ReplayState["trades"],
  ];
  const appended = { subscriptions, refunds, repayments, trades, anomalies };
  const replay = createReplay({ listings, positions, tokens, offers, ...appended });
  const queues = [ledger, eventBlocks, ...Object.values(appended)];
  let lastBlock: bigint | null = null;
  let count = 0;

  const countIn = (family: TableFamily, { eventId, blockHash }: LastEvent) => {
    const events = (tally.get(family)?.events ?? 0) + 1;
    tally.set(family, { family, events, lastEventId: eventId, lastBlockHash: blockHash });
  };

  const countBlock = (number: bigint, hash: Hex) => {
    count += 1;
    if (number === lastBlock) return;
    lastBlock = number;
    eventBlocks.push({ number, hash });
  };

  const fold = (row: LedgerRow, last: LastEvent, family: TableFamily) => {
    const [tokensBefore, repaymentsBefore, anomaliesBefore] = [
      tokens.size,
      repayments.length,
      anomalies.length,
    ];
    ledger.push({ ...row, ...replay.add(row) });
    countIn(family, last);
    if (tokens.size > tokensBefore) countIn("holders", last);
    if (repayments.length > repaymentsBefore) countIn("repayments", last);
    if (anomalies.length > anomaliesBefore) countIn("anomalies", last);
  };

  const addEscrowLog = (log: EscrowLog, place: Place) => {
    const { kind, args } = toListingEvent(log);
    const at = provenance(place, place.address, log.args.onchainId);
    fold({ ...at, kind, args: toLedgerArgs(args) }, place, "listings");
  };

  /** Whether it is of a followed listing's token. */
  const addDeskLog = (log: DeskLog, place: Place): boolean => {
    const desk = place.address;
    const offer = offers.get(`${desk}/${log.args.offerId}`);
    const token = offer?.token ?? ("token" in log.args ? lower(log.args.token) : null);
    const owner = token === null ? undefined : tokens.get(token);
    if (owner === undefined) return false;
    const { kind, args } = toDeskEvent(log, desk);
    const at = provenance(place, owner.escrowAddress, owner.onchainId);
    fold({ ...at, kind, args: toLedgerArgs(args) }, place, "desk");
    return true;
  };

  /** Whether it is of a followed listing's token. */
  const addTransfer = ({ from, to, value }: Transfer, place: Place): boolean => {
    const token = place.address;
    const owner = tokens.get(token);
    if (owner === undefined) return false;
    const [sender, receiver] = [lower(from), lower(to)];
    const holderOf = (holder: Hex) =>
      holder === zeroAddress ? null : (holders.get(`${token}/${holder}`) ?? null);
    const result = foldTransfer(
      { token: owner, from: holderOf(sender), to: holderOf(receiver) },
      { from: sender, to: receiver, value, at: provenance(place, owner.escrowAddress, owner.onchainId) },
    );
    for (const row of result.holders) holders.set(`${token}/${row.holder}`, row);
    if (result.token.holderCount !== owner.holderCount) tokens.set(token, result.token);
    anomalies.push(...result.anomalies);
    if (result.anomalies.length > 0) countIn("anomalies", place);
    countIn("holders", place);
    return true;
  };

  return {
    add(event) {
      if (event.source === "escrow") addEscrowLog(event.log, event);
      else if (event.source === "desk" ? !addDeskLog(event.log, event) : !addTransfer(event.transfer, event))
        return;
      countBlock(event.blockNumber, event.blockHash);
    },
    addRow(row, blockHash) {
      const isOfDesk = (DESK_EVENT_KINDS as readonly string[]).includes(row.kind);
      fold(row, { eventId: row.eventId, blockHash }, isOfDesk ? "desk" : "listings");
      countBlock(row.blockNumber, blockHash);
    },
    waiting: () => queues.reduce((sum, { length }) => sum + length, 0),
    take: () => ({
      ledger: ledger.splice(0),
      eventBlock: eventBlocks.splice(0),
      subscription: subscriptions.splice(0),
      refund: refunds.splice(0),
      repayment: repayments.splice(0),
      trade: trades.splice(0),
      anomaly: anomalies.splice(0),
    }),
    rest: () => ({
      tally: tally.values(),
      listing: listings.values(),
      backerPosition: positions.values(),
      listingToken: tokens.values(),
      tokenHolder: holders.values(),
      offer: offers.values(),
    }),
    count: () => count,
  };
}

/** Millions of rows: by listing, then by a backer's address that the row has anyway, so that no key takes memory. */
function createPositions(): Rows<PositionRow> {
  const byListing = new Map<string, Map<string, PositionRow>>();
  const split = (key: string) => [key.slice(0, key.lastIndexOf("/")), key.slice(key.lastIndexOf("/") + 1)];
  return {
    get(key) {
      const [listing = "", backer = ""] = split(key);
      return byListing.get(listing)?.get(backer);
    },
    set(key, row) {
      const [listing = ""] = split(key);
      const rows = byListing.get(listing) ?? new Map<string, PositionRow>();
      byListing.set(listing, rows);
      rows.set(row.backer, row);
    },
    *values() {
      for (const rows of byListing.values()) yield* rows.values();
    },
  };
}

function provenance(place: Place, escrowAddress: Hex, onchainId: bigint) {
  const { eventId, blockNumber, blockTime, txHash, logIndex } = place;
  return { escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash, logIndex };
}
