/**
 * A generated chain for benchmarks: raises that are created, subscribed to, closed, drawn down, repaid, with totals that
 * add up. The same parameters give the same chain.
 * @module
 */
import {
  type AbiEvent,
  bytesToHex,
  encodeAbiParameters,
  encodeEventTopics,
  getAbiItem,
  type Hex,
  toEventSelector,
  zeroHash,
} from "viem";
import { listingEscrowEventsAbi } from "../abis/ListingEscrowEvents.ts";
import { bloomOf } from "../chain/bloom.ts";
import { hashOfHeader } from "../chain/header.ts";
import type { RpcHeader, RpcReceipt } from "../chain/raw-blocks.ts";
import { encodeReceipt, receiptsRoot } from "../chain/receipts.ts";

export type ChainParameters = { events: number; blocks: number; listings: number };

export type PlacedLog = Encoded & { address: Hex };
/** A chain as its server makes it, block after block from 0 on. */
export type ServedChain = {
  head: number;
  finalized: number;
  /** unix seconds */
  timeOf(block: number): number;
  logsIn(block: number): PlacedLog[];
};

/** Two escrows share the listings. */
export const ESCROWS: readonly Hex[] = [`0x${"e1".repeat(20)}`, `0x${"e2".repeat(20)}`];
/** Blocks behind the last event, so that it is final. */
export const EMPTY_BLOCKS = 40;
export const GENESIS = 1_700_000_000;
const SECONDS_PER_BLOCK = 3;
const EVENTS_PER_TRANSACTION = 5;
const BACKERS = 200;
export const UNIT = 10n ** 18n;

type Listing = {
  escrow: Hex;
  id: bigint;
  step: number;
  raised: bigint;
  owed: bigint;
  subscriptions: number;
};

/** The words of an event after its topic: the indexed ones, and the data. */
export type Encoded = { topics: Hex[]; data: Hex };

export function generateChain({ events, blocks, listings }: ChainParameters): ServedChain {
  const raises = Array.from(
    { length: listings },
    (_, index): Listing => ({
      escrow: ESCROWS[index % ESCROWS.length] as Hex,
      id: BigInt(Math.floor(index / ESCROWS.length) + 1),
      step: 0,
      raised: 0n,
      owed: 0n,
      subscriptions: Math.max(2, Math.floor((events / listings) * 0.7)),
    }),
  );
  const head = blocks + EMPTY_BLOCKS;
  let made = 0;
  return {
    ...{ head, finalized: head, timeOf: blockTime },
    logsIn(block) {
      const until = Math.floor((events * Math.min(block, blocks)) / blocks);
      const logs: PlacedLog[] = [];
      for (; made < until; made += 1) {
        // The creations come first, then each raise has its turn.
        const raise = raises[made % listings] as Listing;
        logs.push({ address: raise.escrow, ...nextEvent(raise, block) });
      }
      return logs;
    },
  };
}

function transactionHash(block: number, index: number): Hex {
  return `0x${(block * 10_000 + index).toString(16).padStart(64, "c")}`;
}

function blockTime(number: number): number {
  return GENESIS + SECONDS_PER_BLOCK * number;
}

function nextEvent(raise: Listing, block: number): Encoded {
  const { id, step, subscriptions } = raise;
  raise.step += 1;
  if (step === 0) return created(raise);
  const backer = backerOf(raise, step);
  if (step < subscriptions) {
    raise.raised += 10n * UNIT;
    return statics("Subscribed", [word(id), word(backer), word(backer)], [10n * UNIT, 0n, raise.raised]);
  }
  if (step === subscriptions) {
    return statics("ListingClosed", [word(id), word(2n)], [raise.raised, 1n, 1450n]);
  }
  if (step === subscriptions + 1) {
    raise.owed = raise.raised;
    const maturity = BigInt(blockTime(block) + 90 * 86_400);
    return statics("DrawnDown", [word(id), word(ORIGINATOR)], [raise.owed, 0n, maturity]);
  }
  const principal = raise.owed > UNIT ? UNIT : 0n;
  raise.owed -= principal;
  return statics("Repaid", [word(id), word(ORIGINATOR)], [principal, UNIT / 10n, raise.owed]);
}

const ORIGINATOR = 0xa1n;

function backerOf({ id }: Listing, step: number): bigint {
  return 0xb000000n + ((id * 31n + BigInt(step)) % BigInt(BACKERS));
}

function created({ id, escrow }: Listing): Encoded {
  const abiItem = getAbiItem({ abi: listingEscrowEventsAbi, name: "ListingCreated" });
  const token: Hex = `0x${(BigInt(escrow) * 1_000_000n + id).toString(16).slice(-40)}`;
  const originator: Hex = `0x${ORIGINATOR.toString(16).padStart(40, "0")}`;
  const terms = {
    ...{ targetAmount: 1_000_000n * UNIT, minRaise: UNIT, couponRateBps: 1450, insuranceBps: 500 },
    ...{ tenorDays: 90, pricingMode: 0, goLiveAt: 1n, closeAt: 0n },
  };
  const args = { onchainId: id, originator, token };
  return {
    topics: encodeEventTopics({ abi: [abiItem], args }) as Hex[],
    data: encodeAbiParameters(
      abiItem.inputs.filter(({ indexed }) => !indexed),
      ["RB00001", terms, zeroHash],
    ),
  };
}

/** An event whose data has one word for each argument; checked against viem once for each name. */
export function statics(
  eventName: "Subscribed" | "ListingClosed" | "DrawnDown" | "Repaid" | "ListingSettled",
  indexed: string[],
  data: bigint[],
): Encoded {
  const abiItem: AbiEvent = getCached(eventName);
  const encoded: Encoded = {
    topics: [selectorOf(abiItem), ...indexed.map((one): Hex => `0x${one}`)],
    data: `0x${data.map(word).join("")}`,
  };
  if (!checked.has(eventName)) {
    checked.add(eventName);
    const types = abiItem.inputs.filter((input) => !input.indexed);
    const values = data.map((value, index) => {
      const type = types[index]?.type ?? "";
      if (type === "bool") return value === 1n;
      return /^uint(8|16|32)$/.test(type) ? Number(value) : value;
    });
    const expected = encodeAbiParameters(types, values);
    if (expected !== encoded.data) throw new Error(`${eventName} is encoded wrongly: ${encoded.data}`);
  }
  return encoded;
}

const checked = new Set<string>();
const items = new Map<string, AbiEvent>();
const selectors = new Map<AbiEvent, Hex>();

function getCached(name: string): AbiEvent {
  const found = items.get(name) ?? listingEscrowEventsAbi.find((item) => item.name === name);
  if (found === undefined) throw new Error(`no event ${name}`);
  items.set(name, found);
  return found;
}

function selectorOf(item: AbiEvent): Hex {
  const found = selectors.get(item) ?? toEventSelector(item);
  selectors.set(item, found);
  return found;
}

export function word(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

function receiptsOf(number: number, placed: readonly PlacedLog[]): RpcReceipt[] {
  const count = Math.ceil(placed.length / EVENTS_PER_TRANSACTION);
  return Array.from({ length: count }, (_, index): RpcReceipt => {
    const first = index * EVENTS_PER_TRANSACTION;
    const logs = placed.slice(first, first + EVENTS_PER_TRANSACTION);
    return {
      ...{ transactionHash: transactionHash(number, index), transactionIndex: hex(index), type: "0x2" },
      ...{ status: "0x1", cumulativeGasUsed: hex(21_000 * (index + 1)), logsBloom: bloom(logs) },
      logs: logs.map((log, place) => ({ ...log, logIndex: hex(first + place) })),
    };
  });
}

type BlockParameters = { number: number; placed: readonly PlacedLog[]; parentHash: Hex; time: number };

/** A block whose receipts have the root in its header, which has its hash: as much of a chain as a proof looks at. */
export function servedBlock({ number, placed, parentHash, time }: BlockParameters) {
  const receipts = receiptsOf(number, placed);
  const header = hashed({
    ...{ number: hex(number), parentHash, timestamp: hex(time) },
    ...{ receiptsRoot: receiptsRoot(receipts.map(encodeReceipt)), logsBloom: bloom(placed) },
    ...{ sha3Uncles: zeroHash, miner: MINER, stateRoot: zeroHash, transactionsRoot: zeroHash },
    ...{ difficulty: "0x0", gasLimit: "0x1c9c380", gasUsed: "0x1", extraData: "0x", mixHash: zeroHash },
    ...{ nonce: "0x0000000000000000", baseFeePerGas: "0x0" },
  });
  return { header, receipts };
}

const MINER: Hex = `0x${"aa".repeat(20)}`;
const hex = (value: number): Hex => `0x${value.toString(16)}`;

function bloom(logs: readonly PlacedLog[]): Hex {
  return bytesToHex(bloomOf(logs.map(({ address, topics }) => ({ address, raw: { topics } }))));
}

/** The header with its hash, of the fork of London. */
function hashed(header: Omit<RpcHeader, "hash">): RpcHeader {
  return { ...header, hash: hashOfHeader(header) };
}
