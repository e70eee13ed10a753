/** The indexer that loads while the settings are checked keeps still until they are found good. */
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { type EarlyIndexer, startEarly } from "../../operate/daemon/early-indexer.ts";
import { freePort } from "../harness/free-port.ts";
import { PATIENCE } from "../harness/patience.ts";
import { startPostgres } from "../harness/postgres.ts";
import { serve } from "../harness/serve.ts";

/** Milliseconds in which it would have asked for the history long ago. */
const WHILE = 4_000;

async function startWith(env: Record<string, string>) {
  const asked: string[] = [];
  const node = await serve(async (request, response) => {
    const { id, method } = JSON.parse(await text(request)) as { id: number; method: string };
    asked.push(method);
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: null }));
  });
  onTestFinished(node.stop);
  const database = await startPostgres();
  onTestFinished(database.stop);
  const settings = readSettings({
    RPC_URLS: node.url,
    ESCROWS: `0x${"1".repeat(40)}@1`,
    REGISTRY: "registry.example.json",
    DATABASE_URL: database.connectionString,
    OPERATOR_PORT: String(await freePort()),
    ...env,
  });
  const early = startEarly(settings);
  onTestFinished(() => early?.end());
  const connections = async () => {
    const others =
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    return (await database.query(others)).length;
  };
  return { settings, early: early as EarlyIndexer, asked, connections };
}

it("asks no node and opens no connection before its turn", async () => {
  const { settings, early, asked, connections } = await startWith({});
  const indexer = early.take(settings, () => {});
  await sleep(WHILE);
  expect([asked, await connections()]).toEqual([[], 0]);
  expect(indexer?.process.exitCode).toBe(null);
  indexer?.begin("a token");
  await vi.waitFor(() => expect(asked).toContain("eth_getBlockByNumber"), PATIENCE);
});

it("is not taken with other settings than it was started with, and ends then", async () => {
  const { settings, early } = await startWith({});
  expect(early.take({ ...settings, wsUrl: null }, () => {})).toBe(null);
  const indexer = early.take(settings, () => {});
  expect(await indexer?.exited).toBe(128 + 9);
});

it("ends without a turn", async () => {
  const { settings, early } = await startWith({});
  const indexer = early.take(settings, () => {});
  early.end();
  expect(await indexer?.exited).toBe(128 + 9);
});

it("is not started for ordinary indexing, which has no history to read", async () => {
  expect((await startWith({ FAST_FORWARD: "false" })).early).toBe(null);
});
