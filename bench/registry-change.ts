/**
 * A registry in two tables of PostgreSQL: how long it takes to load, and a change of one raise until an answer has it.
 * @module
 */
import pg from "pg";
import { createRegistryStore, type RegistryStore } from "../api/registry/store.ts";
import { createLogger } from "../config/log.ts";
import { registrySource } from "../config/values.ts";
import { makeMarket } from "./harness/market.ts";
import { RUNS, soloRow } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";
import { TABLES } from "./registry/sources.ts";

const LISTINGS = 100_000;
const SIZE = LISTINGS.toLocaleString("en");

export async function* registryChange(stage: Stage): AsyncGenerator<Row> {
  const { connectionString } = await stage.market({ listings: LISTINGS });
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { originators, listings } = makeMarket(LISTINGS).registry;
    await client.query(TABLES);
    await fill(client, "published.business", originators);
    await fill(client, "published.raise", listings);
    const url = `${connectionString}?table=published.raise&originators=published.business`;
    const about = { bench: "registry-change", unit: "ms" };
    const { loading, changing } = await measureStore(url, client);
    yield soloRow({ ...about, case: `${SIZE} rows are loaded and validated`, bar: "reported" }, loading);
    yield soloRow({ ...about, case: "one of them changes, until it is in use", bar: "≤ 2,000 ms" }, changing);
    await using reader = await startReader(stage, { listings: LISTINGS, registry: url });
    const answering = await measureAnswers(reader.port, client);
    yield soloRow(
      { ...about, case: "one of them changes, until an answer has it", bar: "≤ 2,000 ms" },
      answering,
    );
  } finally {
    await client.end();
  }
}

async function fill(client: pg.Client, table: string, entries: readonly object[]): Promise<void> {
  for (let start = 0; start < entries.length; start += 10_000) {
    const json = JSON.stringify(entries.slice(start, start + 10_000));
    await client.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`, [
      json,
    ]);
  }
}

/** Milliseconds of starts, and from a committed change to its use. */
async function measureStore(url: string, client: pg.Client) {
  const loading: number[] = [];
  let store: RegistryStore | null = null;
  for (let run = 0; run < RUNS; run++) {
    store?.stop();
    const start = performance.now();
    store = await createRegistryStore({
      source: registrySource.parse(url),
      log: createLogger({ format: "json", level: "error", write: () => {} }),
    });
    loading.push(performance.now() - start);
  }
  const id = await anId(client);
  const titleOf = async () => store?.current().listingByPublicId.get(id)?.title;
  const changing = await measureChanges(client, titleOf);
  store?.stop();
  return { loading, changing };
}

async function measureAnswers(port: number, client: pg.Client): Promise<number[]> {
  const id = await anId(client);
  return measureChanges(client, async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/listings/${id}`);
    return ((await response.json()) as { title?: string }).title;
  });
}

async function anId(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`SELECT "publicId" AS id FROM published.raise ORDER BY 1 LIMIT 1`);
  return rows[0]?.id;
}

/** Milliseconds from each change to the first time that it is seen; the first change is for warm-up. */
async function measureChanges(
  client: pg.Client,
  titleOf: () => Promise<string | undefined>,
): Promise<number[]> {
  const spent: number[] = [];
  const id = await anId(client);
  for (let run = 0; run <= RUNS; run++) {
    const title = `Title ${performance.now()}`;
    await client.query(`UPDATE published.raise SET title = $1 WHERE "publicId" = $2`, [title, id]);
    const start = performance.now();
    while ((await titleOf()) !== title) {
      if (performance.now() - start > 60_000) throw new Error("a change was not seen within a minute");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    spent.push(performance.now() - start);
  }
  return spent.slice(1);
}
