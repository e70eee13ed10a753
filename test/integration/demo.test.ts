/** The demo as people start and end it, and as it lives on. What only reads it is in `still-demo.test.ts`. */
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRaisebookClient, type RaisebookClient } from "../../client/index.ts";
import { genesisOf } from "../../demo/market/plan.ts";
import { ACCOUNT_COUNT, playDemoMarket } from "../../demo/market/play.ts";
import { startChain } from "../harness/chain.ts";
import { type DemoProcess, startDemo } from "../harness/demo.ts";
import {
  type DemoPlace,
  expectNothingLeft,
  expectPromises,
  indexedBlockOf,
  listingsOf,
} from "../harness/demo-promises.ts";
import { freePort } from "../harness/free-port.ts";
import { PATIENCE } from "../harness/patience.ts";

let port: number;
let rpcPort: number;
let appPort: number;
let book: RaisebookClient;
let place: DemoPlace;
let ports: string[];

beforeAll(async () => {
  port = await freePort();
  rpcPort = await freePort();
  appPort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  book = createRaisebookClient({ baseUrl: `${url}/v1`, userAgent: "raisebook-tests" });
  place = { url, appUrl: `http://127.0.0.1:${appPort}`, book };
  ports = ["--port", String(port), "--rpc-port", String(rpcPort), "--app-port", String(appPort)];
});

describe("living", () => {
  let demo: DemoProcess;
  beforeAll(async () => {
    demo = startDemo("--seed", "20260301", ...ports);
    await demo.says("Ctrl-C ends everything");
  });
  afterAll(() => {
    demo.process.kill("SIGKILL");
  });

  test("goes on at the pace of real blocks, and the promises hold", async () => {
    const before = { block: await indexedBlockOf(book), rows: await listingsOf(book) };
    await expectPromises(place);
    // The first new raise opens after ten seconds, and may go live some seconds later.
    await demo.says("a new raise");
    await expect
      .poll(async () => (await listingsOf(book)).length, PATIENCE)
      .toBeGreaterThan(before.rows.length);
    const after = { block: await indexedBlockOf(book), rows: await listingsOf(book) };
    expect(after.block - before.block).toBeGreaterThan(8);
    expect(after.rows).not.toEqual(before.rows);
    const known = new Set(before.rows.map(({ publicId }) => publicId));
    const opened = after.rows.find(({ publicId, closeAt }) => !known.has(publicId) && closeAt !== null);
    const hours = (Date.parse(opened?.closeAt ?? "") - Date.parse(opened?.goLiveAt ?? "")) / 3_600_000;
    expect(hours).toBeGreaterThan(2);
    await expectPromises(place);
  });

  test("its clock is the machine's", async () => {
    const difference = async () =>
      Math.abs(Date.now() - Date.parse((await book.get("/health")).indexedAt ?? ""));
    await expect.poll(difference, PATIENCE).toBeLessThan(5_000);
  });

  test("SIGTERM ends every child, with exit code 0", async () => {
    const children = demo.children();
    demo.process.kill("SIGTERM");
    expect(await demo.exited).toBe(0);
    expect(demo.said()).not.toContain("The demo failed");
    await expectNothingLeft([port, rpcPort, appPort], children);
  });
});

describe("starting, on the same ports right after", () => {
  test("Ctrl-C while it prepares ends every child too", async () => {
    for (const moment of ["Playing two years", "Starting the indexer"]) {
      const demo = startDemo(...ports);
      await demo.says(moment);
      const children = demo.children();
      demo.process.kill("SIGINT");
      expect(await demo.exited, moment).toBe(0);
      await expectNothingLeft([port, rpcPort, appPort], children);
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

  test("an option that it does not know is refused, with the one that was probably meant", async () => {
    const demo = startDemo("--prot", "4000");
    expect(await demo.exited).toBe(2);
    expect(demo.said()).toContain("unknown option '--prot'");
    expect(demo.said()).toContain("(Did you mean --port?)");
  });
});

// That another seed gives another market is what the plan says.
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
});
