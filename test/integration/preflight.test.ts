import { readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Anvil, createAnvil } from "@viem/anvil";
import { createTestClient, http } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Environment, readSettings } from "../../config/environment.ts";
import { noteChain } from "../../operate/daemon/chain-identity.ts";
import { preflight } from "../../operate/daemon/preflight.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { freePort } from "../harness/free-port.ts";
import { serve } from "../harness/serve.ts";

const ANVIL = fileURLToPath(new URL("../../node_modules/.bin/anvil", import.meta.url));
const REGISTRY = fileURLToPath(new URL("../../registry.example.json", import.meta.url));
const WITH_CODE = `0x${"c0".repeat(20)}` as const;
const UNFOLLOWED = `0x${"5f".repeat(20)}` as const;
const TOKEN = `0x${"70".repeat(20)}` as const;
const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const WITHOUT_CODE = `0x${"d0".repeat(20)}` as const;

async function startChain(chainId = 97) {
  const port = await freePort();
  const anvil = createAnvil({ anvilBinary: ANVIL, port, chainId, startTimeout: 30_000 });
  await anvil.start();
  const client = createTestClient({ mode: "anvil", transport: http(`http://127.0.0.1:${port}`) });
  for (const address of [WITH_CODE, UNFOLLOWED]) await client.setCode({ address, bytecode: "0x00" });
  await client.setCode({ address: TOKEN, bytecode: `0x7f${TRANSFER}00` });
  await client.mine({ blocks: 20 });
  return { anvil, url: `http://127.0.0.1:${port}`, webSocket: `ws://127.0.0.1:${port}` };
}

let chain: { anvil: Anvil; url: string; webSocket: string };
let other: { anvil: Anvil; url: string; webSocket: string };
let port: number;

beforeAll(async () => {
  chain = await startChain();
  other = await startChain(31337);
});
afterAll(async () => {
  await chain.anvil.stop();
  await other.anvil.stop();
});
beforeEach(async () => {
  port = await freePort();
});

/** A node that is none. */
async function impostor(handler: RequestListener): Promise<string> {
  const { url, stop } = await serve(handler);
  onTestFinished(stop);
  return url;
}

/** Nodes that cannot be used, with keys, and what is said of them. */
async function badNodes() {
  const silent = await impostor(() => {});
  const dead = `http://127.0.0.1:${await freePort()}`;
  const page = await impostor((_, response) => response.end("<html>"));
  return {
    // Anvil answers at its root alone, hence no path.
    urls: [silent, other.url, dead, page].map((url) => `${url}?token=secretkey`),
    silent: [
      `at ${silent} did not answer eth_chainId within 2 s`,
      `at ${dead} cannot be reached (ECONNREFUSED)`,
      `at ${page} does not speak JSON-RPC: it answered eth_chainId with something else`,
    ],
    wrong: `at ${other.url} is on chain 31337; expected chain id 97 (CHAIN_ID)`,
  };
}

async function check(env: Environment) {
  const least = {
    RPC_URLS: chain.url,
    ESCROWS: `${WITH_CODE}@1`,
    REGISTRY,
    PORT: String(port),
    RAISEBOOK_DATA_DIR: "memory://",
  };
  const logged: unknown[] = [];
  const options = { timeout: 2_000, env, log: { info: (entry: unknown) => void logged.push(entry) } };
  const { problems, warnings, ...found } = await preflight(readSettings({ ...least, ...env }), options);
  // The listings of the example are not followed here.
  const ofSettings = warnings.filter(({ variable }) => env.REGISTRY !== undefined || variable !== "REGISTRY");
  const warned = ofSettings.map(({ variable, warning }) => `${variable} ${warning}`);
  const lines = problems.map(({ variable, problem }) => `${variable} ${problem}`);
  return { ...found, warned, logged, lines };
}

/** The first figure of this name in the log. */
function loggedIn({ logged }: { logged: unknown[] }, name: string): number | undefined {
  return (logged as Record<string, number>[]).find((entry) => Object.hasOwn(entry, name))?.[name];
}

describe("preflight", () => {
  it("finds nothing wrong, and the head", async () => {
    const everything = { ESCROW_FACTORY: `${WITH_CODE}@0`, DESK: `${WITH_CODE}@20`, WS_URL: chain.webSocket };
    expect(await check(everything)).toMatchObject({
      warned: [],
      lines: [],
      node: { url: chain.url, head: 20, timeout: 2_000 },
    });
  });

  it("reports all problems with the nodes together, and none of their keys", async () => {
    const { urls, silent, wrong } = await badNodes();
    const { lines, warned, node } = await check({ RPC_URLS: urls.join() });
    expect(lines.toSorted()).toEqual([...silent, wrong].map((what) => `RPC_URLS ${what}`).toSorted());
    expect([warned, node]).toEqual([[], null]);

    // Endpoints that do not answer prevent no start while another one does.
    const beside = await check({ RPC_URLS: [...urls, chain.url, chain.url].join() });
    expect(beside.lines).toEqual([`RPC_URLS ${wrong}`]);
    const instead = silent.map((what) => `RPC_URLS ${what}; the others are used until it does`);
    expect(beside.warned.toSorted()).toEqual(instead.toSorted());
    expect(beside.node?.url).toBe(chain.url);
  });

  it("refuses a node that refuses eth_getLogs", async () => {
    const answers: Record<string, unknown> = {
      eth_chainId: { result: "0x61" },
      eth_blockNumber: { result: "0x14" },
    };
    const url = await impostor(async (request, response) => {
      const { method } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { method: string };
      response.end(JSON.stringify(answers[method] ?? { error: { code: -32005, message: "limit exceeded" } }));
    });
    expect((await check({ RPC_URLS: url })).lines).toEqual([
      `RPC_URLS at ${url} refuses eth_getLogs: "limit exceeded"`,
    ]);
  });

  /**
   * A node of a long chain, 2 blocks a second, that gives logs of at most so many blocks at a time.
   * @param delay milliseconds for logs
   * @param hasLogs whether it has the logs of old blocks, each of which has some
   */
  const longChain = (widest: number, delay = 0, hasLogs = true) =>
    impostor(async (request, response) => {
      type Filter = { fromBlock: string; toBlock: string; blockHash?: string; address?: unknown };
      type Asked = { method: string; params: [Filter | string] };
      const { method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Asked;
      const [first] = params;
      const answers: Record<string, () => unknown> = {
        eth_chainId: () => "0x61",
        eth_blockNumber: () => "0x2faf080",
        eth_getCode: () => "0x00",
        eth_getBlockByNumber: () => ({
          hash: "0x00",
          logsBloom: "0x01",
          timestamp: `0x${(Number(first) / 2).toString(16)}`,
        }),
        eth_getLogs: () =>
          typeof first === "object" &&
          (first.blockHash !== undefined || Number(first.toBlock) - Number(first.fromBlock) < widest)
            ? Array(hasLogs && first.address === undefined ? 1 : 0).fill({})
            : null,
      };
      if (method === "eth_getLogs") await sleep(delay);
      const result = answers[method]?.() ?? null;
      const error = { code: -32005, message: `eth_getLogs is limited to ${widest} blocks` };
      response.end(JSON.stringify(result === null ? { error } : { result }));
    });

  it("tells how long a first indexing takes, by the blocks that an endpoint gives at a time, and the calls a day", async () => {
    const [narrow, wide] = [await longChain(10, 200), await longChain(100_000)];
    // 50,000,000 blocks at 10 a call, each of 0.2 s, 4 at the same time: 5,000,000 requests of two calls in 250,000 s.
    const slow = await check({
      ...{ RPC_URLS: narrow, ESCROWS: `${WITH_CODE}@1`, POLLING_INTERVAL: "1000", RPC_CONCURRENCY: "4" },
    });
    expect(slow.lines).toEqual([]);
    const hours = loggedIn(slow, "hours");
    expect(slow.logged).toContainEqual(
      expect.objectContaining({ blocks: 50_000_000, blocksPerCall: 10, calls: 10_000_000, hours }),
    );
    // A busy machine takes longer over them.
    expect(hours).toBeGreaterThan(69);
    expect(hours).toBeLessThan(1_500);
    expect(slow.warned).toContainEqual(
      expect.stringMatching(
        /^RPC_URLS answer eth_getLogs for 10 blocks at a time.* 50000000 blocks takes \d+ hours or more/,
      ),
    );
    const fast = await check({ RPC_URLS: wide, ESCROWS: `${WITH_CODE}@1` });
    expect(fast.logged).toContainEqual(expect.objectContaining({ blocksPerCall: 10_000, calls: 10_000 }));
    expect(fast.warned.join()).not.toContain("RPC_URLS");
    // Two blocks a second are 172,800 a day, each of which is asked for.
    const callsPerDay = loggedIn(fast, "callsPerDay");
    expect(callsPerDay).toBeGreaterThan(172_800);
    expect(callsPerDay).toBeLessThan(2 * 172_800);
    // Between two endpoints the narrow one decides.
    const both = await check({ RPC_URLS: `${wide},${narrow}`, FAST_FORWARD: "false" });
    expect(both.logged).toContainEqual(expect.objectContaining({ blocksPerCall: 10, hours: 34.72 }));
  });

  it("refuses an ETH_GET_LOGS_RANGE that an endpoint does not give", async () => {
    const url = await longChain(100);
    expect((await check({ RPC_URLS: url, ETH_GET_LOGS_RANGE: "100" })).lines).toEqual([]);
    expect((await check({ RPC_URLS: url, ETH_GET_LOGS_RANGE: "101" })).lines).toEqual([
      `ETH_GET_LOGS_RANGE is 101 blocks, and ${url} refuses eth_getLogs: "eth_getLogs is limited to 100 blocks"`,
    ]);
  });

  it("warns of what starts and is probably not meant", async () => {
    const folder = temporaryFolder();
    const registryOf = (escrow: string) => {
      const path = join(folder, `${escrow}.json`);
      const upper = escrow.toUpperCase().replace("X", "x");
      writeFileSync(path, readFileSync(REGISTRY, "utf8").replace(/0x[0-9a-fA-F]{40}/g, upper));
      return path;
    };
    const env = {
      REGISTRY: registryOf(UNFOLLOWED),
      PUBLIC_URL: "https://raises.example",
      RPC_URL: "http://a.example/hunter2",
      RAISEBOOK_DATA_DIR: join(folder, "data"),
    };
    const { lines, warned } = await check(env);
    expect(lines).toEqual([]);
    expect(warned).toEqual([
      "RPC_URL is set, but nothing reads it; did you mean RPC_URLS?",
      "APP_URL is not set: no page says where to subscribe and sign",
      expect.stringMatching(
        `^REGISTRY has \\d+ listings? of the escrow ${UNFOLLOWED}, which is not in ESCROWS`,
      ),
    ]);
    const more = { ESCROW_FACTORY: `${WITH_CODE}@1`, APP_URL: "https://app.raises.example", RPC_URL: "" };
    // The announcements of a factory are known once it is indexed.
    expect((await check({ ...env, ...more })).warned).toEqual([]);
    for (const [address, what] of [
      [WITHOUT_CODE, "where there is no contract"],
      [TOKEN, "which is a token, not a listing escrow"],
    ] as const) {
      expect((await check({ ...env, ...more, REGISTRY: registryOf(address) })).warned).toEqual([
        expect.stringMatching(`^REGISTRY has \\d+ listings? of ${address}, ${what}`),
      ]);
    }
  });

  it("warns of an endpoint that answers for old logs with none", async () => {
    const url = await longChain(100_000, 0, false);
    expect((await check({ RPC_URLS: url })).warned).toEqual([
      `RPC_URLS at ${url} does not have the history: it has no logs of block 1, which has some; a first indexing needs it`,
    ]);
  });

  it("refuses an address with another contract, whichever variable names it", async () => {
    const token = `${TOKEN}@1`;
    expect((await check({ ESCROWS: token, ESCROW_FACTORY: token, DESK: token })).lines).toEqual([
      `ESCROWS names ${TOKEN}, which is a token, not a listing escrow`,
      `ESCROW_FACTORY names ${TOKEN}, which is a token, not an escrow factory`,
      `DESK names ${TOKEN}, which is a token, not a secondary desk`,
    ]);
  });

  it("refuses an address without code, whichever variable names it", async () => {
    const where = `names ${WITHOUT_CODE}, where there is no contract at block 20`;
    const nothing = `${WITHOUT_CODE}@1`;
    const { lines } = await check({
      ESCROWS: `${WITH_CODE}@1,${nothing}`,
      ESCROW_FACTORY: nothing,
      DESK: nothing,
    });
    expect(lines).toEqual([`ESCROWS ${where}`, `ESCROW_FACTORY ${where}`, `DESK ${where}`]);
  });

  it("refuses a start block beyond the head", async () => {
    expect((await check({ ESCROWS: `${WITH_CODE}@21` })).lines).toEqual([
      `ESCROWS starts ${WITH_CODE} at block 21, but the chain's newest block is 20`,
    ]);
  });

  it("asks the WebSocket endpoint too", async () => {
    const wrong = await check({ WS_URL: `${other.webSocket}?token=secretkey` });
    expect(wrong.lines).toEqual([
      `WS_URL at ${other.webSocket} is on chain 31337; expected chain id 97 (CHAIN_ID)`,
    ]);
    const dead = `ws://127.0.0.1:${await freePort()}`;
    const silent = (await impostor(() => {})).replace("http", "ws");
    for (const [url, what] of [
      [dead, "cannot be reached"],
      [silent, "did not answer eth_chainId within 2 s"],
    ]) {
      expect(await check({ WS_URL: url })).toMatchObject({
        lines: [],
        warned: [`WS_URL at ${url} ${what}; new blocks are polled for until the next start`],
        hasWebSocket: false,
      });
    }
    expect(await check({ WS_URL: chain.webSocket })).toMatchObject({ warned: [], hasWebSocket: true });
  });

  it("reports the registry, the knowledge base and the port beside the chain", async () => {
    const busy = await impostor(() => {});
    const { lines } = await check({
      RPC_URLS: other.url,
      REGISTRY: "./nowhere.json",
      KNOWLEDGE: "./no-pages",
      PORT: new URL(busy).port,
      OPERATOR_PORT: String(port),
    });
    expect(lines).toHaveLength(4);
    expect(lines[1]).toBe(
      "REGISTRY cannot be used (./nowhere.json):\n    - the registry file does not exist",
    );
    expect(lines[2]).toBe(
      'KNOWLEDGE cannot be used (./no-pages):\n    - the folder "./no-pages" does not exist',
    );
    expect(lines[3]).toContain("something is already listening on");
  });
});

describe("the chain of a data directory", () => {
  let directory: string;
  beforeEach(() => {
    directory = temporaryFolder();
  });

  async function note(env: Environment): Promise<void> {
    const { node, lines } = await check(env);
    expect(lines).toEqual([]);
    if (!node) throw new Error("no node");
    await noteChain(readSettings({ RPC_URLS: chain.url, ESCROWS: `${WITH_CODE}@1`, REGISTRY, ...env }), node);
  }

  it("is noted, known again, and refused when another chain has its id", async () => {
    const env = { RAISEBOOK_DATA_DIR: join(directory, "data") };
    await note(env);
    expect((await check(env)).lines).toEqual([]);

    // Anvil's first block carries the second in which it was started.
    await sleep(1_100);
    const restarted = await startChain();
    try {
      const again = await check({ ...env, RPC_URLS: restarted.url });
      expect(again.lines).toHaveLength(1);
      expect(again.lines[0]).toContain("RAISEBOOK_DATA_DIR holds data of another chain");
    } finally {
      await restarted.anvil.stop();
    }
  });

  it("is noted again when the note cannot be read", async () => {
    const file = join(directory, "chain.json");
    writeFileSync(file, "{");
    await note({ RAISEBOOK_DATA_DIR: directory });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ chainId: 97, blockNumber: 0 });
  });
});
