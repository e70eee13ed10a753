/** @module Pages of a ledger of 1,000,000 events. */
import { encodeEventCursor } from "../api/ledger/cursor.ts";
import { againstBare, loadBoth, rateRow, startGenerator } from "./harness/against-bare.ts";
import type { Request } from "./harness/capture.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";
import { placeOf, SCHEMA } from "./harness/tables.ts";
import { startWorker } from "./harness/worker.ts";

const EVENTS = 1_000_000;
const SIZE = { listings: 1_000, events: EVENTS };
const LIMIT = 50;
/** Around the thousandth page, neighbours in turn. */
const DEEP = Array.from({ length: 200 }, (_, index) => pageAfter((1_000 + index) * LIMIT));

/** More of them than a reader keeps: each is read from the database. */
const UNKEPT = Array.from({ length: 10_000 }, (_, index) => pageAfter(50_000 + index * LIMIT));

export async function* events(stage: Stage): AsyncGenerator<Row> {
  await using reader = await startReader(stage, SIZE);
  const first: Request[] = [{ path: `/v1/events?limit=${LIMIT}` }];
  yield* againstBare("events", reader.port, [
    { case: "first page", requests: first, bar: "≥ 0.5" },
    { case: "page 1,000", requests: DEEP, bar: "reported" },
  ]);

  const { connectionString } = await stage.market(SIZE);
  await using plain = startWorker(new URL("harness/plain-pg.ts", import.meta.url));
  const ports = { ours: reader.port, other: await plain.ask<number>({ connectionString, schema: SCHEMA }) };
  await using generator = startGenerator();
  for (const [name, requests, bar] of [
    ["first page", first, "reported"],
    ["page 1,000", DEEP, "≥ 0.7"],
    ["pages not asked for before", UNKEPT, "≥ 0.7"],
  ] as const) {
    const about = { bench: "events", case: name, against: "plain pg, one prepared statement", bar };
    yield rateRow(about, await loadBoth(generator, ports, { ours: requests, other: requests }));
  }
}

/** The page below the n-th newest event. */
function pageAfter(n: number): Request {
  const cursor = encodeEventCursor(placeOf(EVENTS - n, EVENTS));
  return { path: `/v1/events?limit=${LIMIT}&cursor=${cursor}` };
}
