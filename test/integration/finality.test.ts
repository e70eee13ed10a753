/** Finality follows the chain's `finalized` block through everything that block can do, on both databases. */
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { emit, events } from "../harness/emit.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { PATIENCE } from "../harness/patience.ts";
import { startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type RpcProxy, startRpcProxy } from "../harness/rpc-proxy.ts";
import { type Service, startService } from "../harness/service.ts";

/** Blocks from the chain's `finalized` block to its head, and below the head what is final without that block. */
const TRAIL = 4;
const DEPTH = 240;

type Health = {
  status: string;
  troubles: { code: string }[];
  indexedBlock: string;
  finalizedBlock: string;
  finality: { source: string; lagBlocks: number } | null;
};
type Event = { blockNumber: string; txHash: string; logIndex: number; finality: "pending" | "final" };

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function placeOf(database: string): Promise<{ dataDirectory?: string; env?: Record<string, string> }> {
  if (database === "embedded") {
    return { dataDirectory: join(temporaryFolder(), "data") };
  }
  const postgres = await startPostgres();
  ends.push(() => postgres.stop());
  return { env: { DATABASE_URL: postgres.connectionString, DATABASE_SCHEMA: "finality" } };
}

const rawBlock = (chain: LocalChain, block: bigint) =>
  chain.publicClient.request({
    method: "eth_getBlockByNumber",
    params: [`0x${block.toString(16)}`, false],
  });

/** From now on the endpoint names this block as the chain's `finalized` one, or none. */
function say(proxy: RpcProxy, final: object | null): void {
  proxy.answers = ({ method, params }) =>
    method === "eth_getBlockByNumber" && params?.[0] === "finalized" ? final : undefined;
}

test.each(["PostgreSQL", "embedded"])("on the database that is %s", async (database) => {
  const chain = await startChain({ genesisTimestamp: 1_600_000_000, finalityDepth: TRAIL });
  ends.push(() => chain.stop());
  const proxy = await startRpcProxy(chain.rpcUrl);
  ends.push(() => proxy.stop());
  const place = await placeOf(database);
  const escrow = await deployRogueEscrow(chain);
  let raised = 0n;
  const subscribe = async () => {
    raised += 1n;
    await emit(chain, escrow.address, events.subscribed(1n, 1n, raised));
  };
  const mine = (blocks: number) => chain.testClient.mine({ blocks });
  const head = () => chain.publicClient.getBlockNumber();
  await emit(chain, escrow.address, events.created(1n));
  await mine(40);

  const start = (): Promise<Service> =>
    startService({
      ...place,
      rpcUrl: proxy.url,
      escrows: [`${escrow.address}@${escrow.blockNumber}`],
      registry: registryOf({ a: escrow.address }, 1),
    });
  let service = await start();
  ends.push(() => service.stop());
  const health = () => service.json<Health>("/v1/health");
  const shown = async () => (await service.json<{ events: Event[] }>("/v1/events?limit=200")).events;
  const becomes = (state: object) =>
    vi.waitFor(async () => expect(await health()).toMatchObject(state), PATIENCE);
  /** Waits until the service has what the chain has, each row final up to this block and no further. */
  const isThere = async (finalized: bigint) => {
    const logs = await chain.publicClient.getLogs({ address: escrow.address, fromBlock: 0n });
    const expected = logs.map(({ blockNumber, transactionHash, logIndex }) => ({
      ...{ blockNumber: `${blockNumber}`, txHash: transactionHash, logIndex },
      finality: blockNumber <= finalized ? "final" : "pending",
    }));
    await becomes({ finalizedBlock: `${finalized}` });
    await vi.waitFor(async () => expect((await shown()).toReversed()).toMatchObject(expected), PATIENCE);
    expect(await health()).toMatchObject({ finalizedBlock: `${finalized}` });
  };

  // The chain's own block, at once.
  await subscribe();
  await mine(TRAIL);
  await subscribe();
  const final = (await head()) - BigInt(TRAIL);
  await becomes({
    status: "ok",
    finalizedBlock: `${final}`,
    finality: { source: "finalized", lagBlocks: TRAIL },
  });
  await isThere(final);

  // It stands still, and goes backwards.
  say(proxy, await rawBlock(chain, final));
  for (let block = 0; block < 4; block++) {
    await mine(49);
    await subscribe();
  }
  await service.indexed(await head());
  await isThere(final);
  say(proxy, await rawBlock(chain, final - 3n));
  await service.says("goes backwards");
  await isThere(final);

  // Two hundred blocks are reorganised away, with all events in them.
  await chain.testClient.request({ method: "anvil_reorg", params: [200, []] } as never);
  raised = 2n;
  await subscribe();
  await mine(2);
  await subscribe();
  await isThere(final);
  expect(service.log.join("\n")).not.toContain("unrecoverable");

  // It stands still for longer than the depth.
  await mine(60);
  await becomes({
    status: "degraded",
    troubles: [{ code: "finality_stalled" }],
    finality: { source: "depth", lagBlocks: DEPTH },
  });
  await isThere((await head()) - BigInt(DEPTH));
  expect(service.log.join("\n")).toContain(`"endpoints":"${new URL(proxy.url).host}"`);

  // A restart withdraws nothing that was final, though it can take back more.
  const before = (await head()) - BigInt(DEPTH);
  await service.stop();
  service = await start();
  await isThere(before);
  // An endpoint without the tag is no trouble.
  say(proxy, null);
  await service.stop();
  service = await start();
  await mine(1);
  await becomes({ status: "ok", finality: { source: "depth", lagBlocks: DEPTH } });
  await isThere(before + 1n);

  // The chain's own block again.
  proxy.answers = null;
  await becomes({ status: "ok", finality: { source: "finalized", lagBlocks: TRAIL } });
  await isThere((await head()) - BigInt(TRAIL));
});
