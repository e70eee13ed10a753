/** @module The Merkle-Patricia trie of a block's receipts (Yellow Paper, appendix D), by the RLP of a transaction's index. */
import { createMerkleProof, MerklePatriciaTrie } from "@ethereumjs/mpt";
import { RLP } from "@ethereumjs/rlp";
import { bytesToHex, type Hex, hexToBytes } from "viem";
import { numberBytes } from "./header.ts";
import type { RpcReceipt } from "./rpc.ts";

/**
 * A receipt as the trie holds it: `rlp([status, cumulativeGasUsed, logsBloom, logs])`, after the type's byte where the transaction
 * has one (EIP-2718), and with the state's root in place of the status before Byzantium (EIP-658).
 */
export function encodeReceipt(receipt: RpcReceipt): Uint8Array {
  const { type, status, root, cumulativeGasUsed, logsBloom, logs } = receipt;
  const outcome = status === undefined || status === null ? hexToBytes(root ?? "0x") : numberBytes(status);
  const payload = RLP.encode([
    outcome,
    numberBytes(cumulativeGasUsed),
    hexToBytes(logsBloom),
    logs.map(({ address, topics, data }) => [
      hexToBytes(address),
      topics.map((topic) => hexToBytes(topic)),
      hexToBytes(data),
    ]),
  ]);
  const typeByte = numberBytes(type ?? "0x0");
  return typeByte.length === 0 ? payload : Uint8Array.from([...typeByte, ...payload]);
}

export type ReceiptTrie = {
  root: Hex;
  /** The nodes from the root to the receipt of this transaction, in RLP. */
  pathTo(transactionIndex: number): Promise<Hex[]>;
};

/** @param receipts as the trie holds them, in the order of their transactions */
export async function createReceiptTrie(receipts: readonly Uint8Array[]): Promise<ReceiptTrie> {
  const trie = new MerklePatriciaTrie();
  for (const [index, receipt] of receipts.entries()) await trie.put(RLP.encode(index), receipt);
  return {
    root: bytesToHex(trie.root()),
    pathTo: async (transactionIndex) =>
      (await createMerkleProof(trie, RLP.encode(transactionIndex))).map((node) => bytesToHex(node)),
  };
}
