/**
 * The tests that take longest, and an order that begins each group of projects with them, so that at its end no worker waits for the
 * last of them. A machine that has run the tests before knows how long each took; any other goes by this list.
 * @module
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Those that take more than half a minute on two quiet cores, the slowest first: `npm run test:long`. */
const LONG_IN_INTEGRATION = [
  ...[
    "readers",
    "releases",
    "runbook",
    "daemon",
    "complete-logs",
    "deployment",
    "finality",
    "upgrade",
    "webhooks",
    "standby",
  ],
  ...[
    "deep-reorg",
    "histories",
    "fast-forward",
    "disturbances",
    "still-demo",
    "as-of",
    "ponder",
    "ledger",
    "demo",
  ],
  ...[
    "full-disk",
    "developers-snippets",
    "demo-contracts",
    "ledger-file",
    "doctor",
    "registry-documents",
    "saved-start",
    "failover",
    "replica",
    "patroni",
    "many-endpoints",
  ],
  ...[
    "reorgs",
    "agreement",
    "ledger-pages",
    "simulation",
    "audit",
    "first-board",
    "postgres",
    "contracts",
    "stream",
  ],
  ...[
    "generations",
    "lease",
    "registry-terms",
    "over-time",
    "open-data",
    "history",
    "stream-http",
    "audit-refusals",
    "pooler",
    "sources",
    "secrets",
  ],
].map((name) => `test/integration/${name}.test.ts`);
const LONG_IN_BROWSER = [
  ...[
    "pages",
    "refresh",
    "lighthouse",
    "board",
    "reference",
    "prove",
    "without-javascript",
    "keyboard",
    "in-place",
  ],
  ...["browser-tools-on-pages", "browser-tools"],
].map((name) => `test/browser/${name}.test.ts`);

export const LONG_TESTS = [...LONG_IN_INTEGRATION, ...LONG_IN_BROWSER];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = await super.sort(files);
    if (known.some((file) => this.ctx.cache.getTestSpecificationResult(file) !== undefined)) return known;
    // Files without a name there follow those with one, in their own order.
    return known.toSorted((one, other) => groupOf(one) - groupOf(other) || placeOf(one) - placeOf(other));
  }
}

const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONG_TESTS.findIndex((path) => moduleId.endsWith(path));
  return place < 0 ? LONG_TESTS.length : place;
}
