/**
 * A chain of a few blocks in memory, with real headers, receipts and events of every kind: what proofs are made of, without a node.
 * @module
 */
import { RLP } from "@ethereumjs/rlp";
import {
  type AbiEvent,
  custom,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  hexToBytes,
  hexToNumber,
  keccak256,
  MethodNotFoundRpcError,
  numberToHex,
  size,
  slice,
} from "viem";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../../abis/SecondaryDeskEvents.ts";
import type { HttpTransportOf } from "../../api/health/counted-http.ts";
import type { ProofQueries } from "../../api/proof/read.ts";
import {
  deriveTotal,
  type MoneyRow,
  TOTAL_NAMES,
  TOTAL_RULES,
  type TotalRule,
} from "../../api/proof/totals.ts";
import type { RpcBlock, RpcHeader, RpcReceipt } from "../../chain/raw-blocks.ts";
import { createReceiptTrie, encodeReceipt } from "../../chain/receipts.ts";
import { quantity } from "../../chain/rlp.ts";
import type { Contracts } from "../../src/contracts/compile.ts";
import { contractsOf, mapRawLog } from "../../src/contracts/contracts.ts";
import { toLedgerArgs } from "../../src/fold/ledger.ts";
import { NO_DELTAS } from "../../src/fold/state.ts";
import {
  ALICE,
  createBook,
  type DeskLog,
  type EscrowLog,
  escrowLog,
  REFUND,
  rawTerms,
  toDeskEvent,
  toListingEvent,
} from "./book.ts";
import { eventIdAt } from "./ledger-table.ts";
import { DESK, FINALIZED, listingRow } from "./rows.ts";

const ZERO = `0x${"00".repeat(32)}` as const;
const BLOOM = `0x${"00".repeat(256)}` as const;
const ESCROW = listingRow().escrowAddress;
const FIRST = FINALIZED.number - 10n;
/** Transactions of others before each of ours, so that the trie has branches, and keys of one and of two bytes. */
const OTHERS = [0, 3, 17, 130];

const OPEN = rawTerms({ closeAt: 0n });

/** `call`: of the emitter of `foreign/foreign.ts`, for a log of other contracts. */
type Told = { log: EscrowLog } | { desk: DeskLog } | { call: Hex };

/** Blocks of transactions of events. */
export type Story = readonly (readonly (readonly Told[])[])[];

/** A raise from creation to settlement, one that is still open, and a desk. */
const STORY: Story = [
  [
    [{ log: escrowLog("ListingCreated", { terms: OPEN }) }],
    [
      { log: escrowLog("ListingCreated", { terms: OPEN }, 2n) },
      { log: escrowLog("ListingTermsUpdated", { terms: OPEN }, 2n) },
    ],
    [{ log: escrowLog("Subscribed", { amount: 100n, totalRaised: 100n }) }],
  ],
  [
    [{ log: escrowLog("Subscribed", { amount: 60n, bidRateBps: 900, totalRaised: 160n }) }],
    [{ log: escrowLog("Subscribed", { amount: 70n, totalRaised: 70n }, 2n) }],
    [{ log: escrowLog("Refunded", { amount: 20n, totalRefunded: 20n }) }],
    [{ log: escrowLog("Refunded", { amount: 30n, totalRefunded: 30n, reason: REFUND.withdrawn }, 2n) }],
    [{ log: escrowLog("ListingClosed", { raisedAmount: 140n, minRaiseMet: true }) }],
    [{ log: escrowLog("ReserveChanged", { amount: 50n, reserveBalance: 50n }) }],
    [{ log: escrowLog("DrawnDown", { amount: 140n, fee: 1n, maturityAt: 4_000_000_000n }) }],
  ],
  [
    [{ log: escrowLog("Repaid", { principal: 40n, interest: 3n, outstandingPrincipal: 100n }) }],
    [{ log: escrowLog("PayoutClaimed", { amount: 5n, totalClaimed: 5n }) }],
    [
      {
        desk: {
          eventName: "OfferCreated",
          args: {
            offerId: 1n,
            token: ESCROW,
            seller: ALICE,
            amount: 9n,
            priceBps: 2n ** 60n,
            expiresAt: 2n ** 63n,
          },
        },
      },
      {
        desk: {
          eventName: "OfferFilled",
          args: { offerId: 1n, token: ESCROW, buyer: ALICE, amount: 4n, cost: 3n, remaining: 5n },
        },
      },
      { desk: { eventName: "OfferCancelled", args: { offerId: 1n, remaining: 5n } } },
    ],
  ],
  [
    [
      { log: escrowLog("Repaid", { principal: 90n, interest: 7n, outstandingPrincipal: 10n }) },
      { log: escrowLog("ListingSettled", { outcome: 2, writtenOffPrincipal: 10n }) },
    ],
    [{ log: escrowLog("ListingCancelled", {}, 2n) }],
    [{ log: escrowLog("ListingVoided", {}, 2n) }],
  ],
];

export type ProvenChain = {
  /** the ledger of both listings, in the chain's order */
  rows: MoneyRow[];
  hashOf(block: bigint | string): Hex;
  /** A node: its transport, and what it was asked. Methods that it refuses can be named. */
  node(refuses?: readonly string[]): { http: HttpTransportOf; asked: string[] };
  reader: ProofQueries;
};

/** @param contracts by which the logs of other contracts are read */
export async function createProvenChain(
  story: Story = STORY,
  contracts = contractsOf({ contracts: null }),
): Promise<ProvenChain> {
  const book = createBook();
  const deskRows: MoneyRow[] = [];
  const blocks = new Map<bigint, { block: RpcBlock; receipts: RpcReceipt[] }>();
  for (const [index, transactions] of story.entries()) {
    const number = FIRST + BigInt(index);
    const timestamp = FINALIZED.timestamp - 100n + BigInt(index);
    const receipts: RpcReceipt[] = [];
    let logIndex = 0;
    const add = (logs: readonly { address: Hex; topics: readonly Hex[]; data: Hex }[]) => {
      const place = receipts.length;
      receipts.push({
        transactionHash: keccak256(numberToHex(Number(number) * 1_000 + place)),
        transactionIndex: numberToHex(place),
        type: numberToHex(place % 5),
        status: "0x1",
        cumulativeGasUsed: numberToHex(21_000 * (place + 1)),
        logsBloom: BLOOM,
        logs: logs.map((log) => ({ ...log, logIndex: numberToHex(logIndex++) })),
      });
      return receipts[place] as RpcReceipt;
    };
    for (const transaction of transactions) {
      for (let other = 0; other < (OTHERS[index] ?? 0) / transactions.length; other += 1) {
        add(other % 2 === 0 ? [] : [{ address: DESK, topics: [], data: "0x01" }]);
      }
      const receipt = add(transaction.map(encoded));
      for (const [place, told] of transaction.entries()) {
        const log = receipt.logs[place];
        const foreign = "call" in told ? contentOf(contracts, encoded(told)) : null;
        const at = {
          escrowAddress: ESCROW,
          onchainId: foreign?.onchainId ?? ("log" in told ? told.log.args.onchainId : 1n),
          eventId: eventIdAt({ time: timestamp, block: number, log: Number(log?.logIndex) }),
          ...{ blockNumber: number, blockTime: timestamp, txHash: receipt.transactionHash },
          logIndex: Number(log?.logIndex),
          part: 0,
        };
        if (foreign !== null) book.record({ ...foreign.event, at });
        else if ("log" in told) book.record({ ...toListingEvent(told.log), at });
        else if ("desk" in told) {
          const { kind, args } = toDeskEvent(told.desk, DESK);
          deskRows.push({ ...at, kind, args: toLedgerArgs(args), ...NO_DELTAS });
        }
      }
    }
    blocks.set(number, { block: await blockOf(number, timestamp, receipts), receipts });
  }
  const rows = [...book.ledger, ...deskRows].sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
  const blockAt = (number: bigint) => blocks.get(number);

  return {
    rows,
    hashOf: (number) => blockAt(BigInt(number))?.block.hash ?? ZERO,
    reader: {
      blockHash: async (number) => blockAt(number)?.block.hash ?? null,
      totalsOf: async ({ onchainId }) => {
        const own = rows.filter((row) => `${row.onchainId}` === `${onchainId}`).reverse();
        const derived = TOTAL_NAMES.map((name) => {
          const rule: TotalRule = TOTAL_RULES[name];
          const some = own.filter(({ kind }) => rule.kinds.includes(kind));
          const change = some.reduce((sum, row) => sum + rule.change(row), 0n);
          const isSum = ["raisedAmount", "outstandingPrincipal", "repaidAmount"].includes(name);
          return [name, deriveTotal(rule, isSum ? change : null, some, true)];
        });
        const asOf = { number: FIRST + BigInt(story.length) - 1n, timestamp: FINALIZED.timestamp };
        return { asOf, totals: Object.fromEntries(derived), stored: null };
      },
    },
    node(refuses = []) {
      const asked: string[] = [];
      const answer = (method: string, [first]: readonly unknown[]) => {
        if (method === "eth_getTransactionReceipt") {
          const all = [...blocks.values()].flatMap(({ receipts }) => receipts);
          return all.find(({ transactionHash }) => transactionHash === first) ?? null;
        }
        const found = blockAt(BigInt(`${first}`));
        return (method === "eth_getBlockReceipts" ? found?.receipts : found?.block) ?? null;
      };
      const request = async ({ method, params }: { method: string; params: readonly unknown[] }) => {
        asked.push(method);
        if (refuses.includes(method)) throw new MethodNotFoundRpcError(new Error("no such method"));
        return answer(method, params);
      };
      return { asked, http: (() => custom({ request }, { retryCount: 0 })) as unknown as HttpTransportOf };
    },
  };
}

/** The meaning of a log of other contracts, whatever its block. */
function contentOf(contracts: Contracts, log: { address: Hex; topics: readonly Hex[]; data: Hex }) {
  const place = { address: log.address, blockNumber: 0n, blockTime: 0n, txHash: ZERO, logIndex: 0 };
  const [mapped] = mapRawLog(contracts, log, place);
  if (mapped?.content.source !== "escrow") throw new Error("the log means nothing");
  return mapped.content;
}

function encoded(told: Told): { address: Hex; topics: Hex[]; data: Hex } {
  if ("call" in told) {
    const count = hexToNumber(slice(told.call, 0, 1));
    const topics = Array.from({ length: count }, (_, index) =>
      slice(told.call, 1 + 32 * index, 33 + 32 * index),
    );
    const data = 1 + 32 * count;
    return { address: ESCROW, topics, data: size(told.call) > data ? slice(told.call, data) : "0x" };
  }
  const [address, log] = "log" in told ? [ESCROW, told.log] : [DESK, told.desk];
  const abi: readonly AbiEvent[] = [...listingEscrowEventsAbi, ...secondaryDeskEventsAbi];
  const event = abi.find(({ name }) => name === log.eventName) as AbiEvent;
  const args: Readonly<Record<string, unknown>> = { ...log.args };
  const others = event.inputs.filter(({ indexed }) => !indexed);
  return {
    address,
    topics: encodeEventTopics({ abi: [event], args }) as Hex[],
    data: encodeAbiParameters(others, others.map(({ name }) => args[name ?? ""]) as never),
  };
}

/** A header of Prague, whose hash is made here byte by byte. */
async function blockOf(
  number: bigint,
  timestamp: bigint,
  receipts: readonly RpcReceipt[],
): Promise<RpcBlock> {
  const { root: receiptsRoot } = await createReceiptTrie(receipts.map(encodeReceipt));
  const header: Omit<RpcHeader, "hash"> = {
    ...{
      parentHash: ZERO,
      sha3Uncles: ZERO,
      miner: ESCROW,
      stateRoot: ZERO,
      transactionsRoot: ZERO,
      receiptsRoot,
    },
    ...{
      logsBloom: BLOOM,
      difficulty: "0x2",
      number: numberToHex(number),
      gasLimit: "0x5e12647",
      gasUsed: "0x5208",
    },
    ...{ timestamp: numberToHex(timestamp), extraData: "0xd883", mixHash: ZERO, nonce: "0x0000000000000000" },
    ...{ baseFeePerGas: "0x0", withdrawalsRoot: ZERO, blobGasUsed: "0x0", excessBlobGas: "0x0" },
    ...{ parentBeaconBlockRoot: ZERO, requestsHash: ZERO },
  };
  const numbers = new Set([
    "difficulty",
    "number",
    "gasLimit",
    "gasUsed",
    "timestamp",
    "baseFeePerGas",
    "blobGasUsed",
    "excessBlobGas",
  ]);
  const fields = Object.entries(header).map(([name, value]) =>
    hexToBytes(numbers.has(name) ? quantity(value as Hex) : (value as Hex)),
  );
  const transactions = receipts.map(({ transactionHash }) => transactionHash);
  return { ...header, hash: keccak256(RLP.encode(fields)), transactions };
}
