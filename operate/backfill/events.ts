/**
 * Logs to events, as Ponder decodes them: the same arguments in the same order, and the same event ids.
 * @module
 */
import type { AbiEvent, Hex } from "viem";
import type { Log } from "../../chain/logs.ts";
import type { Page, RawBlock } from "../../chain/pages.ts";
import type { Contracts, MappedLog } from "../../src/contracts/compile.ts";
import { TRANSFER, transferAbi } from "../../src/contracts/contracts.ts";
import { scaleOf } from "../../src/contracts/market-event.ts";
import { eventIdOf } from "../../src/fold/event-id.ts";
import type { ChainEvent, LogOrigin, Transfer } from "../../src/fold/events.ts";
import { createDecoder } from "./decode-event.ts";
import { loadCheckpoints, loadDecoder } from "./ponder.ts";

/** Each address once: rows that stay in memory share it, and do not keep the text of the log that they are from. */
const addresses = new Map<Hex, Hex>();

const loading = [loadCheckpoints(), loadDecoder()] as const;
const [{ EVENT_TYPES, encodeCheckpoint }, { decodeEventLog }] = await Promise.all(loading);

/**
 * Reads the events of these contracts' logs. A log that does not fit its event counts as no event, as in Ponder.
 * @param onUnmapped is told of every log that the contracts' module could not map
 */
export function createEventReader(
  { byTopic, escrow }: Contracts,
  chainId: number,
  onUnmapped: (name: string, problem: string) => void,
): (page: Page) => Generator<ChainEvent> {
  const placeOf = createPlacing(chainId);
  const argsOf = createArgsReader();
  const scale = scaleOf(escrow.decimals);
  return function* ({ logs, blocks }) {
    for (const log of logs) {
      const event = byTopic.get(log.topic);
      const block = blocks.get(log.block);
      if ((event === undefined && log.topic !== TRANSFER) || block === undefined) continue;
      const args = argsOf(event?.abiItem ?? transferAbi, log);
      if (args === null) continue;
      const place = placeOf(log, block);
      if (event === undefined) {
        yield { ...place, source: "token", transfer: { ...(args as Transfer), scale } };
        continue;
      }
      const mapped = event.map(args, place);
      for (let part = 0; part < mapped.length; part += 1) {
        const { content, problem } = mapped[part] as MappedLog;
        if (problem !== null) onUnmapped(event.abiItem.name, problem);
        if ("backer" in content.event.args) content.event.args.backer = interned(content.event.args.backer);
        yield { ...place, eventId: eventIdOf(place.eventId, part), part, ...content };
      }
    }
  };
}

/** Reads arguments; null of a log that does not fit its event. */
function createArgsReader() {
  const decoders = new Map<AbiEvent, ReturnType<typeof createDecoder>>();
  const decoderOf = (abiItem: AbiEvent) => {
    const made = createDecoder(abiItem);
    decoders.set(abiItem, made);
    return made;
  };
  return (abiItem: AbiEvent, { raw: { topics, data } }: Log): Record<string, unknown> | null => {
    const known = decoders.get(abiItem);
    const decode = known === undefined ? decoderOf(abiItem) : known;
    try {
      const args = decode?.({ topics, data }) ?? decodeEventLog({ abiItem, topics, data });
      return args as Record<string, unknown>;
    } catch {
      return null;
    }
  };
}

function interned(address: Hex): Hex {
  const known = addresses.get(address);
  if (known !== undefined) return known;
  addresses.set(address, address);
  return address;
}

/** The digits of a transaction's or a log's index in a checkpoint. */
const INDEX_DIGITS = 16;
const padded = (index: number) => String(index).padStart(INDEX_DIGITS, "0");

/** Places logs, of which those of one block come together: their ids begin alike. */
function createPlacing(chainId: number): (log: Log, block: RawBlock) => LogOrigin {
  let last: { block: RawBlock; blockTime: bigint; blockNumber: bigint; idStart: string } | null = null;
  const startOf = (block: RawBlock) => {
    const [blockTime, blockNumber] = [BigInt(block.timestamp), BigInt(block.number)];
    const first = { blockTimestamp: blockTime, chainId, blockNumber, transactionIndex: 0, eventIndex: 0 };
    const id = encodeCheckpoint({ ...first, eventType: EVENT_TYPES.logs });
    return { block, blockTime, blockNumber, idStart: id.slice(0, id.length - 2 * INDEX_DIGITS - 1) };
  };
  return ({ raw, address, transactionIndex, logIndex }, block) => {
    if (last?.block !== block) last = startOf(block);
    const { blockTime, blockNumber, idStart } = last;
    const place = `${padded(transactionIndex)}${EVENT_TYPES.logs}${padded(logIndex)}`;
    if (place.length !== 2 * INDEX_DIGITS + 1) throw new RangeError(`no place of a log: ${place}`);
    return {
      eventId: `${idStart}${place}`,
      address: interned(address),
      ...{ blockNumber, blockTime },
      blockHash: block.hash,
      txHash: raw.transactionHash,
      logIndex,
      part: 0,
    };
  };
}
