/** @module The events of an escrow, decoded, in the chain's order: by block number and log index, never by time. */
import { decodeEventLog, type Hex, toEventSelector } from "viem";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";

/** A log as `eth_getLogs` returns it. */
export type RawLog = {
  address: Hex;
  topics: [] | [Hex, ...Hex[]];
  data: Hex;
  blockNumber: Hex | null;
  logIndex: Hex | null;
  transactionHash: Hex | null;
};

function decoded({ data, topics }: RawLog) {
  return decodeEventLog({ abi: listingEscrowEventsAbi, data, topics });
}

const SELECTORS: readonly Hex[] = listingEscrowEventsAbi.map((event) => toEventSelector(event));

type EscrowEvent = ReturnType<typeof decoded>;

/** Every event of `ListingEscrow` by name, with its arguments. */
export type EventArgs = { [Event in EscrowEvent as Event["eventName"]]: Event["args"] };

export type EventName = keyof EventArgs;

export type Terms = EventArgs["ListingCreated"]["terms"];

/** The place of a log in the chain. */
export type Place = {
  blockNumber: bigint;
  logIndex: number;
  /** the block's time, unix seconds */
  at: bigint;
  txHash: Hex;
};

type AnyLog = {
  [Name in EventName]: Place & { /** lowercase */ escrow: string; name: Name; args: EventArgs[Name] };
}[EventName];

/** One event and where it stands. `name` tells which `args` there are. */
export type ChainLog<Name extends EventName = EventName> = Extract<AnyLog, { name: Name }>;

/** An escrow says other things too, its change of owner for one, which are no events of a listing. */
export function isOfListing({ topics: [selector] }: RawLog): boolean {
  return selector !== undefined && SELECTORS.includes(selector);
}

/** @param at the time of the log's block, unix seconds */
export function toChainLog(log: RawLog, at: bigint): ChainLog {
  const { eventName: name, args } = decoded(log);
  return {
    ...placeOf(log, at),
    escrow: log.address.toLowerCase(),
    name,
    args,
    // The pair came out of one decoded event, which the compiler cannot see through two variables.
  } as ChainLog;
}

/** @param at the time of the log's block, unix seconds */
export function placeOf({ blockNumber, logIndex, transactionHash: txHash }: RawLog, at: bigint): Place {
  if (blockNumber === null || logIndex === null || txHash === null) {
    throw new Error("a pending log is no history");
  }
  return { blockNumber: BigInt(blockNumber), logIndex: Number(logIndex), at, txHash };
}

export function isBefore(one: Place, other: Place): boolean {
  if (one.blockNumber !== other.blockNumber) return one.blockNumber < other.blockNumber;
  return one.logIndex < other.logIndex;
}

export function inChainOrder<Log extends Place>(logs: readonly Log[]): Log[] {
  return [...logs].sort((one, other) => (isBefore(one, other) ? -1 : isBefore(other, one) ? 1 : 0));
}

/** The logs with one of the names, in the order they had. */
export function those<Name extends EventName>(
  logs: readonly ChainLog[],
  ...names: readonly Name[]
): ChainLog<Name>[] {
  const wanted: readonly string[] = names;
  return logs.filter((log) => wanted.includes(log.name)) as ChainLog<Name>[];
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
