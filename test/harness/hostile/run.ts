/**
 * How many hostile cases there are, and from which seed: always the same ones, unless the environment says otherwise
 * (`HOSTILE_SEED`, and `HOSTILE_RUNS` for each property). A failure is told with the smallest case that shows it.
 * @module
 */
import fc from "fast-check";

const SEED = Number(process.env.HOSTILE_SEED ?? 20_261_123);
const RUNS = process.env.HOSTILE_RUNS === undefined ? null : Number(process.env.HOSTILE_RUNS);

/** Milliseconds for a case, which takes one or two, and for all of them: more is a hang, also on a loaded machine. */
const PATIENCE = 60_000;
const PATIENCE_FOR_ALL = 300_000;

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
    interruptAfterTimeLimit: PATIENCE_FOR_ALL,
    markInterruptAsFailure: true,
  });
}

/** The first cases of the seed, for what is not a property. */
export function sampleHostile<Case>(cases: fc.Arbitrary<Case>, count: number): Case[] {
  return fc.sample(cases, { seed: SEED, numRuns: count });
}

console.info(`Hostile cases of the seed ${SEED}${RUNS === null ? "" : `, ${RUNS} for each property`}`);
