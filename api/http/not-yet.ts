/**
 * Answers of a service that has not indexed everything yet.
 * @module
 */
import { ProblemError } from "./problem.ts";

/** Before the first checkpoint. */
export function notIndexedYet(): ProblemError {
  const detail = "The indexer has not finished its first block yet; ask again in a moment.";
  return new ProblemError({ code: "not_indexed_yet", detail, headers: { "Retry-After": "2" } });
}

/** @throws ProblemError when there is no page of the ledger yet */
export function pageOrProblem<Page extends object>(page: Page | "not_indexed_yet" | "backfilling"): Page {
  if (typeof page !== "string") return page;
  if (page === "not_indexed_yet") throw notIndexedYet();
  const detail =
    "The events of all listings can be read once the backfill is over; those of one listing can now.";
  throw new ProblemError({ code: page, detail, headers: { "Retry-After": "10" } });
}
