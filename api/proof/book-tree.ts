/**
 * A Merkle tree over leaves with keys of hexadecimal digits, all of one length. A branch stands wherever the keys below it part, so the
 * shape follows from the keys alone: a leaf that only one of two trees has changes nothing but its own path.
 *
 * Trees are never changed: a change returns another tree that shares all other branches. Hashes are computed when they are asked for.
 * @module
 */
import { createHash } from "node:crypto";
import type { Hex } from "viem";

/** Put before what is hashed, so that no leaf can pass for a branch (as in RFC 6962). */
const LEAF = Uint8Array.of(0);
const BRANCH = Uint8Array.of(1);

export type Leaf = { readonly key: string; readonly hash: Hex };

type Branch = {
  /** what all keys below have in common */
  readonly prefix: string;
  readonly count: number;
  /** two or more, by the digit after the prefix */
  readonly children: readonly Tree[];
  /** undefined until it is asked for */
  hash: Hex | undefined;
};

/** Not empty; null stands for the tree without a leaf. */
export type Tree = Leaf | Branch;

/** The hash of the tree without a leaf: of no bytes. */
const EMPTY_HASH = hashOfBytes();

/** The hash of a leaf's content. */
export function leafHash(content: string): Hex {
  return hashOfBytes(LEAF, Buffer.from(content));
}

export function hashOf(tree: Tree | null): Hex {
  if (tree === null) return EMPTY_HASH;
  if (isLeaf(tree)) return tree.hash;
  tree.hash ??= hashOfBytes(
    BRANCH,
    ...tree.children.flatMap((child) => [
      Buffer.from(digitOf(child, tree.prefix)),
      Buffer.from(hashOf(child).slice(2), "hex"),
    ]),
  );
  return tree.hash;
}

export function countOf(tree: Tree | null): number {
  if (tree === null) return 0;
  return isLeaf(tree) ? 1 : tree.count;
}

/** What all keys have in common; of a leaf the whole key. */
export function prefixOf(tree: Tree): string {
  return isLeaf(tree) ? tree.key : tree.prefix;
}

/** The branches right below, in the order of their keys; none of a leaf. */
export function childrenOf(tree: Tree): readonly Tree[] {
  return isLeaf(tree) ? [] : tree.children;
}

/** The digit by which a child of the branch with this prefix differs from its siblings. */
export function digitOf(child: Tree, prefix: string): string {
  return prefixOf(child).charAt(prefix.length);
}

/** The tree with a leaf put in, in place of one with the same key. */
export function withLeaf(tree: Tree | null, leaf: Leaf): Tree {
  if (tree === null) return leaf;
  const prefix = prefixOf(tree);
  const length = commonLength(prefix, leaf.key);
  if (length === leaf.key.length) return leaf;
  if (length < prefix.length) return branchOf(prefix.slice(0, length), [tree, leaf]);
  return changed(tree, leaf.key, (child) => withLeaf(child, leaf));
}

/** The tree without the leaf of this key, if it has one. */
export function withoutLeaf(tree: Tree | null, key: string): Tree | null {
  if (tree === null || !key.startsWith(prefixOf(tree))) return tree;
  if (isLeaf(tree)) return null;
  return changed(tree, key, (child) => withoutLeaf(child, key));
}

/** The leaves whose keys begin like this. */
export function below(tree: Tree | null, prefix: string): Tree | null {
  if (tree === null || prefixOf(tree).startsWith(prefix)) return tree;
  if (isLeaf(tree) || !prefix.startsWith(tree.prefix)) return null;
  const digit = prefix.charAt(tree.prefix.length);
  return below(tree.children.find((child) => digitOf(child, tree.prefix) === digit) ?? null, prefix);
}

/** The leaves whose keys are at most this one. */
export function upTo(tree: Tree | null, key: string): Tree | null {
  if (tree === null) return null;
  const prefix = prefixOf(tree);
  const same = key.slice(0, prefix.length);
  if (prefix !== same) return prefix < same ? tree : null;
  if (isLeaf(tree)) return tree;
  const digit = key.charAt(prefix.length);
  const kept = tree.children.filter((child) => digitOf(child, prefix) <= digit);
  const last = kept.at(-1) ?? null;
  const cut = upTo(last, key);
  if (kept.length === tree.children.length && cut === last) return tree;
  return joined(prefix, [...kept.slice(0, -1), ...(cut === null ? [] : [cut])]);
}

/** The leaf with the highest key. */
export function lastOf(tree: Tree): Leaf {
  const last = childrenOf(tree).at(-1);
  return last === undefined ? (tree as Leaf) : lastOf(last);
}

/** All leaves, in the order of their keys. */
export function* leavesOf(tree: Tree | null): Generator<Leaf, void> {
  if (tree === null) return;
  if (isLeaf(tree)) yield tree;
  else for (const child of tree.children) yield* leavesOf(child);
}

/** The leaves that a tree has, and the other has not or not the same. */
export function* leavesBeyond(tree: Tree | null, other: Tree | null): Generator<Leaf, void> {
  if (tree === null || hashOf(tree) === hashOf(other)) return;
  if (isLeaf(tree)) yield tree;
  else for (const child of tree.children) yield* leavesBeyond(child, below(other, prefixOf(child)));
}

function isLeaf(tree: Tree): tree is Leaf {
  return "key" in tree;
}

/** The branch with the child on a key's path replaced; the branch itself where nothing changes. */
function changed(tree: Tree, key: string, change: (child: Tree | null) => Tree): Tree;
function changed(tree: Tree, key: string, change: (child: Tree | null) => Tree | null): Tree | null;
function changed(tree: Tree, key: string, change: (child: Tree | null) => Tree | null): Tree | null {
  const prefix = prefixOf(tree);
  const digit = key.charAt(prefix.length);
  const children = childrenOf(tree);
  const before = children.find((child) => digitOf(child, prefix) === digit) ?? null;
  const after = change(before);
  if (after === before) return tree;
  const others = children.filter((child) => child !== before);
  return joined(prefix, after === null ? others : [...others, after]);
}

function joined(prefix: string, children: readonly Tree[]): Tree | null {
  const [only = null, second] = children;
  return second === undefined ? only : branchOf(prefix, children);
}

function branchOf(prefix: string, children: readonly Tree[]): Branch {
  const ordered = children.toSorted((a, b) => (digitOf(a, prefix) < digitOf(b, prefix) ? -1 : 1));
  const count = children.reduce((sum, child) => sum + countOf(child), 0);
  return { prefix, count, children: ordered, hash: undefined };
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charAt(length) === b.charAt(length)) length += 1;
  return length;
}

function hashOfBytes(...pieces: readonly Uint8Array[]): Hex {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return `0x${hash.digest("hex")}`;
}
