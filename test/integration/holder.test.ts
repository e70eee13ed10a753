/** Whose mark on a schema of PostgreSQL is taken away before a start: that of a process which is gone, and no other. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { identityOf, processSpace } from "../../config/process-identity.ts";
import { TENURE_VARIABLE } from "../../config/turn.ts";
import { releaseBeforeStart } from "../../operate/backfill/holder.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";

let postgres: Postgres;
let gone: ReturnType<typeof identityOf>;

beforeAll(async () => {
  postgres = await startPostgres();
  const child = spawn("sleep", ["60"]);
  gone = identityOf(child.pid as number);
  child.kill("SIGKILL");
  await once(child, "close");
  // Ponder's own form.
  await postgres.query(
    "CREATE SCHEMA one; CREATE TABLE one._ponder_meta (key TEXT PRIMARY KEY, value JSONB)",
  );
});
afterEach(() => void vi.unstubAllEnvs());
beforeEach(() => postgres.query("DELETE FROM one._ponder_meta"));

async function mark(value: object): Promise<void> {
  const text = pg.escapeLiteral(JSON.stringify({ build_id: "b", heartbeat_at: 5, ...value }));
  await postgres.query(`INSERT INTO one._ponder_meta VALUES ('app', ${text})`);
}

const release = () => releaseBeforeStart(postgres.connectionString, "one");
const value = async () => (await postgres.query("SELECT value FROM one._ponder_meta"))[0]?.value;

it("takes away the mark of a process that was killed, and leaves the rest", async () => {
  const holder = { space: processSpace(), process: gone };
  await mark({ is_locked: 1, holder });
  expect(await release()).toBe(true);
  expect(await value()).toEqual({ build_id: "b", heartbeat_at: 5, is_locked: 0, holder });
  expect(await release()).toBe(false);
});

it.each([
  ["a process that runs", () => ({ space: processSpace(), process: identityOf(process.pid) })],
  ["a process of another machine, boot or container", () => ({ space: "elsewhere 4", process: gone })],
  ["nobody that is known", () => undefined],
  ["something else", () => ({ pid: "1" })],
])("leaves the mark of %s", async (_of, holder) => {
  await mark({ is_locked: 1, holder: holder() });
  for (const tenure of [undefined, "now"]) {
    vi.stubEnv(TENURE_VARIABLE, tenure);
    expect(await release()).toBe(false);
  }
  expect(await value()).toMatchObject({ is_locked: 1 });
});

it.each([
  ["a process that runs", () => ({ space: processSpace(), process: identityOf(process.pid) })],
  ["a process of another machine", () => ({ space: "elsewhere 4", process: gone })],
])("takes away the mark of %s that was made under a lease, but only under one", async (_of, holder) => {
  await mark({ is_locked: 1, holder: { ...holder(), tenure: "before" } });
  expect(await release()).toBe(false);
  vi.stubEnv(TENURE_VARIABLE, "now");
  expect(await release()).toBe(true);
  expect(await value()).toMatchObject({ is_locked: 0 });
});

it("finds nothing in a schema that is not there, or in a database that does not answer", async () => {
  expect(await release()).toBe(false);
  expect(await releaseBeforeStart(postgres.connectionString, "two")).toBe(false);
  expect(await releaseBeforeStart("postgresql://raisebook@127.0.0.1:1/none", "one")).toBe(false);
});
