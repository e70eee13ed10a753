/**
 * The root of a book of many events, and a third as many raises: what the first read takes in the process of a reader, which begins with
 * nothing. The variable EVENTS changes the size.
 * @module
 */
import pg from "pg";
import type { Question, Told } from "./harness/book-roots.ts";
import { soloRow } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { SCHEMA } from "./harness/tables.ts";
import { startWorker } from "./harness/worker.ts";

const EVENTS = Number(process.env.EVENTS ?? 300_000);
const EVENTS_OF_A_RAISE = 3;
/** Raises whose rows are copied, with other ids, for the rest. */
const ORIGINALS = 1_000;

export async function* book(stage: Stage): AsyncGenerator<Row> {
  const { connectionString } = await stage.market({ listings: ORIGINALS, events: EVENTS });
  await complete(connectionString);
  await using worker = startWorker(new URL("harness/book-roots.ts", import.meta.url));
  const told = await worker.ask<Told>({ connectionString } satisfies Question);
  const size = `${told.leaves.toLocaleString("en")} leaves`;
  const row = (name: string, value: number, unit: string, bar = "reported") =>
    soloRow({ bench: "book", case: `${size}: ${name}`, unit, bar }, [value]);
  yield row("heap", told.heap / told.leaves, "bytes a leaf");
  yield row("outside of the heap", told.outside / told.leaves, "bytes a leaf");
  yield row("both", (told.heap + told.outside) / told.leaves, "bytes a leaf", "≤ 64");
  yield row("resident memory at most, while reading", told.peak, "MB");
  yield row("resident memory afterwards", told.resident, "MB");
  yield row("the first read, processor time", (told.busy / told.leaves) * 1e6, "µs a leaf");
  yield row("the first read", (told.spent / told.leaves) * 1e6, "µs a leaf");
  yield row("the longest wait of the event loop", told.longest, "ms");
  yield row("its 99th percentile", told.delay, "ms");
}

/** Adds the blocks of the events, and raises. */
async function complete(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(`SET search_path TO ${SCHEMA}`);
    await client.query(`INSERT INTO event_block SELECT number, '0x' || encode(sha256(number::text::bytea), 'hex')
      FROM (SELECT DISTINCT block_number AS number FROM ledger) AS block ON CONFLICT DO NOTHING`);
    const copies = Math.floor(EVENTS / EVENTS_OF_A_RAISE / ORIGINALS) - 1;
    await client.query(`INSERT INTO listing SELECT (jsonb_populate_record(original,
        jsonb_build_object('onchain_id', onchain_id + copy * ${ORIGINALS}))).*
      FROM listing AS original, generate_series(1, ${copies}) AS copy`);
    await client.query("VACUUM ANALYZE listing, event_block");
  } finally {
    await client.end();
  }
}
