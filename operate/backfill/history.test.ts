import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { createChainClient } from "../../chain/client.ts";
import { blockAt } from "./history.ts";

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** An endpoint over nodes in turn, each of which has the blocks up to one. */
async function startEndpoint(heads: readonly number[]): Promise<string> {
  let asked = 0;
  const server = createServer(async (request, response) => {
    const { id, params } = JSON.parse(await text(request)) as { id: number; params: [string] };
    const head = heads[asked++ % heads.length] ?? 0;
    const block = { number: params[0], hash: "0xa", parentHash: "0xb", timestamp: "0x1" };
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: Number(params[0]) > head ? null : block }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  ["the next endpoint", [[4], [5]]],
  ["another node behind the same URL", [[4, 4, 5]]],
])("finds a block that an endpoint does not have yet at %s", async (_where, nodes) => {
  const client = createChainClient({ urls: await Promise.all(nodes.map(startEndpoint)), concurrency: 1 });
  expect(await blockAt(client, 5, 1)).toMatchObject({ number: "0x5" });
});

it("says so where none has it", async () => {
  const client = createChainClient({ urls: [await startEndpoint([4])], concurrency: 1 });
  await expect(blockAt(client, 5, 1)).rejects.toThrow("the endpoints have no block 5");
});
