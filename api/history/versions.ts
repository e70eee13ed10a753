/**
 * Rows by key at each mark of the ledger. A mark costs the changes since the previous one, not a copy of everything.
 * @module
 */
import type { Rows } from "../../src/fold/memory.ts";

/** A row from `mark` on, up to the mark of the next newer version. */
type Version<Row> = { row: Row; mark: number; older: Version<Row> | null };

/** Marks are numbers that grow along the ledger. */
export type Versions<Row> = {
  /** The rows at a mark, for a fold to change: its changes stay in the layer. */
  over(mark: number): Layer<Row>;
  /** Keeps the changes of a layer over the newest mark, as of a newer one. */
  keep(layer: Layer<Row>, mark: number): void;
  /** Drops the versions of removed marks. `stays` maps each mark to the first one from there on that stays. */
  thin(stays: ReadonlyMap<number, number>): void;
  /** The number of versions beyond one for each key. */
  surplus(): number;
};

export type Layer<Row> = Rows<Row> & { readonly changed: ReadonlyMap<string, Row> };

export function createVersions<Row>(): Versions<Row> {
  const newest = new Map<string, Version<Row>>();
  let count = 0;

  return {
    over(mark) {
      const changed = new Map<string, Row>();
      const below = (key: string) => rowAt(newest.get(key), mark);
      return {
        changed,
        get: (key) => changed.get(key) ?? below(key),
        set: (key, row) => changed.set(key, row),
        *values() {
          for (const [key, version] of newest) {
            const row = rowAt(version, mark);
            if (row !== undefined) yield changed.get(key) ?? row;
          }
          for (const [key, row] of changed) if (below(key) === undefined) yield row;
        },
      };
    },

    keep({ changed }, mark) {
      for (const [key, row] of changed) newest.set(key, { row, mark, older: newest.get(key) ?? null });
      count += changed.size;
    },

    thin(stays) {
      const first = (mark: number) => stays.get(mark) ?? mark;
      for (const version of newest.values()) {
        let kept = version;
        let until = version.mark;
        for (let one = version.older; one !== null; one = one.older) {
          if (first(one.mark) < until) {
            kept.older = one;
            kept = one;
          } else count -= 1;
          until = one.mark;
          one.mark = first(until);
        }
        kept.older = null;
        version.mark = first(version.mark);
      }
    },

    surplus: () => count - newest.size,
  };
}

function rowAt<Row>(newest: Version<Row> | undefined, mark: number): Row | undefined {
  let version: Version<Row> | null | undefined = newest;
  while (version && version.mark > mark) version = version.older;
  return version?.row;
}
