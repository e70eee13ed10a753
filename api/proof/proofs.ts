/** @module Proofs of events and of totals on demand: a block's header, whose hash is public, commits to the ledger's rows. */
import { isDeepStrictEqual } from "node:util";
import { bytesToHex, type Hex, hexToNumber } from "viem";
import type { Contracts } from "../../src/contracts/compile.ts";
import { mapRawLog } from "../../src/contracts/contracts.ts";
import { lower } from "../../src/fold/events.ts";
import { toLedgerArgs } from "../../src/fold/ledger.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import type { Pair } from "../ledger/event-filter.ts";
import type { NoPage } from "../ledger/read.ts";
import type { NoProof, ProvableBlocks } from "./blocks.ts";
import type { ProofQueries } from "./read.ts";
import { encodeReceipt } from "./receipts.ts";
import type { RpcLog } from "./rpc.ts";
import { type DerivedTotal, TOTAL_NAMES, type TotalName } from "./totals.ts";

/** Proof that a log is in a block: `keccak256(header)` is the hash, and the path leads from the header's `receiptsRoot` to the receipt. */
export type Inclusion = {
  block: { number: bigint; hash: Hex; timestamp: bigint };
  header: Hex;
  transactionIndex: number;
  path: Hex[];
  receipt: Hex;
  /** the place of the log among those of its receipt, from 0 */
  logInReceipt: number;
  log: { address: Hex; topics: readonly Hex[]; data: Hex };
};

export type ProvenTotal = DerivedTotal & {
  inclusion: Inclusion | null;
};

export type ProvenTotals = {
  asOf: { number: bigint; hash: Hex };
  totals: Record<TotalName, ProvenTotal>;
};

export type Proofs = {
  /** Proves that the event of a row is in its block, which must be final. */
  ofEvent(row: LedgerRow): Promise<Inclusion | NoProof>;
  /** The totals of a listing as of the last final block, each with the proof of the event that carries it. */
  ofListing(pair: Pair): Promise<ProvenTotals | NoProof | NoPage>;
};

export function createProofs({
  reader,
  blocks,
  contracts,
}: {
  reader: ProofQueries;
  blocks: ProvableBlocks;
  contracts: Contracts;
}): Proofs {
  const ofEvent = async (row: LedgerRow): Promise<Inclusion | NoProof> => {
    const hash = await reader.blockHash(row.blockNumber);
    if (hash === null) return differs(row);
    const block = await blocks.of(row.blockNumber, hash);
    if ("reason" in block) return block;
    const { number, timestamp, header, receipts, pathTo } = block;
    const transactionIndex = receipts.findIndex(({ transactionHash }) => transactionHash === row.txHash);
    const receipt = receipts[transactionIndex];
    const logInReceipt =
      receipt?.logs.findIndex(({ logIndex }) => hexToNumber(logIndex) === row.logIndex) ?? -1;
    const log = receipt?.logs[logInReceipt];
    if (receipt === undefined || log === undefined || !tells(contracts, log, row)) return differs(row);
    return {
      block: { number, hash, timestamp },
      header,
      transactionIndex,
      path: await pathTo(transactionIndex),
      receipt: bytesToHex(encodeReceipt(receipt)),
      logInReceipt,
      log: { address: lower(log.address), topics: log.topics.map(lower), data: lower(log.data) },
    };
  };
  return {
    ofEvent,
    async ofListing(pair) {
      const found = await reader.totalsOf(pair);
      if (typeof found === "string") return found;
      const hash = await blocks.hashOf(found.asOf.number);
      if (typeof hash !== "string") return hash;
      const proven: [TotalName, ProvenTotal][] = [];
      // One after another: totals often share a block, which is then cached.
      for (const name of TOTAL_NAMES) {
        const total = found.totals[name];
        const inclusion = total.source && (await ofEvent(total.source));
        if (inclusion !== null && "reason" in inclusion) return inclusion;
        proven.push([name, { ...total, inclusion }]);
      }
      const totals = Object.fromEntries(proven) as ProvenTotals["totals"];
      return { asOf: { number: found.asOf.number, hash }, totals };
    },
  };
}

function differs({ blockNumber, logIndex }: LedgerRow): NoProof {
  const detail = `The chain's node does not have the event ${blockNumber}-${logIndex} as it was indexed.`;
  return { reason: "proof_unavailable", detail, retryAfter: 60 };
}

/** Whether the row was made from this log. */
function tells(contracts: Contracts, log: RpcLog, row: LedgerRow): boolean {
  const address = lower(log.address);
  const { blockNumber, blockTime, txHash, logIndex } = row;
  return mapRawLog(contracts, log, { address, blockNumber, blockTime, txHash, logIndex }).some(
    ({ content }) =>
      content.event.kind === row.kind &&
      isDeepStrictEqual(toLedgerArgs(content.event.args), row.args) &&
      (content.source === "desk" || (address === row.escrowAddress && content.onchainId === row.onchainId)),
  );
}
