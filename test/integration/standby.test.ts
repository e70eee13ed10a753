/** Two machines over one database: the second goes on when the first is gone, and the first does not disturb it when it is back. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createDaemons, indexerOf, REQUIRE_NODE, ROOT } from "../harness/daemon.ts";
import { freePort } from "../harness/free-port.ts";
import { PATIENCE } from "../harness/patience.ts";
import {
  FROM_DATABASE,
  IN_MEMORY,
  keepAsking,
  type Machine,
  startTwoMachines,
  type TwoMachines,
  type Way,
} from "../harness/two-machines.ts";

type Instance = { id: string; since: string };
type Health = { status: string; instances: { indexing: Instance | null; standby: Instance[] } };

const { run, runCommand } = createDaemons();
let two: TwoMachines;

beforeAll(async () => {
  two = await startTwoMachines();
});
afterAll(async () => {
  await two?.stop();
});

async function sides(): Promise<{ gone: Machine; other: Machine }> {
  const gone = await two.indexing();
  return { gone, other: gone === two.first ? two.second : two.first };
}
const healthOf = async (machine: Machine) => (await two.json(machine, "/v1/health")) as unknown as Health;
/** The instances that a machine reports, once one indexes and this many stand by. */
const untilSaid = (machine: Machine, standby: number) =>
  vi.waitFor(async () => {
    const { instances } = await healthOf(machine);
    expect([instances.indexing === null, instances.standby.length]).toEqual([false, standby]);
    return instances;
  }, PATIENCE);

it("has one index and the other one stand by, and both say so", async () => {
  const { gone, other } = await sides();
  const said = await untilSaid(gone, 1);
  expect(await untilSaid(other, 1)).toEqual(said);
  const ids = [said.indexing, ...said.standby].map((one) => one?.id);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(Math.abs(Date.now() - Date.parse(said.indexing?.since ?? ""))).toBeLessThan(600_000);

  const main = join(ROOT, "operate/daemon/status-main.ts");
  const status = runCommand(other.folder, other.env, process.execPath, ["--import", REQUIRE_NODE, main]);
  expect(await status.ended, status.output()).toBe(0);
  expect(status.output()).toContain(`Indexed by start ${said.indexing?.id} since`);
  expect(status.output()).toContain(`standing by: ${said.standby[0]?.id} since`);

  const metricsPort = Number(other.env.OPERATOR_PORT) + 1;
  await vi.waitFor(async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics/raisebook`)).text();
    expect(metrics).toContain('raisebook_instances{state="indexing"} 1');
    expect(metrics).toContain('raisebook_instances{state="standby"} 1');
  }, PATIENCE);
});

it.each<Way>(["killed", "frozen", "partitioned"])(
  "goes on without a gap, a double write or an error when the indexing machine is %s, and has it stand by when it is back",
  async (way) => {
    const { gone, other } = await sides();
    const answers = [keepAsking(other, FROM_DATABASE)];
    if (way === "partitioned") answers.push(keepAsking(gone, IN_MEMORY));
    // One is being written, and others come while no machine indexes.
    const written = two.raise();
    await two.hurt(gone, way);
    await written;
    await two.untilRaised(other, await two.raise());
    await two.raise();
    for (const asking of answers) {
      const { asked, bad } = await asking.stop();
      expect(bad).toEqual([]);
      expect(asked).toBeGreaterThan(20);
    }
    await two.heal(gone, way);
    await two.untilRaised(other, await two.raise());
    await two.untilRaised(gone, two.raised());
    // As long as what woke up would need to write, if it could.
    await sleep(1_000);
    expect(await two.wrongRows()).toEqual([]);
    expect(await two.indexing()).toBe(other);
    expect((await untilSaid(gone, 1)).indexing).toEqual((await untilSaid(other, 1)).indexing);
  },
);

it.each([
  ["runs on", []],
  ["wakes up after the other machine has written", ["SIGSTOP", "SIGCONT"]],
] as const)(
  "ends a frozen daemon's indexer that %s, with a warning and without an error",
  async (_, signals) => {
    const { gone, other } = await sides();
    const before = gone.daemon.output().length;
    const indexer = indexerOf(gone.daemon.child);
    gone.daemon.child.kill("SIGSTOP");
    for (const signal of signals.slice(0, 1)) process.kill(indexer, signal);
    await vi.waitFor(async () => expect(await two.indexing()).toBe(other), PATIENCE);
    await two.untilRaised(other, await two.raise());
    for (const signal of signals.slice(1)) process.kill(indexer, signal);
    // It hears of blocks, and tries to write them.
    await sleep(2_000);
    await two.heal(gone, "frozen");
    await two.untilRaised(gone, two.raised());
    const said = gone.daemon.output().slice(before);
    expect(said).toContain("Another start has taken the tables over: this indexer ends");
    expect(said).not.toContain('"level":"error"');
    expect(await two.wrongRows()).toEqual([]);
  },
);

it("rolls back the block in the middle of which the indexing machine was frozen", async () => {
  const { gone, other } = await sides();
  const auditAt = (machine: Machine) => two.json(machine, "/v1/audit");
  await fetch(`http://127.0.0.1:${gone.env.OPERATOR_PORT}/audit`, { method: "POST" });
  await vi.waitFor(
    async () => expect(await auditAt(gone)).toEqual({ running: null, last: expect.anything() }),
    PATIENCE,
  );
  const [{ name } = {}] = await two.query("SELECT tables AS name FROM raisebook_indexing.lease");
  const url = new URL(gone.env.DATABASE_URL ?? "");
  url.port = String(two.postgresPort);
  // The block's transaction has begun, and cannot write its rows of the ledger.
  const blocking = new pg.Client({ connectionString: url.href });
  await blocking.connect();
  await blocking.query(`BEGIN; LOCK TABLE "${name}".ledger IN SHARE MODE`);
  await two.raise();
  await vi.waitFor(async () => {
    const waiting = await two.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = '${name}_user' AND wait_event_type = 'Lock'`,
    );
    expect(waiting).not.toEqual([]);
  }, PATIENCE);
  await two.hurt(gone, "frozen");
  await blocking.query("COMMIT");
  await blocking.end();
  await two.untilRaised(other, await two.raise());
  await two.heal(gone, "frozen");
  await two.untilRaised(other, await two.raise());
  await sleep(1_000);
  expect(await two.wrongRows()).toEqual([]);
  // It was of an indexer that is gone, and of tables that another one has written to since.
  await vi.waitFor(async () => expect(await auditAt(gone)).toEqual({ running: null, last: null }), PATIENCE);
});

it("hands over at once when it is asked to end, and ends with 0 whether it indexes or stands by", async () => {
  const { gone, other } = await sides();
  gone.daemon.child.kill("SIGTERM");
  expect(await gone.daemon.ended).toBe(0);
  await two.untilRaised(other, await two.raise());
  expect(await two.indexing()).toBe(other);
  await two.heal(gone, "killed");
  gone.daemon.child.kill("SIGTERM");
  expect(await gone.daemon.ended).toBe(0);
  await untilSaid(other, 0);
  expect(await two.wrongRows()).toEqual([]);
});

it("refuses a start with other settings for the same tables", async () => {
  const { gone } = await sides();
  const ports = { PORT: String(await freePort()), OPERATOR_PORT: String(await freePort()) };
  const third = run(gone.folder, { ...gone.env, ...ports, PUBLIC_URL: "https://other.example" });
  expect(await third.ended).toBe(1);
  expect(third.output()).toContain("is not that of the start that indexes into the same tables");
  expect(third.output()).toContain('"variable":"PUBLIC_URL"');
});
