/**
 * Logs to events, as Ponder decodes them: the same arguments in the same order, and the same event ids.
 * @module
 */
import { type AbiEvent, erc20Abi, getAbiItem, type Hex, toEventSelector } from "viem";
import type { Log } from "../../chain/logs.ts";
import type { Page, RawBlock } from "../../chain/pages.ts";
import type { Contracts } from "../../src/contracts/compile.ts";
import { eventIdOf } from "../../src/fold/event-id.ts";
import type { ChainEvent, LogOrigin, Transfer } from "../../src/fold/events.ts";
import { loadCheckpoints, loadDecoder } from "./ponder.ts";

const transferAbi = getAbiItem({ abi: erc20Abi, name: "Transfer" });
const TRANSFER = toEventSelector(transferAbi);

/** Each address once: rows that stay in memory share it, and do not keep the text of the log that they are from. */
const addresses = new Map<Hex, Hex>();

const loading = [loadCheckpoints(), loadDecoder()] as const;
const [{ EVENT_TYPES, encodeCheckpoint }, { decodeEventLog }] = await Promise.all(loading);

/**
 * Reads the events of these contracts' logs. A log that does not fit its event is none, as in Ponder.
 * @param onUnmapped is told of every log that the contracts' module could not map
 */
export function createEventReader(
  { byTopic }: Contracts,
  chainId: number,
  onUnmapped: (name: string, problem: string) => void,
): (page: Page) => Generator<ChainEvent> {
  return function* ({ logs, blocks }) {
    for (const log of logs) {
      const event = byTopic.get(log.topic);
      const block = blocks.get(log.block);
      if ((event === undefined && log.topic !== TRANSFER) || block === undefined) continue;
      const args = decoded(event?.abiItem ?? transferAbi, log);
      if (args === null) continue;
      const place = placeOf(log, block, chainId);
      if (event === undefined) {
        yield { ...place, source: "token", transfer: args as Transfer };
        continue;
      }
      for (const [part, { content, problem }] of event.map(args, place).entries()) {
        if (problem !== null) onUnmapped(event.abiItem.name, problem);
        if ("backer" in content.event.args) content.event.args.backer = interned(content.event.args.backer);
        yield { ...place, eventId: eventIdOf(place.eventId, part), part, ...content };
      }
    }
  };
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
  return {
    eventId,
    address,
    blockNumber,
    blockTime,
    blockHash,
    txHash: raw.transactionHash,
    logIndex,
    part: 0,
  };
}
