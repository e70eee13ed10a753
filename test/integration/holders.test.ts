/** Holders of listing tokens: whose transfers are followed, and what a stranger can do with them. */
import { zeroAddress } from "viem";
import { beforeAll, expect, test } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { BACKER, emit, events, OTHER_BACKER } from "../harness/emit.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type Service, startService } from "../harness/service.ts";

type Trading = { listings: { publicId: string; holderCount: number | null }[] };

let chain: LocalChain;
let postgres: Postgres;
let escrow: Deployment;
let announced: Deployment;
let stranger: Deployment;
let tokens: Deployment[];
let byDefault: Service;
let all: Service;
let listed: Service;

const say = ({ address }: Deployment, ...calls: Parameters<typeof emit>[2][]) =>
  emit(chain, address, ...calls);
/** A raise that was drawn down, so that the desk's summary has it. */
const drawn = (id: bigint, token: Deployment) => [
  events.created(id, { token: token.address }),
  events.subscribed(id, 100n, 100n),
  events.closed(id, 100n),
  events.drawnDown(id, 100n, 4_000_000_000n),
];
const token = (index: number): Deployment => {
  const found = tokens[index];
  if (found === undefined) throw new Error(`no token ${index}`);
  return found;
};

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startChain(), startPostgres()]);
  const factory = await deployRogueEscrow(chain);
  const desk = await deployRogueEscrow(chain);
  escrow = await deployRogueEscrow(chain);
  announced = await deployRogueEscrow(chain);
  stranger = await deployRogueEscrow(chain);
  tokens = [await deployRogueEscrow(chain), await deployRogueEscrow(chain), await deployRogueEscrow(chain)];

  await say(factory, events.deployed(announced.address));
  await say(escrow, ...drawn(1n, token(0)));
  await say(announced, ...drawn(1n, token(1)));
  await say(stranger, ...drawn(1n, token(2)));
  for (const one of tokens) {
    await say(one, events.transferred(zeroAddress, BACKER, 100n));
    await say(one, events.transferred(BACKER, OTHER_BACKER, 30n), events.transferred(BACKER, BACKER, 5n));
  }
  await chain.testClient.mine({ blocks: 40 });

  const head = await chain.publicClient.getBlockNumber();
  const start = async (schema: string, HOLDERS: string, withFactory = true) => {
    const service = await startService({
      rpcUrl: chain.rpcUrl,
      escrows: [`${escrow.address}@${escrow.blockNumber}`],
      ...(withFactory ? { factory: `${factory.address}@${factory.blockNumber}` } : {}),
      desk: `${desk.address}@${desk.blockNumber}`,
      registry: registryOf({ listed: escrow.address, announced: announced.address }, 2),
      env: { DATABASE_URL: postgres.connectionString, DATABASE_SCHEMA: schema, HOLDERS },
    });
    await service.indexed(head);
    return service;
  };
  // One after another: indexers that fill one cache of RPC answers at the same time can miss each other's blocks.
  byDefault = await start("by_default", "");
  all = await start("all", "true");
  listed = await start("listed", "true", false);
});

async function holderCounts(service: Service): Promise<Record<string, number | null>> {
  const { trading } = await service.json<{ trading: Trading }>("/v1/listings");
  return Object.fromEntries(trading.listings.map(({ publicId, holderCount }) => [publicId, holderCount]));
}

async function indexed(block: bigint): Promise<void> {
  await Promise.all([byDefault, all, listed].map((service) => service.indexed(block)));
}

test("they are counted where the operator has them followed, else null", async () => {
  await indexed(await chain.publicClient.getBlockNumber());
  expect(await holderCounts(byDefault)).toEqual({ lst_listed_1: null, lst_announced_1: null });
  expect(await holderCounts(all)).toEqual({ lst_listed_1: 2, lst_announced_1: 2 });
  expect(await holderCounts(listed)).toEqual({ lst_listed_1: 2 });
});

test("live, by the transfers alone: a transfer changes no subscriber, and no trade is made of it", async () => {
  const last = await say(
    token(0),
    events.transferred(OTHER_BACKER, BACKER, 30n),
    events.transferred(BACKER, stranger.address, 1n),
    events.transferred(BACKER, zeroAddress, 99n),
  );
  await indexed(last);
  expect(await holderCounts(all)).toEqual({ lst_listed_1: 1, lst_announced_1: 2 });
  expect(await all.json("/v1/listings/lst_listed_1")).toMatchObject({
    subscriberCount: 1,
    raisedAmount: "100",
  });
  const { trading } = await all.json<{ trading: { tradesTotal: number } }>("/v1/listings");
  expect(trading.tradesTotal).toBe(0);
  const rows = await postgres.query(
    `SELECT holder, balance FROM "all".token_holder WHERE token = '${token(0).address}'`,
  );
  expect(new Map(rows.map(({ holder, balance }) => [holder, balance]))).toEqual(
    new Map([
      [BACKER, "0"],
      [OTHER_BACKER, "0"],
      [stranger.address, "1"],
    ]),
  );
});

test("a stranger's listing makes its token be fetched, and nothing of it is kept", async () => {
  const last = await say(token(2), events.transferred(BACKER, OTHER_BACKER, 1n));
  await indexed(last);
  const tokensKept = await postgres.query('SELECT DISTINCT token FROM "all".token_holder');
  expect(tokensKept.map((row) => row.token).sort()).toEqual([token(0).address, token(1).address].sort());
  expect(
    await postgres.query(`SELECT * FROM "all".listing WHERE escrow_address = '${stranger.address}'`),
  ).toEqual([]);
});

test("a transfer of more than there is never stops the indexer, and is an anomaly", async () => {
  const huge = 2n ** 256n - 1n;
  const last = await say(
    token(1),
    events.transferred(stranger.address, BACKER, huge),
    events.transferred(zeroAddress, BACKER, huge),
  );
  await indexed(last);
  expect(await holderCounts(all)).toMatchObject({ lst_announced_1: 2 });
  const anomalies = await postgres.query('SELECT kind, event_kind, onchain_id FROM "all".anomaly');
  expect(anomalies).toEqual([
    { kind: "total_mismatch", event_kind: "transfer", onchain_id: "1" },
    { kind: "total_mismatch", event_kind: "transfer", onchain_id: "1" },
  ]);
  expect(await all.json("/v1/health")).toMatchObject({ anomalies: { byKind: { total_mismatch: 2 } } });
});

test("a reorg takes transfers back", async () => {
  const id = await chain.testClient.snapshot();
  await indexed(
    await say(
      token(0),
      events.transferred(stranger.address, OTHER_BACKER, 1n),
      events.transferred(zeroAddress, BACKER, 4n),
    ),
  );
  expect(await holderCounts(all)).toMatchObject({ lst_listed_1: 2 });
  await chain.testClient.revert({ id });
  // A chain whose time went back is waited for.
  await chain.testClient.mine({ blocks: 3, interval: 2 });
  await indexed(await chain.publicClient.getBlockNumber());
  expect(await holderCounts(all)).toMatchObject({ lst_listed_1: 1 });
});
