/**
 * The failures that a server may have in the suite's results: those with a reason in `not-applicable.json`,
 * for as long as they occur.
 * @module
 */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type Check, REVISIONS } from "./suite.ts";

const reason = z.string().min(20).regex(/\.$/, "a reason is a sentence");

const notApplicableSchema = z.strictObject({
  /** by the scenario's name, for every revision that has it */
  scenarios: z.record(z.string(), reason),
  /** checks of scenarios that are run */
  checks: z.array(
    z.strictObject({
      server: z.enum(["product", "fixtures"]),
      revisions: z.array(z.enum(REVISIONS)).min(1),
      scenario: z.string(),
      id: z.string(),
      reason,
    }),
  ),
});

export type NotApplicable = z.output<typeof notApplicableSchema>;

export async function readNotApplicable(): Promise<NotApplicable> {
  const text = await readFile(new URL("not-applicable.json", import.meta.url), "utf8");
  return notApplicableSchema.parse(JSON.parse(text));
}

/**
 * The faults of a scenario that was run: checks that are no success and not excused, and excuses for a check that succeeds
 * or is not checked. A warning and a note are no success.
 */
export function faultsOf(checks: readonly Check[], excused: readonly string[]): string[] {
  const failed = checks.filter(({ status }) => status !== "SUCCESS");
  return [
    ...(checks.length === 0 ? ["nothing was checked"] : []),
    ...failed
      .filter(({ id }) => !excused.includes(id))
      .map(({ id, status, errorMessage = "" }) => `${id} ${status} ${errorMessage}`.trim()),
    ...excused
      .filter((id) => !failed.some((check) => check.id === id))
      .map((id) =>
        checks.some((check) => check.id === id) ? `${id} is excused and passes` : `${id} is not checked`,
      ),
  ];
}
