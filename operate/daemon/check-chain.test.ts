import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { probeEndpoints } from "./check-chain.ts";

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A node that answers for this chain, with twenty blocks and no logs. */
async function nodeOf(chainId: string, errorByHash?: string): Promise<string> {
  const answers: Record<string, unknown> = {
    eth_chainId: chainId,
    eth_blockNumber: "0x14",
    eth_getBlockByNumber: { hash: "0xa" },
    eth_getLogs: [],
  };
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const { method, params } = asked as { method: string; params: [{ blockHash?: string }] };
    const isRefused = errorByHash !== undefined && params[0]?.blockHash !== undefined;
    const answer = isRefused
      ? { error: { code: -32602, message: errorByHash } }
      : { result: answers[method] };
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...answer }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("takes nodes of the configured chain alone, and names the others with the chain that they are on", async () => {
  const urls = [await nodeOf("0x61"), await nodeOf("0x38")];
  const settings = readSettings({
    RPC_URLS: urls.join(),
    ESCROWS: `0x${"c0".repeat(20)}@1`,
    REGISTRY: "registry.json",
  });
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
  const url = await nodeOf("0x61", "blockHash is not supported");
  const settings = readSettings({
    ...{ RPC_URLS: url, ESCROWS: `0x${"c0".repeat(20)}@1`, REGISTRY: "registry.json" },
  });
  const { nodes, problems } = await probeEndpoints(settings, 5_000);
  expect(nodes).toEqual([]);
  expect(problems).toMatchObject([
    {
      variable: "RPC_URLS",
      problem: `at ${url} refuses eth_getLogs: "blockHash is not supported", asked for the logs of one block by its blockHash: it has the history, but new blocks could not be indexed`,
      remedy: "Name an endpoint whose eth_getLogs takes blockHash (EIP-234).",
    },
  ]);
});
