/** @module Copies of JSON in which one bit of one value is another: of hex, of a number, of a word, of a truth. */
import { rollFrom } from "./ledger-story.ts";

/** Fields that no proof covers: the registry's names, and those that are not in a receipt. */
const UNPROVEN = /(^|\.)(publicId|refnum|txHash|logIndex|finality)$/;

type Leaf = { path: readonly (string | number)[]; value: string | number | boolean };

/**
 * @param seeds that are copied
 * @param parts of them that may change
 * @returns each with the place that was changed
 */
export function* mutants<Seed extends object>(
  seeds: readonly Seed[],
  count: number,
  parts: readonly (keyof Seed & string)[],
): Generator<[mutant: Seed, what: string]> {
  const roll = rollFrom(17);
  const leaves = seeds.map((seed) => parts.map((part) => [...leavesOf(seed[part], [part])]));
  for (let made = 0; made < count; ) {
    const index = roll(seeds.length);
    // First the part, so that a figure is changed as often as a long header.
    const ofPart = leaves[index]?.[roll(parts.length)] ?? [];
    const leaf = ofPart[roll(ofPart.length)];
    if (leaf === undefined || UNPROVEN.test(leaf.path.join("."))) continue;
    const copy = structuredClone(seeds[index]) as Seed;
    const changed = flipped(leaf.value, roll);
    set(copy, leaf.path, changed);
    made += 1;
    yield [copy, `${leaf.path.join(".")}: ${leaf.value} → ${changed}`];
  }
}

function* leavesOf(value: unknown, path: readonly (string | number)[]): Generator<Leaf> {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    yield { path, value };
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, [...path, key]);
}

function flipped(value: Leaf["value"], roll: (sides: number) => number): Leaf["value"] {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value ^ (1 << roll(8));
  const hex = /^0x(?=.)/.test(value);
  if (!hex && /^\d+$/.test(value)) return `${BigInt(value) ^ (1n << BigInt(roll(80)))}`;
  const at = hex ? 2 + roll(value.length - 2) : roll(value.length);
  const digit = hex
    ? (Number.parseInt(value[at] ?? "0", 16) ^ (1 << roll(4))).toString(16)
    : String.fromCharCode((value.charCodeAt(at) || 0) ^ 1);
  return value.slice(0, at) + digit + value.slice(at + 1);
}

function set(target: object, [first = "", ...rest]: readonly (string | number)[], value: unknown): void {
  if (rest.length === 0) Reflect.set(target, first, value);
  else set(Reflect.get(target, first) as object, rest, value);
}
