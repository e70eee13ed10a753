/** Readers of their own: `npm start` over PostgreSQL, with the indexer killed beside them, and `npm run serve`. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { CHECKPOINT_TEXT } from "../../api/database/checkpoint.ts";
import type { LocalChain } from "../../demo/chain.ts";
import {
  BUNDLE,
  createDaemons,
  type DaemonPlace,
  type DaemonRun,
  descendants,
  indexerOf,
  REQUIRE_NODE,
  ROOT,
  startDaemonChain,
} from "../harness/daemon.ts";
import { isAlive } from "../harness/demo.ts";
import { freePort } from "../harness/free-port.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, queryAt, startPostgres } from "../harness/postgres.ts";
import { type RpcProxy, startRpcProxy } from "../harness/rpc-proxy.ts";
import { missingMetrics } from "../harness/watched-metrics.ts";

const { run, serve, place } = createDaemons();
let chain: LocalChain;
let rpc: RpcProxy;
let otherRpc: RpcProxy;
let postgres: Postgres;
let at: DaemonPlace;
let operatorPort: number;
let metricsPort: number;

beforeAll(async () => {
  chain = await startDaemonChain();
  // Ponder tells by their times which of two final blocks is the later one.
  await chain.testClient.mine({ blocks: 40, interval: 1 });
  postgres = await startPostgres();
  [rpc, otherRpc] = await Promise.all([startRpcProxy(chain.rpcUrl), startRpcProxy(chain.rpcUrl)]);
  at = await place(`${rpc.url},${otherRpc.url}`);
  operatorPort = await freePort();
  // The default, named all the same, as the files in deploy/ do.
  metricsPort = operatorPort + 1;
  const ports = { OPERATOR_PORT: String(operatorPort), METRICS_PORT: String(metricsPort) };
  at.env = {
    ...at.env,
    ...ports,
    DATABASE_URL: postgres.connectionString,
    LOG_FORMAT: "json",
    POLLING_INTERVAL: "100",
  };
});

type Health = {
  status: string;
  registry: { status: string };
  indexedBlock: string | null;
  restarts: { count: number; reason: string | null };
};
/** An answer on a connection of its own, which goes to any of the readers. */
const fetchApart = (path: string) =>
  fetch(`http://127.0.0.1:${at.port}${path}`, { headers: { connection: "close" } });
const healthAt = async (port: number): Promise<Health> =>
  (await (await fetch(`http://127.0.0.1:${port}/v1/health`)).json()) as Health;
const untilReady = (port: number) =>
  vi.waitFor(
    async () => expect((await fetch(`http://127.0.0.1:${port}/v1/ready`)).status).toBe(200),
    PATIENCE,
  );
/** The process ids that say that they serve. */
const serving = ({ output }: DaemonRun): number[] =>
  [...output().matchAll(/"msg":"Serving".*?"pid":(\d+)/g)].map(([, pid]) => Number(pid));

/** The port of a reader, once it serves. Fails at once when it ends instead. */
const untilServing = (reader: DaemonRun) =>
  Promise.race([
    vi.waitFor(() => {
      const port = /"msg":"Serving".*?"port":(\d+)/.exec(reader.output())?.[1];
      expect(port, reader.output()).toBeDefined();
      return port;
    }, PATIENCE),
    reader.ended.then((code) => expect.unreachable(`ended with ${code}: ${reader.output()}`)),
  ]);

/** The metrics that Prometheus scrapes from all readers of the port. */
const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics/raisebook`)).text();
/** The sum of the requests for listings, whatever their status and lane. */
const requestsFor = (text: string): number =>
  [...text.matchAll(/^raisebook_http_requests_total\{.*route="\/v1\/listings".*\} (\d+)$/gm)]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0);

async function expectFromAll(path: string, expected: object): Promise<void> {
  for (let answers = 0; answers < 6; answers++)
    await vi.waitFor(async () => {
      expect(await (await fetchApart(path)).json()).toMatchObject(expected);
    }, PATIENCE);
}
const expectAuditFromAll = () =>
  expectFromAll("/v1/audit", { running: null, last: { block: expect.any(String) } });
async function requestListings(times: number): Promise<void> {
  for (let request = 0; request < times; request++) await fetchApart("/v1/listings");
}

/** The process id of the indexer, as readers find it in the tables. */
async function indexerInTables(): Promise<number> {
  const [found] = await postgres.query(
    "SELECT schemaname FROM pg_tables WHERE tablename = '_ponder_checkpoint'",
  );
  const inSchema = `?options=-c%20search_path%3D${found?.schemaname}`;
  const [row] = await queryAt(postgres.connectionString + inSchema, CHECKPOINT_TEXT);
  return JSON.parse(`${row?.indexer}`).process.pid;
}

/** Has each process warn when it is asked to compare its market. */
const WARNING = encodeURIComponent(
  `process.on("SIGUSR2", () => process.emitWarning("old", "DeprecationWarning"))`,
);

/** A block more, until the readers show it. */
async function mineAndFollow() {
  await chain.testClient.mine({ blocks: 1 });
  const head = `${await chain.publicClient.getBlockNumber()}`;
  await vi.waitFor(async () => expect((await healthAt(at.port)).indexedBlock).toBe(head), PATIENCE);
}

describe("npm start over PostgreSQL", () => {
  let daemon: DaemonRun;
  beforeAll(async () => {
    const env = { ...at.env, NODE_OPTIONS: `--import=data:text/javascript,${WARNING}` };
    daemon = run(at.folder, env, "--processes", "2");
    await untilReady(at.port);
    await vi.waitFor(() => expect(serving(daemon)).toHaveLength(2), PATIENCE);
  });

  it("answers from processes that are not the indexer's", () => {
    const indexer = indexerOf(daemon.child);
    expect(serving(daemon)).not.toContain(indexer);
    expect(descendants(daemon.child.pid)).toEqual(expect.arrayContaining([indexer, ...serving(daemon)]));
  });

  it("shows a block that is mined", async () => {
    await mineAndFollow();
  });

  it("tells the readers of an audit, which the indexer makes", async () => {
    const started = await fetch(`http://127.0.0.1:${operatorPort}/audit`, { method: "POST" });
    expect(started.status).toBe(202);
    await expectAuditFromAll();
  });

  it("has the metrics of all of them together on a port that is not public", async () => {
    const before = requestsFor(await scrape());
    await requestListings(12);
    const text = await scrape();
    expect(requestsFor(text) - before).toBe(12);
    for (const line of ["raisebook_ready 1", 'raisebook_registry_info{version="'])
      expect(text).toContain(`\n${line}`);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m);
    expect(await missingMetrics([text], ["raisebook"])).toEqual([]);
    expect((await fetch(`http://127.0.0.1:${at.port}/metrics/raisebook`)).status).toBe(404);
  });

  it("compares the market with all rows when it is asked to", async () => {
    const [pid] = serving(daemon);
    process.kill(pid ?? 0, "SIGUSR2");
    const found = /The market was checked against all rows.*?"differences":\[\]/;
    await vi.waitFor(() => expect(daemon.output()).toMatch(found), PATIENCE);
  });

  it("logs warnings of Node as it logs everything: in JSON", async () => {
    const [reader = 0] = serving(daemon);
    for (const pid of [daemon.child.pid ?? 0, indexerOf(daemon.child), reader]) {
      const said = daemon.output().length;
      process.kill(pid, "SIGUSR2");
      await vi.waitFor(
        () => expect(daemon.output().slice(said)).toContain("DeprecationWarning: old"),
        PATIENCE,
      );
    }
    const lines = daemon.output().trimEnd().split("\n");
    expect(lines.filter((line) => !line.startsWith('{"time":'))).toEqual([]);
  });

  it("answers while every endpoint is down, says so in some lines, and catches up when one is back", async () => {
    const before = daemon.output().length;
    rpc.refuses = otherRpc.refuses = () => ({ status: 503 });
    const { indexedBlock } = await healthAt(at.port);
    await vi.waitFor(async () => expect((await healthAt(at.port)).status).toBe("degraded"), PATIENCE);
    expect(await healthAt(at.port)).toMatchObject({ indexedBlock, lagSeconds: expect.any(Number) });
    expect((await fetch(`http://127.0.0.1:${at.port}/v1/ready`)).status).toBe(503);
    expect((await fetch(`http://127.0.0.1:${at.port}/v1/listings`)).status).toBe(200);
    expect(rpc.asked("eth_getBlockByNumber")).toBeGreaterThan(20);

    rpc.refuses = null;
    await mineAndFollow();
    await untilReady(at.port);
    otherRpc.refuses = null;
    const lines = daemon.output().slice(before).trim().split("\n");
    expect(lines.filter((line) => line.includes("The RPC does not answer"))).toHaveLength(2);
    expect(lines.length, lines.join("\n")).toBeLessThanOrEqual(12);
    expect(lines.join()).not.toContain("stack");
  });

  it("waits for endpoints that are behind the index, and goes on when they have caught up", async () => {
    const lines = (text: string) => daemon.output().split(text).length - 1;
    const behind = await chain.publicClient.request({
      method: "eth_getBlockByNumber",
      params: ["0xa", true],
    });
    rpc.answers = otherRpc.answers = ({ method, params }) => {
      if (method === "eth_blockNumber") return behind?.number;
      return method === "eth_getBlockByNumber" && params?.[0] === "latest" ? behind : undefined;
    };
    process.kill(indexerOf(daemon.child), "SIGKILL");
    await vi.waitFor(
      () => expect(lines("RPC_URLS are behind the index"), daemon.output().slice(-4000)).toBe(1),
      PATIENCE,
    );
    // Looked at again, and still one line.
    rpc.reset();
    await vi.waitFor(() => expect(rpc.asked("eth_chainId")).toBeGreaterThan(1), PATIENCE);
    expect((await fetch(`http://127.0.0.1:${at.port}/v1/listings`)).status).toBe(200);
    expect(lines("RPC_URLS are behind the index")).toBe(1);
    rpc.answers = otherRpc.answers = null;
    await mineAndFollow();
    expect(lines("The indexer can start again")).toBe(1);
  });

  it("keeps the market and the ledger while the indexer is killed and comes back, and says why", async () => {
    // More blocks than the indexer takes back when it starts.
    await chain.testClient.mine({ blocks: 60 });
    const before = await chain.publicClient.getBlockNumber();
    await expectFromAll("/v1/health", { indexedBlock: `${before}` });
    const killed = indexerOf(daemon.child);
    expect(await indexerInTables()).toBe(killed);
    const wrong = new Set<string>();
    let isOver = false;
    const askAgainAndAgain = async (path: string) => {
      while (!isOver) {
        const response = await fetch(`http://127.0.0.1:${at.port}${path}`).catch((error) => error.cause);
        const shown = Number(response.headers?.get("x-indexed-block"));
        if (response.status !== 200)
          wrong.add(`${path}: ${response.status ?? response.code} ${await response.text?.()}`);
        else if (shown < Number(before)) wrong.add(`${path}: back to block ${shown} from ${before}`);
        // The indexer starts on the same cores.
        await sleep(20);
      }
    };
    let past = before;
    const askForThePast = async () => {
      while (!isOver) {
        // Not before the first block, however long it takes.
        past = past > before - 60n ? past - 1n : before;
        const response = await fetch(`http://127.0.0.1:${at.port}/v1/stats?asOf=${past}`);
        if (response.status !== 200) wrong.add(`/v1/stats?asOf: ${response.status}`);
        await sleep(300);
      }
    };
    const asking = Promise.all([
      ...["/v1/listings", "/v1/events", "/v1/anomalies"].map(askAgainAndAgain),
      askForThePast(),
    ]);
    process.kill(killed, "SIGKILL");
    await vi.waitFor(async () => {
      const { restarts, indexedBlock } = await healthAt(at.port);
      expect(Number(indexedBlock)).toBeGreaterThanOrEqual(Number(before));
      expect(restarts).toMatchObject({ reason: expect.stringContaining("SIGKILL") });
      expect(indexerOf(daemon.child)).not.toBe(killed);
    }, PATIENCE);
    await mineAndFollow();
    isOver = true;
    await asking;
    expect([...wrong]).toEqual([]);
    expect(await indexerInTables()).toBe(indexerOf(daemon.child));
  });

  it("starts a reader again that has died, while the other answers", async () => {
    const [first = 0] = serving(daemon);
    process.kill(first, "SIGKILL");
    // Its open and queued connections are lost; the others are answered before a new reader has started.
    const asked = Array.from({ length: 6 }, () => healthAt(at.port));
    expect((await Promise.any(asked)).indexedBlock).not.toBeNull();
    expect(serving(daemon)).toHaveLength(2);
    await vi.waitFor(() => expect(serving(daemon)).toHaveLength(3), PATIENCE);
    expect(isAlive(first)).toBe(false);
    await expectAuditFromAll();
  });

  it("ends a reader that stands still, starts another, and keeps in its sums what that one had counted", async () => {
    await requestListings(12);
    const counted = requestsFor(await scrape());
    expect(counted).toBeGreaterThanOrEqual(12);
    const before = serving(daemon).filter(isAlive);
    const [frozen = 0] = before;
    process.kill(frozen, "SIGSTOP");
    await vi.waitFor(() => expect(isAlive(frozen)).toBe(false), PATIENCE);
    expect(daemon.output()).toContain("A reader does not respond and is killed");
    await vi.waitFor(() => {
      const now = serving(daemon).filter(isAlive);
      expect([now.length, now.includes(frozen)]).toEqual([2, false]);
    }, PATIENCE);
    await vi.waitFor(async () => expect(requestsFor(await scrape())).toBe(counted), PATIENCE);
  });

  it("answers again when the process that keeps the readers is killed", async () => {
    const before = serving(daemon).filter(isAlive);
    const keeper = descendants(daemon.child.pid).find((pid) =>
      before.every((reader) => descendants(pid).includes(reader)),
    );
    process.kill(keeper ?? 0, "SIGKILL");
    await vi.waitFor(() => expect(before.filter(isAlive)).toEqual([]), PATIENCE);
    await untilReady(at.port);
    expect(daemon.output()).toContain("The readers ended and will be started again");
  });

  it("leaves nothing behind when it ends", async () => {
    const processes = descendants(daemon.child.pid);
    daemon.child.kill("SIGTERM");
    expect(await daemon.ended, daemon.output()).toBe(0);
    await vi.waitFor(() => expect(processes.filter(isAlive)).toEqual([]), PATIENCE);
  });

  it("has sent no statement on a connection that was busy with another", () => {
    expect(daemon.output()).not.toContain("already executing a query");
  });
});

describe("npm run serve", () => {
  it("answers from the tables alone, and ends when it is asked to", async () => {
    const reader = serve(at.folder, at.env);
    await vi.waitFor(async () => {
      expect((await healthAt(at.port)).indexedBlock).not.toBeNull();
      expect((await fetch(`http://127.0.0.1:${at.port}/v1/listings`)).status).toBe(200);
    }, PATIENCE);
    expect(await scrape()).toContain("\nraisebook_ready 1");
    const second = serve(at.folder, at.env);
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain("METRICS_PORT");
    expect(second.output()).toContain("already listening");
    reader.child.kill("SIGTERM");
    expect(await reader.ended, reader.output()).toBe(0);
  });

  it("ends when its parent was killed while it was loading", async () => {
    const execArgv = ["--import", REQUIRE_NODE, "--import", BUNDLE];
    const env = { PATH: process.env.PATH, HOME: at.folder, ...at.env };
    const orphan = fork(join(ROOT, "operate/daemon/serve-main.ts"), [], {
      execArgv,
      env,
      cwd: at.folder,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    orphan.disconnect();
    const isOver = await Promise.race([once(orphan, "exit"), sleep(PATIENCE.timeout, null, { ref: false })]);
    orphan.kill("SIGKILL");
    expect(isOver).toEqual([0, null]);
  });

  it("is not for the embedded database, where the indexer serves", async () => {
    const daemon = run(at.folder, { ...at.env, DATABASE_URL: "" }, "--processes", "2");
    expect(await daemon.ended).toBe(2);
    expect(daemon.output()).toContain("--processes needs DATABASE_URL");
  });

  it("starts with the last good copy of a registry that is invalid now, and says so", async () => {
    const registry = join(at.folder, "registry.json");
    const example = await readFile(at.env.REGISTRY ?? "");
    await writeFile(registry, example);
    const env = { ...at.env, REGISTRY: registry };
    const first = serve(at.folder, { ...env, PORT: String(await freePort()), METRICS_PORT: "" });
    const ports = [Number(await untilServing(first))];
    first.child.kill("SIGTERM");
    expect(await first.ended, first.output()).toBe(0);

    await writeFile(registry, example.subarray(0, 100));
    // As after a reboot, also on another machine.
    const second = serve(at.folder, { ...env, PORT: String(ports[0]), METRICS_PORT: "" });
    await untilServing(second);
    expect(await healthAt(ports[0] ?? 0)).toMatchObject({
      status: "degraded",
      troubles: [{ code: "registry_refused" }],
      registry: { status: "refused", originators: JSON.parse(`${example}`).originators.length },
    });
    expect(second.output()).toContain("the last good copy stays in use");
    await writeFile(registry, example);
    await vi.waitFor(
      async () => expect((await healthAt(ports[0] ?? 0)).registry.status).toBe("ok"),
      PATIENCE,
    );
    second.child.kill("SIGTERM");
    expect(await second.ended, second.output()).toBe(0);
  });

  it("waits for tables that are not there yet", async () => {
    const reader = serve(at.folder, { ...at.env, DATABASE_SCHEMA: "later" });
    await vi.waitFor(async () => expect((await healthAt(at.port)).indexedBlock).toBeNull(), PATIENCE);
    const early = await fetch(`http://127.0.0.1:${at.port}/v1/listings`);
    expect([early.status, early.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(reader.output()).not.toContain("cannot be updated");
    reader.child.kill("SIGTERM");
    expect(await reader.ended, reader.output()).toBe(0);
  });

  it.each([
    [["--fast"], 2, "unknown option '--fast'"],
    [["--processes", "0"], 2, "a whole number from 1 to 64"],
    [["--help"], 0, "Usage: raisebook serve"],
  ])("%j: exit code %i", async (args, code, text) => {
    const reader = serve(at.folder, at.env, ...args);
    expect(await reader.ended).toBe(code);
    expect(reader.output()).toContain(text);
  });

  it("needs a PostgreSQL", async () => {
    const reader = serve(at.folder, { ...at.env, DATABASE_URL: "" });
    expect(await reader.ended).toBe(1);
    expect(reader.output()).toContain('"variable":"DATABASE_URL","problem":"is required');
  });
});
