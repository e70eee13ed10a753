/** @module The Merkle-Patricia trie of a block's receipts (Yellow Paper, appendix D), by the RLP of a transaction's index. */
import { createMerkleProof, MerklePatriciaTrie } from "@ethereumjs/mpt";
import { type NestedUint8Array, RLP } from "@ethereumjs/rlp";
import { bytesToHex, type Hex } from "viem";
import { keccak } from "../config/keccak.ts";
import { bytesOf, numberBytes } from "./header.ts";
import type { RpcReceipt } from "./raw-blocks.ts";

/**
 * A receipt as the trie holds it: `rlp([status, cumulativeGasUsed, logsBloom, logs])`, after the type's byte where the transaction
 * has one (EIP-2718), and with the state's root in place of the status before Byzantium (EIP-658).
 */
export function encodeReceipt(receipt: RpcReceipt): Uint8Array {
  const { type, status, root, cumulativeGasUsed, logsBloom, logs } = receipt;
  const outcome = status === undefined || status === null ? bytesOf(root ?? "0x") : numberBytes(status);
  const payload = RLP.encode([
    outcome,
    numberBytes(cumulativeGasUsed),
    bytesOf(logsBloom),
    logs.map(({ address, topics, data }) => [bytesOf(address), topics.map(bytesOf), bytesOf(data)]),
  ]);
  const typeByte = numberBytes(type ?? "0x0");
  return typeByte.length === 0 ? payload : Buffer.concat([typeByte, payload]);
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

/** A receipt with what is left of its key, in hex digits. */
type Leaf = { key: readonly number[]; value: Uint8Array };
type Node = Uint8Array | NestedUint8Array;

const NOTHING = new Uint8Array();
/** A node this long is named by its hash in the node above it, a shorter one is part of it. */
const HASHED = 32;
const WIDTH = 16;

/** The root alone: each node is hashed once, which is many times as quick as a trie that grows. @param receipts as above */
export function receiptsRoot(receipts: readonly Uint8Array[]): Hex {
  const leaves = receipts.map((value, index) => ({ key: digitsOf(RLP.encode(index)), value }));
  return bytesToHex(keccak(RLP.encode(leaves.length === 0 ? NOTHING : nodeOf(leaves))));
}

function nodeOf(leaves: readonly Leaf[]): Node {
  const [first, ...others] = leaves;
  if (first === undefined) return NOTHING;
  if (others.length === 0) return [packed(first.key, true), first.value];
  const differs = first.key.findIndex((digit, place) => others.some(({ key }) => key[place] !== digit));
  if (differs > 0) return [packed(first.key.slice(0, differs), false), named(nodeOf(below(leaves, differs)))];
  // No key is the beginning of another one, so the last item, the value of a key that ends here, is empty.
  const branches = Array.from({ length: WIDTH }, (_, digit) =>
    named(
      nodeOf(
        below(
          leaves.filter(({ key }) => key[0] === digit),
          1,
        ),
      ),
    ),
  );
  return [...branches, NOTHING];
}

function named(node: Node): Node {
  if (node === NOTHING) return NOTHING;
  const encoded = RLP.encode(node);
  return encoded.length < HASHED ? node : keccak(encoded);
}

const below = (leaves: readonly Leaf[], digits: number): Leaf[] =>
  leaves.map(({ key, value }) => ({ key: key.slice(digits), value }));

const digitsOf = (bytes: Uint8Array): number[] => [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);

/** Digits as bytes, after one or two that say whether it is a leaf and whether their number is odd. */
function packed(digits: readonly number[], isLeaf: boolean): Uint8Array {
  const isOdd = digits.length % 2 === 1;
  const flag = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0);
  const all = isOdd ? [flag, ...digits] : [flag, 0, ...digits];
  return Uint8Array.from({ length: all.length / 2 }, (_, place) => {
    const [high = 0, low = 0] = all.slice(2 * place, 2 * place + 2);
    return 16 * high + low;
  });
}
