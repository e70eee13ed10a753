/**
 * A single answer of PostgreSQL that never comes, while it answers on every other connection.
 */
import { sql } from "ponder";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DatabaseSilentError } from "../../api/database/checkpoint.ts";
import { connectPostgres } from "../../api/database/postgres.ts";
import { createLogger } from "../../config/log.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { startTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";

let postgres: Postgres;
const proxies: TcpProxy[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await postgres?.stop();
});

/** Milliseconds for a large statement, longer than a test may take. */
const NEVER = 2_000_000;
const QUERY = sql`SELECT 1 AS one`;

it.concurrent.each([
  ["the first of a connection", "SET search_path"],
  ["a small one", "SELECT 1 AS one"],
  ["the beginning of a transaction", "BEGIN"],
])("%s is given up after some seconds, and the next connection answers", async (_, text) => {
  const proxy = await startTcpProxy(Number(new URL(postgres.connectionString).port));
  proxies.push(proxy);
  const url = Object.assign(new URL(postgres.connectionString), { port: String(proxy.port) });
  const database = connectPostgres({
    ...{ connectionString: url.href, schema: "public", connections: 2, timeout: NEVER },
    log: createLogger({ format: "json", level: "error" }),
  });
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
