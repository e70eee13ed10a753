/** @module Proofs of events and of totals on demand: a block's header, whose hash is public, commits to the ledger's rows. */
import { isDeepStrictEqual } from "node:util";
import { type Hex, hexToNumber, toFunctionSignature } from "viem";
import type { RpcLog } from "../../chain/raw-blocks.ts";
import { encodeReceipt } from "../../chain/receipts.ts";
import type { Contracts } from "../../src/contracts/compile.ts";
import { contractsOf, decodeLog } from "../../src/contracts/contracts.ts";
import { dataOf } from "../../src/contracts/views.ts";
import { placeInBlock } from "../../src/fold/event-id.ts";
import { lower } from "../../src/fold/events.ts";
import { toLedgerArgs } from "../../src/fold/ledger.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import type { NoPage } from "../ledger/read.ts";
import type { Pair } from "../registry/schema.ts";
import type { NoProof, ProvableBlocks } from "./blocks.ts";
import { type EventAbi, eventAbiOf, type Mapping, mappingOf } from "./mapping.ts";
import type { ProofQueries } from "./read.ts";
import { type DerivedTotal, type StoredFigures, TOTAL_NAMES, type TotalName } from "./totals.ts";

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
  /** the event that decodes the log */
  abi: EventAbi;
  /** how a contracts module reads it; null for the project's own contracts, whose interface says so */
  mapping: Mapping | null;
};

export type ProvenTotal = DerivedTotal & {
  inclusion: Inclusion | null;
  /** a module's view of the figure; null without one, and for the project's own contracts */
  view: { signature: string; data: Hex; decimals: number } | null;
};

export type ProvenTotals = {
  asOf: { number: bigint; hash: Hex };
  totals: Record<TotalName, ProvenTotal>;
  /** the listing in the tables */
  stored: StoredFigures | null;
};

export type Proofs = {
  /** Proves that the event of a row is in its block, which must be final. */
  ofEvent(row: LedgerRow): Promise<Inclusion | NoProof>;
  /** The totals of a listing as of the last final block, each with the proof of the event that carries it. */
  ofListing(pair: Pair): Promise<ProvenTotals | NoProof | NoPage>;
};

/**
 * Creates the proofs of events and totals, from final blocks alone. Totals are in base units. A failing node or a row that differs from
 * the chain is returned as `NoProof`, not thrown; errors of the database are thrown.
 */
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
    const reading = log && readingOf(contracts, log, row);
    if (receipt === undefined || log === undefined || reading == null) return differs(row);
    return {
      block: { number, hash, timestamp },
      header,
      transactionIndex,
      path: await pathTo(transactionIndex),
      receipt: encodeReceipt(receipt),
      logInReceipt,
      log: { address: lower(log.address), topics: log.topics.map(lower), data: lower(log.data) },
      ...reading,
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
        proven.push([name, { ...total, inclusion, view: viewOf(contracts, name, pair.onchainId) }]);
      }
      const totals = Object.fromEntries(proven) as ProvenTotals["totals"];
      return { asOf: { number: found.asOf.number, hash }, totals, stored: found.stored };
    },
  };
}

function differs(row: LedgerRow): NoProof {
  const detail = `The chain's node does not have the event ${row.blockNumber}-${placeInBlock(row)} as it was indexed.`;
  return { reason: "proof_unavailable", detail, retryAfter: 60 };
}

/** How the row follows from this log; null if it does not. */
function readingOf(
  contracts: Contracts,
  log: RpcLog,
  row: LedgerRow,
): Pick<Inclusion, "abi" | "mapping"> | null {
  const decoded = decodeLog(contracts, log);
  if (decoded === null) return null;
  const { event, args } = decoded;
  const address = lower(log.address);
  const { kind, blockNumber, blockTime, txHash, logIndex, part } = row;
  const place = { address, blockNumber, blockTime, txHash, logIndex };
  const content = event.map(args, place)[part]?.content;
  if (
    content?.event.kind !== kind ||
    !isDeepStrictEqual(toLedgerArgs(content.event.args), row.args) ||
    (content.source === "escrow" && (address !== row.escrowAddress || content.onchainId !== row.onchainId))
  )
    return null;
  const { decimals } = (content.source === "desk" ? contracts.desk : null) ?? contracts.escrow;
  const mapping = isOfProject(contracts) ? null : mappingOf(event, { args, place, part, kind, decimals });
  return { abi: eventAbiOf(event.abiItem), mapping };
}

function viewOf(contracts: Contracts, name: TotalName, onchainId: bigint): ProvenTotal["view"] {
  const { views, decimals } = contracts.escrow;
  const view = name === "repaidAmount" ? undefined : views[name];
  if (view === undefined || isOfProject(contracts)) return null;
  const data = dataOf(view, onchainId);
  return data === null ? null : { signature: toFunctionSignature(view.item), data, decimals };
}

function isOfProject(contracts: Contracts): boolean {
  return contracts === contractsOf({ contracts: null });
}
