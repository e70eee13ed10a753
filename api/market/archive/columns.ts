/** @module Columns of numbers that grow: a million of them in one piece of memory each. */

export type Numbers = Uint8Array | Int32Array | Uint32Array | Float64Array | BigUint64Array;

const MAKERS = {
  byte: (length: number) => new Uint8Array(length),
  count: (length: number) => new Uint32Array(length),
  number: (length: number) => new Float64Array(length),
  wide: (length: number) => new BigUint64Array(length),
};
type Kind = keyof typeof MAKERS;

export type Columns<Kinds extends Readonly<Record<string, Kind>>> = {
  /** by name; replaced when they grow */
  readonly at: { readonly [Name in keyof Kinds]: ReturnType<(typeof MAKERS)[Kinds[Name]]> };
  /** Makes room for so many rows. */
  grow(rows: number): void;
  /** The first rows of each. */
  first(rows: number): Columns<Kinds>["at"];
};

/** @param known the columns of a snapshot */
export function createColumns<const Kinds extends Readonly<Record<string, Kind>>>(
  kinds: Kinds,
  known?: Columns<Kinds>["at"],
): Columns<Kinds> {
  const at: Record<string, Numbers> =
    known === undefined
      ? Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, MAKERS[kind](0)]))
      : { ...known };
  const names = Object.keys(kinds);
  return {
    at: at as Columns<Kinds>["at"],
    first: (rows) =>
      Object.fromEntries(
        names.map((name) => [name, (at[name] as Numbers).subarray(0, rows)]),
      ) as Columns<Kinds>["at"],
    grow(rows) {
      for (const name of names) {
        const before = at[name] as Numbers;
        if (before.length >= rows) continue;
        // A quarter at a time: what is not used yet costs memory too.
        const grown = MAKERS[kinds[name] as Kind](Math.max(rows, Math.ceil(before.length * 1.25), 1_024));
        (grown as Uint8Array).set(before as Uint8Array);
        at[name] = grown;
      }
    },
  };
}
