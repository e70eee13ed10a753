/**
 * Logs to events, as Ponder decodes them: the same arguments in the same order, and the same event ids.
 * @module
 */
import { type AbiEvent, erc20Abi, getAbiItem, type Hex, toEventSelector } from "viem";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../../abis/SecondaryDeskEvents.ts";
import type { Log } from "../../chain/logs.ts";
import type { Page, RawBlock } from "../../chain/pages.ts";
import type { ChainEvent, LogOrigin, Transfer } from "../../src/fold/events.ts";
import { loadCheckpoints, loadDecoder } from "./ponder.ts";

const transferAbi = getAbiItem({ abi: erc20Abi, name: "Transfer" });
const ITEMS = new Map<Hex | undefined, { source: ChainEvent["source"]; abiItem: AbiEvent }>(
  [
    ...listingEscrowEventsAbi.map((abiItem) => ({ source: "escrow" as const, abiItem })),
    ...secondaryDeskEventsAbi.map((abiItem) => ({ source: "desk" as const, abiItem })),
    { source: "token" as const, abiItem: transferAbi },
  ].map((item) => [toEventSelector(item.abiItem), item]),
);

/** Each address once: rows that stay in memory share it, and do not keep the text of the log that they are from. */
const addresses = new Map<Hex, Hex>();

const loading = [loadCheckpoints(), loadDecoder()] as const;
const [{ EVENT_TYPES, encodeCheckpoint }, { decodeEventLog }] = await Promise.all(loading);

/** The events of a page. A log that does not fit its event is none, as in Ponder. */
export function* eventsOf({ logs, blocks }: Page, chainId: number): Generator<ChainEvent> {
  for (const log of logs) {
    const item = ITEMS.get(log.topic);
    const block = blocks.get(log.block);
    if (item === undefined || block === undefined) continue;
    const args = decoded(item.abiItem, log);
    if (args === null) continue;
    if ("backer" in args) args.backer = interned(args.backer as Hex);
    const place = placeOf(log, block, chainId);
    // The topic decides on the name and the arguments; the compiler sees two unions.
    if (item.source === "token") yield { ...place, source: "token", transfer: args as Transfer };
    else yield { ...place, source: item.source, log: { eventName: item.abiItem.name, args } } as ChainEvent;
  }
}

function decoded(abiItem: AbiEvent, { raw: { topics, data } }: Log): Record<string, unknown> | null {
  try {
    return decodeEventLog({ abiItem, topics, data }) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function interned(address: Hex): Hex {
  const known = addresses.get(address);
  if (known !== undefined) return known;
  addresses.set(address, address);
  return address;
}

function placeOf(log: Log, { hash: blockHash, ...block }: RawBlock, chainId: number): LogOrigin {
  const { raw, transactionIndex, logIndex } = log;
  const blockTime = BigInt(block.timestamp);
  const blockNumber = BigInt(block.number);
  const eventId = encodeCheckpoint({
    ...{ blockTimestamp: blockTime, chainId, blockNumber, transactionIndex },
    ...{ eventType: EVENT_TYPES.logs, eventIndex: logIndex },
  });
  const address = interned(log.address);
  return { eventId, address, blockNumber, blockTime, blockHash, txHash: raw.transactionHash, logIndex };
}
