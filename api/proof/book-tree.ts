/**
 * A Merkle tree over leaves with keys of hexadecimal digits, all of one length. A branch stands wherever the keys below it part, so the
 * shape follows from the keys alone: a leaf that only one of two trees has changes nothing but its own path.
 *
 * Trees are never changed: a change returns another tree that shares all other branches. Hashes are computed when they are asked for.
 * A subtree of few leaves is kept as their bytes, and its branches are made when they are asked for.
 * @module
 */
import { hash } from "node:crypto";
import type { Hex } from "viem";
import {
  branchHash,
  commonDigits,
  concatPacked,
  digitOfPacked,
  groupsOf,
  hashOfPacked,
  isHashed,
  keyAt,
  type Leaf,
  leafAt,
  mergePacked,
  type Packed,
  packSorted,
  wholeOf,
} from "./packed-leaves.ts";

/** Subtrees of up to so many leaves are packed. A change copies one of them, and hashes its branches again. */
const MOST_PACKED = 128;
/** Put before what is hashed, so that no leaf can pass for a branch (as in RFC 6962). */
const LEAF = "\0";

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
export type Tree = Packed | Branch;

/** The hash of the tree without a leaf: of no bytes. */
const EMPTY_HASH: Hex = `0x${hash("sha256", "")}`;

/** The hash of a leaf's content. */
export function leafHash(content: string): Hex {
  return `0x${hash("sha256", LEAF + content)}`;
}

export function hashOf(tree: Tree | null): Hex {
  if (tree === null) return EMPTY_HASH;
  if (isPacked(tree)) return `0x${hashOfPacked(tree).toString("hex")}`;
  tree.hash ??= `0x${branchHash(tree.children.map((child) => [digitOf(child, tree.prefix), bytesOf(child)])).toString("hex")}`;
  return tree.hash;
}

/** Computes the missing hashes of a tree, some branches before each step. */
export function* hashInSteps(tree: Tree | null): Generator<void, void> {
  if (tree === null || (isPacked(tree) ? isHashed(tree) : tree.hash !== undefined)) return;
  if (!isPacked(tree)) for (const child of tree.children) yield* hashInSteps(child);
  hashOf(tree);
  yield;
}

export function countOf(tree: Tree | null): number {
  return tree?.count ?? 0;
}

/** The prefix that all keys have in common; for a leaf the whole key. */
export function prefixOf(tree: Tree): string {
  return isPacked(tree) ? keyAt(tree, 0).slice(0, commonDigits(tree)) : tree.prefix;
}

/** The branches right below, in the order of their keys; none of a leaf. */
export function childrenOf(tree: Tree): readonly Tree[] {
  if (!isPacked(tree)) return tree.children;
  return isLeaf(tree) ? [] : groupsOf(tree, commonDigits(tree));
}

/** The digit by which a child of the branch with this prefix differs from its siblings. */
export function digitOf(child: Tree, prefix: string): string {
  return isPacked(child) ? digitOfPacked(child, prefix.length) : child.prefix.charAt(prefix.length);
}

/** The tree with leaves put in, in place of those with the same keys. @param leaves in any order, each key once */
export function withLeaves(tree: Tree | null, leaves: readonly Leaf[]): Tree | null {
  return leaves.length === 0 ? tree : merged(tree, packSorted(leaves));
}

/** The tree without the leaf of this key, if it has one. */
export function withoutLeaf(tree: Tree | null, key: string): Tree | null {
  if (tree === null || !key.startsWith(prefixOf(tree))) return tree;
  if (isLeaf(tree)) return null;
  const prefix = prefixOf(tree);
  const children = childrenOf(tree);
  const before = childAt(children, prefix, key);
  const after = withoutLeaf(before, key);
  if (after === before) return tree;
  return joined(
    prefix,
    children.flatMap((child) => (child === before ? (after ?? []) : child)),
  );
}

/** The leaves whose keys begin like this. */
export function below(tree: Tree | null, prefix: string): Tree | null {
  if (tree === null) return null;
  const common = prefixOf(tree);
  if (common.startsWith(prefix)) return tree;
  if (isLeaf(tree) || !prefix.startsWith(common)) return null;
  return below(childAt(childrenOf(tree), common, prefix), prefix);
}

/** The leaves whose keys are at most this one. */
export function upTo(tree: Tree | null, key: string): Tree | null {
  if (tree === null) return null;
  const prefix = prefixOf(tree);
  const same = key.slice(0, prefix.length);
  if (prefix !== same) return prefix < same ? tree : null;
  if (isLeaf(tree)) return tree;
  const digit = key.charAt(prefix.length);
  const children = childrenOf(tree);
  const kept = children.filter((child) => digitOf(child, prefix) <= digit);
  const last = kept.at(-1) ?? null;
  const cut = upTo(last, key);
  if (kept.length === children.length && cut === last) return tree;
  return joined(prefix, [...kept.slice(0, -1), ...(cut === null ? [] : [cut])]);
}

/** The leaf with the highest key. */
export function lastOf(tree: Tree): Leaf {
  return isPacked(tree) ? leafAt(tree, tree.count - 1) : lastOf(tree.children.at(-1) as Tree);
}

/** All leaves, in the order of their keys. */
export function* leavesOf(tree: Tree | null): Generator<Leaf, void> {
  if (tree === null) return;
  if (isPacked(tree)) for (let index = 0; index < tree.count; index += 1) yield leafAt(tree, index);
  else for (const child of tree.children) yield* leavesOf(child);
}

/** The leaves that a tree has, and the other has not or not the same. */
export function* leavesBeyond(tree: Tree | null, other: Tree | null): Generator<Leaf, void> {
  if (tree === null) return;
  const same = below(other, prefixOf(tree));
  if (hashOf(tree) === hashOf(same)) return;
  if (isLeaf(tree)) yield leafAt(tree, 0);
  else for (const child of childrenOf(tree)) yield* leavesBeyond(child, same);
}

function isPacked(tree: Tree): tree is Packed {
  return "bytes" in tree;
}

function isLeaf(tree: Tree): tree is Packed {
  return tree.count === 1;
}

function bytesOf(tree: Tree): Uint8Array {
  return isPacked(tree) ? hashOfPacked(tree) : Buffer.from(hashOf(tree).slice(2), "hex");
}

function childAt(children: readonly Tree[], prefix: string, key: string): Tree | null {
  const digit = key.charAt(prefix.length);
  return children.find((child) => digitOf(child, prefix) === digit) ?? null;
}

function merged(tree: Tree | null, added: Packed): Tree {
  if (tree === null) return built(added);
  if (isPacked(tree)) return built(mergePacked(tree, added));
  const [first, last] = [keyAt(added, 0), keyAt(added, added.count - 1)];
  const position = Math.min(commonLength(tree.prefix, first), commonLength(tree.prefix, last));
  const prefix = first.slice(0, position);
  const before = position < tree.prefix.length ? [tree] : tree.children;
  const children = new Map(before.map((child) => [digitOf(child, prefix), child]));
  for (const group of groupsOf(added, position)) {
    const digit = digitOfPacked(group, position);
    children.set(digit, merged(children.get(digit) ?? null, group));
  }
  const ordered = [...children].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, child]) => child);
  return branchOf(prefix, ordered);
}

/** The tree of these leaves alone. */
function built(packed: Packed): Tree {
  if (packed.count <= MOST_PACKED) return wholeOf(packed);
  const position = commonDigits(packed);
  return branchOf(keyAt(packed, 0).slice(0, position), groupsOf(packed, position).map(built));
}

/** @param children in order */
function joined(prefix: string, children: readonly Tree[]): Tree | null {
  const [only = null, second] = children;
  return second === undefined ? only : branchOf(prefix, children);
}

function branchOf(prefix: string, children: readonly Tree[]): Tree {
  const count = children.reduce((sum, child) => sum + child.count, 0);
  if (count <= MOST_PACKED) return concatPacked(children.flatMap(packedOf));
  return {
    prefix,
    count,
    children: children.map((child) => (isPacked(child) ? wholeOf(child) : child)),
    hash: undefined,
  };
}

function packedOf(tree: Tree): Packed | Packed[] {
  return isPacked(tree) ? tree : tree.children.flatMap(packedOf);
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charAt(length) === b.charAt(length)) length += 1;
  return length;
}
