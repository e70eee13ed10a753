/**
 * The demo: what it promises is asked over HTTP, and it is started and ended as people start and end it.
 */
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRaisebookClient, type Listing, type RaisebookClient } from "../../client/index.ts";
import { startChain } from "../../demo/chain.ts";
import { genesisOf } from "../../demo/market/plan.ts";
import { ACCOUNT_COUNT, playDemoMarket } from "../../demo/market/play.ts";
import { type DemoProcess, isAlive, isListening, startDemo } from "../harness/demo.ts";
import { freePort } from "../harness/free-port.ts";

const POLL = { timeout: 60_000, interval: 200 };

let port: number;
let rpcPort: number;
let appPort: number;
let url: string;
let book: RaisebookClient;
let ports: string[];

beforeAll(async () => {
  port = await freePort();
  rpcPort = await freePort();
  appPort = await freePort();
  url = `http://127.0.0.1:${port}`;
  book = createRaisebookClient({ baseUrl: `${url}/v1`, userAgent: "raisebook-tests" });
  ports = ["--port", String(port), "--rpc-port", String(rpcPort), "--app-port", String(appPort)];
});

async function listings(): Promise<Listing[]> {
  return (await book.get("/listings")).listings;
}

async function indexedBlock(): Promise<number> {
  return Number((await book.get("/health")).indexedBlock);
}

function values(rows: readonly Listing[], field: keyof Listing): Set<unknown> {
  return new Set(rows.map((row) => row[field]));
}

/** What item by item must be true of the demo's market at any moment. */
async function expectPromises(): Promise<void> {
  const rows = await listings();
  expect(rows.length).toBeGreaterThanOrEqual(20);
  expect(values(rows, "originator").size).toBeGreaterThanOrEqual(4);
  expect(values(rows, "status")).toEqual(
    new Set(["listed", "funding", "live", "matured", "refunding", "voided", "cancelled"]),
  );
  expect(values(rows, "pricingMode")).toEqual(new Set(["fixed", "auction"]));
  expect([...values(rows, "originatorGrade")]).toEqual(expect.arrayContaining(["A", "C", "E", "NR"]));
  expect([...values(rows, "repayment")]).toEqual(expect.arrayContaining(["late", "default"]));
  expect(rows.some(({ closeAt }) => closeAt === null)).toBe(true);
  expect(new Set(rows.map(({ refnum }) => String(refnum).slice(0, -5)))).toEqual(new Set(["FL", "RB"]));
  expect(rows.map(({ refnum }) => refnum)).toContain("RB00001");
  expect(values(rows, "escrowAddress").size).toBe(2);
  expect(rows.filter(({ onchainId }) => onchainId === "1")).toHaveLength(2);
  expect(values(rows, "chainId")).toEqual(new Set([97]));
  expect(values(rows, "metadataVerified")).toEqual(new Set([true]));
  expect(values(rows, "originatorVerified")).toEqual(new Set([true]));
  for (const row of rows) {
    expect(row.url).toBe(`${url}/listings/${row.publicId}`);
    expect(row.appUrl).toBe(`http://127.0.0.1:${appPort}/listings/${row.publicId}`);
  }

  const { originators } = await book.get("/originators");
  expect(originators.length).toBeGreaterThanOrEqual(4);
  expect(originators.map(({ ratingGrade }) => ratingGrade)).toEqual(
    expect.arrayContaining(["A", "C", "E", "NR"]),
  );
  const health = await book.get("/health");
  expect(health).toMatchObject({ status: "ok", chainId: 97, unprojectable: 0, anomalies: { total: 0 } });
}

/** Everything is gone: the ports, and each process that the demo had started. */
async function expectNothingLeft(children: readonly number[]): Promise<void> {
  expect(await isListening(port)).toBe(false);
  expect(await isListening(rpcPort)).toBe(false);
  expect(await isListening(appPort)).toBe(false);
  expect(children.filter(isAlive)).toEqual([]);
}

describe("standing still", () => {
  let demo: DemoProcess;
  beforeAll(async () => {
    demo = startDemo("--still", ...ports);
    await demo.says("Ctrl-C ends everything");
  });
  afterAll(() => {
    demo.process.kill("SIGKILL");
  });

  test("keeps every promise, and says where everything is", async () => {
    await expectPromises();
    for (const text of ["Playing two years", "/v1/listings", "/openapi.json", `127.0.0.1:${rpcPort}`]) {
      expect(demo.said()).toContain(text);
    }
    expect((await fetch(`${url}/v1/ready`)).status).toBe(200);
  });

  test("every command of its welcome works", async () => {
    const links = demo.said().match(/http:\/\/127\.0\.0\.1:\d+\/[^\s']+/g) ?? [];
    expect(links.length).toBeGreaterThanOrEqual(6);
    // As a browser asks: one of them is a page for people.
    const headers = { Accept: "text/html, */*;q=0.8" };
    for (const link of new Set(links)) expect((await fetch(link, { headers })).status, link).toBe(200);
  });

  test("its app says that it is a stand-in, and leads back", async () => {
    const [row] = await listings();
    const { status, headers, text } = await fetch(row?.appUrl ?? "").then(async (response) => ({
      ...{ status: response.status, headers: response.headers, text: await response.text() },
    }));
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(text).toContain("This is a stand-in");
    expect(text).toContain(`href="${row?.url}"`);
    expect(demo.said()).toContain(`http://127.0.0.1:${appPort}/ (a stand-in`);
    const wrong = await fetch(`http://127.0.0.1:${appPort}/listings/"><script>`);
    expect(wrong.status).toBe(404);
    expect(await wrong.text()).not.toContain("script");
  });

  test("has traded on its desk, and its statistics are the sums of its listings", async () => {
    const { trading } = await book.get("/listings");
    expect(trading.enabled).toBe(true);
    expect(trading.tradesTotal).toBeGreaterThan(3);
    expect(trading.openOffers).toBeGreaterThan(0);
    expect(trading.listings.every(({ holderCount }) => holderCount !== null && holderCount > 0)).toBe(true);
    const stats = await book.get("/stats");
    const rows = await listings();
    const sum = (field: keyof Listing) =>
      `${rows.reduce((total, row) => total + BigInt(`${row[field]}`), 0n)}`;
    expect(stats).toMatchObject({
      raised: sum("raisedAmount"),
      refunded: sum("refundedAmount"),
      repaid: sum("repaidAmount"),
      outstanding: sum("outstandingPrincipal"),
      reserves: sum("reserveBalance"),
      subscribers: Number(sum("subscriberCount")),
    });
  });

  test("every figure of it is what the contracts say", async () => {
    await fetch(`http://127.0.0.1:${port + 1}/audit`, { method: "POST" });
    await expect
      .poll(() => book.get("/audit"), POLL)
      .toMatchObject({ running: null, last: { status: "ok", findings: [], notAuditable: [] } });
    const { last } = await book.get("/audit");
    expect(last?.listings.length).toBeGreaterThan(40);
  });

  test("a walk through its ledger finds what was raised and repaid", async () => {
    let raised = 0n;
    let repaid = 0n;
    for await (const { events } of book.pages("/events", {
      query: { kind: ["subscribed", "repaid"], limit: 100 },
    })) {
      for (const event of events) {
        if (event.kind === "subscribed") raised += BigInt(event.amount);
        if (event.kind === "repaid") repaid += BigInt(event.principal) + BigInt(event.interest);
      }
    }
    expect(`${repaid}`).toBe((await book.get("/stats")).repaid);
    expect(raised).toBeGreaterThanOrEqual(BigInt((await book.get("/stats")).raised));
  });

  test("GraphQL and the tools say over HTTP what REST says", async () => {
    const post = async (path: string, body: object) => {
      const headers = { "Content-Type": "application/json" };
      const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      expect(response.status).toBe(200);
      return response.json();
    };
    const fields = "publicId status raisedAmount repaidAmount reserveBalance originatorGrade";
    const query = `{ listings(first: 100) { nodes { ${fields} events(first: 3) { nodes { kind txHash logIndex } } } } }`;
    const { data, errors } = await post("/graphql", { query });
    expect(errors).toBeUndefined();
    const rows = await listings();
    expect(data.listings.nodes).toHaveLength(rows.length);
    for (const [index, { events, ...node }] of data.listings.nodes.entries()) {
      expect(rows[index]).toMatchObject(node);
      const path = { id: node.publicId };
      const ledger = await book.get("/listings/{id}/events", { path, query: { limit: 3 } });
      const places = ledger.events.map(({ kind, txHash, logIndex }) => ({ kind, txHash, logIndex }));
      expect(events.nodes).toEqual(places);
    }
    const call = { name: "get_deal", arguments: { id: rows[0]?.publicId } };
    const answer = await post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: call });
    expect(answer.result.structuredContent.deal).toEqual(rows[0]);
  });

  test("mines nothing, and ends at the present", async () => {
    const before = await indexedBlock();
    const { indexedAt } = await book.get("/health");
    expect(Math.abs(Date.now() - Date.parse(indexedAt ?? ""))).toBeLessThan(60_000);
    await sleep(2_500);
    expect(await indexedBlock()).toBe(before);
    expect(before).toBeGreaterThan(500);
  });

  test("a second demo on its ports says which are in use, and starts nothing", async () => {
    const second = startDemo(...ports);
    expect(await second.exited).toBe(1);
    expect(second.said()).toContain(`Port ${port} of the API is in use on 127.0.0.1`);
    expect(second.said()).toContain(`Port ${rpcPort} of the chain is in use on 127.0.0.1`);
    expect(second.said()).not.toContain("Starting");
  });

  test("Ctrl-C ends every child, with exit code 0", async () => {
    const children = demo.children();
    expect(children.length).toBeGreaterThanOrEqual(process.platform === "linux" ? 2 : 0);
    process.kill(-(demo.process.pid ?? 0), "SIGINT");
    expect(await demo.exited).toBe(0);
    expect(demo.said()).not.toContain("The demo failed");
    await expectNothingLeft(children);
  });
});

describe("living, on the same ports right after", () => {
  let demo: DemoProcess;
  beforeAll(async () => {
    demo = startDemo("--seed", "20260301", ...ports);
    await demo.says("Ctrl-C ends everything");
  });
  afterAll(() => {
    demo.process.kill("SIGKILL");
  });

  test("goes on at the pace of real blocks, and the promises hold", async () => {
    const before = { block: await indexedBlock(), rows: await listings() };
    await expectPromises();
    // The first new raise opens after ten seconds, and may go live some seconds later.
    await demo.says("a new raise");
    await expect.poll(async () => (await listings()).length, POLL).toBeGreaterThan(before.rows.length);
    const after = { block: await indexedBlock(), rows: await listings() };
    expect(after.block - before.block).toBeGreaterThan(8);
    expect(after.rows).not.toEqual(before.rows);
    const known = new Set(before.rows.map(({ publicId }) => publicId));
    const opened = after.rows.find(({ publicId, closeAt }) => !known.has(publicId) && closeAt !== null);
    const hours = (Date.parse(opened?.closeAt ?? "") - Date.parse(opened?.goLiveAt ?? "")) / 3_600_000;
    expect(hours).toBeGreaterThan(2);
    await expectPromises();
  });

  test("its clock is the machine's", async () => {
    const { indexedAt } = await book.get("/health");
    expect(Math.abs(Date.now() - Date.parse(indexedAt ?? ""))).toBeLessThan(5_000);
  });

  test("SIGTERM ends every child, with exit code 0", async () => {
    const children = demo.children();
    demo.process.kill("SIGTERM");
    expect(await demo.exited).toBe(0);
    expect(demo.said()).not.toContain("The demo failed");
    await expectNothingLeft(children);
  });
});

describe("starting", () => {
  test("Ctrl-C while it prepares ends every child too", async () => {
    for (const moment of ["Playing two years", "Starting the indexer"]) {
      const demo = startDemo(...ports);
      await demo.says(moment);
      const children = demo.children();
      demo.process.kill("SIGINT");
      expect(await demo.exited, moment).toBe(0);
      await expectNothingLeft(children);
    }
  });

  test("one busy port is enough to refuse", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(rpcPort, "127.0.0.1", resolve));
    const demo = startDemo(...ports);
    expect(await demo.exited).toBe(1);
    expect(demo.said()).toContain(`choose another with --rpc-port`);
    expect(demo.said()).not.toContain("of the API");
    await new Promise((resolve) => server.close(resolve));
  });

  test("an option that it does not know is refused with the usage", async () => {
    const demo = startDemo("--prot", "4000");
    expect(await demo.exited).toBe(2);
    expect(demo.said()).toContain("Unknown option '--prot'");
    expect(demo.said()).toContain("Usage: npm run demo");
  });
});

test("the same seed and end give the same logs on the chain", async () => {
  const now = 1_790_000_000;
  const logs = async (seed: number) => {
    const chain = await startChain({
      genesisTimestamp: genesisOf(now),
      accounts: ACCOUNT_COUNT,
      keptStates: 200,
    });
    const { startBlock } = await playDemoMarket(chain, { seed, now });
    const { timestamp } = await chain.publicClient.getBlock();
    expect(timestamp).toBe(BigInt(now));
    const found = await chain.publicClient.getLogs({ fromBlock: startBlock, toBlock: "latest" });
    await chain.stop();
    // The header of the deployment blocks depends on the machine's clock; what was logged, when and where does not.
    return found.map(({ address, topics, data, blockNumber, logIndex, transactionHash }) => ({
      ...{ address, topics, data, blockNumber, logIndex, transactionHash },
    }));
  };
  const first = await logs(3);
  expect(first.length).toBeGreaterThan(1_000);
  expect(await logs(3)).toEqual(first);
  expect(await logs(4)).not.toEqual(first);
});
