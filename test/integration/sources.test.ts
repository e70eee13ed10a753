/**
 * Where events may come from: a list with a start block for each escrow, a factory, and the desk.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalChain, startChain } from "../../demo/chain.ts";
import type { Deployment } from "../../demo/deploy.ts";
import { BACKER, emit, events, OTHER_BACKER, tokenOf } from "../harness/emit.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type Service, startService } from "../harness/service.ts";

let chain: LocalChain;
let postgres: Postgres;
let factory: Deployment;
let early: Deployment;
let late: Deployment;
let announced: Deployment;
let desk: Deployment;
let service: Service;

const say = ({ address }: Deployment, ...calls: Parameters<typeof emit>[2][]) =>
  emit(chain, address, ...calls);
const raise = (id: bigint, amount: bigint) => [events.created(id), events.subscribed(id, amount, amount)];
const UNKNOWN_TOKEN = "0x00000000000000000000000000000000000000ee";

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startChain(), startPostgres()]);
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
  const start = await say(late, events.created(2n, { token: tokenOf(77n) }), events.subscribed(2n, 50n, 50n));
  await say(desk, events.offered(1n, tokenOf(77n), 500n), events.offered(2n, UNKNOWN_TOKEN, 5n));
  await chain.testClient.mine({ blocks: 40 });

  service = await startService({
    rpcUrl: chain.rpcUrl,
    escrows: [`${late.address}@${start}`, `${early.address}@${early.blockNumber}`],
    factory: `${factory.address}@${factory.blockNumber}`,
    desk: `${desk.address}@${desk.blockNumber}`,
    registry: registryOf({ early: early.address, late: late.address, announced: announced.address }, 3),
    env: { DATABASE_URL: postgres.connectionString, DATABASE_SCHEMA: "sources" },
  });
});

afterAll(async () => {
  await service?.stop();
  await postgres?.stop();
  await chain?.stop();
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

test("an escrow of the factory counts from its announcement", async () => {
  expect(await raised("lst_announced_1")).toBeUndefined();
  expect(await raised("lst_announced_2")).toBe("40");
});

test("an escrow that is announced while the service runs is picked up without a restart", async () => {
  const redeployed = await deployRogueEscrow(chain);
  await say(factory, events.deployed(redeployed.address));
  await service.publish(registryOf({ early: early.address, redeployed: redeployed.address }, 1));
  await service.indexed(await say(redeployed, ...raise(1n, 60n)));
  const deadline = performance.now() + 10_000;
  while ((await raised("lst_redeployed_1")) === undefined && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await raised("lst_redeployed_1")).toBe("60");
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
