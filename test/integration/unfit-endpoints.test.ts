/** Endpoints that lack what a first indexing needs, as `/v1/health` names them before there is a table to read, on both databases. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import type { LocalChain } from "../../demo/chain.ts";
import { createDaemons, ESCROWS, ROOT, startDaemonChain } from "../harness/daemon.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { type RpcProxy, startRpcProxy } from "../harness/rpc-proxy.ts";
import { startService } from "../harness/service.ts";

/** The endpoint has no block before this one. */
const KEPT = 40;

let chain: LocalChain;
let postgres: Postgres;
let pruned: RpcProxy;
const { run, place } = createDaemons();

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startDaemonChain(), startPostgres()]);
  await chain.testClient.mine({ blocks: 80, interval: 1 });
  pruned = await startRpcProxy(chain.rpcUrl);
});

function prune(): void {
  pruned.answers = ({ params: [first] = [] }) => {
    const block = (first as { fromBlock?: string } | undefined)?.fromBlock ?? first;
    const isOld = typeof block === "string" && /^0x[0-9a-f]{1,15}$/.test(block) && Number(block) < KEPT;
    if (isOld) throw new Error("pruned history unavailable");
    return undefined;
  };
}

const unfit = () => ({
  status: "degraded",
  troubles: [{ code: "endpoint_unfit", remedy: expect.stringContaining("LEDGER") }],
  unfitEndpoints: [{ endpoint: new URL(pruned.url).host, reason: "pruned" }],
});

test("the only one, to readers on PostgreSQL: nothing is indexed, until it has the history again", async () => {
  prune();
  const { folder, port, env } = await place(`${pruned.url}/v2/secretkey`);
  const daemon = run(folder, { ...env, DATABASE_URL: postgres.connectionString, LOG_FORMAT: "json" });
  const becomes = (state: object) =>
    vi.waitFor(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/health`);
      expect(await response.json(), daemon.output().slice(-4_000)).toMatchObject(state);
    }, PATIENCE);
  await becomes({ ...unfit(), indexedBlock: null });
  pruned.answers = null;
  await becomes({ indexedBlock: `${await chain.publicClient.getBlockNumber()}` });
  expect(daemon.output()).not.toContain("secretkey");
  daemon.child.kill("SIGTERM");
  expect(await daemon.ended).toBe(0);
});

test("one of two, in the embedded database: the other one is asked", async () => {
  prune();
  const service = await startService({
    isEmbedded: true,
    rpcUrl: `${pruned.url},${chain.rpcUrl}`,
    escrows: [`${ESCROWS[0]}@0`],
    registry: await readFile(join(ROOT, "registry.example.json"), "utf8"),
  });
  await service.indexed(await chain.publicClient.getBlockNumber());
  // Found out by the first indexing, if that asks it for the blocks, or else when the two are compared.
  await vi.waitFor(async () => expect(await service.json("/v1/health")).toMatchObject(unfit()), PATIENCE);
  expect(await service.stop()).toBe(0);
});
