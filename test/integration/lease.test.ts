/** Which start has the tables, and what another one can still write to them. */
import pg from "pg";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { fenceKey, fenceTables } from "../../config/fence.ts";
import { SettingsError } from "../../config/problems.ts";
import { type LeaseParameters, type Tenure, takeTables } from "../../operate/daemon/lease.ts";
import { takeTurns } from "../../operate/daemon/turns.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { startTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";

let postgres: Postgres;
let way: TcpProxy;
const held: Tenure[] = [];
let stopping: AbortController;

beforeAll(async () => {
  postgres = await startPostgres();
  way = await startTcpProxy(Number(new URL(postgres.connectionString).port));
});
beforeEach(async () => {
  stopping = new AbortController();
  await postgres.query("CREATE SCHEMA one; CREATE TABLE one.row (id INTEGER PRIMARY KEY)");
});
afterEach(async () => {
  await way.become("open");
  stopping.abort();
  for (const tenure of held.splice(0)) await tenure.release();
  await postgres.query("DROP SCHEMA one CASCADE; DROP SCHEMA IF EXISTS raisebook_indexing CASCADE");
});

const through = () => {
  const url = new URL(postgres.connectionString);
  url.port = String(way.port);
  return url.href;
};

/** A start on a machine of its own. */
async function take(machine: string, changes: Partial<LeaseParameters> = {}): Promise<Tenure | null> {
  vi.stubEnv("RAISEBOOK_MACHINE", machine);
  const tenure = await takeTables({
    ...{ connectionString: postgres.connectionString, schema: "one", service: 7, instance: machine },
    shared: { CHAIN_ID: "97", PUBLIC_URL: "a", REGISTRY: "0x1" },
    log: { info: () => {}, warn: () => {}, debug: () => {} },
    signal: stopping.signal,
    ...changes,
  });
  if (tenure !== null) held.push(tenure);
  return tenure;
}

async function taken(...args: Parameters<typeof take>): Promise<Tenure> {
  const tenure = await take(...args);
  if (tenure === null) throw new Error("it was stopped");
  return tenure;
}

/** A session of an indexer, as Ponder's pools make them. */
async function sessionOf(token: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.connectionString, application_name: "one_user" });
  client.on("error", () => {});
  await client.connect();
  await client.query(`SET raisebook.tenure = '${token}'`);
  return client;
}

const rows = () => postgres.query("SELECT id FROM one.row ORDER BY id");
const standbys = () => postgres.query("SELECT instance FROM raisebook_indexing.standby");

it("gives the tables to one start, and to the next one when they are handed over", async () => {
  const first = await taken("a");
  let hasTaken = false;
  const onStandby = vi.fn();
  const second = taken("b", { onStandby }).then((tenure) => {
    hasTaken = true;
    return tenure;
  });
  await vi.waitFor(async () => expect(await standbys()).toEqual([{ instance: "b" }]), PATIENCE);
  expect([hasTaken, onStandby.mock.calls.length]).toEqual([false, 1]);
  await first.release();
  expect((await second).token).not.toBe(first.token);
  expect(await standbys()).toEqual([]);
  expect(first.lost.aborted).toBe(false);
});

it("takes the tables of one that is cut off from the database, which learns of it when it is back", async () => {
  const first = await taken("a", { connectionString: through() });
  const second = taken("b");
  await vi.waitFor(async () => expect(await standbys()).toHaveLength(1), PATIENCE);
  await way.become("silent");
  await second;
  await way.become("open");
  await vi.waitFor(() => expect(first.lost.aborted).toBe(true), PATIENCE);
});

it("gives a dead holder's tables to exactly one of two standbys, even if both claim them at once", async () => {
  await taken("a", { connectionString: through() });
  const next: { machine: string; tenure: Tenure }[] = [];
  for (const machine of ["b", "c"])
    void take(machine).then((tenure) => tenure && next.push({ machine, tenure }));
  await vi.waitFor(async () => expect(await standbys()).toHaveLength(2), PATIENCE);
  const fence = new pg.Client({ connectionString: postgres.connectionString });
  await fence.connect();
  await fence.query("BEGIN");
  await fence.query(`SELECT pg_advisory_xact_lock(${fenceKey("$1")})`, ["one"]);
  await way.become("silent");
  await vi.waitFor(async () => {
    const waiting = await postgres.query(`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'one_lease' AND wait_event = 'advisory'`);
    expect(waiting).toHaveLength(2);
  }, PATIENCE);
  await fence.query("COMMIT");
  await fence.end();
  await vi.waitFor(async () => {
    expect(next).toHaveLength(1);
    const standing = await postgres.query(`SELECT standby.instance FROM raisebook_indexing.standby
      JOIN raisebook_indexing.lease USING (tables) WHERE seen_at > lease.since`);
    expect(standing).toEqual([{ instance: next[0]?.machine === "b" ? "c" : "b" }]);
  }, PATIENCE);
  await next[0]?.tenure.confirm();
  expect(next.map(({ tenure }) => tenure.lost.aborted)).toEqual([false]);
});

it("does not take an outage of the database for one of the holder", async () => {
  const first = await taken("a", { connectionString: through() });
  let hasTaken = false;
  void take("b", { connectionString: through() }).then((tenure) => {
    hasTaken = tenure !== null;
  });
  await vi.waitFor(async () => expect(await standbys()).toHaveLength(1), PATIENCE);
  const beat = async () =>
    Number((await postgres.query("SELECT beat FROM raisebook_indexing.lease"))[0]?.beat);
  await way.become("cut");
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  const before = await beat();
  await way.become("open");
  await vi.waitFor(async () => expect(await beat()).toBeGreaterThan(before + 1), PATIENCE);
  expect([hasTaken, first.lost.aborted]).toEqual([false, false]);
});

it("takes the tables at once of a process that has ended on the same machine", async () => {
  const first = await taken("a", { connectionString: through() });
  // A pid that no process has.
  await postgres.query(`UPDATE raisebook_indexing.lease
    SET machine = jsonb_set(machine, '{process}', '{"pid": 4194304, "startedAt": "1"}')`);
  const second = await taken("a");
  await first.confirm();
  expect([first.lost.aborted, second.lost.aborted]).toEqual([true, false]);
});

it("refuses a start with other settings, and names them", async () => {
  await taken("a");
  const other = { CHAIN_ID: "97", PUBLIC_URL: "b", REGISTRY: "0x2", DESK: "only here" };
  const error = await take("b", { shared: other }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(SettingsError);
  const { problems } = error as SettingsError;
  expect(problems.map(({ variable }) => variable)).toEqual(["PUBLIC_URL", "REGISTRY"]);
});

it("takes the tables of one that is gone, whose settings were others", async () => {
  await taken("a", { connectionString: through() });
  await way.become("silent");
  const onStandby = vi.fn();
  const shared = { CHAIN_ID: "97", PUBLIC_URL: "b", REGISTRY: "0x2" };
  await taken("b", { shared, onStandby });
  expect(onStandby).not.toHaveBeenCalled();
});

it("compares the registry with the one in use, not with that of the holder's start", async () => {
  await postgres.query(`CREATE SCHEMA raisebook_registry;
    CREATE TABLE raisebook_registry.revision (service INTEGER, number INTEGER, hash TEXT);
    INSERT INTO raisebook_registry.revision VALUES (7, 1, '0x1'), (7, 2, '0x2'), (8, 3, '0x3')`);
  try {
    await taken("a");
    await expect(take("b")).rejects.toThrow("REGISTRY");
    const shared = { CHAIN_ID: "97", PUBLIC_URL: "a", REGISTRY: "0x2" };
    const onStandby = vi.fn();
    void take("c", { shared, onStandby });
    await vi.waitFor(() => expect(onStandby).toHaveBeenCalled(), PATIENCE);
  } finally {
    await postgres.query("DROP SCHEMA raisebook_registry CASCADE");
  }
});

it("stands by after a turn of its own, although the registry was changed in its place", async () => {
  vi.stubEnv("RAISEBOOK_MACHINE", "a");
  const log = { info: () => {}, warn: () => {}, debug: () => {} };
  const shared = { CHAIN_ID: "97", REGISTRY: "0x1" };
  const lost = Promise.withResolvers<void>();
  const startSpare = vi.fn(() => ({ exited: new Promise(() => {}), process: { kill: () => {} } }) as never);
  const kill = vi.fn();
  const turns = takeTurns({
    lease: {
      connectionString: postgres.connectionString,
      schema: "one",
      service: 7,
      instance: "a",
      shared,
      log,
    },
    early: { exited: new Promise(() => {}), process: { kill } } as never,
    startSpare,
    async index(tenure) {
      lost.resolve();
      await new Promise((resolve) => tenure.lost.addEventListener("abort", resolve));
      return 0;
    },
    ...{ log, signal: stopping.signal },
  });
  turns.catch(() => {});
  await lost.promise;
  const renew = () =>
    postgres.query(
      `UPDATE raisebook_indexing.lease SET tenure = 'other', beat = beat + 1, shared = '{"REGISTRY": "0x2"}'`,
    );
  await renew();
  const stoodBy = vi.waitFor(async () => {
    await renew();
    expect(startSpare).toHaveBeenCalled();
  }, PATIENCE);
  await Promise.race([stoodBy, turns]);
  expect(startSpare).toHaveBeenCalled();
  // It was never told to begin.
  expect(kill).toHaveBeenCalledWith("SIGKILL");
});

it("lets nothing be written under a tenure that is over", async () => {
  const first = await taken("a");
  const late = await sessionOf(first.token);
  await late.query("INSERT INTO one.row VALUES (1)");
  await first.release();
  const second = await taken("b");
  for (const statement of [
    "INSERT INTO one.row VALUES (2)",
    "UPDATE one.row SET id = 3",
    "DELETE FROM one.row",
    "TRUNCATE one.row",
    "INSERT INTO one.row SELECT 1 WHERE false",
  ])
    await expect(late.query(statement), statement).rejects.toThrow("another indexer has taken over");
  expect(await rows()).toEqual([{ id: 1 }]);
  await late.end();
  const current = await sessionOf(second.token);
  await current.query("INSERT INTO one.row VALUES (2)");
  // An operator's session has no token.
  await postgres.query("INSERT INTO one.row VALUES (3)");
  await current.end();
  expect(await rows()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
});

it("rolls back what was being written when the tables are taken, and does not wait for it", async () => {
  const first = await taken("a", { connectionString: through() });
  const frozen = await sessionOf(first.token);
  await frozen.query("BEGIN; INSERT INTO one.row VALUES (1)");
  const second = taken("b");
  await vi.waitFor(async () => expect(await standbys()).toHaveLength(1), PATIENCE);
  await way.become("silent");
  const next = await sessionOf((await second).token);
  await next.query("INSERT INTO one.row VALUES (1)");
  await expect(frozen.query("COMMIT")).rejects.toThrow();
  expect(await rows()).toEqual([{ id: 1 }]);
  await next.end();
});

it("fences tables that are made later, and only once", async () => {
  const first = await taken("a");
  await postgres.query("CREATE TABLE one.later (id INTEGER)");
  const client = await sessionOf("another");
  await client.query("INSERT INTO one.later VALUES (1)");
  for (const _ of [1, 2]) await fenceTables(client, "one");
  await expect(client.query("INSERT INTO one.later VALUES (2)")).rejects.toThrow("taken over");
  await client.query(`SET raisebook.tenure = '${first.token}'`);
  await client.query("INSERT INTO one.later VALUES (3)");
  await client.end();
  const triggers = await postgres.query("SELECT 1 FROM pg_trigger WHERE tgrelid = 'one.later'::regclass");
  expect(triggers).toHaveLength(1);
});
