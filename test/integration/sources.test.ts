/**
 * Sources of events: a list with a start block for each escrow, a factory, and the desk. The chain is another than that of
 * the defaults.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { addressAndBlock } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { BACKER, emit, events, ORIGINATOR, OTHER_BACKER, tokenOf } from "../harness/emit.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { RAISEBOOK } from "../harness/run-program.ts";
import { type Service, startService } from "../harness/service.ts";
import {
  DEPLOYMENT,
  domainOf,
  OPERATOR,
  OPERATOR_KEY,
  signed as signedBy,
} from "../harness/signed-registry.ts";

let chain: LocalChain;
let postgres: Postgres;
let factory: Deployment;
let early: Deployment;
let late: Deployment;
let announced: Deployment;
let desk: Deployment;
let service: Service;
let start: bigint;

const say = ({ address }: Deployment, ...calls: Parameters<typeof emit>[2][]) =>
  emit(chain, address, ...calls);
const raise = (id: bigint, amount: bigint) => [events.created(id), events.subscribed(id, amount, amount)];
/** Sepolia's. */
const CHAIN_ID = 11_155_111;
const signed = <Document extends object>(document: Document, revision: number) =>
  signedBy(document, revision, OPERATOR_KEY, domainOf(DEPLOYMENT, CHAIN_ID));
const UNKNOWN_TOKEN = "0x00000000000000000000000000000000000000ee";

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startChain({ chainId: CHAIN_ID }), startPostgres()]);
  factory = await deployRogueEscrow(chain);
  early = await deployRogueEscrow(chain);
  late = await deployRogueEscrow(chain);
  announced = await deployRogueEscrow(chain);
  desk = await deployRogueEscrow(chain);

  await say(announced, ...raise(1n, 10n));
  await say(factory, events.deployed(announced.address), events.deployed(late.address));
  await say(early, ...raise(1n, 20n));
  await say(late, ...raise(1n, 30n));
  await say(announced, ...raise(2n, 40n));
  start = await say(late, events.created(2n, { token: tokenOf(77n) }), events.subscribed(2n, 50n, 50n));
  await say(desk, events.offered(1n, tokenOf(77n), 500n), events.offered(2n, UNKNOWN_TOKEN, 5n));
  // On this chain 65 blocks become final together.
  await chain.testClient.mine({ blocks: 80 });

  service = await startService({
    rpcUrl: chain.rpcUrl,
    escrows: [`${late.address}@${start}`, `${early.address}@${early.blockNumber}`],
    factory: `${factory.address}@${factory.blockNumber}`,
    desk: `${desk.address}@${desk.blockNumber}`,
    registry: registryOf({ early: early.address, late: late.address, announced: announced.address }, 3),
    env: {
      ...{ CHAIN_ID: `${CHAIN_ID}`, DATABASE_URL: postgres.connectionString },
      DATABASE_SCHEMA: "sources",
    },
  });
});

async function raised(publicId: string): Promise<unknown> {
  return (await service.json(`/v1/listings/${publicId}`)).raisedAmount;
}

test("each escrow of the list begins at its own block, though the factory announces it too", async () => {
  await service.indexed(await chain.publicClient.getBlockNumber());
  expect(await raised("lst_early_1")).toBe("20");
  expect(await raised("lst_late_1")).toBeUndefined();
  expect(await raised("lst_late_2")).toBe("50");
});

test("every face names the configured chain", async () => {
  expect(await service.json("/v1/health")).toMatchObject({ chainId: CHAIN_ID });
  const { listings } = await service.json<{ listings: { chainId: number }[] }>("/v1/listings");
  expect(new Set(listings.map(({ chainId }) => chainId))).toEqual(new Set([CHAIN_ID]));
  const texts = {
    page: (await service.get("/", { Accept: "text/html" })).text,
    llms: (await service.get("/llms.txt")).text,
    description: (await service.json<{ info: { description: string } }>("/openapi.json")).info.description,
    instructions: await toolInstructions(),
  };
  for (const [face, said] of Object.entries(texts)) {
    expect([face, said]).toEqual([face, expect.stringContaining(`chain ${CHAIN_ID}`)]);
    expect([face, said]).toEqual([face, expect.not.stringContaining("chain 97")]);
  }
  expect(texts.page).toContain(`Test network (chain ${CHAIN_ID}): no value here is real.`);
});

async function toolInstructions(): Promise<string> {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const response = await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  return response.text();
}

test("an escrow of the factory counts from its announcement", async () => {
  expect(await raised("lst_announced_1")).toBeUndefined();
  expect(await raised("lst_announced_2")).toBe("40");
});

test("an escrow that is announced while the service runs is picked up without a restart", async () => {
  const redeployed = await deployRogueEscrow(chain);
  await say(factory, events.deployed(redeployed.address));
  await service.publish(registryOf({ early: early.address, redeployed: redeployed.address }, 1));
  await service.indexed(await say(redeployed, ...raise(1n, 60n)));
  await expect.poll(() => raised("lst_redeployed_1"), PATIENCE).toBe("60");
});

test("after a redeploy the factory's new escrow has the old links, and nothing is restarted", async () => {
  const redeployed = await deployRogueEscrow(chain);
  const { listings, ...rest } = registryOf({ late: late.address }, 2);
  const shown = () => service.json("/v1/listings/lst_late_2");
  await service.publish({ ...rest, listings });
  const place = { escrowAddress: late.address, onchainId: "2" };
  await expect.poll(shown, PATIENCE).toMatchObject(place);
  const { refnum } = await shown();
  await say(factory, events.deployed(redeployed.address));
  // On-chain ids begin at 1 again.
  await service.indexed(await say(redeployed, ...raise(1n, 70n)));
  const moved = { ...listings[1], escrowAddress: redeployed.address, onchainId: "1" };
  await service.publish({ ...rest, listings: [listings[0], moved] });
  await expect.poll(shown, PATIENCE).toMatchObject({
    ...{ publicId: "lst_late_2", refnum, raisedAmount: "70" },
    ...{ escrowAddress: redeployed.address, onchainId: "1" },
  });
  for (const path of ["/listings/lst_late_2", "/listings/lst_late_2/feed.atom"])
    expect([path, (await service.get(path)).status]).toEqual([path, 200]);
  expect(service.log.filter((line) => line.includes("Created HTTP server"))).toHaveLength(1);
  expect(service.log.filter((line) => line.includes("Loaded a new registry")).at(-1)).toContain(
    '"listingChanges":{"added":0,"removed":0,"changed":1}',
  );
});

test("the desk's offers and fills of followed tokens are kept, historical and live; a stranger's token is not", async () => {
  const last = await say(
    desk,
    events.filled(1n, tokenOf(77n), 200n, 190n, 300n),
    events.filled(1n, tokenOf(77n), 0n, 0n, 300n),
    events.filled(2n, UNKNOWN_TOKEN, 5n, 5n, 0n),
    events.unoffered(1n, 300n),
  );
  await service.indexed(last);
  const [offer, ...otherOffers] = await postgres.query("SELECT * FROM sources.offer");
  expect(otherOffers).toEqual([]);
  expect(offer).toMatchObject({
    desk: desk.address,
    offer_id: "1",
    escrow_address: late.address,
    onchain_id: "2",
    seller: BACKER,
    amount: "500",
    remaining: "300",
    price_bps: "9500",
  });
  expect(offer?.cancelled_at).toBe(`${(await chain.publicClient.getBlock({ blockNumber: last })).timestamp}`);
  expect(await postgres.query("SELECT seller, buyer, amount, cost, onchain_id FROM sources.trade")).toEqual([
    { seller: BACKER, buyer: OTHER_BACKER, amount: "200", cost: "190", onchain_id: "2" },
  ]);
  const kinds = await postgres.query(
    `SELECT kind FROM sources.ledger WHERE escrow_address = '${late.address}' AND onchain_id = 2 ORDER BY event_id`,
  );
  expect(kinds.map(({ kind }) => kind)).toEqual([
    "listing_created",
    "subscribed",
    "offer_created",
    "offer_filled",
    "offer_filled",
    "offer_cancelled",
  ]);
});

test("the template has an entry for each listing that the registry does not name", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "registry.json");
  const template = async (...options: string[]) => {
    const child = spawn(RAISEBOOK, ["registry", "template", ...options], {
      env: {
        ...{ PATH: process.env.PATH, RPC_URLS: chain.rpcUrl, REGISTRY: path, ETH_GET_LOGS_RANGE: "7" },
        CHAIN_ID: `${CHAIN_ID}`,
        ESCROWS: `${late.address}@${start},${early.address}@${early.blockNumber}`,
        ESCROW_FACTORY: `${factory.address}@${factory.blockNumber}`,
      },
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ]);
    expect([code, errors]).toEqual([0, expect.stringContaining("on the chain without an entry")]);
    return { document: JSON.parse(output) as ReturnType<typeof registryOf>, errors };
  };
  // The events of each escrow count from its own start block, or from its announcement on.
  const pairs = [
    [early.address, "1"],
    [announced.address, "2"],
    [late.address, "2"],
  ];
  const { document, errors } = await template();
  expect(errors).toContain("registry.json does not exist yet");
  const [business, ...others] = document.originators;
  expect([business?.addresses, others]).toEqual([[ORIGINATOR], []]);
  const found = document.listings.map(({ escrowAddress, onchainId }) => [escrowAddress, onchainId]);
  expect(found.slice(0, 3)).toEqual(pairs);
  // Those of the redeploys above.
  expect(found.slice(3).map(([, onchainId]) => onchainId)).toEqual(["1", "1"]);
  expect(document.listings[0]).toMatchObject({ publicId: "lst_rb00001", title: "", description: "" });
  expect(new Set(document.listings.map(({ publicId }) => publicId)).size).toBe(5);

  const known = await signed(registryOf({ early: early.address }, 1), 4);
  await writeFile(path, JSON.stringify(known));
  const { document: merged } = await template("--merge");
  expect(merged).toMatchObject({ revision: 5, originators: known.originators });
  expect(merged).not.toHaveProperty("signature");
  expect(merged.listings[0]).toEqual(known.listings[0]);
  expect(merged.listings.slice(1).map(({ originator }) => originator)).toEqual(Array(4).fill("org_one"));
});

test("one restart with a list follows the new escrow; then a signed registry alone moves the links", async () => {
  const redeployed = await deployRogueEscrow(chain);
  const last = await say(redeployed, ...raise(1n, 80n));
  expect(await service.stop()).toBe(0);
  const old = registryOf({ early: early.address }, 1);
  const next = registryOf({ early: redeployed.address }, 1);
  service = await startService({
    rpcUrl: chain.rpcUrl,
    escrows: [early, redeployed].map(addressAndBlock),
    registry: await signed(old, 1),
    env: {
      ...{ CHAIN_ID: `${CHAIN_ID}`, DATABASE_URL: postgres.connectionString, DATABASE_SCHEMA: "redeployed" },
      REGISTRY_SIGNER: OPERATOR,
    },
  });
  await service.indexed(last);
  expect(await raised("lst_early_1")).toBe("20");
  const registry = async () => (await service.json<{ registry: object }>("/v1/health")).registry;
  expect(await registry()).toMatchObject({ status: "ok", signer: OPERATOR, revision: 1 });

  await service.publish(next);
  await expect.poll(registry, PATIENCE).toMatchObject({
    ...{ status: "refused", revision: 1, problem: expect.stringContaining("signature: is missing") },
  });
  expect(await raised("lst_early_1")).toBe("20");

  await service.publish(await signed(next, 2));
  await expect.poll(() => raised("lst_early_1"), PATIENCE).toBe("80");
  expect(await registry()).toMatchObject({
    ...{ status: "ok", revision: 2, sinceBlock: `${await chain.publicClient.getBlockNumber()}` },
  });
  const { text: page } = await service.get("/md/listings/lst_early_1");
  expect(page).toContain("and are signed with the operator's key.");
});
