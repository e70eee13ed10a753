/**
 * Reads of the embedded database during writes like those of Ponder alone: statement by statement, the tally first
 * and the checkpoint last. And the transactions that it is given instead.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { drizzle } from "drizzle-orm/pglite";
import { sql } from "ponder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ONE_SNAPSHOT } from "../../api/database/checkpoint.ts";
import { readEmbedded } from "../../api/database/embedded.ts";
import { createLogger } from "../../config/log.ts";
import type { PonderApp, QueryBuilder } from "../../operate/backfill/ponder.ts";
import { makeTransactionsReal } from "../../operate/backfill/transactions.ts";
import * as tables from "../../ponder.schema.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import { checkpointAt, eventIdAt } from "../harness/ledger-table.ts";

const { $client } = drizzle();
const database = readEmbedded($client, tables);

const placeIn = (block: number) => ({ time: 1_800_000_000 + block, block });

const writeTally = (block: number) =>
  $client.query("UPDATE tally SET events = events + 1, last_event_id = $1", [eventIdAt(placeIn(block))]);
const writeCheckpoint = (block: number) =>
  $client.query("UPDATE _ponder_checkpoint SET latest_checkpoint = $1", [checkpointAt(placeIn(block), "9")]);

/** The block of the last event, and the block that the rows are as of. */
const read = () =>
  database.transaction(async (tx) => {
    const [row] = await tx.select().from(tables.tally);
    const { rows } = await tx.execute<{ at: string }>(
      sql`SELECT latest_checkpoint AS at FROM _ponder_checkpoint`,
    );
    return { event: blockOf(row?.lastEventId ?? "").number, head: blockOf(rows[0]?.at ?? "").number };
  }, ONE_SNAPSHOT);

beforeAll(async () => {
  await $client.exec(`
    CREATE TABLE tally (family text PRIMARY KEY, events int, last_event_id text, last_block_hash text);
    INSERT INTO tally VALUES ('listings', 1, '${eventIdAt(placeIn(7))}', '0x');
    CREATE TABLE ledger (event_id text);
    CREATE TABLE _ponder_checkpoint (latest_checkpoint text, safe_checkpoint text, finalized_checkpoint text);
    INSERT INTO _ponder_checkpoint VALUES ('${checkpointAt(placeIn(7), "9")}', '${checkpointAt(placeIn(1), "9")}', '${checkpointAt(placeIn(1), "9")}');
    CREATE TABLE _ponder_meta (key text, value jsonb);
    INSERT INTO _ponder_meta VALUES ('app', '{"is_ready": 1}');
  `);
});
afterAll(() => $client.close());

test("a block that is being written is waited for", async () => {
  expect(await read()).toEqual({ event: 7n, head: 7n });
  await writeTally(8);
  const answered: unknown[] = [];
  const waiting = read().then((found) => answered.push(found));
  await sleep(200);
  expect(answered).toEqual([]);
  await writeCheckpoint(8);
  await waiting;
  expect(answered).toEqual([{ event: 8n, head: 8n }]);
});

test("a block without events, and one that ends with them, are read at once", async () => {
  await writeCheckpoint(12);
  expect(await read()).toEqual({ event: 8n, head: 12n });
});

test("nothing is written within a read", async () => {
  let written: Promise<unknown> | undefined;
  const [before, after] = await database.transaction(async (tx) => {
    const events = async () => (await tx.select().from(tables.tally))[0]?.events;
    const first = await events();
    written = writeTally(12);
    await sleep(50);
    return [first, await events()];
  }, ONE_SNAPSHOT);
  await written;
  expect(after).toBe(before);
});

describe("what Ponder writes in a transaction", () => {
  /** A query builder as Ponder makes it. */
  async function builder(): Promise<QueryBuilder> {
    const url = new URL("../../node_modules/ponder/dist/esm/database/queryBuilder.js", import.meta.url);
    const { createQB } = await import(url.href);
    const metrics = new Proxy({}, { get: () => ({ observe: () => {}, inc: () => {} }) });
    const logger = new Proxy({}, { get: () => () => {} });
    return createQB(drizzle($client), {
      common: { metrics, logger, shutdown: { isKilled: false } },
      isAdmin: false,
    });
  }
  const insert = (tx: QueryBuilder) => tx.wrap((db) => db.execute("INSERT INTO written VALUES (1)"));
  const written = async () => (await $client.query("SELECT * FROM written")).rows.length;

  test("is there as a whole or not at all, and what is within is a part of it", async () => {
    await $client.exec("CREATE TABLE written (one int)");
    const [userQB, adminQB] = [await builder(), await builder()];
    const database = { driver: { dialect: "pglite", instance: $client }, userQB, adminQB };
    makeTransactionsReal(
      { database } as unknown as PonderApp,
      createLogger({ format: "json", level: "error" }),
    );
    const isCutOff = userQB.transaction({ label: "cut off" }, async (tx: QueryBuilder) => {
      await insert(tx);
      await tx.transaction({ label: "within" }, insert);
      throw new Error("cut off");
    });
    await expect(isCutOff).rejects.toThrow();
    expect(await written()).toBe(0);
    for (const one of [userQB, adminQB]) await one.transaction(insert);
    expect(await written()).toBe(2);
  });
});
