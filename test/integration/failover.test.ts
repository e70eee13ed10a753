/** A failover of PostgreSQL to an older copy of its data: blocks that were committed are gone from the tables. */
import { spawnSync } from "node:child_process";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { LocalChain } from "../../demo/chain.ts";
import { createDaemons, type DaemonPlace, type DaemonRun, startDaemonChain } from "../harness/daemon.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type PostgresServer, startPostgres, startPostgresServer } from "../harness/postgres.ts";

const { run, place } = createDaemons();
const data = temporaryFolder();
const copy = join(temporaryFolder(), "copy");
let chain: LocalChain;
let server: PostgresServer;
let at: DaemonPlace;
let daemon: DaemonRun;

const mine = async () => {
  await chain.testClient.mine({ blocks: 1 });
  return chain.publicClient.getBlockNumber();
};
const untilIndexed = (block: bigint) =>
  vi.waitFor(async () => {
    const health = await (await fetch(`http://127.0.0.1:${at.port}/v1/health`)).json();
    expect(health, daemon.output().slice(-6_000)).toMatchObject({ indexedBlock: `${block}` });
  }, PATIENCE);

beforeAll(async () => {
  [chain, server] = await Promise.all([startDaemonChain(), startPostgresServer(data)]);
  await chain.testClient.mine({ blocks: 40, interval: 1 });
  const { connectionString } = await startPostgres(server.url);
  at = await place(chain.rpcUrl);
  at.env = { ...at.env, DATABASE_URL: connectionString, LOG_FORMAT: "json", TMPDIR: at.folder };
  daemon = run(at.folder, at.env);
  await untilIndexed(await mine());
});
afterAll(async () => {
  await server?.stop();
});

it("has nothing in the temporary folder that a kill would leave", async () => {
  expect((await readdir(at.folder)).filter((name) => name.startsWith("raisebook-"))).toEqual([]);
});

it("starts the indexer again at once, and has every block in the end", async () => {
  await server.stop();
  // With its owner, who need not be ours.
  expect(spawnSync("cp", ["-a", data, copy]).status).toBe(0);
  await server.start();
  for (let block = 0; block < 5; block++) await untilIndexed(await mine());

  await server.stop();
  await rm(data, { recursive: true });
  await rename(copy, data);
  await server.start();
  const head = await mine();
  await vi.waitFor(() => expect(daemon.output()).toContain("PostgreSQL has lost blocks"), PATIENCE);
  await untilIndexed(head);
  await untilIndexed(await mine());
  expect(daemon.output()).not.toContain("The indexer has stalled");
});
