/**
 * Keys and passwords of every URL in the configuration, against upstreams that fail in every way: nothing that the
 * service writes or answers has a piece of one, nor has the command line of a process.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readSettings } from "../../config/environment.ts";
import type { Deployment } from "../../demo/deploy.ts";
import { startIndexer } from "../../operate/daemon/indexer.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { emit, events } from "../harness/emit.ts";
import { freePort } from "../harness/free-port.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { serve as startServer } from "../harness/serve.ts";
import { startService } from "../harness/service.ts";

/** Stands in each secret, and nowhere else. */
const MARK = "zq7Q";
const secret = (name: string) => `${name}${MARK}0123456789`;
/** With what must be escaped in a URL, in JSON and in a pattern. */
const PASSWORD = `p"a\\s$s/ ${MARK}`;
const userInfo = `${secret("user")}:${encodeURIComponent(PASSWORD)}`;

/** How an upstream fails, by turns. Some repeat the URL that they were asked for. */
const failures: RequestListener[] = [
  (_, response) => response.writeHead(500).end("down"),
  (request, response) =>
    response.writeHead(500).end(JSON.stringify({ error: { message: `at ${request.url}` } })),
  (request, response) => response.writeHead(429).end(`Too many requests to ${request.url}`),
  (request, response) =>
    response.writeHead(401).end(JSON.stringify({ key: secret("path"), url: request.url })),
  (request, response) => {
    const message = `key ${secret("path")} of http://${request.headers.host}${request.url} is over its limit`;
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32005, message } }));
  },
  (request, response) => response.end(`<html>${request.url}`),
  (_, response) => response.end('"garbage"'),
  (request) => request.socket.destroy(),
  (_, response) => void response.write("{"),
];

const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

async function serve(handler: RequestListener): Promise<string> {
  const { port, stop } = await startServer(handler);
  stops.push(stop);
  return `127.0.0.1:${port}`;
}

let chain: LocalChain;
let postgres: Postgres;
let escrow: Deployment;
let upstream: string;
let registryServer: string;
let broken = false;
let turn = 0;
const failByTurns: RequestListener = (request, response) =>
  failures[turn++ % failures.length]?.(request, response);

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startChain(), startPostgres()]);
  escrow = await deployRogueEscrow(chain);
  await emit(chain, escrow.address, events.created(1n));
  await postgres.query(`CREATE ROLE teller LOGIN SUPERUSER PASSWORD '${PASSWORD}'`);
  upstream = await serve(async (request, response) => {
    if (broken) return failByTurns(request, response);
    const body = Buffer.concat(await request.toArray());
    const answer = await fetch(chain.rpcUrl, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    response.end(await answer.text());
  });
  const registry = JSON.stringify(registryOf({ a: escrow.address }));
  registryServer = await serve((request, response) => {
    if (broken) failByTurns(request, response);
    else response.end(registry);
  });
});

/** Every URL of the configuration, each with a secret wherever one may stand. */
function secretEnvironment() {
  const { port, pathname } = new URL(postgres.connectionString);
  return {
    RPC_URLS: `http://${upstream}/v2/${secret("path")}?token=${secret("query")}`,
    WS_URL: `ws://${userInfo}@${upstream}/${secret("socket")}`,
    REGISTRY: `http://${userInfo}@${registryServer}/${secret("registry")}/registry.json?key=${secret("document")}`,
    DATABASE_URL: `postgresql://teller:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}${pathname}`,
  };
}

const marked = (texts: readonly string[]) =>
  texts.filter((text) => text.toLowerCase().includes(MARK.toLowerCase()));

/** The command line of every process, as every user of the machine can see it. */
function commandLines(): string[] {
  if (!existsSync("/proc/self/cmdline"))
    return execFileSync("ps", ["-A", "-ww", "-o", "args="], { encoding: "utf8" }).split("\n");
  return readdirSync("/proc").flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")] : [];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

test("the log, the answers, the pages and the command line of a service whose upstreams fail", async () => {
  const service = await startService({
    rpcUrl: "",
    registry: {},
    escrows: [`${escrow.address}@${escrow.blockNumber}`],
    // With every repetition and every stack.
    env: { ...secretEnvironment(), LOG_LEVEL: "debug" },
  });
  const head = await emit(chain, escrow.address, events.created(2n));
  await service.indexed(head);
  const commands = commandLines();
  expect(commands.join("\n")).toContain("operate/backfill/main.mjs start");
  expect(marked(commands)).toEqual([]);

  broken = true;
  const answers: string[] = [];
  const paths = [
    "/v1/health",
    "/v1/listings?asOf=3",
    "/v1/audit",
    "/graphql?query={health{status,registry{status}}}",
    "/",
    "/system",
    "/system/badge.svg",
    "/feed.atom",
    "/calendar.ics",
    "/share.png",
    "/metrics",
    "/nowhere",
  ];
  await fetch(`${service.url}/v1/audit`, { method: "POST" });
  const ask = async () => {
    for (const path of paths) answers.push((await service.get(path, { accept: "*/*" })).text);
    for (const path of ["/metrics", "/status", "/audit"])
      answers.push(await (await fetch(`${service.operatorUrl}${path}`)).text());
  };
  await ask();
  // Each failure has to be met. Ponder gives a request ten seconds; which request meets which failure is chance.
  const met = (told: readonly string[]) =>
    vi.waitFor(() => {
      const log = service.log.join("\n");
      expect(told.filter((one) => !log.includes(one))).toEqual([]);
    }, PATIENCE);
  await met(["Status: 500", "Status: 429", "exceeds defined limit", "took too long", "WebSocket"]);
  await ask();
  await postgres.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'teller'");
  await met(["Postgres"]);
  await ask();
  const code = await service.stop();
  expect(code).toBe(0);
  for (const one of ["ponder_version_info", "<feed", "BEGIN:VCALENDAR", "\uFFFDPNG", '"data":{"health"'])
    expect(
      answers.some((answer) => answer.includes(one)),
      one,
    ).toBe(true);
  expect(marked(service.log)).toEqual([]);
  expect(marked(answers)).toEqual([]);
});

test("the last words of an indexer that its database refuses", async () => {
  broken = false;
  const { DATABASE_URL, ...rest } = secretEnvironment();
  const lines: string[] = [];
  const settings = readSettings({
    ...rest,
    DATABASE_URL: DATABASE_URL.replace("@", `${secret("wrong")}@`),
    ESCROWS: `${escrow.address}@${escrow.blockNumber}`,
    PORT: String(await freePort()),
  });
  const indexer = startIndexer({ settings, onLog: (line) => lines.push(line) });
  stops.push(() => indexer.stop());
  const told = () => expect(lines.join("\n")).toContain("Failed database query");
  // It would try for a minute.
  await vi.waitFor(told, PATIENCE);
  expect(await indexer.stop()).toBe(0);
  expect(marked(lines)).toEqual([]);
});
