/**
 * Several RPC endpoints that do not say the same: seen, named, and nothing that they disagree on is served as final. By the
 * comparison itself over endpoints that lie, fall silent and come back, and by a service that starts again with one that lies.
 */

import { join } from "node:path";
import { drizzle } from "drizzle-orm/pglite";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { type Deployment, deployDollar, deployEscrow, deployFactory } from "../../demo/deploy.ts";
import { ledgerKey } from "../../operate/backfill/earlier.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { comparisonOf } from "../harness/comparison.ts";
import { emit, events } from "../harness/emit.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { createHistory, type History } from "../harness/history/history.ts";
import { checkpointAt } from "../harness/ledger-table.ts";
import { PATIENCE } from "../harness/patience.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { type RpcProxy, startRpcProxy } from "../harness/rpc-proxy.ts";
import { type Service, type ServiceOptions, startService } from "../harness/service.ts";

const hostOf = ({ url }: RpcProxy) => new URL(url).host;
/** Keeps the logs of a block back. */
const hide = (proxy: RpcProxy, block: bigint) => {
  proxy.alters = (logs) => logs.filter(({ blockNumber }) => BigInt(blockNumber) !== block);
};

/** As Ponder has it, but its address. */
const FACTORY = { id: "log_factory", sourceId: "Escrow", type: "log", chainId: 97 };

describe("the comparison", () => {
  const { $client } = drizzle();
  let chain: LocalChain;
  let escrow: Deployment;
  let proxies: RpcProxy[];
  let subscribed: bigint[];

  beforeAll(async () => {
    chain = await startChain({ genesisTimestamp: 1_600_000_000 });
    escrow = await deployRogueEscrow(chain);
    const listed = [events.created(1n), ...[5n, 10n, 15n].map((total) => events.subscribed(1n, 5n, total))];
    const blocks: bigint[] = [];
    for (const event of listed) blocks.push(await emit(chain, escrow.address, event));
    subscribed = blocks.slice(1);
    await chain.testClient.mine({ blocks: 5 });
    proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(chain.rpcUrl)));
  });
  beforeEach(async () => {
    for (const proxy of proxies) proxy.alters = proxy.refuses = proxy.answers = null;
    await $client.exec(`DROP SCHEMA IF EXISTS earlier CASCADE; DROP SCHEMA IF EXISTS one CASCADE; CREATE SCHEMA one;
      CREATE TABLE one._ponder_checkpoint (finalized_checkpoint text);
      CREATE TABLE one.event_block (number numeric);
      INSERT INTO one.event_block VALUES (${subscribed.join("), (")})`);
  });
  afterAll(async () => {
    await $client.close();
    await Promise.all((proxies ?? []).map((proxy) => proxy.stop()));
    await chain?.stop();
  });

  const settingsOf = (count: number, factory: Deployment | null = null) =>
    readSettings({
      ESCROW_FACTORY: factory === null ? "" : `${factory.address}@${factory.blockNumber}`,
      RPC_URLS: proxies
        .slice(0, count)
        .map(({ url }) => url)
        .join(),
      ESCROWS: `${escrow.address}@${escrow.blockNumber}`,
      REGISTRY: "registry.json",
    });

  /** Over so many endpoints, once the chain has become final up to its head. */
  async function comparing(count: number, missingAfter = 300_000, factory: Deployment | null = null) {
    const settings = settingsOf(count, factory);
    const { compareAll, becomesFinal, lines } = await comparisonOf(
      { client: $client, chain, settings, factory: factory && { ...FACTORY, address: factory.address } },
      { patience: 300, missingAfter },
    );
    const noted = async () => {
      const { rows } = await $client.query<{ agreed: string | null; disputed: number | null }>(
        "SELECT agreed_checkpoint AS agreed, disputed_block AS disputed FROM one._ponder_checkpoint",
      );
      const { agreed = null, disputed = null } = rows[0] ?? {};
      return {
        agreed: agreed === null ? null : blockOf(agreed).number,
        disputed: disputed === null ? null : BigInt(disputed),
      };
    };
    const compared = async () => ({ outcome: await compareAll(), ...(await noted()) });
    return { compared, becomesFinal, noted, lines };
  }
  const head = () => chain.publicClient.getBlockNumber();

  test("goes on to what is final where all say the same", async () => {
    const { compared, lines } = await comparing(3);
    expect(await compared()).toEqual({ outcome: "done", agreed: await head(), disputed: null });
    expect(lines).toEqual([]);
  });

  test("stops before what one keeps back, names both sides once, and goes on when they agree again", async () => {
    const { compared, lines } = await comparing(3);
    const [, second = 0n] = subscribed;
    const [first, liar, third] = proxies as [RpcProxy, RpcProxy, RpcProxy];
    hide(liar, second);
    for (let look = 0; look < 2; look++)
      expect(await compared()).toEqual({ outcome: "disputed", agreed: second - 1n, disputed: second });
    expect(lines).toMatchObject([
      {
        level: "error",
        block: Number(second),
        sides: `${hostOf(first)}, ${hostOf(third)} | ${hostOf(liar)}`,
      },
    ]);
    // Silence is no agreement, and neither is another lie.
    first.refuses = third.refuses = () => ({ status: 503 });
    expect(await compared()).toMatchObject({ outcome: "unanswered", agreed: second - 1n, disputed: second });
    first.refuses = null;
    liar.alters = (logs) => logs.map((log) => ({ ...log, data: `0x${"00".repeat(32)}` }));
    expect(await compared()).toMatchObject({ outcome: "disputed", agreed: second - 1n, disputed: second });
    liar.alters = null;
    expect(await compared()).toEqual({ outcome: "done", agreed: await head(), disputed: null });
    expect(lines.at(-1)).toMatchObject({ level: "info", block: Number(second) });
    expect(lines).toHaveLength(2);
  });

  test("names an endpoint whose logs have no index, once, and agrees on nothing with it", async () => {
    const { compared, lines } = await comparing(2);
    const [, liar] = proxies as [RpcProxy, RpcProxy];
    liar.alters = (logs) => logs.map((log) => ({ ...log, logIndex: "" }));
    for (let look = 0; look < 2; look++) expect(await compared()).toMatchObject({ outcome: "unanswered" });
    expect(lines).toMatchObject([
      { level: "warn", endpoint: hostOf(liar), error: expect.stringContaining('its logIndex is ""') },
    ]);
    liar.alters = null;
    expect(await compared()).toMatchObject({ outcome: "done", agreed: await head() });
  });

  test("follows an escrow that was announced before its start, and that Ponder has saved since", async () => {
    const [factory, child] = [await deployRogueEscrow(chain), await deployRogueEscrow(chain)];
    await emit(chain, factory.address, events.deployed(child.address));
    const { id: _, sourceId: __, ...rest } = { ...FACTORY, address: factory.address };
    await $client.exec(`DROP SCHEMA IF EXISTS ponder_sync CASCADE; CREATE SCHEMA ponder_sync;
      CREATE TABLE ponder_sync.factories (id int, factory jsonb);
      CREATE TABLE ponder_sync.factory_addresses (factory_id int, address text, block_number numeric);
      INSERT INTO ponder_sync.factories VALUES (1, '${JSON.stringify(rest)}')`);
    const { compared, becomesFinal } = await comparing(2, undefined, factory);
    const until = await head();
    // An earlier process has compared the block of the announcement, which was final by its depth.
    await $client.query("UPDATE one._ponder_checkpoint SET agreed_checkpoint = finalized_checkpoint");
    const compareNext = async (block: bigint) => {
      await $client.exec(`INSERT INTO one.event_block VALUES (${block})`);
      await becomesFinal();
      return compared();
    };
    const own = await emit(chain, escrow.address, events.subscribed(1n, 5n, 20n));
    expect(await compareNext(own)).toMatchObject({ outcome: "done", agreed: own });
    await $client.exec(
      `INSERT INTO ponder_sync.factory_addresses VALUES (1, '${child.address.toLowerCase()}', ${until})`,
    );
    const created = await emit(chain, child.address, events.created(1n));
    const [, liar] = proxies as [RpcProxy, RpcProxy];
    hide(liar, created);
    expect(await compareNext(created)).toMatchObject({ outcome: "disputed", disputed: created });
  });

  test("waits for more blocks while no row is in them", async () => {
    const { compared } = await comparing(2);
    await $client.exec("DELETE FROM one.event_block");
    expect(await compared()).toEqual({ outcome: "done", agreed: 0n, disputed: null });
    await chain.testClient.mine({ blocks: 30 });
    expect(await (await comparing(2)).compared()).toMatchObject({ agreed: await head() });
  });

  test("sees another block of the same number, without any event", async () => {
    const { compared, lines } = await comparing(2);
    const newest = `0x${(await head()).toString(16)}`;
    const block = await chain.publicClient.request({
      method: "eth_getBlockByNumber",
      params: [newest, false] as never,
    });
    const [, liar] = proxies as [RpcProxy, RpcProxy];
    liar.answers = ({ method, params }) =>
      method === "eth_getBlockByNumber" && params?.[0] === newest
        ? { ...(block as object), hash: `0x${"ab".repeat(32)}` }
        : undefined;
    const newer = await head();
    expect(await compared()).toEqual({ outcome: "disputed", agreed: newer - 1n, disputed: newer });
    expect(lines).toHaveLength(1);
  });

  test("waits for an endpoint that does not answer, and for a while only", async () => {
    const [, silent] = proxies as [RpcProxy, RpcProxy];
    silent.refuses = () => ({ status: 503 });
    const waiting = await comparing(2);
    expect(await waiting.compared()).toEqual({ outcome: "unanswered", agreed: 0n, disputed: null });
    const patientNoMore = await comparing(2, 0);
    expect(await patientNoMore.compared()).toMatchObject({ outcome: "done", agreed: await head() });
    expect(patientNoMore.lines).toMatchObject([{ level: "warn", endpoint: hostOf(proxies[0] as RpcProxy) }]);
    // With three the other two are enough.
    const three = await comparing(3);
    expect(await three.compared()).toMatchObject({ outcome: "done", agreed: await head() });
    expect(three.lines).toEqual([]);
  });

  test("has nothing final yet when a second endpoint comes, and nothing to say when it goes", async () => {
    const first = await comparing(1);
    expect(await first.noted()).toEqual({ agreed: null, disputed: null });
    const second = await comparing(2);
    expect(await second.noted()).toEqual({ agreed: 0n, disputed: null });
    expect(await second.compared()).toMatchObject({ agreed: await head() });
    const third = await comparing(1);
    expect(await third.noted()).toEqual({ agreed: null, disputed: null });
  });

  test.each([
    ["the same contracts", true, 3n],
    ["others", false, 0n],
  ])("begins where an earlier schema of %s was", async (_, isSame, block) => {
    const agreed = checkpointAt({ time: 1_111_111_111, block: 3 }, "9");
    await $client.exec(`CREATE SCHEMA earlier; CREATE TABLE earlier._fast_forward (ledger_key text);
      CREATE TABLE earlier._ponder_checkpoint (agreed_checkpoint text);
      INSERT INTO earlier._fast_forward VALUES ('${isSame ? ledgerKey(settingsOf(2)) : "another"}');
      INSERT INTO earlier._ponder_checkpoint VALUES ('${agreed}')`);
    const { noted } = await comparing(2);
    expect(await noted()).toEqual({ agreed: block, disputed: null });
  });
});

describe("a service that starts again", () => {
  let chain: LocalChain;
  let history: History;
  let escrow: Deployment;
  let proxies: [RpcProxy, RpcProxy];
  let options: ServiceOptions;
  const directory = temporaryFolder();
  let service: Service;

  beforeAll(async () => {
    chain = await startChain({ genesisTimestamp: 1_600_000_000, keptStates: 400 });
    const { address: dollar } = await deployDollar(chain);
    const factory = await deployFactory(chain);
    escrow = await deployEscrow(chain, { dollar, factory: factory.address });
    history = await createHistory({ chain, dollar, escrows: [escrow.address], seed: 28, log: () => {} });
    await history.playUntil(60);
    await chain.testClient.mine({ blocks: 40 });
    proxies = [await startRpcProxy(chain.rpcUrl), await startRpcProxy(chain.rpcUrl)];
    options = {
      rpcUrl: proxies.map(({ url }) => url).join(),
      factory: `${factory.address}@${factory.blockNumber}`,
      registry: history.registry(),
      dataDirectory: join(directory, "data"),
    };
    service = await startService(options);
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all((proxies ?? []).map((proxy) => proxy.stop()));
    await chain?.stop();
  });

  type Health = { status: string; finalizedBlock: string | null; disputedBlock: string | null };
  const health = () => service.json<Health>("/v1/health");

  test("with an announced escrow of which one endpoint keeps an event back", async () => {
    const agreed = await vi.waitFor(async () => {
      const { finalizedBlock } = await health();
      expect(Number(finalizedBlock)).toBeGreaterThan(0);
      return Number(finalizedBlock);
    }, PATIENCE);
    await service.stop();

    await history.playUntil(history.moves() + 60);
    await chain.testClient.mine({ blocks: 70 });
    const [last] = (
      await chain.publicClient.getLogs({ address: escrow.address, fromBlock: BigInt(agreed + 1) })
    ).toReversed();
    const block = last?.blockNumber ?? 0n;
    hide(proxies[1], block);
    service = await startService(options);
    await vi.waitFor(
      async () => expect(await health()).toMatchObject({ status: "degraded", disputedBlock: `${block}` }),
      PATIENCE,
    );
    await vi.waitFor(async () => expect((await health()).finalizedBlock).toBe(`${block - 1n}`), PATIENCE);
    for (const proxy of proxies) expect(service.log.join("\n")).toContain(hostOf(proxy));
    const { events: shown } = await service.json<{ events: { blockNumber: string; finality: string }[] }>(
      `/v1/events?since=${agreed + 1}&limit=200`,
    );
    expect(shown.length).toBeGreaterThan(0);
    for (const { blockNumber, finality } of shown)
      expect(finality, blockNumber).toBe(BigInt(blockNumber) < block ? "final" : "pending");

    proxies[1].alters = null;
    await vi.waitFor(
      async () => expect(await health()).toMatchObject({ status: "ok", disputedBlock: null }),
      PATIENCE,
    );
    expect(Number((await health()).finalizedBlock)).toBeGreaterThanOrEqual(Number(block));
  });
});
