/**
 * The events of the escrow and of the desk, in the form that the fold reads: enums named, addresses in lowercase, amounts with 18
 * decimals. `src/contracts/` makes them from logs.
 * @module
 */
import type { Hex } from "viem";
import type { ArgsOf, EventOf } from "./event-kinds.ts";
import type { DESK_EVENT_KINDS, EventKind } from "./vocabulary.ts";

/** A block of the chain; `timestamp` in unix seconds. */
export type Block = { number: bigint; timestamp: bigint };

export function sameBlock(a: Block, b: Block): boolean {
  return a.number === b.number && a.timestamp === b.timestamp;
}

type Address = Hex;

export type ListingEventKind = Exclude<EventKind, (typeof DESK_EVENT_KINDS)[number]>;

/** An event of one listing: its kind and its arguments. */
export type ListingEvent<Kind extends ListingEventKind = ListingEventKind> = EventOf<Kind>;

/** Stands for the raise of a log that does not say which it is: the first id that no raise can have, as ids are uint256. */
export const UNKNOWN_ID = 2n ** 256n;

/** The place of an event on the chain. `eventId` sorts like the chain and survives a re-index. */
export type Provenance = {
  escrowAddress: Address;
  onchainId: bigint;
  eventId: string;
  blockNumber: bigint;
  /** unix seconds */
  blockTime: bigint;
  txHash: Hex;
  logIndex: number;
  /** its place among the events of its log */
  part: number;
};

/** An event with its place. Events are ordered by block number, log index and part, never by time alone. */
export type LocatedEvent<Kind extends ListingEventKind = ListingEventKind> = {
  [One in Kind]: { kind: One; args: ArgsOf<One>; at: Provenance };
}[Kind];

/** A transfer of a token; `value` in base units, `scale` from these to 18 decimals (default: 1), in which anomalies are told. */
export type Transfer = { from: Address; to: Address; value: bigint; scale?: bigint };

/** The place of a log on the chain, before the raise is known. `eventId` as in `Provenance`. */
export type LogOrigin = Omit<Provenance, "escrowAddress" | "onchainId"> & {
  address: Address;
  blockHash: Hex;
};

/** What a log means, by the kind of the contract that emitted it. */
export type EventContent =
  | { source: "escrow"; onchainId: bigint; event: ListingEvent }
  | { source: "desk"; event: DeskEvent }
  | { source: "token"; transfer: Transfer };

/** The same with its place. */
export type ChainEvent = LogOrigin & EventContent;

/** An event of a desk: its kind and its arguments. Base units, basis points of par, unix seconds. */
export type DeskEvent = EventOf<(typeof DESK_EVENT_KINDS)[number]>;

/** A desk event with its place; `at` names the listing of the offered token. */
export type LocatedDeskEvent = DeskEvent & { at: Provenance };

/** Addresses are compared and shown in lowercase. */
export function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}
