/** Faults of Ponder that `corrections.mjs`, `heads.ts` and `one-fork.ts` in `operate/backfill` correct. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Hex } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { emit, emitFrom, events, OTHER_BACKER, untilPending } from "../harness/emit.ts";
import { EMITTER, logsOf, send } from "../harness/foreign/foreign.ts";
import { startNodeSocket } from "../harness/node-socket.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type RpcProxy, startRpcProxy } from "../harness/rpc-proxy.ts";
import { type Service, startService } from "../harness/service.ts";
import { startTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";
import { ancestorOf, createRecord, nodeAt } from "../simulation/record.ts";

let chain: LocalChain;
let node: RpcProxy;
let postgres: Postgres;
let escrow: Deployment;
let service: Service | null = null;

async function begin(): Promise<void> {
  [chain, postgres] = await Promise.all([startChain(), startPostgres()]);
  node = await startRpcProxy(chain.rpcUrl);
  escrow = await deployRogueEscrow(chain);
}

async function end(): Promise<void> {
  await service?.stop();
  service = null;
  await node?.stop();
  await postgres?.stop();
  await chain?.stop();
}

const SCHEMA = "ponder_itself";
/** Each test of the service that runs on has one of its own. */
const LISTINGS = 4;
const say = (...calls: Parameters<typeof emit>[2][]) => emit(chain, escrow.address, ...calls);

/** Mines enough blocks after it to make it final. */
async function sayFinally(...calls: Parameters<typeof emit>[2][]): Promise<bigint> {
  const block = await say(...calls);
  await chain.testClient.mine({ blocks: 40 });
  return block;
}

async function start(
  env: Record<string, string> = {},
  others: Record<string, string> = {},
): Promise<Service> {
  service = await startService({
    rpcUrl: node.url,
    escrows: [`${escrow.address}@${escrow.blockNumber}`],
    registry: registryOf({ a: escrow.address, ...others }, LISTINGS),
    env: { DATABASE_URL: postgres.connectionString, DATABASE_SCHEMA: SCHEMA, ...env },
  });
  return service;
}

/** Starts it, and waits until it has indexed the chain. */
async function startIndexed(...given: Parameters<typeof start>): Promise<Service> {
  const at = await start(...given);
  await at.indexed(await chain.publicClient.getBlockNumber());
  return at;
}

async function untilFinal(at: Service, block: bigint): Promise<void> {
  await vi.waitFor(
    async () => expect(await at.json("/v1/health")).toMatchObject({ finalizedBlock: `${block}` }),
    PATIENCE,
  );
}

const rawBlock = (number: bigint): Promise<Record<string, unknown>> =>
  chain.publicClient.request({
    method: "eth_getBlockByNumber",
    params: [`0x${number.toString(16)}`, true],
  }) as never;

/** Names another head for as long as it takes to be asked so many times. */
async function showHead(head: Record<string, unknown>, times: number): Promise<void> {
  let asked = 0;
  node.answers = ({ method, params }) => {
    if (method !== "eth_getBlockByNumber" || params?.[0] !== "latest") return undefined;
    asked += 1;
    return head;
  };
  while (asked < times) await sleep(20);
  node.answers = null;
}

/** Mines these calls in one block, a transaction each, whose logs all have the index 0 from then on. */
async function sayWithOneIndex(
  calls: (readonly [Deployment, Parameters<typeof emit>[2]])[],
): Promise<bigint> {
  await chain.testClient.setAutomine(false);
  const sent: Promise<bigint>[] = [];
  for (const [account, [{ address }, call]] of calls.entries()) {
    sent.push(emitFrom(chain, account + 1, address, call));
    await untilPending(chain, account + 1);
  }
  const block = (await chain.publicClient.getBlockNumber()) + 1n;
  node.alters = (logs) =>
    logs.map((log) => (BigInt(log.blockNumber) === block ? { ...log, logIndex: "0x0" } : log));
  await chain.testClient.mine({ blocks: 1 });
  await chain.testClient.setAutomine(true);
  expect(new Set(await Promise.all(sent))).toEqual(new Set([block]));
  return block;
}

/** Before the database, and able to cut a connection off. */
async function throughProxy(
  use: (proxy: TcpProxy, env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const database = new URL(postgres.connectionString);
  const proxy = await startTcpProxy(Number(database.port));
  database.port = `${proxy.port}`;
  try {
    await use(proxy, { DATABASE_URL: database.href });
  } finally {
    await proxy.stop();
  }
}

const kindsOf = async (at: Service) => {
  const { events: shown } = await at.json<{ events: { kind: string }[] }>("/v1/events");
  return shown.map(({ kind }) => kind);
};

describe("each on a chain of its own", () => {
  beforeEach(begin);
  afterEach(end);

  test("a part of the backfill that ends one block before the last is not taken for all of it", async () => {
    // The first part has 26 blocks, and this event is in the 27th, the last that is final.
    await say(events.created(1n));
    const last = BigInt(escrow.blockNumber) + 26n;
    await chain.testClient.mine({ blocks: Number(last - 1n - (await chain.publicClient.getBlockNumber())) });
    expect(await say(events.subscribed(1n, 100n, 100n))).toBe(last);
    await chain.testClient.mine({ blocks: 30 });
    // Each position that is written is kept with the number of events that are there by then.
    await postgres.query("CREATE TABLE positions (number bigserial, safe text, events bigint)");
    await postgres.query(`CREATE FUNCTION keep_position() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO public.positions (safe, events) SELECT NEW.safe_checkpoint, count(*) FROM ${SCHEMA}.ledger; RETURN NEW; END $$`);
    await postgres.query(`CREATE FUNCTION follow_checkpoint() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_type = 'table' AND object_identity LIKE '${SCHEMA}._ponder_checkpoint') THEN
        CREATE TRIGGER keep_position AFTER INSERT OR UPDATE ON ${SCHEMA}._ponder_checkpoint FOR EACH ROW EXECUTE FUNCTION public.keep_position();
      END IF; END $$`);
    await postgres.query(
      "CREATE EVENT TRIGGER follow_checkpoint ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION follow_checkpoint()",
    );

    const at = await start({ FAST_FORWARD: "false" });
    await at.indexed(last + 30n);
    const rows = await postgres.query("SELECT safe, events::int AS count FROM positions ORDER BY number");
    const positions = rows.map(({ safe, count }) => ({
      ...{ block: BigInt(String(safe).slice(26, 42)), count: Number(count) },
    }));
    expect(positions.filter(({ block, count }) => block >= last && count < 2)).toEqual([]);
    // There were two parts.
    expect(positions.filter(({ count }) => count > 0).map(({ count }) => count)).toEqual(
      expect.arrayContaining([1, 2]),
    );
  });

  /** Has the first row of a table that is still to be made fail as in a deadlock: a sequence counts on where it is rolled back. */
  const deadlockIn = (table: string) =>
    postgres.query(`CREATE SEQUENCE tries; CREATE FUNCTION deadlock() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('public.tries') = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF; RETURN NEW; END $$;
      CREATE FUNCTION follow_tables() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_type = 'table' AND object_identity = '${table}') THEN
          CREATE TRIGGER deadlock BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION public.deadlock();
        END IF; END $$;
      CREATE EVENT TRIGGER follow_tables ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION follow_tables()`);

  test.each([
    ["a deadlock", null],
    ["an answer that does not fit", "the block before"],
    ["an endpoint that once does not know a method", "unknown"],
  ] as const)(
    "a part of the backfill that is tried again after %s keeps the announced contracts, and begins the next one once",
    async (_, answerOnce) => {
      const [factory, child] = [await deployRogueEscrow(chain), await deployRogueEscrow(chain)];
      await emit(chain, factory.address, events.deployed(child.address));
      const block = await emit(chain, child.address, events.created(1n));
      await say(events.created(1n));
      // The first part has 26 blocks, the second one the rest.
      await chain.testClient.mine({ blocks: 80 });
      if (answerOnce === null) await deadlockIn("ponder_sync.blocks");
      const wrong = await rawBlock(block - 1n);
      let isAnswered = answerOnce === null;
      node.answers = ({ method, params: [asked, isWhole] = [] }) => {
        const isOfBlock =
          method === "eth_getBlockByNumber" && isWhole === true && Number(asked) === Number(block);
        // The child is in memory by then, and not in the cache.
        const isOfChild =
          method === "eth_getLogs" && JSON.stringify(asked).includes(child.address.toLowerCase());
        if (isAnswered || !(answerOnce === "unknown" ? isOfChild : isOfBlock)) return undefined;
        isAnswered = true;
        if (answerOnce === "the block before") return wrong;
        throw Object.assign(new Error("the method eth_x does not exist/is not available"), { code: -32_601 });
      };
      const env = { FAST_FORWARD: "false", ESCROW_FACTORY: `${factory.address}@${factory.blockNumber}` };
      const before = await startIndexed({ ...env, LOG_LEVEL: "debug" }, { child: child.address });
      expect(before.hasSaid("retry_delay")).toBe(true);
      await before.stop();

      await emit(chain, child.address, events.subscribed(1n, 100n, 100n));
      await chain.testClient.mine({ blocks: 40 });
      const at = await startIndexed(env, { child: child.address });
      expect(await at.json("/v1/listings/lst_child_1")).toMatchObject({ raisedAmount: "100" });
      expect(
        await postgres.query("SELECT DISTINCT address, block_number::int FROM ponder_sync.factory_addresses"),
      ).toEqual([{ address: child.address.toLowerCase(), block_number: Number(block) - 1 }]);
      const parts = before.log.filter((line) => line.includes("Fetched block range data"));
      const starts = parts.map((line) => Number(/"block_range":"\[(\d+),/.exec(line)?.[1]));
      const later = starts.filter((from) => from !== starts[0]);
      expect(later.length).toBeGreaterThan(0);
      expect(later).toEqual([...new Set(later)]);
    },
  );

  test("a part of the backfill holds no locks in its cache, for which other indexers would wait, while an endpoint is asked", async () => {
    const [factory, child] = [await deployRogueEscrow(chain), await deployRogueEscrow(chain)];
    await emit(chain, factory.address, events.deployed(child.address));
    await say(events.created(1n));
    const block = await emit(chain, child.address, events.created(1n));
    await chain.testClient.mine({ blocks: 60 });
    let refused = 0;
    node.answers = ({ method, params: [asked, isWhole] = [] }) => {
      if (method !== "eth_getBlockByNumber" || isWhole !== true || Number(asked) !== Number(block))
        return undefined;
      refused += 1;
      throw new Error("not now");
    };
    const env = { FAST_FORWARD: "false", ESCROW_FACTORY: `${factory.address}@${factory.blockNumber}` };
    const at = await start(env, { child: child.address });
    await vi.waitFor(() => expect(refused).toBeGreaterThan(3), PATIENCE);
    expect(
      await postgres.query(
        "SELECT DISTINCT relation::regclass::text FROM pg_locks WHERE relation::regclass::text LIKE 'ponder_sync.%'",
      ),
    ).toEqual([]);
    node.answers = null;
    await at.indexed(await chain.publicClient.getBlockNumber());
    expect(await kindsOf(at)).toEqual(["listing_created", "listing_created"]);
  });

  test("a part of the backfill that is tried again keeps no block of a fork from the first try", async () => {
    await say(events.created(1n));
    const id = await chain.testClient.snapshot();
    const block = await say(events.subscribed(1n, 100n, 100n));
    const forked = await rawBlock(block);
    const [log] = await chain.publicClient.request({
      method: "eth_getLogs",
      params: [{ address: escrow.address, blockHash: forked.hash as Hex }],
    });
    await chain.testClient.revert({ id });
    expect(await say(events.subscribed(1n, 7n, 7n))).toBe(block);
    const next = await say(events.subscribed(1n, 5n, 12n));
    await chain.testClient.mine({ blocks: 80 });
    const misfit = await rawBlock(block);
    let refused = 0;
    node.alters = (logs) => logs.map((one) => (BigInt(one.blockNumber) === block ? { ...one, ...log } : one));
    node.answers = ({ method, params: [asked, isWhole] = [] }) => {
      if (method !== "eth_getBlockByNumber" || isWhole !== true) return undefined;
      if (BigInt(String(asked)) === block) return forked;
      if (BigInt(String(asked)) !== next) return undefined;
      refused += 1;
      // By then the other block of the part has long been there.
      if (refused < 4) throw new Error("not now");
      node.answers = node.alters = null;
      return misfit;
    };
    const at = await startIndexed({ FAST_FORWARD: "false" });
    expect(refused).toBe(4);
    const { anomalies } = await at.json<{ anomalies: unknown }>("/v1/health");
    expect(anomalies).toMatchObject({ total: 0 });
    expect(await at.json("/v1/listings/lst_a_1")).toMatchObject({ raisedAmount: "12" });
  });

  test.each([
    ["fetched in bulk", "true"],
    ["fetched by Ponder", "false"],
  ])(
    "an endpoint does not lose the events of blocks that it does not have yet: history %s",
    async (_, bulk) => {
      await say(events.created(1n));
      const block = await sayFinally(events.subscribed(1n, 100n, 100n));
      let lacked = 0;
      node.answers = ({ method, params: [asked] = [] }) => {
        if (lacked === 3) return undefined;
        const { toBlock } = (asked ?? {}) as { toBlock?: string };
        if (method === "eth_getLogs" && toBlock !== undefined && BigInt(toBlock) >= block) return [];
        const isLacking =
          method === "eth_getBlockByNumber" && /^0x/.test(String(asked)) && BigInt(String(asked)) >= block;
        if (!isLacking || node.asked("eth_getLogs") === 0) return undefined;
        lacked += 1;
        return null;
      };
      const at = await startIndexed({ FAST_FORWARD: bulk });
      expect(await at.json("/v1/listings/lst_a_1")).toMatchObject({
        raisedAmount: "100",
        subscriberCount: 1,
      });
      expect(lacked).toBe(3);
    },
  );

  test.each([
    ["fetched in bulk", "true"],
    ["fetched by Ponder, contract by contract", "false"],
  ])("logs that share an index are not counted, and the indexer says why: history %s", async (_, bulk) => {
    const [factory, child] = [await deployRogueEscrow(chain), await deployRogueEscrow(chain)];
    await emit(chain, factory.address, events.deployed(child.address));
    await say(events.created(1n));
    await emit(chain, child.address, events.created(1n));
    const block = await sayWithOneIndex([
      [escrow, events.subscribed(1n, 100n, 100n)],
      [child, events.subscribed(1n, 100n, 100n)],
    ]);
    await chain.testClient.mine({ blocks: 40 });
    const { promise, resolve: release } = Promise.withResolvers<void>();
    node.logsWaitFor = promise;
    const at = await start({
      FAST_FORWARD: bulk,
      // The receipts of the block would have their right indexes.
      LOGS_PROVEN: "none",
      ESCROW_FACTORY: `${factory.address}@${factory.blockNumber}`,
    });
    release();
    await at.says(`two different logs of block ${block} have the index 0: events would be lost`);
    expect(await postgres.query(`SELECT FROM ${SCHEMA}.ledger WHERE block_number = ${block}`)).toEqual([]);
  });

  test.each(["true", "false"])(
    "an announcement of another form announces nothing: in bulk %s",
    async (bulk) => {
      const factory = `0x${"fac7".repeat(10)}` as const;
      await chain.testClient.setCode({ address: factory, bytecode: EMITTER });
      const announced = async (child: Deployment) => {
        // The first has the same signature, but its address is not indexed.
        for (const parameter of ["address escrow", "address indexed escrow"])
          await send(
            chain,
            factory,
            logsOf([`event EscrowDeployed(${parameter})`])("EscrowDeployed", child.address),
          );
        return emit(chain, child.address, events.created(1n), events.subscribed(1n, 100n, 100n));
      };
      const [earlier, later] = [await deployRogueEscrow(chain), await deployRogueEscrow(chain)];
      await announced(earlier);
      await chain.testClient.mine({ blocks: 40 });
      const env = { FAST_FORWARD: bulk, ESCROW_FACTORY: `${factory}@${escrow.blockNumber}` };
      const at = await startIndexed(env, { earlier: earlier.address, later: later.address });
      await at.indexed(await announced(later));
      for (const id of ["lst_earlier_1", "lst_later_1"])
        expect(await at.json(`/v1/listings/${id}`)).toMatchObject({ raisedAmount: "100" });
    },
  );

  test("live logs that share an index are not indexed, and are once they have their own", async () => {
    await say(events.created(1n));
    const at = await startIndexed();
    const block = await sayWithOneIndex(
      [100n, 200n, 300n].map((total) => [escrow, events.subscribed(1n, 100n, total)] as const),
    );
    await at.says(`two different logs of block ${block} have the index 0`);
    expect(BigInt((await at.json<{ indexedBlock: string }>("/v1/health")).indexedBlock)).toBeLessThan(block);
    expect(await at.json("/v1/listings/lst_a_1")).toMatchObject({ raisedAmount: "0" });
    node.alters = null;
    await at.indexed(block);
    expect(await at.json("/v1/listings/lst_a_1")).toMatchObject({ raisedAmount: "300" });
  });

  // As it goes over the wire. The state is asked for at the start of a transaction and at its end.
  test.each([
    ["before a block is committed", "commit\0", "before", 1],
    ["after a block is committed", "commit\0", "after", 1],
    ["at the last statement of a block", "ORDER BY family", "before", 2],
  ] as const)(
    "a connection that is lost %s loses no event and counts none twice",
    (_moment, text, when, nth) =>
      throughProxy(async (proxy, env) => {
        await sayFinally(events.created(1n), events.subscribed(1n, 100n, 100n));
        const cutOff = await startIndexed(env);
        // Nothing becomes final meanwhile, which would be committed too.
        const final = await rawBlock((await chain.publicClient.getBlockNumber()) - 30n);
        node.answers = ({ params }) => (params?.[0] === "finalized" ? final : undefined);
        const isCut = proxy.cutAt(text, when, nth);
        await say(events.subscribed(1n, 900n, 1_000n, OTHER_BACKER));
        await isCut;
        await cutOff.says("the indexer starts again");
        await cutOff.stop();
        node.answers = null;

        const at = await start();
        await at.indexed(await say(events.subscribed(1n, 5n, 1_005n, OTHER_BACKER)));
        expect(await kindsOf(at)).toEqual(["subscribed", "subscribed", "subscribed", "listing_created"]);
        const shown = { raisedAmount: "1005", subscriberCount: 2 };
        expect(await at.json("/v1/listings/lst_a_1")).toMatchObject(shown);
        expect(await at.json("/v1/health")).toMatchObject({ anomalies: { total: 0 } });
      }),
  );

  test("a connection that is lost while a block is taken back is not tried again for a minute", () =>
    throughProxy(async (proxy, env) => {
      await sayFinally(events.created(1n));
      const at = await start({ ...env, LOG_LEVEL: "debug" });
      await at.indexed(await say(events.subscribed(1n, 100n, 100n)));
      const isCut = proxy.cutAt("WITH reverted1", "before");
      await chain.testClient.request({ method: "anvil_reorg", params: [1, []] } as never);
      const block = await say(events.subscribed(1n, 7n, 7n));
      await isCut;
      await at.indexed(block);
      expect(await at.json("/v1/listings/lst_a_1")).toMatchObject({ raisedAmount: "7" });
      // Another connection is taken at once, instead of one statement after another on that one.
      expect(at.log.filter((line) => line.includes("retry_delay")).length).toBeLessThan(5);
    }));

  test("a reorganisation that the database has lost is noticed, though its last block is the same", async () => {
    await sayFinally(events.created(1n));
    const at = await start();
    await at.indexed(await say(events.subscribed(1n, 100n, 100n)));
    // As after a failover to a copy from before it.
    await postgres.query(`UPDATE ${SCHEMA}._ponder_checkpoint SET reverts = reverts - 1`);
    await say(events.subscribed(1n, 5n, 105n));
    await at.says("PostgreSQL has lost blocks that were committed");
  });

  test("a chain whose last block is final is indexed, though no other block comes", async () => {
    await say(events.created(1n));
    await say(events.subscribed(1n, 100n, 100n));
    const final = await rawBlock(await chain.publicClient.getBlockNumber());
    node.answers = ({ params }) => (params?.[0] === "finalized" ? final : undefined);
    const at = await start();
    await at.says('"endpoint":"/ready"');
    // Ponder would try for a minute to have the block after it.
    await at.indexed(BigInt(final.number as string));
    expect(await at.json("/v1/listings/lst_a_1")).toMatchObject({ raisedAmount: "100" });
    expect(at.log.join("\n")).not.toContain("could not be found");
    await untilFinal(at, BigInt(final.number as string));
    const recorded = await at.json("/v1/events");
    await at.stop();

    // Its ledger is final up to the last block.
    const anew = await start({ DATABASE_SCHEMA: "ponder_anew" });
    await anew.says('"endpoint":"/ready"');
    await untilFinal(anew, BigInt(final.number as string));
    expect(anew.log.join("\n")).toContain("Folded the ledger of an earlier version");
    expect(anew.log.join("\n")).not.toContain("could not be found");
    expect(await anew.json("/v1/events")).toEqual(recorded);
    const { completeness } = await anew.json<{ completeness: unknown }>("/v1/health");
    expect(completeness).toMatchObject({ provenBlocks: "2", unprovenBlocks: "0" });
  });

  test("an older head that a WebSocket announces is no reorganisation, not even below the final block", async () => {
    await sayFinally(events.created(1n));
    const socket = await startNodeSocket();
    try {
      const at = await start({ WS_URL: socket.url });
      const subscribed = (times: number) =>
        vi.waitFor(() => expect(socket.subscriptions()).toBe(times), PATIENCE);
      const announce = async (block: bigint) => socket.announce(await rawBlock(block));
      const announced = async (block: bigint) => {
        await announce(block);
        await at.indexed(block);
      };
      const reverts = () => postgres.query(`SELECT reverts::text FROM ${SCHEMA}._ponder_checkpoint`);
      await subscribed(1);
      // Before any other.
      await announce(2n);
      const head = await chain.publicClient.getBlockNumber();
      await announced(head);
      const block = await say(events.subscribed(1n, 100n, 100n));
      await announced(block);
      const before = await reverts();
      // Another node is behind the same address.
      socket.drop();
      await subscribed(2);
      for (const older of [head - 2n, 2n]) await announce(older);
      await announced(await say(events.subscribed(1n, 900n, 1_000n, OTHER_BACKER)));
      expect(await kindsOf(at)).toEqual(["subscribed", "subscribed", "listing_created"]);
      expect(await reverts()).toEqual(before);
      expect(at.log.join("\n")).not.toContain("reorg");
      // A block that is gone is still taken back.
      await chain.testClient.request({ method: "anvil_reorg", params: [1, []] } as never);
      await announced(await say(events.subscribed(1n, 7n, 107n, OTHER_BACKER)));
      expect(await at.json("/v1/listings/lst_a_1")).toMatchObject({ raisedAmount: "107" });
    } finally {
      socket.close();
    }
  });

  test("a connection that a proxy without a server accepts and closes is tried again", () =>
    throughProxy(async (proxy, env) => {
      await sayFinally(events.created(1n));
      const at = await startIndexed({ ...env, LOG_LEVEL: "debug" });
      await proxy.become("closing");
      const block = await say(events.subscribed(1n, 100n, 100n));
      // Until it has been tried, and pauses for longer and longer.
      await sleep(5_000);
      await proxy.become("open");
      await at.indexed(block);
      expect(await kindsOf(at)).toEqual(["subscribed", "listing_created"]);
      const pauses = at.log.map((line) => Number(/"retry_delay":(\d+)/.exec(line)?.[1] ?? 0));
      expect(Math.max(...pauses)).toBe(1_000);
    }));

  test.each([
    ["with the commit of the history does not have it indexed on top of itself", "COMMIT\0", "after"],
    ["in the middle of the history does not have it indexed event by event", "COPY ", "before"],
  ] as const)("a connection that is lost %s", (_consequence, text, when) =>
    throughProxy(async (proxy, env) => {
      await sayFinally(events.created(1n), events.subscribed(1n, 100n, 100n));
      const isCut = proxy.cutAt(text, when);
      const ending = start(env).then((cutOff) => cutOff.indexed(10_000n));
      // After 1 the daemon would give up.
      await expect(ending).rejects.toThrow("the indexer ended with 75");
      await isCut;
      await service?.stop();

      const at = await startIndexed();
      expect(await kindsOf(at)).toEqual(["subscribed", "listing_created"]);
    }),
  );

  test("a deadlock while the history is written does not have it indexed event by event", async () => {
    await sayFinally(events.created(1n), events.subscribed(1n, 100n, 100n));
    await deadlockIn(`${SCHEMA}.ledger`);
    await expect(start().then((ending) => ending.indexed(10_000n))).rejects.toThrow(
      "the indexer ended with 75",
    );
    await service?.stop();

    const at = await startIndexed();
    expect(at.hasSaid("Wrote the history")).toBe(true);
    expect(await kindsOf(at)).toEqual(["subscribed", "listing_created"]);
  });

  test("rows of several tables are written one table after another on a connection", async () => {
    await say(events.created(1n));
    const amounts = Array.from({ length: 30 }, (_, index) => BigInt(index + 1));
    for (const amount of amounts) await say(events.subscribed(1n, 1n, amount));
    await chain.testClient.mine({ blocks: 40 });
    const at = await startIndexed({ FAST_FORWARD: "false" });
    expect(await at.json("/v1/listings/lst_a_1")).toMatchObject({ raisedAmount: "30" });
    expect(await postgres.query(`SELECT count(*)::int AS rows FROM ${SCHEMA}.ledger`)).toEqual([
      { rows: 31 },
    ]);
    expect(at.log.join("\n")).not.toContain("is already executing");
  });

  test("a restart does not wait for transactions that have read the tables, and blocks none", async () => {
    await sayFinally(events.created(1n));
    const env = { RPC_URLS: `${node.url},${chain.rpcUrl}` };
    const before = await start(env);
    await before.indexed(await say(events.subscribed(1n, 100n, 100n)));
    const indexes = `SELECT indexname FROM pg_indexes WHERE schemaname = '${SCHEMA}' ORDER BY indexname`;
    const made = await postgres.query(indexes);
    await before.stop();
    // As pg_dump does.
    const reader = new pg.Client({ connectionString: postgres.connectionString });
    await reader.connect();
    try {
      await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      const tables = await reader.query(`SELECT tablename FROM pg_tables WHERE schemaname = '${SCHEMA}'`);
      for (const { tablename } of tables.rows) await reader.query(`SELECT FROM ${SCHEMA}.${tablename}`);
      const at = await start(env);
      await at.indexed(await say(events.subscribed(1n, 10n, 110n)));
      expect(await at.json("/v1/listings/lst_a_1")).toMatchObject({ raisedAmount: "110" });
      expect(await postgres.query(indexes)).toEqual(made);
      expect((await reader.query(`SELECT sum(amount)::int AS sum FROM ${SCHEMA}.subscription`)).rows).toEqual(
        [{ sum: 100 }],
      );
    } finally {
      await reader.end();
    }
  });
});

describe("a service that runs on", () => {
  let at: Service;

  beforeAll(async () => {
    await begin();
    const created = [1n, 2n, 3n, 4n].map((id) => events.created(id));
    await sayFinally(...created, events.subscribed(1n, 100n, 100n), events.subscribed(3n, 100n, 100n));
    at = await startIndexed();
  });
  afterAll(end);

  test("a reorganisation does not wait for transactions that have read the tables, and blocks none", async () => {
    await say(events.subscribed(4n, 10n, 10n));
    await at.indexed(await say(events.subscribed(4n, 5n, 15n)));
    const reader = new pg.Client({ connectionString: postgres.connectionString });
    await reader.connect();
    try {
      await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      const sum = `SELECT sum(amount)::text FROM ${SCHEMA}.subscription`;
      const before = await reader.query(sum);
      for (const table of ["listing", "ledger", "_ponder_checkpoint"])
        await reader.query(`SELECT FROM ${SCHEMA}.${table}`);
      // The second one takes back what came after the first: a trigger that was disabled is enabled again.
      for (const amount of [7n, 9n]) {
        await chain.testClient.request({ method: "anvil_reorg", params: [1, []] } as never);
        await at.indexed(await say(events.subscribed(4n, amount, 10n + amount)));
        expect(await at.json("/v1/listings/lst_a_4")).toMatchObject({ raisedAmount: `${10n + amount}` });
      }
      expect((await reader.query(sum)).rows).toEqual(before.rows);
    } finally {
      await reader.end();
    }
  });

  test.each([
    ["a full disk", "53100", "could not extend file: No space left on device"],
    ["a time limit", "57014", "canceling statement due to statement timeout"],
    ["a deadlock", "40P01", "deadlock detected"],
    ["a lock that is not obtained in time", "55P03", "canceling statement due to lock timeout"],
    ["a read-only time", "25006", "cannot execute COPY FROM in a read-only transaction"],
  ])("%s of PostgreSQL is waited for, and loses nothing", async (_, code, message) => {
    const before = await at.json<{ raisedAmount: string }>("/v1/listings/lst_a_2");
    // A sequence counts on where a transaction is rolled back.
    await postgres.query(`CREATE SEQUENCE refused; CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM nextval('public.refused'); RAISE EXCEPTION '${message}' USING ERRCODE = '${code}'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON ${SCHEMA}.ledger EXECUTE FUNCTION refuse()`);
    const block = await say(events.subscribed(2n, 1n, BigInt(before.raisedAmount) + 1n));
    const refused = () => postgres.query("SELECT last_value::int AS times FROM refused");
    await vi.waitFor(async () => expect((await refused())[0]?.times).toBeGreaterThan(3), PATIENCE);
    await postgres.query("DROP FUNCTION refuse CASCADE; DROP SEQUENCE refused");
    await at.indexed(block);
    const raisedAmount = `${BigInt(before.raisedAmount) + 1n}`;
    expect(await at.json("/v1/listings/lst_a_2")).toMatchObject({ raisedAmount });
    const { anomalies } = await at.json<{ anomalies: unknown }>("/v1/health");
    expect(anomalies).toMatchObject({ total: 0 });
  });

  test("no block is indexed twice when no endpoint has a fork's next block", async () => {
    const block = await say(events.subscribed(1n, 900n, 1_000n, OTHER_BACKER));
    await chain.testClient.mine({ blocks: 1 });
    await at.indexed(block + 1n);

    const hash = `0x${"ab".repeat(32)}`;
    // A header of a form that is not known is not held to its hash.
    const form = { fieldToCome: "0x1" };
    const fork = { ...(await rawBlock(block + 1n)), ...form, number: `0x${block.toString(16)}`, hash };
    await showHead({ ...fork, parentHash: `0x${"cd".repeat(32)}`, logsBloom: `0x01${"0".repeat(510)}` }, 3);
    await at.says("Failed to fetch latest block");
    await at.indexed(await say(events.subscribed(1n, 5n, 1_005n, OTHER_BACKER)));
    expect(await at.json("/v1/listings/lst_a_1")).toMatchObject({ raisedAmount: "1005", subscriberCount: 2 });
    const indexings = at.log.filter(
      (line) => line.includes("Indexed block") && line.includes(`"number":${block},`),
    );
    expect(indexings).toHaveLength(1);
  });

  test("a head whose logs could not be had is asked for again, though no other comes", async () => {
    let refused = 0;
    // To Ponder a status that it does not help to ask again for.
    node.refuses = (requests) => {
      const isOfHead = requests.some(({ params: [asked] = [] }) => Object.hasOwn(Object(asked), "blockHash"));
      if (!isOfHead || refused === 2) return undefined;
      refused += 1;
      return { status: 404 };
    };
    await at.indexed(await say(events.subscribed(2n, 100n, 100n)));
    expect(refused).toBe(2);
  });

  test("heads that a reorganisation took back while the indexer waited are not asked for", async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    const asked = new Set<unknown>();
    node.answers = ({ method, params: [filter] = [] }) => {
      if (method === "eth_getLogs") asked.add((filter as { blockHash?: Hex }).blockHash);
      return undefined;
    };
    node.logsWaitFor = promise;
    /** Waits until the head is known: a request for it that was begun before may have been answered by then. */
    const polled = async () => {
      const before = node.asked("eth_getBlockByNumber");
      await vi.waitFor(
        () => expect(node.asked("eth_getBlockByNumber")).toBeGreaterThan(before + 2),
        PATIENCE,
      );
    };
    const { raisedAmount } = await at.json<{ raisedAmount: string }>("/v1/listings/lst_a_3");
    const total = BigInt(raisedAmount);
    await say(events.subscribed(3n, 1n, total + 1n));
    await polled();
    const gone: unknown[] = [];
    for (let fork = 0; fork < 4; fork++) {
      gone.push((await rawBlock(await say(events.subscribed(3n, 5n, total + 6n)))).hash);
      await polled();
      await chain.testClient.request({ method: "anvil_reorg", params: [1, []] } as never);
      await polled();
    }
    const block = await say(events.subscribed(3n, 7n, total + 8n));
    await polled();
    release();
    await at.indexed(block);
    expect(await at.json("/v1/listings/lst_a_3")).toMatchObject({ raisedAmount: `${total + 8n}` });
    expect(asked.has((await rawBlock(block)).hash)).toBe(true);
    expect(gone.filter((hash) => asked.has(hash))).toEqual([]);
    Object.assign(node, { answers: null, logsWaitFor: null });
  });

  test("an endpoint that is further behind than what is final changes nothing", async () => {
    const before = at.log.length;
    await showHead(await rawBlock(2n), 5);
    await at.indexed(await say(events.subscribed(3n, 900n, 1_000n, OTHER_BACKER)));
    expect(await at.json("/v1/listings/lst_a_3")).toMatchObject({ raisedAmount: "1000" });
    expect(at.log.slice(before).join("\n")).not.toContain("reorg");
  });
});

test("an endpoint that stays on the old branch after a deep reorganisation does not stop the other one's", async () => {
  await begin();
  const stuck = await startRpcProxy(chain.rpcUrl);
  try {
    await say(events.created(1n));
    await chain.testClient.mine({ blocks: 60 });
    const at = await start({ RPC_URLS: `${stuck.url},${node.url}` });
    for (let total = 1n; total <= 3n; total++) {
      await at.indexed(await say(events.subscribed(1n, 1n, total)));
      await chain.testClient.mine({ blocks: 8 });
    }
    const tip = await createRecord(chain.rpcUrl).follow();
    await at.indexed(tip.number);
    stuck.answers = nodeAt(tip, ancestorOf(tip, 30));
    // Ponder asks the quicker one.
    node.delay = 30;
    await chain.testClient.request({ method: "anvil_reorg", params: [26, []] } as never);
    for (let total = 101n; total <= 103n; total++)
      await say(events.subscribed(1n, total === 101n ? 101n : 1n, total));
    await at.indexed(await chain.publicClient.getBlockNumber());
    expect(await at.json("/v1/listings/lst_a_1")).toMatchObject({ raisedAmount: "103" });
    expect(at.log.filter((line) => line.includes("Reorged block"))).toHaveLength(1);
  } finally {
    await stuck.stop();
    await end();
  }
});
