/** @module The Merkle-Patricia trie of a block's receipts (Yellow Paper, appendix D), by the RLP of a transaction's index. */
import { createMerkleProof, MerklePatriciaTrie } from "@ethereumjs/mpt";
import { RLP } from "@ethereumjs/rlp";
import { bytesToHex, type Hex, numberToHex } from "viem";
import { keccak } from "../config/keccak.ts";
import type { RpcReceipt } from "./raw-blocks.ts";
import { bytesOf, encodeRlp, type Item, quantity } from "./rlp.ts";

/** The greatest type of a transaction (EIP-2718): a greater byte begins a receipt without a type. */
const LAST_TYPE = 0x7f;

/**
 * A receipt as the trie holds it: `rlp([status, cumulativeGasUsed, logsBloom, logs])`, after the type's byte where the transaction
 * has one (EIP-2718), and with the state's root in place of the status before Byzantium (EIP-658).
 * @throws {TypeError} when a field is missing or has another form; other characters than hex digits are refused by the trie
 */
export function encodeReceipt(receipt: RpcReceipt): Hex {
  const { status, root, cumulativeGasUsed, logsBloom, logs } = receipt;
  const type = quantity(receipt.type ?? "0x0");
  // With most of a receipt given as its type, the data of its last log could pass for the rest of it, under the same hash.
  if (type !== "0x" && !(Number(type) <= LAST_TYPE)) throw new TypeError("no type of a transaction");
  const payload = encodeRlp([
    status === undefined || status === null ? (root ?? "0x") : quantity(status),
    quantity(cumulativeGasUsed),
    logsBloom,
    logs.map(({ address, topics, data }) => [address, topics, data]),
  ]);
  return `${type}${payload.slice(2)}` as Hex;
}

export type ReceiptTrie = {
  root: Hex;
  /** The nodes from the root to the receipt of this transaction, in RLP. */
  pathTo(transactionIndex: number): Promise<Hex[]>;
};

/** @param receipts as the trie holds them, in the order of their transactions */
export async function createReceiptTrie(receipts: readonly Hex[]): Promise<ReceiptTrie> {
  const trie = new MerklePatriciaTrie();
  for (const [index, receipt] of receipts.entries()) await trie.put(RLP.encode(index), bytesOf(receipt));
  return {
    root: bytesToHex(trie.root()),
    pathTo: async (transactionIndex) =>
      (await createMerkleProof(trie, RLP.encode(transactionIndex))).map((node) => bytesToHex(node)),
  };
}

/** A receipt with the digits of its key. */
type Leaf = { key: string; value: Hex };

const NOTHING = "0x";
/** A node this long is named by its hash in the node above it, a shorter one is part of it. */
const HASHED = 32;
const DIGITS = [..."0123456789abcdef"];

/** The root alone: each node is hashed once, which is many times as quick as a trie that grows. @param receipts as above */
export function receiptsRoot(receipts: readonly Hex[]): Hex {
  const leaves = receipts.map((value, index) => ({ key: keyOf(index), value }));
  return bytesToHex(keccak(bytesOf(encodeRlp(nodeOf(leaves, 0)))));
}

const keyOf = (index: number): string => encodeRlp(quantity(numberToHex(index))).slice(2);

/** @param depth how many digits of the keys lead to the node */
function nodeOf(leaves: readonly Leaf[], depth: number): Item {
  const [first, ...others] = leaves;
  if (first === undefined) return NOTHING;
  if (others.length === 0) return [packed(first.key.slice(depth), true), first.value];
  let differs = depth;
  while (others.every(({ key }) => key[differs] === first.key[differs])) differs += 1;
  if (differs > depth)
    return [packed(first.key.slice(depth, differs), false), named(nodeOf(leaves, differs))];
  const branches = Object.groupBy(leaves, ({ key }) => key.charAt(depth));
  // No key is the beginning of another one, so the last item, the value of a key that ends here, is empty.
  return [...DIGITS.map((digit) => named(nodeOf(branches[digit] ?? [], depth + 1))), NOTHING];
}

function named(node: Item): Item {
  if (node === NOTHING) return NOTHING;
  const encoded = bytesOf(encodeRlp(node));
  return encoded.length < HASHED ? node : bytesToHex(keccak(encoded));
}

/** Digits as bytes, after one or two that say whether it is a leaf and whether their number is odd. */
function packed(digits: string, isLeaf: boolean): Hex {
  const isOdd = digits.length % 2 === 1;
  const flag = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0);
  return `0x${flag}${isOdd ? "" : "0"}${digits}`;
}
