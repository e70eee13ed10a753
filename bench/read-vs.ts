/** @module A page of listings, compared with other ways to serve one over the same tables. */
import { loadBoth, rateRow, startGenerator } from "./harness/against-bare.ts";
import type { Request } from "./harness/capture.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";
import { SCHEMA } from "./harness/tables.ts";
import { startWorker } from "./harness/worker.ts";

const SIZE = { listings: 10_000 };
const LIMIT = 50;

export async function* readVs(stage: Stage): AsyncGenerator<Row> {
  await using reader = await startReader(stage, SIZE);
  await using generator = startGenerator();
  const { connectionString } = await stage.market(SIZE);
  const ours: Request[] = [{ path: `/v1/listings?limit=${LIMIT}` }];
  const others = {
    "Ponder's own GraphQL": new URL("harness/ponder-graphql.ts", import.meta.url),
    "a query per request, Hono and drizzle": new URL("harness/query-route.ts", import.meta.url),
  };
  for (const [against, file] of Object.entries(others)) {
    await using other = startWorker(file);
    const { port, request } = await other.ask<{ port: number; request: Request }>({
      ...{ connectionString, schema: SCHEMA, limit: LIMIT },
    });
    const ports = { ours: reader.port, other: port };
    const pairs = await loadBoth(generator, ports, { ours, other: [request] });
    const about = { bench: "read-vs", case: `${LIMIT} of 10,000 listings`, against };
    yield rateRow({ ...about, bar: "≥ 15" }, pairs);
  }
}
