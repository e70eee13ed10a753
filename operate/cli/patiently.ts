/** @module Asks a service again where it says when to come back. */
import { setTimeout as sleep } from "node:timers/promises";
import { RaisebookProblem } from "../../client/index.ts";

/** Maximum number of attempts when the service asks for a retry, and the longest wait in seconds. */
const ATTEMPTS = 6;
const LONGEST_WAIT = 60;

/** Retries when the service asks for it. */
export async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const isPutOff = error instanceof RaisebookProblem && [429, 503].includes(error.status);
      if (!isPutOff || error.retryAfter === null || attempt === ATTEMPTS) throw error;
      await sleep(1000 * Math.min(error.retryAfter, LONGEST_WAIT));
    }
  }
}
