/**
 * Repeats requests that the service puts off.
 * @module
 */
import { RaisebookProblem } from "./problem.ts";

/** Maximum number of attempts when the service asks for a retry, and the longest wait in seconds. */
const ATTEMPTS = 6;
const LONGEST_WAIT = 60;

/**
 * Asks again where the service says when to come back (429 and 503 with `Retry-After`), in up to six attempts.
 *
 * @example
 * const proof = await patiently(() => book.get("/events/{event}/proof", { path: { event: "120-3" } }));
 */
export async function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const isPutOff = error instanceof RaisebookProblem && [429, 503].includes(error.status);
      if (!isPutOff || error.retryAfter === null || attempt === ATTEMPTS) throw error;
      const wait = 1_000 * Math.min(error.retryAfter, LONGEST_WAIT);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
