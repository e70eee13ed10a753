/**
 * A new operator with the runbook: from an empty folder and an empty database, on a chain that plays BSC testnet behind an
 * endpoint with its limits, to a service behind nginx; then the days after. Every command is the document's own.
 */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type DemoMarket, playDemoMarket } from "../../demo/market/play.ts";
import { registryFileIn } from "../../demo/market/registry.ts";
import { type LocalChain, startDemoChain } from "../harness/chain.ts";
import { OPERATOR_DOCUMENTS } from "../harness/documents/places.ts";
import { freePort } from "../harness/free-port.ts";
import { hasNginx, type Nginx, startNginx } from "../harness/nginx.ts";
import { createOperator, type Operator } from "../harness/operator.ts";
import { paste } from "../harness/paste.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, queryAt, startPostgres } from "../harness/postgres.ts";
import { type RpcProxy, type RpcRequest, startRpcProxy } from "../harness/rpc-proxy.ts";
import { type SystemPostgres, startSystemPostgres, systemPostgres } from "../harness/system-postgres.ts";

/** Blocks for which a provider answers eth_getLogs at most, and requests that it takes in a second. */
const PROVIDER = { range: 1_000, rate: 60, firstAnswer: 2_000 };
/** Blocks after the market, without an event: the chain is longer than one range of the provider's. */
const MORE_BLOCKS = 2_500;

let chain: LocalChain;
let market: DemoMarket;
let provider: RpcProxy;
let otherProvider: RpcProxy;
/** How often the provider said no, by what it is that it limits. */
const refused = { range: 0, rate: 0 };
/** PostgreSQL of the system, with its programs; else that of the test run, whose database exists already. */
let postgres: SystemPostgres | Postgres;
let databaseUrl: string;
let nginx: Nginx | null = null;
let operator: Operator;
let ports: number[];

/** A provider of BSC testnet: what it limits, and how long it takes to wake up. */
function limit(proxy: RpcProxy): void {
  let second = 0;
  let taken = 0;
  proxy.delay = PROVIDER.firstAnswer;
  proxy.refuses = (requests) => {
    proxy.delay = 0;
    const now = Math.floor(performance.now() / 1_000);
    taken = now === second ? taken + requests.length : requests.length;
    second = now;
    if (taken <= PROVIDER.rate) return undefined;
    refused.rate += 1;
    return { status: 429, headers: { "retry-after": "1" }, error: "compute units per second exceeded" };
  };
  proxy.answers = ({ method, params }: RpcRequest) => {
    const [filter] = (params ?? []) as { fromBlock?: string; toBlock?: string }[];
    if (method !== "eth_getLogs" || filter?.fromBlock === undefined) return undefined;
    if (Number(filter.toBlock) - Number(filter.fromBlock) < PROVIDER.range) return undefined;
    refused.range += 1;
    throw new Error(`eth_getLogs is limited to a ${PROVIDER.range} block range`);
  };
}

beforeAll(async () => {
  // Time for the blocks that follow, a second each.
  const now = Math.floor(Date.now() / 1_000) - MORE_BLOCKS;
  ports = [];
  for (let count = 0; count < 6; count++) ports.push(await freePort());
  [chain, nginx] = await Promise.all([startDemoChain({ end: now }), hasNginx() ? startNginx(ports) : null]);
  [market, postgres] = await Promise.all([
    playDemoMarket(chain, { seed: 1, now }),
    systemPostgres === null ? startPostgres() : startSystemPostgres(systemPostgres),
  ]);
  databaseUrl =
    "connectionString" in postgres
      ? postgres.connectionString
      : `postgres://raisebook:secret@127.0.0.1:${postgres.port}/raisebook`;
  // One call for all may take longer than its client waits.
  for (let mined = 0; mined < MORE_BLOCKS; mined += 500) {
    await chain.testClient.mine({ blocks: 500, interval: 1 });
  }
  [provider, otherProvider] = await Promise.all([startRpcProxy(chain.rpcUrl), startRpcProxy(chain.rpcUrl)]);
  limit(provider);
  const { legacy, current } = market.escrows;
  const [reader = 0, other = 0] = ports;
  operator = createOperator({
    documents: OPERATOR_DOCUMENTS,
    values: {
      "https://bsc-testnet.rpc.example": provider.url,
      "https://other-provider.rpc.example": otherProvider.url,
      "0x5fbdb2315678afecb367f032d93f642f64180aa3@48000000": `${legacy.address}@${legacy.blockNumber}`,
      "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512@49000000": `${current.address}@${current.blockNumber}`,
      // People sign in an app whose pages have the same paths.
      "https://app.raises.example": `http://127.0.0.1:${reader}`,
      "https://raises.example": `http://127.0.0.1:${nginx?.port ?? reader}`,
      "postgres://raisebook:secret@127.0.0.1:5432/raisebook": databaseUrl,
      "42069": `${reader}`,
      "42101": `${other}`,
      "42070": `${await freePort()}`,
    },
    env: { POLLING_INTERVAL: "100" },
    postgresEnv: "env" in postgres ? postgres.env : null,
  });
});

afterAll(async () => {
  await operator?.[Symbol.asyncDispose]();
  await nginx?.stop();
  await postgres?.stop();
});

const publish = (changes: (registry: DemoMarket["registry"]) => DemoMarket["registry"] = (one) => one) =>
  registryFileIn(operator.folder).write(changes(market.registry));

/** Asked again while it is not yet answered, as every client may have to. */
function get(path: string, port = ports[0]): Promise<string> {
  return vi.waitFor(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    expect(answer.status, path).toBe(200);
    return answer.text();
  }, PATIENCE);
}

/** All that is answered of the market, with the block that it is as of. */
const answers = () =>
  Promise.all(
    ["/v1/listings", "/v1/originators", "/v1/stats", "/v1/events?limit=200"].map((path) => get(path)),
  );

test("the first start: from nothing to a ready service behind nginx, with a green audit", async () => {
  // The operator writes the businesses and raises in place of the example's.
  await operator.follow("First start on BSC testnet", "npx raisebook doctor");
  const { legacy } = market.escrows;
  await publish(({ originators, listings }) => ({
    originators,
    listings: listings.filter(({ escrowAddress }) => escrowAddress === legacy.address),
  }));
  await operator.follow("First start on BSC testnet");
  const { listings } = JSON.parse(await get("/v1/listings")) as { listings: { escrowAddress: string }[] };
  expect(listings.length).toBeGreaterThan(5);
  expect(new Set(listings.map(({ escrowAddress }) => escrowAddress))).toEqual(
    new Set([market.escrows.legacy.address]),
  );
  const { folder } = operator;
  // However long the start took, the chain is not behind the clock.
  await chain.testClient.mine({ blocks: 1 });
  const examined = await paste("npx raisebook doctor", { cwd: folder, home: folder });
  expect(examined).toBe("Nothing is wrong with this set-up.\n");
  // It was the provider that it was said to be.
  expect(refused.range).toBeGreaterThan(0);
  expect(operator.output()).not.toContain("YOUR_KEY");
});

test("a registry that is written with the template, checked, and ready to be signed", async () => {
  await operator.follow("Writing it");
  await publish((written) => ({ ...written, revision: 1 }));
  await operator.follow("Signing it");
});

test("more readers, and every log compared with another provider's", async () => {
  await operator.follow("More readers");
  expect(await get("/v1/listings", ports[1])).toBe(await get("/v1/listings"));
  await operator.follow("An RPC that lies");
  expect(otherProvider.asked("eth_getLogs")).toBeGreaterThan(0);
});

test("a redeploy with one restart: the raise keeps its id and its address", async () => {
  const { legacy, current } = market.escrows;
  const isOf = (address: string) => (entry: { escrowAddress: string }) => entry.escrowAddress === address;
  const moved = market.registry.listings.find(isOf(legacy.address));
  const place = market.registry.listings.find(isOf(current.address));
  const publicId = moved?.publicId ?? "";
  const before = JSON.parse(await get(`/v1/listings/${publicId}`));
  await publish(({ originators, listings }) => ({
    originators,
    listings: listings
      .filter((entry) => entry !== place)
      .map((entry) =>
        entry === moved
          ? { ...entry, escrowAddress: current.address, onchainId: place?.onchainId ?? "" }
          : entry,
      ),
  }));
  await operator.follow("A redeploy of the contracts");
  const after = JSON.parse(await get(`/v1/listings/${publicId}`));
  expect(after).toMatchObject({ escrowAddress: current.address, onchainId: place?.onchainId });
  expect([after.publicId, after.url]).toEqual([before.publicId, before.url]);
});

test.skipIf(systemPostgres === null)("backup and restore: the same answers, and a green audit", async () => {
  const before = await answers();
  await operator.follow("Backup and restore");
  expect(await answers()).toEqual(before);
});

let exported: Awaited<ReturnType<typeof answers>>;
test("a ledger file is exported beside the running service", async () => {
  exported = await answers();
  await operator.follow("Export");
});

test("a deep reorganisation: nothing of the chain is left in the database", async () => {
  await operator.follow("A deep reorganisation");
  const schemas = await queryAt(
    databaseUrl,
    `SELECT nspname FROM pg_namespace WHERE nspname LIKE 'raisebook%'
      AND nspname NOT IN ('raisebook_registry', 'raisebook_indexing')`,
  );
  expect(schemas).toEqual([]);
});

test("a server that imports the ledger file has the same answers", async () => {
  await operator.follow("Import");
  await vi.waitFor(async () => expect(await answers()).toEqual(exported), PATIENCE);
  expect(operator.output()).toContain("Folded the ledger of an imported file");
});

test.skipIf(systemPostgres === null)("no command of the documents is left", () => {
  expect(operator.left()).toEqual([]);
});
