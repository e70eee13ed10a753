/** Readers on a streaming replica, which refuses LISTEN, and an indexer whose commits wait for it. */
import { spawnSync } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "ponder";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connectPostgres } from "../../api/database/postgres.ts";
import { listenAtPrimary } from "../../api/database/replica.ts";
import type { LocalChain } from "../../demo/chain.ts";
import { createDaemons, type DaemonPlace, type DaemonRun, startDaemonChain } from "../harness/daemon.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type PostgresServer, queryAt, startPostgres, startPostgresServer } from "../harness/postgres.ts";
import { recordedLog } from "../harness/snapshot.ts";

const { run, serve, place } = createDaemons();
const folder = temporaryFolder();
let chain: LocalChain;
let primary: PostgresServer;
let replica: PostgresServer;
let database: string;
let replicaLog = "";

/** As a user. @param role has its name as its password */
const urlAt = ({ port }: PostgresServer, role: string) =>
  `postgresql://${role}:${role}@127.0.0.1:${port}/${database}`;
const onPrimary = (text: string) => queryAt(urlAt(primary, "raisebook"), text);
const onReplica = (text: string) => queryAt(urlAt(replica, "raisebook"), text);

beforeAll(async () => {
  // For the user as whom PostgreSQL runs.
  await chmod(folder, 0o755);
  [chain, primary] = await Promise.all([startDaemonChain(), startPostgresServer(join(folder, "primary"))]);
  await chain.testClient.mine({ blocks: 40, interval: 1 });
  database = new URL((await startPostgres(primary.url)).connectionString).pathname.slice(1);
  // A role that listens needs no rights.
  await onPrimary("CREATE ROLE listener LOGIN PASSWORD 'listener'");
  for (const role of ["told", "asking"])
    await onPrimary(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD '${role}'`);
  await primary.stop();
  // With its owner, who need not be ours.
  expect(spawnSync("cp", ["-a", join(folder, "primary"), join(folder, "replica")]).status).toBe(0);
  await writeFile(join(folder, "replica", "standby.signal"), "");
  await primary.start();
  const settings = [
    `primary_conninfo=host=127.0.0.1 port=${primary.port} user=raisebook password=raisebook`,
    ...["hot_standby_feedback=on", "wal_receiver_status_interval=1s", "wal_retrieve_retry_interval=100ms"],
    ...["log_statement=all", "log_line_prefix=%u "],
  ];
  const onLog = (lines: string) => {
    replicaLog += lines;
  };
  replica = await startPostgresServer(join(folder, "replica"), { settings, onLog });
});
afterAll(async () => {
  await replica?.stop();
  await primary?.stop();
});

/** The statements of a user on the replica so far. */
function statementsOf(role: string): string[] {
  const pattern = new RegExp(`^${role} LOG: +(?:statement|execute [^:]+): (.*)`, "gm");
  return [...replicaLog.matchAll(pattern)].map(([, text = ""]) => text);
}

describe("a reader's connections", () => {
  const SCHEMA = "announcing";
  const notify = () => onPrimary(`SELECT pg_notify('${SCHEMA}_live_query', '[]')`);

  function listening(connectionString: () => string) {
    const { log, lines } = recordedLog();
    const heard = vi.fn();
    const reading = connectPostgres({
      ...{
        connectionString: urlAt(replica, "raisebook"),
        schema: SCHEMA,
        connections: 2,
        timeout: 5_000,
        log,
      },
    });
    const hears = listenAtPrimary(
      { connectionString: connectionString(), schema: SCHEMA, log, replica: reading },
      heard,
    );
    return { hears, heard, lines };
  }

  it("calls back once the replica has replayed what is announced, and not before", async () => {
    const { hears, heard } = listening(() => urlAt(primary, "listener"));
    await vi.waitFor(() => expect(hears()).toBe(true), PATIENCE);
    await notify();
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), PATIENCE);

    await onReplica("SELECT pg_wal_replay_pause()");
    await onPrimary("CREATE TABLE announced AS SELECT 1 AS one");
    heard.mockClear();
    const before = statementsOf("raisebook").filter((text) => text.includes("pg_last_wal_replay_lsn")).length;
    await notify();
    await vi.waitFor(() => {
      const asked = statementsOf("raisebook").filter((text) => text.includes("pg_last_wal_replay_lsn"));
      expect(asked.length).toBeGreaterThan(before + 3);
    }, PATIENCE);
    expect(heard).not.toHaveBeenCalled();
    await onReplica("SELECT pg_wal_replay_resume()");
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), PATIENCE);
    expect(await onReplica("SELECT one FROM announced")).toEqual([{ one: 1 }]);
  });

  it("repeats a read that the replica cancelled to replay a change of its table", async () => {
    const { log } = recordedLog();
    await onPrimary("CREATE TABLE changing AS SELECT 1 AS one");
    await onReplica("ALTER SYSTEM SET max_standby_streaming_delay = 0");
    await onReplica("SELECT pg_reload_conf()");
    const reading = connectPostgres({
      ...{ connectionString: urlAt(replica, "told"), schema: SCHEMA, connections: 1, timeout: 20_000, log },
    });
    await vi.waitFor(() => onReplica("TABLE changing"), PATIENCE);
    const read = reading.statement("read", sql`SELECT * FROM public.changing, pg_sleep(3)`);
    await vi.waitFor(() => expect(statementsOf("told").join()).toContain("pg_sleep(3)"), PATIENCE);
    await onPrimary("ALTER TABLE changing ADD COLUMN two INTEGER");
    expect(await read).toMatchObject([{ one: 1, two: null }]);
    expect(replicaLog).toContain("canceling statement due to conflict with recovery");
    await onReplica("ALTER SYSTEM RESET max_standby_streaming_delay");
    await onReplica("SELECT pg_reload_conf()");
  });

  it("refuses a server that is not the replica's primary", async () => {
    const other = await startPostgres();
    const { hears, lines } = listening(() => other.connectionString);
    await vi.waitFor(
      () => expect(JSON.stringify(lines)).toContain("is not the primary of DATABASE_URL"),
      PATIENCE,
    );
    expect(hears()).toBe(false);
    await other.stop();
  });

  it("refuses the replica itself", async () => {
    const { hears, lines } = listening(() => urlAt(replica, "raisebook"));
    await vi.waitFor(() => expect(JSON.stringify(lines)).toContain("LISTEN"), PATIENCE);
    expect(hears()).toBe(false);
  });
});

describe("readers on the replica", () => {
  type Reader = DaemonRun & { port: number };
  let at: DaemonPlace;
  let told: Reader;
  let asking: Reader;

  const health = async ({ port }: { port: number }) =>
    (await fetch(`http://127.0.0.1:${port}/v1/health`)).json() as Promise<Record<string, unknown>>;
  const untilHealth = (reader: { port: number }, expected: Record<string, unknown>) =>
    vi.waitFor(async () => expect(await health(reader)).toMatchObject(expected), PATIENCE);
  const mine = async () => {
    await chain.testClient.mine({ blocks: 1 });
    return `${await chain.publicClient.getBlockNumber()}`;
  };
  const reading = async (role: string, env: Record<string, string>): Promise<Reader> => {
    const { folder: own, port, env: least } = await place(chain.rpcUrl);
    const ownEnv = { ...least, DATABASE_URL: urlAt(replica, role), LOG_FORMAT: "json", ...env };
    return { ...serve(own, ownEnv), port };
  };
  /** How many statements each reader sends while nothing happens, beside each other. */
  const counted = async () => {
    const [one, other] = [statementsOf("told").length, statementsOf("asking").length];
    await vi.waitFor(() => expect(statementsOf("asking").length).toBeGreaterThan(other + 60), PATIENCE);
    return { told: statementsOf("told").length - one, asking: statementsOf("asking").length - other };
  };

  beforeAll(async () => {
    at = await place(chain.rpcUrl);
    run(at.folder, { ...at.env, DATABASE_URL: urlAt(primary, "raisebook"), LOG_FORMAT: "json" });
    told = await reading("told", { NOTICES_DATABASE_URL: urlAt(primary, "listener") });
    asking = await reading("asking", {});
    const indexedBlock = await mine();
    for (const reader of [at, told, asking]) await untilHealth(reader, { status: "ok", indexedBlock });
  });

  it("say who announces blocks", async () => {
    await untilHealth(at, { blockNotices: "database" });
    await untilHealth(told, { blockNotices: "primary" });
    await untilHealth(asking, { blockNotices: "none" });
  });

  it("hear of each block, and ask far less often than without notices", async () => {
    const isQuestion = (text: string) => text.includes("pg_last_wal_replay_lsn");
    for (let block = 0; block < 5; block++) {
      const before = statementsOf("told").length;
      await untilHealth(told, { indexedBlock: await mine() });
      // The question whether the block is there comes before the read that finds it.
      expect(statementsOf("told").slice(before).some(isQuestion)).toBe(true);
    }
    const count = await counted();
    expect(2 * count.told).toBeLessThan(count.asking);
    expect(statementsOf("asking").some(isQuestion)).toBe(false);
  });

  it("ask as often when the primary is gone, answer, and hear of blocks again when it is back", async () => {
    await primary.stop();
    await untilHealth(told, { blockNotices: "none" });
    const count = await counted();
    expect(2 * count.told).toBeGreaterThan(count.asking);
    expect((await fetch(`http://127.0.0.1:${told.port}/v1/listings`)).status).toBe(200);
    await primary.start();
    await untilHealth(told, { blockNotices: "primary" });
    const indexedBlock = await mine();
    for (const reader of [told, asking]) await untilHealth(reader, { indexedBlock });
  });

  it("are shown no block that a synchronous replica does not have", async () => {
    await onPrimary("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await onPrimary("SELECT pg_reload_conf()");
    await untilHealth(at, { indexedBlock: await mine() });
    await replica.stop();
    const block = await mine();
    await vi.waitFor(async () => {
      const waiting = await onPrimary("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
      expect(waiting).not.toEqual([]);
    }, PATIENCE);
    // Longer than the reader of the primary takes to look.
    await sleep(2_000);
    expect(Number((await health(at)).indexedBlock)).toBeLessThan(Number(block));
    await replica.start();
    for (const reader of [at, told]) await untilHealth(reader, { indexedBlock: block });
  });
});
