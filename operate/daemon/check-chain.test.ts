import { expect, it, onTestFinished } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { serve } from "../../test/harness/serve.ts";
import { checkContracts, probeEndpoints } from "./check-chain.ts";

type Faults = {
  /** what it says of logs by the hash of a block */
  errorByHash?: string;
  /** the method to which it answers with this HTTP status, or not at all */
  failsAt?: string;
  status?: number;
  head?: string;
};

/** A node that answers for this chain, with twenty blocks and no logs. */
async function nodeOf(
  chainId: string,
  { errorByHash, failsAt, status, head = "0x14" }: Faults = {},
): Promise<string> {
  const answers: Record<string, unknown> = {
    eth_chainId: chainId,
    eth_blockNumber: head,
    eth_getBlockByNumber: { hash: "0xa" },
    eth_getLogs: [],
    eth_getCode: "0x00",
  };
  const { url, stop } = await serve(async (request, response) => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const { method, params } = asked as { method: string; params: [{ blockHash?: string }] };
    if (method === failsAt) {
      if (status !== undefined) response.writeHead(status).end();
      return;
    }
    const isRefused = errorByHash !== undefined && params[0]?.blockHash !== undefined;
    const answer = isRefused
      ? { error: { code: -32602, message: errorByHash } }
      : { result: answers[method] };
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...answer }));
  });
  onTestFinished(stop);
  return url;
}

const settingsOf = (urls: readonly string[]) =>
  readSettings({
    ...{ RPC_URLS: urls.join(), ESCROWS: `0x${"c0".repeat(20)}@1`, REGISTRY: "registry.json" },
  });

it("takes nodes of the configured chain alone, and names the others with the chain that they are on", async () => {
  const urls = [await nodeOf("0x61"), await nodeOf("0x38")];
  const settings = settingsOf(urls);
  const { nodes, problems } = await probeEndpoints(settings, 5_000);
  expect(nodes).toEqual([{ url: urls[0], head: 20, timeout: 5_000 }]);
  expect(problems.map(({ variable, problem }) => `${variable} ${problem}`)).toEqual([
    `RPC_URLS at ${urls[1]} is on chain 56; expected chain id 97 (CHAIN_ID)`,
  ]);
  expect(problems[0]?.remedy).toBe(
    "Name an endpoint of chain 97, or set CHAIN_ID=56 if the contracts are on that chain.",
  );
  const there = await probeEndpoints({ ...settings, chainId: 56 }, 5_000);
  expect(there.nodes.map(({ url }) => url)).toEqual([urls[1]]);
});

it("refuses a node without the logs of a block by its hash, and says what that is needed for", async () => {
  const url = await nodeOf("0x61", { errorByHash: "blockHash is not supported" });
  const { nodes, problems } = await probeEndpoints(settingsOf([url]), 5_000);
  expect(nodes).toEqual([]);
  expect(problems).toMatchObject([
    {
      variable: "RPC_URLS",
      problem: `at ${url} refuses eth_getLogs: "blockHash is not supported", asked for the logs of one block by its blockHash: it has the history, but new blocks could not be indexed`,
      remedy: "Name an endpoint whose eth_getLogs takes blockHash (EIP-234).",
    },
  ]);
});

it.each([
  ["fails", { failsAt: "eth_getLogs", status: 502 }],
  ["limits its rate", { failsAt: "eth_getLogs", status: 429 }],
  ["does not answer in time", { failsAt: "eth_blockNumber" }],
])("starts with another node where one %s for the moment", async (_what, faults) => {
  const urls = [await nodeOf("0x61", faults), await nodeOf("0x61")];
  const { nodes, problems, warnings } = await probeEndpoints(settingsOf(urls), 500);
  expect(nodes.map(({ url }) => url)).toEqual([urls[1]]);
  expect(problems).toEqual([]);
  expect(warnings).toMatchObject([
    { variable: "RPC_URLS", warning: expect.stringContaining(`at ${urls[0]}`) },
  ]);
  expect((await probeEndpoints(settingsOf(urls.slice(0, 1)), 500)).problems).toHaveLength(1);
});

it("asks the next node for the contracts where the most advanced one fails", async () => {
  const urls = [
    await nodeOf("0x61"),
    await nodeOf("0x61", { failsAt: "eth_getCode", status: 502, head: "0x15" }),
  ];
  const settings = settingsOf(urls);
  const { nodes } = await probeEndpoints(settings, 500);
  expect(nodes.map(({ head }) => head)).toEqual([21, 20]);
  expect(await checkContracts(settings, nodes)).toEqual([]);
  expect(await checkContracts(settings, nodes.slice(0, 1))).toMatchObject([
    { variable: "ESCROWS", problem: expect.stringContaining("502") },
  ]);
});
