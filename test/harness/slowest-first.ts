/**
 * Begins each group of projects with the files that take longest, so that at its end no worker waits for the last of them. A machine
 * that has run the tests before knows how long each took; any other goes by this list.
 * @module
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Without folder and ending, the slowest first: minutes to half a minute. */
const SLOWEST = [
  ...[
    "ledger",
    "daemon",
    "releases",
    "fast-forward",
    "histories",
    "disturbances",
    "runbook",
    "ponder",
    "as-of",
  ],
  ...["ledger-file", "readers", "webhooks", "deployment", "still-demo", "ledger-pages", "holders", "history"],
  ...["stream", "secrets", "agreement", "doctor", "postgres", "proofs", "audit", "stream-http", "past-storm"],
  ...["refresh", "lighthouse", "pages", "prove", "reference"],
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = await super.sort(files);
    if (known.some((file) => this.ctx.cache.getTestSpecificationResult(file) !== undefined)) return known;
    // What is not named keeps its place among its like, after those that are.
    return known.toSorted((one, other) => groupOf(one) - groupOf(other) || placeOf(one) - placeOf(other));
  }
}

const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;

function placeOf({ moduleId }: TestSpecification): number {
  const place = SLOWEST.indexOf(
    /test\/(?:browser|integration)\/([^/]+)\.test\.ts$/.exec(moduleId)?.[1] ?? "",
  );
  return place < 0 ? SLOWEST.length : place;
}
