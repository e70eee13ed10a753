/** @module The tables in memory: logs go in through the fold, rows are kept as the handlers would save them. */
import type { DecodeEventLogReturnType, Hex } from "viem";
import type { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import type { secondaryDeskEventsAbi } from "../../abis/SecondaryDeskEvents.ts";
import { pairKey } from "../../api/registry/schema.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import type { DeskEvent, ListingEvent, LocatedEvent, Provenance } from "../../src/fold/events.ts";
import { type FoldResult, fold } from "../../src/fold/fold.ts";
import {
  type AnomalyRow,
  EMPTY_POSITION,
  type LedgerRow,
  type ListingRow,
  type MoneyDeltas,
  type PositionRow,
  stubListing,
  type TokenRow,
} from "../../src/fold/state.ts";
import { PRICING, REFUND, RESERVE } from "./enums.ts";

export const ESCROW: Hex = `0x${"e1".repeat(20)}`;
export const OTHER_ESCROW: Hex = `0x${"e2".repeat(20)}`;
export const ORIGINATOR: Hex = `0x${"0a".repeat(20)}`;
export const ALICE: Hex = `0x${"a1".repeat(20)}`;
export const BOB: Hex = `0x${"b2".repeat(20)}`;
export const ROUTER: Hex = `0x${"c3".repeat(20)}`;
export const TOKEN: Hex = `0x${"70".repeat(20)}`;
export const HASH: Hex = `0x${"4a".repeat(32)}`;

/** Logs of the project's contracts as viem decodes them. */
export type EscrowLog = DecodeEventLogReturnType<typeof listingEscrowEventsAbi>;
export type DeskLog = DecodeEventLogReturnType<typeof secondaryDeskEventsAbi>;

const BUILT_IN = contractsOf({ contracts: null });

function mapped({ eventName, args }: { eventName: string; args: object }, address: Hex): object {
  const events = [...BUILT_IN.escrow.events, ...(BUILT_IN.desk?.events ?? [])];
  const event = events.find(({ abiItem }) => abiItem.name === eventName);
  const place = { address, blockNumber: 0n, blockTime: 0n, txHash: HASH, logIndex: 0 };
  const [found] = event?.map(args, place) ?? [];
  if (found === undefined || found.problem !== null) throw new Error(`${eventName}: ${found?.problem}`);
  return found.content.event;
}

/** The meaning of a log of the escrow. */
export const toListingEvent = (log: EscrowLog) => mapped(log, ESCROW) as ListingEvent;
/** The meaning of a log of this desk. */
export const toDeskEvent = (log: DeskLog, desk: Hex) => mapped(log, desk) as DeskEvent;

export type LogName = EscrowLog["eventName"];
export type ArgsOf<Name extends LogName> = Extract<EscrowLog, { eventName: Name }>["args"];
export type RawTerms = ArgsOf<"ListingCreated">["terms"];

export { REFUND, RESERVE };
export const AUCTION = PRICING.auction;

/** Terms as the contract gives them: a raise of 1,000 with a minimum of 100 that closes at second 1,000. */
export function rawTerms(changes: Partial<RawTerms> = {}): RawTerms {
  return {
    targetAmount: 1_000n,
    minRaise: 100n,
    couponRateBps: 1450,
    insuranceBps: 500,
    tenorDays: 90,
    pricingMode: 0,
    goLiveAt: 10n,
    closeAt: 1_000n,
    ...changes,
  };
}

const ARGUMENTS: { [Name in LogName]: Omit<ArgsOf<Name>, "onchainId"> } = {
  ListingCreated: {
    originator: ORIGINATOR,
    token: TOKEN,
    refnum: "RB00001",
    terms: rawTerms(),
    metadataHash: HASH,
  },
  ListingTermsUpdated: { terms: rawTerms(), metadataHash: HASH },
  Subscribed: { backer: ALICE, payer: ALICE, amount: 0n, bidRateBps: 0, totalRaised: 0n },
  Refunded: { backer: ALICE, reason: REFUND.withdrawn, amount: 0n, totalRefunded: 0n },
  ReserveChanged: { reason: RESERVE.posted, account: ORIGINATOR, amount: 0n, reserveBalance: 0n },
  ListingClosed: { reason: 2, raisedAmount: 0n, minRaiseMet: false, couponRateBps: 1450 },
  DrawnDown: { to: ORIGINATOR, amount: 0n, fee: 0n, maturityAt: 0n },
  Repaid: { payer: ORIGINATOR, principal: 0n, interest: 0n, outstandingPrincipal: 0n },
  PayoutClaimed: { holder: ALICE, amount: 0n, totalClaimed: 0n },
  ListingSettled: { outcome: 0, writtenOffPrincipal: 0n },
  ListingCancelled: { reason: HASH },
  ListingVoided: { reason: HASH },
};

/** A log as viem decodes it; arguments that are not named have the value above. */
export function escrowLog<Name extends LogName>(
  eventName: Name,
  args: Partial<ArgsOf<Name>> = {},
  onchainId = 1n,
): EscrowLog {
  const complete: object = { ...ARGUMENTS[eventName], onchainId, ...args };
  // The name and its arguments belong together; the compiler sees two unions.
  return { eventName, args: complete } as EscrowLog;
}

/** The place of the `position`-th log of a chain in which every block has one log. */
export function placeAt(
  position: number,
  blockTime: bigint,
  { escrowAddress = ESCROW, onchainId = 1n }: { escrowAddress?: Hex; onchainId?: bigint } = {},
): Provenance {
  const digits = position.toString();
  return {
    escrowAddress,
    onchainId,
    eventId: `${blockTime}`.padStart(10, "0").slice(-10) + digits.padStart(65, "0"),
    blockNumber: BigInt(position),
    blockTime,
    txHash: `0x${digits.padStart(64, "0")}`,
    logIndex: 0,
    part: 0,
  };
}

/** The result of folding an event: whole rows, where the fold returns only the columns that change. */
export type Recorded = Omit<FoldResult, "listing" | "position"> & {
  listing: ListingRow;
  position: PositionRow | null;
};

export type Book = {
  /** keyed by `pairKey` */
  listings: Map<string, ListingRow>;
  /** keyed by `pairKey`, then by backer */
  positions: Map<string, Map<Hex, PositionRow>>;
  tokens: Map<Hex, TokenRow>;
  ledger: (LedgerRow & MoneyDeltas)[];
  anomalies: AnomalyRow[];
  record(event: LocatedEvent): Recorded;
};

export function createBook(): Book {
  const book: Book = {
    listings: new Map(),
    positions: new Map(),
    tokens: new Map(),
    ledger: [],
    anomalies: [],
    record(event) {
      const pair = pairKey(event.at);
      const positions = book.positions.get(pair) ?? new Map<Hex, PositionRow>();
      const backer = "backer" in event.args ? event.args.backer : null;
      const before = {
        listing: book.listings.get(pair) ?? null,
        position: backer === null ? null : (positions.get(backer) ?? null),
        tokenOwner:
          event.kind === "listing_created" ? (book.tokens.get(event.args.token ?? "0x") ?? null) : null,
      };
      const result = fold(before, event);
      const listing = { ...(before.listing ?? stubListing(event.at)), ...result.listing };
      book.listings.set(pair, listing);
      const { escrowAddress, onchainId } = event.at;
      const position = backer && {
        ...(before.position ?? { escrowAddress, onchainId, backer, ...EMPTY_POSITION }),
        ...result.position,
      };
      if (position !== null) positions.set(position.backer, position);
      book.positions.set(pair, positions);
      if (result.token !== null) book.tokens.set(result.token.token, result.token);
      book.ledger.push({ ...result.ledger, ...result.deltas });
      book.anomalies.push(...result.anomalies);
      return { ...result, listing, position };
    },
  };
  return book;
}

/** The book after these events. */
export function bookOf(events: readonly LocatedEvent[]): Book {
  const book = createBook();
  for (const event of events) book.record(event);
  return book;
}

/** One listing of a book, told log by log. */
export type Raise = {
  /** Folds a log of a block with this time (unix seconds). */
  emit<Name extends LogName>(blockTime: bigint, name: Name, args?: Partial<ArgsOf<Name>>): Recorded;
  /** The row after the last log. */
  row(): ListingRow;
  position(backer: Hex): PositionRow | undefined;
};

/** Starts to tell a listing that the book knows nothing of yet. */
export function tell(
  book: Book = createBook(),
  pair: { escrowAddress: Hex; onchainId: bigint } = { escrowAddress: ESCROW, onchainId: 1n },
): Raise {
  return {
    emit(blockTime, name, args) {
      const at = placeAt(book.ledger.length + 1, blockTime, pair);
      return book.record({ ...toListingEvent(escrowLog(name, args, pair.onchainId)), at });
    },
    row() {
      const row = book.listings.get(pairKey(pair));
      if (row === undefined) throw new Error("nothing was told of this listing");
      return row;
    },
    position: (backer) => book.positions.get(pairKey(pair))?.get(backer),
  };
}

/** A listing created at second 1 with these changes of `rawTerms`. */
export function tellRaise(terms: Partial<RawTerms> = {}, book: Book = createBook()): Raise {
  const raise = tell(book);
  raise.emit(1n, "ListingCreated", { terms: rawTerms(terms) });
  return raise;
}

/** The kinds of what did not add up in one event, in no particular order. */
export function kindsOf({ anomalies }: { anomalies: readonly AnomalyRow[] }): string[] {
  return anomalies.map(({ kind }) => kind).sort();
}
