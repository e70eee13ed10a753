/** @module Reads in the indexer's own process, on the embedded database, while the chain stands still. */
import { againstBare } from "./harness/against-bare.ts";
import { startStillDemo } from "./harness/demo.ts";
import type { Row } from "./harness/report.ts";

const BARS = { bar: "≥ 0.85", p99: "≤ 1.5" };

export async function* readEmbedded(): AsyncGenerator<Row> {
  await using demo = await startStillDemo();
  yield* againstBare("read-embedded", demo.port, [
    { case: "all listings of the demo", requests: [{ path: "/v1/listings" }], ...BARS },
    { case: "?limit=10", requests: [{ path: "/v1/listings?limit=10" }], bar: "≥ 0.5" },
    { case: "stats", requests: [{ path: "/v1/stats" }], ...BARS },
    { case: "the board, HTML", requests: [{ path: "/", headers: { Accept: "text/html" } }], bar: "≥ 0.5" },
  ]);
}
