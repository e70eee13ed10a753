/**
 * Failed checks of a proof.
 * @module
 */
import type { Check, Verdict } from "./verdict.ts";

/** A failed check. The message is a sentence for the reader. */
class Refusal extends Error {
  override readonly name = "Refusal";
}

/** @throws {Refusal} unless the condition holds */
export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Refusal(otherwise);
}

/** The caller's function has thrown `cause` instead of answering, which says nothing of the proof. */
export class Unanswered extends Error {}

/**
 * The result of a check that passes; null for one that fails. Any exception counts as a fault of the proof.
 * @throws {Unanswered}
 */
export async function check<Result>(
  checks: Check[],
  about: string,
  work: () => Promise<Result>,
  told: (result: Result) => string = () => "it holds",
): Promise<Result | null> {
  try {
    const result = await work();
    checks.push({ about, holds: true, detail: told(result) });
    return result;
  } catch (error) {
    if (error instanceof Unanswered) throw error;
    checks.push({ about, holds: false, detail: error instanceof Error ? error.message : `${error}` });
    return null;
  }
}

export function refused(sentence: string, checks: Check[]): Verdict {
  const failed = checks.filter(({ holds }) => !holds);
  const why = failed.map(({ about, detail }) => `${about}: ${detail}`).join("; ");
  return { proven: false, sentence: `${sentence}: ${why}.`, notProven: [], checks };
}
