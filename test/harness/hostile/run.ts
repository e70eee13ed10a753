/**
 * How many hostile cases there are, and from which seed: always the same ones, unless the environment says otherwise
 * (`HOSTILE_SEED`, and `HOSTILE_RUNS` for each property). A failure is told with the smallest case that shows it.
 * @module
 */
import fc from "fast-check";

const SEED = Number(process.env.HOSTILE_SEED ?? 20_261_123);
const RUNS = process.env.HOSTILE_RUNS === undefined ? null : Number(process.env.HOSTILE_RUNS);

/** Milliseconds. A case takes one or two; more than this is a hang. */
const PATIENCE = 10_000;

export type RunParameters<Case> = {
  cases: fc.Arbitrary<Case>;
  /** asks and judges; throws when the answer is not right */
  judge: (one: Case) => Promise<void>;
  /** how many cases, unless the environment says it */
  most: number;
};

/** Asks `most` hostile cases and throws at the first answer that is not right, with the seed. */
export async function runHostile<Case>({ cases, judge, most }: RunParameters<Case>): Promise<void> {
  await fc.assert(fc.asyncProperty(cases, judge), {
    seed: SEED,
    numRuns: RUNS ?? most,
    timeout: PATIENCE,
    // What is left of an input after a few hundred steps is small enough to read.
    interruptAfterTimeLimit: 20_000,
    markInterruptAsFailure: true,
  });
}

/** The first cases of the seed, for what is not a property. */
export function sampleHostile<Case>(cases: fc.Arbitrary<Case>, count: number): Case[] {
  return fc.sample(cases, { seed: SEED, numRuns: count });
}

console.info(`Hostile cases of the seed ${SEED}${RUNS === null ? "" : `, ${RUNS} for each property`}`);
