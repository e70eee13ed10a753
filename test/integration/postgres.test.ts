import { tmpdir } from "node:os";
import { beforeAll, expect, test } from "vitest";
import type { Environment } from "../../config/environment.ts";
import type { Deployment } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { emit, events, OTHER_BACKER } from "../harness/emit.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { RAISEBOOK, runProgram } from "../harness/run-program.ts";
import { type Service, startService } from "../harness/service.ts";
import { startTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";
import { until } from "../harness/until.ts";

let chain: LocalChain;
let postgres: Postgres;
let proxy: TcpProxy;
let escrow: Deployment;
let onPostgres: Service;
let onPglite: Service;
let settings: Environment & { DATABASE_URL: string };

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startChain(), startPostgres()]);
  escrow = await deployRogueEscrow(chain);
  const options = {
    rpcUrl: chain.rpcUrl,
    escrows: [`${escrow.address}@${escrow.blockNumber}`],
    registry: registryOf({ a: escrow.address }),
  };
  // Events before the start go down the historical path, later ones down the live one.
  await story(1n);
  await chain.testClient.mine({ blocks: 40 });
  const database = new URL(postgres.connectionString);
  proxy = await startTcpProxy(Number(database.port));
  database.port = String(proxy.port);
  onPostgres = await startService({ ...options, env: { DATABASE_URL: database.href } });
  settings = {
    RPC_URLS: chain.rpcUrl,
    REGISTRY: "registry.json",
    ESCROWS: `${escrow.address}@${escrow.blockNumber}`,
    DATABASE_URL: postgres.connectionString,
    PUBLIC_URL: "http://raises.localhost",
  };
  onPglite = await startService({ ...options, isEmbedded: true });
});

/** Huge amounts, anomalies, a whole life: what a database could store differently. Returns the last block. */
async function story(first: bigint): Promise<bigint> {
  const huge = 2n ** 200n + 1n;
  await emit(
    chain,
    escrow.address,
    events.created(first, { closeAt: 2n ** 64n - 1n, refnum: "RB\u000000001" }),
  );
  await emit(
    chain,
    escrow.address,
    events.subscribed(first, huge, huge),
    events.subscribed(first, 5n, huge + 9n, OTHER_BACKER),
    events.refunded(first, 0, huge * 2n, huge * 2n),
  );
  return emit(
    chain,
    escrow.address,
    events.created(first + 1n, { targetAmount: huge }),
    events.subscribed(first + 1n, huge, huge),
    events.closed(first + 1n, huge, 4_294_967_295),
    events.drawnDown(first + 1n, huge, 4_000_000_000n),
    events.repaid(first + 1n, huge - 1n, 3n, 1n),
    events.settled(first + 1n, 1, 1n),
  );
}

test("historical and live, the answers are the same bytes with the same tags", async () => {
  const head = await story(3n);
  await Promise.all([onPostgres.indexed(head), onPglite.indexed(head)]);
  for (const path of ["/v1/listings", "/v1/originators", "/v1/listings/lst_a_2", "/v1/originators/org_one"]) {
    const [one, other] = await Promise.all([onPostgres.get(path), onPglite.get(path)]);
    expect(one.status, path).toBe(200);
    expect(one.text, path).toBe(other.text);
    expect(one.headers.get("etag"), path).toBe(other.headers.get("etag"));
  }
  expect(await onPostgres.json("/v1/listings/lst_a_3")).toMatchObject({
    raisedAmount: "9",
    subscriberCount: 1,
    couponRateBps: 1450,
  });
  const health = await onPostgres.json<{ anomalies: unknown }>("/v1/health");
  expect(health.anomalies).toEqual((await onPglite.json<{ anomalies: unknown }>("/v1/health")).anomalies);
});

async function post(path: string, body: unknown): Promise<string> {
  const response = await fetch(`${onPostgres.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(body),
  });
  return response.text();
}

const callGetDeal = () =>
  post("/v1/mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "get_deal", arguments: { id: "lst_a_1" } },
  });
const askForEvents = () => post("/graphql", { query: "{ events(first: 1) { nodes { kind } } }" });
const statusOf = async () => (await onPostgres.json<{ status: string }>("/v1/health")).status;
const isWell = async () => (await statusOf()) === "ok" && (await onPostgres.get("/v1/ready")).status === 200;

/** Expects each face to refuse, as of `head`, everything that only the database has. */
async function expectUnanswered(head: bigint): Promise<void> {
  const paths = [
    "/v1/events",
    "/v1/listings/lst_a_1/events",
    "/v1/anomalies",
    `/v1/listings?asOf=${head - 1n}`,
  ];
  // More at a time than there are connections.
  const many = [...paths, ...Array.from({ length: 40 }, (_, at) => `/v1/events?limit=${at + 1}`)];
  for (const answer of await Promise.all(many.map((path) => onPostgres.get(path)))) {
    expect(answer.status, answer.text).toBe(503);
    expect(JSON.parse(answer.text)).toMatchObject({ code: "database_silent" });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  const page = await onPostgres.get("/listings/lst_a_1", { accept: "text/markdown" });
  expect(page.status).toBe(503);
  expect(page.text).toContain("the database, which is not responding");
  expect(await askForEvents()).toContain("DATABASE_SILENT");
  expect(JSON.parse(await callGetDeal())).toMatchObject({ result: { isError: true } });
}

async function expectAnswered(): Promise<void> {
  for (const path of ["/v1/events", "/v1/listings/lst_a_1/events", "/v1/anomalies", "/listings/lst_a_1"]) {
    expect((await onPostgres.get(path)).status, path).toBe(200);
  }
  expect(await askForEvents()).toContain("kind");
  expect(JSON.parse(await callGetDeal())).not.toMatchObject({ result: { isError: true } });
  const rows = await postgres.query(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name LIKE '%_api' AND datname = current_database()",
  );
  expect(Number(rows[0]?.count)).toBeLessThanOrEqual(12);
}

test.each(["silent", "cut"] as const)(
  "%s: what needs the database is refused, the rest goes on, and all is well afterwards",
  async (state) => {
    const head = await emit(chain, escrow.address, events.subscribed(1n, 1n, 1n, OTHER_BACKER));
    await onPostgres.indexed(head);
    await until("well before", isWell);

    await proxy.become(state);
    await expectUnanswered(head);
    await until("degraded", async () => (await statusOf()) === "degraded");
    const ready = await onPostgres.get("/v1/ready");
    expect(ready.status).toBe(503);
    expect(JSON.parse(ready.text)).toMatchObject({
      code: "not_ready",
      detail: "The database does not answer.",
    });
    // The market in memory is served on, as of the block that it names.
    const { status, headers } = await onPostgres.get("/v1/listings");
    expect([status, headers.get("x-indexed-block")]).toEqual([200, `${head}`]);
    expect((await onPostgres.get("/system.md")).text).toContain("The database is not responding");

    await proxy.become("open");
    await until("well afterwards", isWell);
    await expectAnswered();
    await onPostgres.indexed(await emit(chain, escrow.address, events.subscribed(1n, 1n, 2n, OTHER_BACKER)));
  },
);

test("counts how often rows were taken back, and only that", async () => {
  const reverts = async () => {
    const [{ schema } = { schema: "" }] = await postgres.query(
      "SELECT table_schema AS schema FROM information_schema.columns WHERE table_name = '_ponder_checkpoint' AND column_name = 'reverts'",
    );
    return (await postgres.query(`SELECT reverts FROM "${schema}"._ponder_checkpoint`))[0]?.reverts;
  };
  const subscribe = async (total: bigint) =>
    onPostgres.indexed(await emit(chain, escrow.address, events.subscribed(1n, 1n, total, OTHER_BACKER)));
  await subscribe(3n);
  const before = await reverts();
  await subscribe(4n);
  expect(await reverts()).toBe(before);

  // The newest block, which has an event, is replaced by an empty one, and the chain goes on.
  await chain.testClient.request({ method: "anvil_reorg", params: [1, []] } as never);
  await chain.testClient.mine({ blocks: 2 });
  await onPostgres.indexed(await chain.publicClient.getBlockNumber());
  expect(await reverts()).toBe(Number(before) + 1);
});

const withWrongPassword = () => ({
  ...settings,
  DATABASE_URL: settings.DATABASE_URL.replace(":raisebook@", ":hunter2@"),
});
const prune = (env: Environment, ...options: string[]) => db(env, "prune", ...options);

/** A command of `raisebook db`, in an environment of its own and without a terminal. */
async function db(env: Environment, ...words: string[]) {
  const { code, output, errors } = await runProgram(RAISEBOOK, ["db", ...words], { cwd: tmpdir(), env });
  return { code, output: output + errors };
}

async function schemas(): Promise<unknown[]> {
  const rows = await postgres.query(
    "SELECT nspname FROM pg_namespace WHERE nspname ~ '^(raisebook|shop|reports|ponder_sync)' ORDER BY 1",
  );
  return rows.map(({ nspname }) => nspname);
}

/** A schema that an indexer of ours has left, with what Ponder has made in the real one. */
async function copySchema(from: string, to: string, app: Record<string, unknown> = {}): Promise<void> {
  const tables = await postgres.query(
    `SELECT relname FROM pg_class WHERE relnamespace = '${from}'::regnamespace AND relkind = 'r'`,
  );
  const copies = tables.map(
    ({ relname }) =>
      `CREATE TABLE ${to}.${relname} (LIKE ${from}.${relname} INCLUDING ALL); INSERT INTO ${to}.${relname} SELECT * FROM ${from}.${relname};`,
  );
  const changed = JSON.stringify({ is_locked: 0, heartbeat_at: Date.UTC(2026, 0, 2, 3, 4), ...app });
  await postgres.query(`CREATE SCHEMA ${to}; ${copies.join("")}
    UPDATE ${to}._ponder_meta SET value = value || '${changed}'::jsonb`);
}

test("db status says how far the tables are", async () => {
  const head = await chain.publicClient.getBlock();
  await onPostgres.indexed(head.number);
  const { code, output } = await db(settings, "status", "--json");
  expect(code).toBe(0);
  const status = JSON.parse(output);
  const [, current] = await schemas();
  expect(status).toMatchObject({ kind: "postgres", schema: current });
  expect(status.server).toMatch(/^18\./);
  expect(status.position).toMatchObject({
    block: `${head.number}`,
    at: new Date(Number(head.timestamp) * 1000).toISOString().replace(".000Z", "Z"),
    isLive: true,
  });
  expect(BigInt(status.position.finalBlock)).toBeLessThan(head.number);
  expect(status.schemas).toEqual([
    expect.objectContaining({ name: current, keptBecause: "the current one" }),
  ]);

  const elsewhere = await db({ ...settings, ESCROWS: `${escrow.address}@999` }, "status");
  expect(elsewhere.output).toMatch(/^Current schema raisebook_[0-9a-f]{10}: nothing is indexed yet\.$/m);
  expect(elsewhere.output).toMatch(new RegExp(`^  ${current} .* in use by an indexer$`, "m"));
  const refused = await db(withWrongPassword(), "status");
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringMatching(/^The database cannot be read: error: password authentication failed/),
  ]);
  expect((await db({ ...settings, DATABASE_URL: "memory" }, "status")).code).toBe(1);
});

test("db:prune drops what the indexer has left behind, and nothing else", async () => {
  const [, current] = await schemas();
  expect(current).toMatch(/^raisebook_[0-9a-f]{10}$/);
  const old = ["raisebook_0000000001", "raisebook_0000000002"];
  for (const name of old) await copySchema(String(current), name);
  // A process that was killed a moment ago may be starting again.
  const now = { is_locked: 1, heartbeat_at: Date.now() + 600_000 };
  await copySchema(String(current), "raisebook_0000000003", now);
  for (const name of ["raisebook_0000000004", "raisebook_0000000005"])
    await copySchema(String(current), name);
  await copySchema(String(current), "raisebook_0000000006", { table_names: ["listing", "account"] });
  // Its service is stopped, and has another PUBLIC_URL.
  await copySchema(String(current), "raisebook_0000000008", { service: 7 });
  await copySchema(String(current), "raisebook_live");
  await copySchema(String(current), "shop", { table_names: ["account"] });
  await postgres.query(`
    CREATE SCHEMA reports; CREATE VIEW reports.totals AS SELECT count(*) FROM raisebook_0000000004.listing;
    CREATE TABLE raisebook_0000000001._mark_of_a_later_release (block bigint);
    CREATE TABLE raisebook_0000000005.notes (text text);
    CREATE SCHEMA raisebook_0000000007; CREATE TABLE raisebook_0000000007.listing (id int)`);
  const before = await schemas();
  const cached = await postgres.query("SELECT count(*) FROM ponder_sync.blocks");

  // The running one too, from the place of a deployment with other contracts.
  const elsewhere = await prune({ ...settings, ESCROWS: `${escrow.address}@999` });
  expect(elsewhere.code).toBe(1);
  expect(elsewhere.output).toMatch(new RegExp(`${current} .* in use`));
  expect(elsewhere.output).toMatch(/raisebook_0000000001 .* last active 2026-01-02 03:04 UTC/);
  expect(elsewhere.output).toContain("--yes drops them");
  expect(await schemas()).toEqual(before);

  await onPostgres.stop();
  const { code, output } = await prune(settings, "--yes");
  expect([code, await schemas()]).toEqual([0, before.filter((name) => !old.includes(String(name)))]);
  expect(output).toMatch(new RegExp(`${current} .* the current one`));
  expect(output).toMatch(/raisebook_0000000003 .* in use by an indexer/);
  expect(output).toMatch(/raisebook_0000000004 .* depends on it: reports\.totals/);
  expect(output).toMatch(/raisebook_0000000005 .* other tables too: notes/);
  expect(output).toMatch(/raisebook_0000000008 .* of another service/);
  for (const name of old) expect(output).toContain(`Dropped ${name}.`);
  expect(await postgres.query("SELECT count(*) FROM ponder_sync.blocks")).toEqual(cached);

  expect(await prune(settings)).toMatchObject({
    code: 0,
    output: expect.stringContaining("No old schema to drop."),
  });
  const { DATABASE_URL: _, ...embedded } = settings;
  const refusal = expect.stringContaining("the embedded database belongs to the service");
  expect(await prune(embedded, "--yes")).toEqual({ code: 1, output: refusal });
  expect((await prune(withWrongPassword())).output).toMatch(
    /^The database cannot be pruned: error: password authentication failed for user "raisebook"$/m,
  );
});

test("db:prune --start-over keeps the tables of another service, and says that it has to start over too", async () => {
  const { schema: current } = JSON.parse((await db(settings, "status", "--json")).output);
  const before = await schemas();
  // One that its next start would drop, if the chain still has the block.
  const note = "SELECT 1::bigint AS finalized_block, '0xa'::text AS finalized_hash";
  await postgres.query(`CREATE TABLE raisebook_0000000008._deep_reorg AS ${note}`);
  const { code, output } = await prune(settings, "--start-over", "--yes");
  expect([code, await schemas()]).toEqual([0, before.filter((name) => name !== current)]);
  expect(output).toContain("Kept raisebook_0000000008, which has to be started over too.\n");
  expect(await postgres.query("SELECT FROM raisebook_0000000008._deep_reorg")).toEqual([]);
  expect(await postgres.query("SELECT FROM ponder_sync.blocks WHERE chain_id = 97")).toEqual([]);
});
