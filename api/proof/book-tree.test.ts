import { createHash } from "node:crypto";
import fc from "fast-check";
import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import {
  below,
  childrenOf,
  countOf,
  digitOf,
  hashInSteps,
  hashOf,
  lastOf,
  leafHash,
  leavesBeyond,
  leavesOf,
  prefixOf,
  type Tree,
  upTo,
  withLeaves,
  withoutLeaf,
} from "./book-tree.ts";
import type { Leaf } from "./packed-leaves.ts";

const sha256 = (...pieces: (string | Buffer)[]) => {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
};
const inHex = (bytes: Buffer): Hex => `0x${bytes.toString("hex")}`;

/** A tree as docs/book-root.md has it: of sorted leaves, nothing kept. */
type Model = readonly Leaf[];

const modelOf = (leaves: ReadonlyMap<string, Hex>): Model =>
  [...leaves].map(([key, hash]) => ({ key, hash })).toSorted((a, b) => (a.key < b.key ? -1 : 1));

function commonOf(leaves: Model): string {
  const key = leaves[0]?.key ?? "";
  let length = key.length;
  for (const other of leaves) while (!other.key.startsWith(key.slice(0, length))) length -= 1;
  return key.slice(0, length);
}

function branchesOf(leaves: Model): [digit: string, Model][] {
  if (leaves.length < 2) return [];
  return [...Map.groupBy(leaves, ({ key }) => key.charAt(commonOf(leaves).length))];
}

function rootOf(leaves: Model): Buffer {
  const [only, second] = leaves;
  if (only === undefined) return sha256();
  if (second === undefined) return Buffer.from(only.hash.slice(2), "hex");
  return sha256("\u0001", ...branchesOf(leaves).flatMap(([digit, branch]) => [digit, rootOf(branch)]));
}

/** Compares all that can be asked of a tree and of what is below it. */
function expectSame(tree: Tree | null, model: Model): void {
  expect(countOf(tree)).toBe(model.length);
  expect([...leavesOf(tree)]).toEqual(model);
  expect(hashOf(tree)).toBe(inHex(rootOf(model)));
  if (tree === null) return;
  const prefix = commonOf(model);
  expect(prefixOf(tree)).toBe(prefix);
  expect(lastOf(tree)).toEqual(model.at(-1));
  const branches = branchesOf(model);
  const children = childrenOf(tree);
  expect(children.map((child) => digitOf(child, prefix))).toEqual(branches.map(([digit]) => digit));
  for (const [index, [, branch]] of branches.entries()) expectSame(children[index] ?? null, branch);
}

/** Keys that part early, late, or hardly: sparse digits make long common parts. */
const keys = fc.oneof(
  fc.nat(0xffffff).map((value) => value.toString(16).padStart(6, "0")),
  fc.nat(0x1ff).map((value) => value.toString(16).padStart(6, "0")),
  fc.array(fc.constantFrom("0", "7", "f"), { minLength: 6, maxLength: 6 }).map((digits) => digits.join("")),
);
/** As in the book, no two keys have the same content. */
const leafs = fc
  .tuple(keys, fc.nat(3))
  .map(([key, version]): Leaf => ({ key, hash: inHex(sha256(`${key} ${version}`)) }));
const changes = fc.oneof(
  fc.record({ put: fc.uniqueArray(leafs, { selector: ({ key }) => key, maxLength: 400 }) }),
  fc.record({ put: leafs.map((leaf) => [leaf]) }),
  fc.record({ remove: fc.array(fc.nat(), { maxLength: 300 }) }),
);

describe("the tree of the book", () => {
  it("has the shape, order and hashes that follow from its leaves, however they were put in and taken out", () => {
    const property = fc.property(
      fc.array(changes, { maxLength: 8 }),
      keys,
      fc.nat(6),
      (steps, key, digits) => {
        const leaves = new Map<string, Hex>();
        let tree: Tree | null = null;
        const earlier: [Tree | null, Model][] = [];
        for (const step of steps) {
          if ("put" in step) {
            const { put } = step;
            for (const { key, hash } of put) leaves.set(key, hash);
            tree = withLeaves(tree, put);
          } else
            for (const number of step.remove) {
              const removed = [...leaves.keys()][number % (leaves.size + 1)] ?? key;
              leaves.delete(removed);
              tree = withoutLeaf(tree, removed);
            }
          earlier.push([tree, modelOf(leaves)]);
        }
        // Also those that others were made of.
        for (const [was, model] of earlier) expectSame(was, model);
        const model = modelOf(leaves);
        const prefix = key.slice(0, digits);
        expectSame(
          below(tree, prefix),
          model.filter((leaf) => leaf.key.startsWith(prefix)),
        );
        expectSame(
          upTo(tree, key),
          model.filter((leaf) => leaf.key <= key),
        );
        const [other, otherModel] = earlier[digits % Math.max(earlier.length, 1)] ?? [null, []];
        const others = new Map(otherModel.map((leaf) => [leaf.key, leaf.hash]));
        expect([...leavesBeyond(tree, other)]).toEqual(
          model.filter((leaf) => others.get(leaf.key) !== leaf.hash),
        );
      },
    );
    fc.assert(property, { numRuns: 40, endOnFailure: true });
  });

  it("is the same where a key is taken out that it has not", () => {
    const tree = withLeaves(null, [
      { key: "0011", hash: leafHash("one") },
      { key: "0012", hash: leafHash("two") },
    ]);
    for (const key of ["0013", "0111", "f000"]) expect(withoutLeaf(tree, key)).toBe(tree);
    expect(withLeaves(tree, [])).toBe(tree);
    expect(withoutLeaf(null, "0011")).toBeNull();
  });

  it("shares what a change leaves alone: only the changed path is hashed again", () => {
    const leaves = Array.from({ length: 20_000 }, (_, index) => {
      const content = `${index}`;
      return { key: sha256(content).toString("hex"), hash: leafHash(content) };
    });
    const tree = withLeaves(null, leaves);
    const first = [...hashInSteps(tree)].length;
    expect(first).toBeGreaterThan(200);
    expect([...hashInSteps(tree)]).toHaveLength(0);
    const changed = withLeaves(tree, [{ key: leaves[0]?.key ?? "", hash: leafHash("another") }]);
    const again = [...hashInSteps(changed)].length;
    expect(again).toBeGreaterThan(1);
    expect(again).toBeLessThan(8);
    expect(hashOf(changed)).not.toBe(hashOf(tree));
  });
});
