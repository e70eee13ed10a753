/**
 * Three readers and nginx in front of them: a reader that dies, a rolling restart, a release that follows another without
 * a gap, also on its second try, and the way back.
 */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { createDaemons, type DaemonPlace, type DaemonRun, descendants } from "../harness/daemon.ts";
import { isAlive, isListening } from "../harness/demo.ts";
import { emit, events } from "../harness/emit.ts";
import { freePort } from "../harness/free-port.ts";
import { type Answer, ask, under } from "../harness/load.ts";
import { hasNginx, type Nginx, startNginx } from "../harness/nginx.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";

const LISTING = "/v1/listings/lst_a_1";
const OLD = "raisebook_0000000001";
const NEW = "raisebook_0000000002";
const QUESTIONS = [
  { path: LISTING },
  { path: "/graphql", body: JSON.stringify({ query: '{ listing(id: "lst_a_1") { raisedAmount } }' }) },
  { path: "/v1/events?limit=5" },
];

let postgres: Postgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

describe.skipIf(!hasNginx())("three readers behind nginx", () => {
  const { run, serve, place } = createDaemons();
  let chain: LocalChain;
  let escrow: Deployment;
  let nginx: Nginx;
  let at: DaemonPlace;
  let ports: number[];
  /** Reads and cannot write. */
  let onlooker: Record<string, string>;
  let old: { indexer: DaemonRun; readers: DaemonRun[] };
  /** The amount raised after each block with a subscription. */
  const raised = new Map<bigint, bigint>();
  let total = 0n;

  const portOf = (index: number) => ports[index] ?? 0;
  const untilReady = (port: number) =>
    vi.waitFor(async () => {
      const { status, body } = await ask(port, { path: "/v1/ready" });
      expect(status, body).toBe(200);
    }, PATIENCE);
  const subscribe = async () => {
    total += 7n;
    const block = await emit(chain, escrow.address, events.subscribed(1n, 7n, total));
    raised.set(block, total);
  };
  /** At the place with this index in nginx's configuration. */
  const environmentOf = (schema: string, index: number, env: Record<string, string> = {}) => ({
    ...at.env,
    ...{ DATABASE_SCHEMA: schema, PORT: String(portOf(index)) },
    ...env,
  });
  const serveAt = (schema: string, index: number) => serve(at.folder, environmentOf(schema, index));

  beforeAll(async () => {
    chain = await startChain();
    escrow = await deployRogueEscrow(chain);
    await emit(chain, escrow.address, events.created(1n));
    await subscribe();
    await chain.testClient.mine({ blocks: 80 });
    at = await place(chain.rpcUrl);
    await writeFile(join(at.folder, "registry.json"), JSON.stringify(registryOf({ a: escrow.address }, 1)));
    // A role of the server, not of the database.
    await postgres.query("DROP ROLE IF EXISTS onlooker");
    await postgres.query("CREATE ROLE onlooker LOGIN PASSWORD 'onlooker' IN ROLE pg_read_all_data");
    const asOnlooker = new URL(postgres.connectionString);
    asOnlooker.username = "onlooker";
    asOnlooker.password = "onlooker";
    onlooker = { DATABASE_URL: asOnlooker.href };
    ports = [];
    for (let count = 0; count < 6; count++) ports.push(await freePort());
    at.env = {
      ...at.env,
      ESCROWS: `${escrow.address}@${escrow.blockNumber}`,
      REGISTRY: "registry.json",
      DATABASE_URL: postgres.connectionString,
      PUBLIC_URL: "https://raises.example",
      DROP_SCHEMAS_AFTER: "5",
      LOG_FORMAT: "json",
    };
    nginx = await startNginx(ports);
    const indexer = run(at.folder, environmentOf(OLD, 0));
    await untilReady(portOf(0));
    old = { indexer, readers: [serveAt(OLD, 1), serveAt(OLD, 2)] };
    await Promise.all(ports.slice(0, 3).map(untilReady));
  });
  afterAll(async () => {
    await nginx?.stop();
  });

  /** Blocks with subscriptions come in, and clients ask, until the work is done. */
  async function underLoad(work: () => Promise<void>): Promise<Answer[]> {
    let isOver = false;
    const { answers } = await under(nginx.port, QUESTIONS, async () => {
      const subscribing = (async () => {
        while (!isOver) {
          await subscribe();
          await sleep(500);
        }
      })();
      await work().finally(() => {
        isOver = true;
      });
      await subscribing;
    });
    return answers;
  }

  /** No request without an answer, and each figure that of the block that it names. */
  function expectRight(answers: Answer[]): void {
    const refused = answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body]);
    expect(refused, nginx.errors()).toEqual([]);
    expect(answers.length).toBeGreaterThan(0);
    const blocks = [...raised.keys()].toSorted((a, b) => Number(b - a));
    let judged = 0;
    for (const { headers, body } of answers) {
      const named = BigInt(`${headers["x-indexed-block"]}`);
      const shown = /"raisedAmount":"(\d+)"/.exec(body)?.[1];
      if (shown === undefined) continue;
      const last = blocks.find((block) => block <= named);
      expect(BigInt(shown), `block ${named}`).toBe(last === undefined ? 0n : raised.get(last));
      judged += 1;
    }
    expect(judged).toBeGreaterThan(0);
  }

  it("gives the same entity tags from each reader, and through nginx to each client", async () => {
    const head = `${await chain.publicClient.getBlockNumber()}`;
    for (const path of [LISTING, "/v1/listings", "/", "/llms.txt", "/openapi.json"]) {
      const direct = await Promise.all(ports.slice(0, 3).map((port) => ask(port, { path })));
      const clients = Array.from({ length: 6 }, (_, client) => client);
      const through = await Promise.all(clients.map((client) => ask(nginx.port, { path }, { client })));
      const tags = [...direct, ...through].map(({ headers }) => headers.etag);
      expect(new Set(tags), path).toEqual(new Set([expect.stringMatching(/^W\//)]));
      const bodies = [...direct, ...through].map(({ body }) => body);
      expect(new Set(bodies).size, path).toBe(1);
      const headers = { "if-none-match": `${tags[0]}` };
      for (const client of clients) {
        expect((await ask(nginx.port, { path }, { client, headers })).status).toBe(304);
      }
    }
    const { headers } = await ask(nginx.port, { path: LISTING });
    expect(headers).toMatchObject({ "x-indexed-block": head, vary: expect.stringContaining("Accept") });
    const packed = await ask(nginx.port, { path: "/v1/listings" }, { headers: { "accept-encoding": "br" } });
    expect(packed.headers["content-encoding"]).toBe("br");
  });

  it("loses no request when a reader is killed", async () => {
    const answers = await underLoad(async () => {
      await sleep(500);
      old.readers[1]?.child.kill("SIGKILL");
      await sleep(2_000);
    });
    old.readers[1] = serveAt(OLD, 2);
    await untilReady(portOf(2));
    expectRight(answers);
  });

  it("loses no request in a rolling restart", async () => {
    const answers = await underLoad(async () => {
      for (const [index, reader] of old.readers.entries()) {
        reader.child.kill("SIGTERM");
        expect(await reader.ended, reader.output()).toBe(0);
        old.readers[index] = serveAt(OLD, index + 1);
        await untilReady(portOf(index + 1));
        await sleep(2_500);
      }
    });
    expectRight(answers);
  });

  it("follows a release by another without a gap, although its first try dies half way", async () => {
    // The old tables stay, as they do for a day.
    const start = () => run(at.folder, environmentOf(NEW, 3, { DROP_SCHEMAS_AFTER: "0" }));
    const answers = await underLoad(async () => {
      const failing = start();
      const readers = [serve(at.folder, environmentOf(NEW, 4, onlooker)), serveAt(NEW, 5)];
      const folded = "Folded the ledger of an earlier version";
      await vi.waitFor(() => expect(failing.output()).toContain(folded), PATIENCE);
      const processes = [failing.child.pid ?? 0, ...descendants(failing.child.pid)];
      for (const pid of processes) process.kill(pid, "SIGKILL");
      await failing.ended;
      expect(failing.output()).not.toContain("Wrote the history");
      await vi.waitFor(() => expect(readers.map(saysItWaits)).toEqual([true, true]), PATIENCE);
      // Longer than what proves a release.
      await sleep(6_000);
      for (const reader of old.readers) expect(reader.child.exitCode, reader.output()).toBeNull();
      expect(await Promise.all(ports.slice(3).map(isListening))).toEqual([false, false, false]);

      const next = start();
      await Promise.all(ports.slice(3).map(untilReady));
      expect(next.output()).toContain(folded);
      for (const { ended, output } of [old.indexer, ...old.readers]) {
        expect(await ended, output()).toBe(0);
        expect(output()).toContain(`"by":"${NEW}"`);
      }
      expect(processes.filter(isAlive)).toEqual([]);
      old = { indexer: next, readers };
      await Promise.all(ports.slice(3).map(untilReady));
    });
    expectRight(answers);
  });

  it("goes back to the release before without a gap, and drops the tables of the one that failed", async () => {
    const answers = await underLoad(async () => {
      const indexer = run(at.folder, environmentOf(OLD, 0));
      const readers = [serveAt(OLD, 1), serveAt(OLD, 2)];
      await Promise.all(ports.slice(0, 3).map(untilReady));
      // Its tables were still there.
      expect(indexer.output()).not.toContain("Wrote the history");
      for (const { ended, output } of [old.indexer, ...old.readers]) {
        expect(await ended, output()).toBe(0);
        expect(output()).toContain(`"by":"${OLD}"`);
      }
      await vi.waitFor(async () => {
        const [left] = await postgres.query(`SELECT to_regnamespace('${NEW}') IS NULL AS gone`);
        expect(left?.gone).toBe(true);
        expect(indexer.output()).toContain("Dropped an old schema");
      }, PATIENCE);
      old = { indexer, readers };
      await Promise.all(ports.slice(0, 3).map(untilReady));
    });
    expectRight(answers);
  });

  it("has readers leave frozen tables soon after a redeploy in place, and serve with the new settings when started again", async () => {
    // With the settings of a new contract the indexer has another schema; separate readers keep the settings of their start.
    old.indexer.child.kill("SIGTERM");
    expect(await old.indexer.ended).toBe(0);
    const next = run(at.folder, environmentOf(NEW, 0, { DROP_SCHEMAS_AFTER: "0" }));
    await untilReady(portOf(0));
    const readyAt = performance.now();
    for (const { ended, output } of old.readers) {
      expect(await ended, output()).toBe(0);
      expect(output()).toContain("Replaced by readers of another release");
    }
    // Not the minute after which a release with fewer readers is taken for complete.
    expect(performance.now() - readyAt).toBeLessThan(45_000);
    const readers = [serveAt(NEW, 1), serveAt(NEW, 2)];
    await Promise.all(ports.slice(0, 3).map(untilReady));
    for (const { child, ended } of [...readers, next]) {
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
    }
  });
});

const saysItWaits = ({ output }: DaemonRun) => output().includes("this one waits");
