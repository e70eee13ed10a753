/**
 * A path through a Merkle-Patricia trie. Yellow Paper, appendix D.
 * @module
 */
import { fromRlp, type Hex, keccak256 } from "viem";
import { must } from "./refusal.ts";

/** Bytes, or a list of such. */
export type Rlp = Hex | readonly Rlp[];

/** @throws {Refusal} if it is not RLP */
export function decodeRlp(bytes: Hex, what: string): Rlp {
  try {
    return fromRlp(bytes, "hex") as Rlp;
  } catch {
    must(false, `${what} is not RLP`);
  }
}

/** @throws {Refusal} if the item is a list */
export function bytesOf(item: Rlp | undefined, what: string): Hex {
  must(typeof item === "string", `${what} is not where it should be`);
  return item;
}

/**
 * The value at a key, given the nodes from the root on. Every node must be used. Nodes of less than 32 bytes are embedded in their
 * parents; a receipt is longer, so its path has none of these.
 * @throws {Refusal} if the path does not lead from this root to a value at this key
 */
export function valueAt(root: Hex, key: Hex, path: readonly Hex[]): Hex {
  let nibbles = key.slice(2);
  let wanted: Hex = root;
  for (const [depth, bytes] of path.entries()) {
    const name = `node ${depth} of the path`;
    must(keccak256(bytes) === wanted, `${name} does not have the hash that leads to it`);
    const isLast = depth === path.length - 1;
    const node = decodeRlp(bytes, name);
    must(typeof node !== "string", `${name} is no node`);
    if (node.length === 17) {
      const index = nibbles === "" ? 16 : Number.parseInt(nibbles[0] ?? "", 16);
      const next = bytesOf(node[index], `the branch of ${name}`);
      nibbles = nibbles.slice(1);
      if (index === 16) return lastValue(next, isLast, name);
      wanted = next;
      continue;
    }
    must(node.length === 2, `${name} has ${node.length} items`);
    const { part, isLeaf } = decodePart(bytesOf(node[0], `the key of ${name}`), name);
    must(nibbles.startsWith(part), `${name} is on the way to another key`);
    nibbles = nibbles.slice(part.length);
    const next = bytesOf(node[1], `the rest of ${name}`);
    if (isLeaf) {
      must(nibbles === "", `${name} ends before the key does`);
      return lastValue(next, isLast, name);
    }
    wanted = next;
  }
  must(false, "the path ends before it reaches a receipt");
}

function lastValue(value: Hex, isLast: boolean, name: string): Hex {
  must(value !== "0x", `${name} holds nothing at the key`);
  must(isLast, "the path goes on behind the receipt");
  return value;
}

/** Hex-prefix encoding: leaf or not, odd number of nibbles or not, and the nibbles. */
function decodePart(encoded: Hex, name: string): { part: string; isLeaf: boolean } {
  const [flag = "", second] = encoded.slice(2);
  must(/^[0-3]$/.test(flag), `the key of ${name} has no valid prefix`);
  const isOdd = Number(flag) % 2 === 1;
  must(isOdd || second === "0", `the key of ${name} has no valid prefix`);
  return { part: encoded.slice(isOdd ? 3 : 4), isLeaf: Number(flag) >= 2 };
}
