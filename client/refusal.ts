/**
 * Why something is not proven.
 * @module
 */
import type { Check, Verdict } from "./verdict.ts";

/** A check that fails. The message is a sentence for the reader. */
class Refusal extends Error {
  override readonly name = "Refusal";
}

/** @throws {Refusal} unless it holds */
export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Refusal(otherwise);
}

/** The result of a check that holds; null of one that does not. Whatever is thrown on a proof's way is its fault. */
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
    checks.push({ about, holds: false, detail: error instanceof Error ? error.message : `${error}` });
    return null;
  }
}

export function refused(sentence: string, checks: Check[]): Verdict {
  const failed = checks.filter(({ holds }) => !holds);
  const why = failed.map(({ about, detail }) => `${about}: ${detail}`).join("; ");
  return { proven: false, sentence: `${sentence}: ${why}.`, notProven: [], checks };
}
