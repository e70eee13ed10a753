/**
 * Reads from PostgreSQL: a single answer that never comes, while it answers on every other connection; a table that is locked
 * for a while; the snapshot that is kept for restarts of the indexer.
 */

import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { sql } from "ponder";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { type Checkpoint, DatabaseSilentError } from "../../api/database/checkpoint.ts";
import { keepSnapshot } from "../../api/database/kept-snapshot.ts";
import { connectPostgres } from "../../api/database/postgres.ts";
import { createLogger } from "../../config/log.ts";
import { connectKeptAlive, postgresClientOf } from "../../config/postgres-client.ts";
import { checkpointAt } from "../harness/ledger-table.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { startTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});

/** Milliseconds for a large statement, longer than a test may take. */
const NEVER = 2_000_000;
const QUERY = sql`SELECT 1 AS one`;

const CHECKPOINT_OF_BLOCK_1 = checkpointAt({ time: 1, block: 1 });
const log = createLogger({ format: "json", level: "error" });
const connect = (connectionString: string, timeout: number) =>
  connectPostgres({
    ...{ connectionString, schema: "public", connections: 2, timeout },
    log,
  });

async function proxied(): Promise<{ proxy: TcpProxy; url: string }> {
  const proxy = await startTcpProxy(Number(new URL(postgres.connectionString).port));
  const { href } = Object.assign(new URL(postgres.connectionString), { port: String(proxy.port) });
  return { proxy, url: href };
}

it.concurrent.each([
  ["the first of a connection", "SET search_path"],
  ["a small one", "SELECT 1 AS one"],
  ["the beginning of a transaction", "BEGIN"],
])("%s is given up after some seconds, and the next connection answers", async (_, text) => {
  const { proxy, url } = await proxied();
  const database = connect(url, NEVER);
  const read = () =>
    text === "BEGIN"
      ? database.transaction(async (tx) => (await tx.execute(QUERY)).rows)
      : database.statement("one", QUERY);
  const sprung = proxy.cutAt(text, "never");
  const isGivenUp = expect(read()).rejects.toThrow(DatabaseSilentError);
  await sprung;
  await isGivenUp;
  expect(await read()).toEqual([{ one: 1 }]);
});

it("waits for a locked table as long as for a slow answer, and holds no lock meanwhile", async () => {
  await postgres.query("CREATE TABLE held (); CREATE TABLE locked ()");
  const locks = new pg.Client({ connectionString: postgres.connectionString });
  await locks.connect();
  onTestFinished(() => locks.end());
  const lock = (table: string) => locks.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  const readBoth = (timeout: number) =>
    connect(postgres.connectionString, timeout).transaction(async (tx) => {
      await tx.execute(sql`SELECT count(*) FROM held`);
      return (await tx.execute(sql`SELECT count(*)::int AS count FROM locked`)).rows;
    });
  await lock("locked");
  const read = readBoth(10_000);
  // Longer than a transaction waits before it begins again.
  await sleep(1_500);
  // An indexer that holds one table gets the other.
  await locks.query("LOCK TABLE held IN ACCESS EXCLUSIVE MODE");
  await locks.query("COMMIT");
  expect(await read).toEqual([{ count: 0 }]);

  await lock("locked");
  const statement = connect(postgres.connectionString, 10_000).statement(
    "locked",
    sql`SELECT 1 AS one FROM locked`,
  );
  await sleep(1_500);
  await locks.query("COMMIT");
  expect(await statement).toEqual([]);

  await lock("locked");
  await expect(readBoth(1_000)).rejects.toThrow(DatabaseSilentError);
});

it("has PostgreSQL notice within half a minute that the machine of a connection is gone", async () => {
  const client = postgresClientOf(postgres.connectionString, 5_000);
  onTestFinished(() => client.end());
  await connectKeptAlive(client);
  const { rows } = await client.query(
    "SELECT name, setting FROM pg_settings WHERE name LIKE 'tcp_keepalives_%' ORDER BY name",
  );
  expect(rows.map(({ name, setting }) => [name, setting])).toEqual([
    ["tcp_keepalives_count", "4"],
    ["tcp_keepalives_idle", "10"],
    ["tcp_keepalives_interval", "5"],
  ]);
});

it("ends a connection on which PostgreSQL cannot be told so", async () => {
  const { proxy, url } = await proxied();
  const client = postgresClientOf(url, 500, { application_name: "unanswered" });
  const cut = proxy.cutAt("set_config", "never");
  await expect(connectKeptAlive(client)).rejects.toThrow("timeout");
  await cut;
  const left = () =>
    postgres.query("SELECT state FROM pg_stat_activity WHERE application_name = 'unanswered'");
  await expect.poll(left).toEqual([]);
});

it("keeps a snapshot of the newest rows, although one of older rows is being taken", async () => {
  await postgres.query(`CREATE TABLE _ponder_meta (key text, value jsonb);
    INSERT INTO _ponder_meta VALUES ('app', '{"is_ready": "1"}');
    CREATE TABLE tally (family text, events int, last_event_id text, last_block_hash text);
    CREATE TABLE ledger (event_id text);
    CREATE TABLE _ponder_checkpoint (finalized_checkpoint text, safe_checkpoint text, latest_checkpoint text);
    INSERT INTO _ponder_checkpoint SELECT id, id, id FROM (SELECT '${CHECKPOINT_OF_BLOCK_1}' AS id) AS first`);
  const kept = keepSnapshot({ connectionString: postgres.connectionString, schema: "public", log });
  const seen: bigint[] = [];
  const isNewer = ({ head }: Checkpoint) => seen.push(head.number) > 0;
  const market = { isNew: true };
  await kept.renew((position) => {
    const isFit = isNewer(position);
    void kept.renew(isNewer, market);
    return isFit;
  }, market);
  kept.use(true);
  expect(seen).toEqual([1n, 1n]);
  const name = kept.inUse();
  expect(name).not.toBeNull();

  // While no block comes, it is renewed after an hour alone: it holds up vacuum.
  const unchanged = { isNew: false };
  await kept.renew(isNewer, unchanged);
  expect(kept.inUse()).toBe(name);
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.advanceTimersByTime(7_200_000);
  await kept.renew(isNewer, unchanged);
  expect(kept.inUse()).not.toBe(name);
  expect(kept.inUse()).not.toBeNull();
});
