/** @module Compares two books by the branches of their trees: only those whose hashes differ are followed, many in one request. */
import { isDeepStrictEqual } from "node:util";
import type { Schemas } from "../../../client/index.ts";
import { isObject } from "../../../config/is-object.ts";

type Root = Schemas["BookRoot"];
type Node = Schemas["BookNode"];
type Members = Schemas["BookLeaf"]["members"];
type Branch = { prefix: string; hash: string | null };

/** An entry that differs between the two books, or is in only one of them. */
export type Difference = {
  tree: Tree;
  /** of the leaf, by which both trees are ordered */
  key: string;
  /** such as `event 120-3, subscribed`; by its key where neither service shows it */
  name: string;
  /** the only book that has it; null when both do */
  onlyIn: "A" | "B" | null;
  /** by name, with dots; empty where a service does not show it */
  members: { name: string; a: unknown; b: unknown }[];
};

/** Trees in the order of the report. */
const TREES = ["listings", "ledger"] as const;
type Tree = (typeof TREES)[number];

/** A service that is asked. */
export type Book = {
  root(at?: bigint): Promise<Root>;
  nodes(tree: Tree, prefixes: readonly string[], at: bigint): Promise<readonly Node[]>;
  chainId(): Promise<number>;
};

export type Comparison = { at: bigint; a: Root; b: Root; differences: Difference[] };

/** The message is for people. */
export class IncomparableError extends Error {
  override readonly name = "IncomparableError";
}

/** Prefixes in one request, as the service allows. */
const AT_ONCE = 16;

/**
 * @param at by default the last block that is final in both
 * @param onProgress called after each pair of requests
 * @throws {IncomparableError} for books that have nothing to do with each other
 */
export async function compare(
  a: Book,
  b: Book,
  {
    at,
    onProgress,
  }: { at?: bigint | undefined; onProgress?(found: { differences: number; open: number }): void } = {},
): Promise<Comparison> {
  const [chainA, chainB] = await Promise.all([a.chainId(), b.chainId()]);
  if (chainA !== chainB)
    throw new IncomparableError(
      `A follows chain ${chainA}, and B chain ${chainB}: they have no book in common.`,
    );
  let [rootA, rootB] = await Promise.all([a.root(at), b.root(at)]);
  if (rootA.version !== rootB.version)
    throw new IncomparableError(
      `A has roots of version ${rootA.version}, and B of version ${rootB.version}: these are different trees.`,
    );
  const [blockA, blockB] = [BigInt(rootA.blockNumber), BigInt(rootB.blockNumber)];
  const block = blockA < blockB ? blockA : blockB;
  if (blockA > block) rootA = await a.root(block);
  if (blockB > block) rootB = await b.root(block);

  const differences: Difference[] = [];
  for (const tree of TREES) {
    const open = rootA[tree].hash === rootB[tree].hash ? [] : [""];
    while (open.length > 0) {
      const prefixes = open.splice(0, AT_ONCE);
      const [ofA, ofB] = await Promise.all([a.nodes(tree, prefixes, block), b.nodes(tree, prefixes, block)]);
      for (const [index, nodeA] of ofA.entries()) {
        const nodeB = ofB[index];
        if (nodeB === undefined || nodeA.hash === nodeB.hash) continue;
        if (isListed(nodeA) && isListed(nodeB)) differences.push(...differingLeaves(tree, nodeA, nodeB));
        else open.push(...differingBranches(nodeA, nodeB));
      }
      onProgress?.({ differences: differences.length, open: open.length });
    }
  }
  const ordered = differences.toSorted((one, other) =>
    one.tree === other.tree
      ? one.key < other.key
        ? -1
        : 1
      : TREES.indexOf(one.tree) - TREES.indexOf(other.tree),
  );
  return { at: block, a: rootA, b: rootB, differences: ordered };
}

/** Whether the leaves themselves are there. */
function isListed({ branches }: Node): boolean {
  return branches.length === 0;
}

/** The prefixes one digit longer than what all keys of both have in common, where the hashes are not known to be the same. */
function differingBranches(a: Node, b: Node): string[] {
  const common = commonPrefix(a.common ?? b.common ?? "", b.common ?? a.common ?? "");
  const [ofA, ofB] = [a, b].map((node) => branchesAfter(node, common));
  const prefixes = new Set([...(ofA?.keys() ?? []), ...(ofB?.keys() ?? [])]);
  return [...prefixes].filter((prefix) => {
    const hash = ofA?.get(prefix);
    return hash == null || hash !== ofB?.get(prefix);
  });
}

/** By prefix; the hash of several leaves together is not known. */
function branchesAfter(node: Node, common: string): Map<string, string | null> {
  const below: Branch[] =
    node.common !== null && node.common.length > common.length
      ? [{ prefix: node.common, hash: node.hash }]
      : isListed(node)
        ? node.leaves.map(({ key, hash }) => ({ prefix: key, hash }))
        : node.branches;
  const groups = Map.groupBy(below, ({ prefix }) => prefix.slice(0, common.length + 1));
  return new Map(
    [...groups].map(([prefix, [only, second]]) => [
      prefix,
      second === undefined ? (only?.hash ?? null) : null,
    ]),
  );
}

function commonPrefix(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a.charAt(length) === b.charAt(length)) length += 1;
  return a.slice(0, length);
}

function differingLeaves(tree: Tree, a: Node, b: Node): Difference[] {
  const [ofA, ofB] = [a, b].map(({ leaves }) => new Map(leaves.map((leaf) => [leaf.key, leaf])));
  const keys = new Set([...(ofA?.keys() ?? []), ...(ofB?.keys() ?? [])]);
  return [...keys].flatMap((key): Difference[] => {
    const [one, other] = [ofA?.get(key), ofB?.get(key)];
    if (one?.hash === other?.hash) return [];
    const onlyIn = one === undefined ? "B" : other === undefined ? "A" : null;
    const shown = one?.members ?? other?.members ?? null;
    const members =
      one?.members == null || other?.members == null ? [] : differingMembers(one.members, other.members);
    return [{ tree, key, name: nameOf(tree, key, shown), onlyIn, members }];
  });
}

function differingMembers(
  a: NonNullable<Members>,
  b: NonNullable<Members>,
  path = "",
): Difference["members"] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) => {
    const [one, other] = [a[name], b[name]];
    if (isDeepStrictEqual(one, other)) return [];
    if (isObject(one) && isObject(other)) return differingMembers(one, other, `${path}${name}.`);
    return [{ name: path + name, a: one ?? null, b: other ?? null }];
  });
}

function nameOf(tree: Tree, key: string, members: Members): string {
  const what = tree === "listings" ? "listing" : "event";
  if (members === null) return `${what} with the key ${key}, which is not shown`;
  const { blockNumber, logIndex, part, kind, escrowAddress, onchainId, refnum } = members;
  const listing = `${escrowAddress}:${onchainId}`;
  if (tree === "listings") return refnum === null ? `listing ${listing}` : `listing ${refnum} (${listing})`;
  return `event ${blockNumber}-${logIndex}${part === 0 ? "" : `.${part}`}, ${kind} of listing ${listing}`;
}
