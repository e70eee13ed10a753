/** @module Paired runs: ours and the reference in turn, so that other work of the machine affects both. */
import type { Row } from "./report.ts";

export type Pair<Measure> = { ours: Measure; other: Measure };

/** The fewest pairs for a figure that is reported. */
export const RUNS = 5;

/** Measures both sides once for warm-up, then `runs` times, each side first in turn. */
export async function inPairs<Measure>(
  sides: { ours(): Promise<Measure>; other(): Promise<Measure> },
  runs = RUNS,
): Promise<Pair<Measure>[]> {
  await sides.ours();
  await sides.other();
  const pairs: Pair<Measure>[] = [];
  for (let run = 0; run < runs; run++) {
    if (run % 2 === 0) {
      const ours = await sides.ours();
      pairs.push({ ours, other: await sides.other() });
    } else {
      const other = await sides.other();
      pairs.push({ ours: await sides.ours(), other });
    }
  }
  return pairs;
}

/** The row of a case: medians, and the ratio of each pair. */
export function rowOf(
  about: Pick<Row, "bench" | "case" | "against" | "unit" | "bar">,
  pairs: readonly Pair<number>[],
): Row {
  const ratios = pairs.map(({ ours, other }) => ours / other);
  return {
    ...about,
    ours: median(pairs.map(({ ours }) => ours)),
    other: median(pairs.map(({ other }) => other)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    runs: pairs.length,
  };
}

/** The row of a case that is compared with a limit alone. */
export function soloRow(
  about: Pick<Row, "bench" | "case" | "unit" | "bar"> & { against?: string },
  values: readonly number[],
): Row {
  const against = about.against ?? "a limit";
  return {
    ...about,
    against,
    ours: median(values),
    other: Number.NaN,
    ratio: Number.NaN,
    spread: [Math.min(...values), Math.max(...values)],
    runs: values.length,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return Number.isInteger(middle) ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle));
}
