/** @module Blocks and receipts in the answers of nodes: JSON-RPC, Ethereum's execution API. */
import type { Hex } from "viem";

/** The fields of a header in all forks up to Prague; nodes add others, which are not in a header. */
export type RpcHeader = {
  number: Hex;
  hash: Hex;
  parentHash: Hex;
  sha3Uncles: Hex;
  miner: Hex;
  stateRoot: Hex;
  transactionsRoot: Hex;
  receiptsRoot: Hex;
  logsBloom: Hex;
  difficulty: Hex;
  gasLimit: Hex;
  gasUsed: Hex;
  timestamp: Hex;
  extraData: Hex;
  mixHash: Hex;
  nonce: Hex;
  /** London */
  baseFeePerGas?: Hex | null;
  /** Shanghai */
  withdrawalsRoot?: Hex | null;
  /** Cancun, with the next two */
  blobGasUsed?: Hex | null;
  excessBlobGas?: Hex | null;
  parentBeaconBlockRoot?: Hex | null;
  /** Prague */
  requestsHash?: Hex | null;
};

export type RpcBlock = RpcHeader & { transactions: readonly Hex[] };

export type RpcLog = { address: Hex; topics: readonly Hex[]; data: Hex; logIndex: Hex };

export type RpcReceipt = {
  transactionHash: Hex;
  transactionIndex: Hex;
  /** absent before typed transactions */
  type?: Hex | null;
  /** from Byzantium on */
  status?: Hex | null;
  /** before Byzantium: the state after the transaction */
  root?: Hex | null;
  cumulativeGasUsed: Hex;
  logsBloom: Hex;
  logs: readonly RpcLog[];
};
