/**
 * The market as it stood, at every block of a random history: what the service answers for a past block is what it
 * answered when that block was the newest, and what the model makes of the chain up to there.
 */
import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import {
  addressAndBlock,
  type Deployment,
  deployDesk,
  deployDollar,
  deployEscrow,
} from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { createHistory, type History } from "../harness/history/history.ts";
import { chosenSeed } from "../harness/history/random.ts";
import { type Service, type ServiceOptions, startService } from "../harness/service.ts";
import type { Prediction } from "../model/answers.ts";
import { expectedAnswers, headAt } from "../model/compare.ts";
import { differences } from "../model/differences.ts";
import { cohortsOf, seriesOf } from "../model/over-time.ts";

/** One that trades while it is watched. */
const PROVEN_SEED = 4;
/** There is a market already when the service begins to watch. */
const MOVES_BEFORE = 300;
const BLOCKS = 60;
const PATHS = ["/v1/listings", "/v1/originators"] as const;
const seed = chosenSeed(PROVEN_SEED);

type BookRoot = { blockNumber: string; changedBlock: string | null; root: string };
type Bodies = Record<(typeof PATHS)[number], unknown>;
type Deployed = { dollar: Address; escrows: Deployment[]; desk: Deployment };

let chain: LocalChain;
let deployed: Deployed;
let history: History;
let options: ServiceOptions;
let service: Service;
/** what the service said when the block was its newest */
const live = new Map<bigint, Bodies>();
/** the root of the book that it answered, by the final block */
const roots = new Map<string, string>();

async function deployAll(on: LocalChain): Promise<Deployed> {
  const { address: dollar } = await deployDollar(on);
  const escrows = [await deployEscrow(on, { dollar, feeBps: 120 }), await deployEscrow(on, { dollar })];
  return { dollar, escrows, desk: await deployDesk(on, { dollar }) };
}

function historyOn(on: LocalChain, { dollar, escrows, desk }: Deployed): Promise<History> {
  const addresses = escrows.map(({ address }) => address);
  return createHistory({ chain: on, dollar, escrows: addresses, desk: desk.address, seed });
}

async function playBlocks(played: History, after: () => Promise<void>): Promise<void> {
  await played.playUntil(MOVES_BEFORE);
  for (let block = 0; block < BLOCKS; block += 1) {
    await played.step();
    await after();
  }
}

/** One seed is one history: what will be published is known beforehand, and the past is seen with that. */
async function rehearse(): Promise<unknown> {
  const rehearsal = await startChain({ genesisTimestamp: 1_600_000_000, keptStates: 200 });
  const played = await historyOn(rehearsal, await deployAll(rehearsal));
  await playBlocks(played, async () => {});
  await rehearsal.stop();
  return played.registry();
}

/** An answer whose newest block is `block`. */
async function liveAt(block: bigint): Promise<Bodies> {
  await service.indexed(block);
  const bodies = await Promise.all(
    PATHS.map(async (path) => {
      const { text, headers, status } = await service.get(path);
      expect([status, headers.get("x-indexed-block")]).toEqual([200, `${block}`]);
      return [path, JSON.parse(text)];
    }),
  );
  return Object.fromEntries(bodies);
}

/** The same without the one figure that is unknown for the past, and without finality since then. */
function withoutHolders(body: unknown): unknown {
  const changed = { holderCount: null, finality: undefined };
  return JSON.parse(
    JSON.stringify(body, (key, value) => (key in changed ? changed[key as keyof typeof changed] : value)),
  );
}

async function ask(from: Service, path: string, asOf: bigint | string): Promise<unknown> {
  const { status, text } = await from.get(`${path}?asOf=${encodeURIComponent(String(asOf))}`);
  expect(status, `${path} as of ${asOf}: ${text.slice(0, 200)}`).toBe(200);
  return JSON.parse(text);
}

async function predicted(atBlock: bigint, now?: bigint): Promise<Prediction> {
  return expectedAnswers({
    client: chain.publicClient,
    escrows: deployed.escrows,
    desk: deployed.desk,
    registry: history.registry(),
    atBlock,
    finalized: BigInt((await service.json<{ finalizedBlock: string }>("/v1/health")).finalizedBlock),
    ...(now !== undefined && { now }),
    publicUrl: "http://raises.localhost",
    appUrl: "http://app.localhost",
  });
}

/** Everything that takes `asOf`, against the model; one line for each difference. */
async function differencesAsOf(asOf: bigint | string, expected: Prediction): Promise<string[]> {
  const { listings, originators, stats, schedules } = expected;
  const bodies: [string, unknown][] = [
    ["/v1/listings", listings],
    ["/v1/originators", originators],
    ["/v1/stats", stats],
    ["/v1/stats/series", { by: "month", points: seriesOf(expected.overTime(), "month") }],
    ["/v1/stats/cohorts", { by: "quarter", cohorts: cohortsOf(expected.overTime(), "quarter") }],
    ...listings.listings.map((listing): [string, unknown] => [`/v1/listings/${listing.publicId}`, listing]),
    ...Object.entries(schedules).map(([id, body]): [string, unknown] => [
      `/v1/listings/${id}/schedule`,
      body,
    ]),
    ...originators.originators.map((one): [string, unknown] => [`/v1/originators/${one.publicId}`, one]),
  ];
  const found: string[] = [];
  for (const [path, body] of bodies) found.push(...differences(body, await ask(service, path, asOf), path));
  return found;
}

beforeAll(async () => {
  const registry = await rehearse();
  chain = await startChain({ genesisTimestamp: 1_600_000_000, keptStates: 200 });
  deployed = await deployAll(chain);
  history = await historyOn(chain, deployed);
  await history.playUntil(MOVES_BEFORE);
  options = {
    rpcUrl: chain.rpcUrl,
    escrows: deployed.escrows.map(addressAndBlock),
    desk: `${deployed.desk.address}@${deployed.desk.blockNumber}`,
    registry,
    env: { HOLDERS: "true" },
  };
  service = await startService(options);
  await playBlocks(history, async () => {
    const block = await chain.publicClient.getBlockNumber();
    live.set(block, await liveAt(block));
    const { blockNumber, root } = await service.json<BookRoot>("/v1/root");
    roots.set(blockNumber, root);
  });
  expect(history.registry()).toEqual(registry);
});

test("the past at every block is what was answered then, except for the holders", async () => {
  expect(live.size).toBe(BLOCKS);
  for (const [block, bodies] of live) {
    for (const path of PATHS) {
      const past = await ask(service, path, block);
      expect(
        differences(withoutHolders(bodies[path]), withoutHolders(past)),
        `${path} at block ${block}`,
      ).toEqual([]);
    }
  }
});

test("the blocks differ from one another, and the desk was at work", () => {
  const bodies = [...live.values()].map((body) => body["/v1/listings"] as Prediction["listings"]);
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBeGreaterThan(BLOCKS / 2);
  if (seed !== PROVEN_SEED) return;
  const tradings = bodies.map(({ trading }) => trading);
  const total = tradings.map(({ tradesTotal }) => tradesTotal);
  expect(Math.max(...total) - Math.min(...total)).toBeGreaterThan(3);
  expect(Math.max(...tradings.map(({ openOffers }) => openOffers))).toBeGreaterThan(1);
  expect(tradings.some(({ listings }) => listings.some(({ holderCount }) => (holderCount ?? 0) > 1))).toBe(
    true,
  );
});

test("the past before and after the service began to watch is what the model makes of the chain up to there", async () => {
  const [first = 0n] = live.keys();
  const before = [first / 4n, first / 2n, first - 1n];
  const since = [...live.keys()].filter((_, index) => index % 12 === 0);
  for (const block of [...before, ...since]) {
    expect(await differencesAsOf(block, await predicted(block)), `block ${block}`).toEqual([]);
  }
});

test("the past at a time is everything up to it, with the clock at that time", async () => {
  const numbers = [...live.keys()];
  const heads = await Promise.all(numbers.map((number) => headAt(chain.publicClient, number)));
  const gaps = heads.flatMap(({ number, timestamp }, index) => {
    const next = heads[index + 1];
    return next && next.timestamp > timestamp + 1n ? [{ number, timestamp, until: next.timestamp }] : [];
  });
  expect(gaps.length).toBeGreaterThan(10);
  for (const { number, timestamp, until } of gaps.filter((_, index) => index % 12 === 0)) {
    for (const now of [timestamp, (timestamp + until) / 2n, until - 1n]) {
      const time = new Date(Number(now) * 1000).toISOString();
      expect(await differencesAsOf(time, await predicted(number, now)), time).toEqual([]);
    }
  }
});

test("the head is the live answer itself, holders and all", async () => {
  for (const path of PATHS) {
    expect(await ask(service, path, "head")).toEqual(await service.json(path));
  }
});

test("a service that begins now has the same past", async () => {
  await chain.testClient.mine({ blocks: 40 });
  const late = await startService(options);
  await late.indexed(await chain.publicClient.getBlockNumber());
  const sample = [...live].filter((_, index) => index % 10 === 0);
  for (const [block, bodies] of sample) {
    for (const path of PATHS) {
      const past = await ask(late, path, block);
      expect(
        differences(withoutHolders(bodies[path]), withoutHolders(past)),
        `${path} at block ${block}`,
      ).toEqual([]);
    }
  }
  // For blocks that were final then and are now, one service kept the answers, and the new one computes them.
  const newest = [service, late].map(async (one) => (await one.json<BookRoot>("/v1/root")).blockNumber);
  const final = Math.min(...(await Promise.all(newest)).map(Number));
  const blocks = [...live.keys()].filter((block) => block <= BigInt(final));
  for (const block of blocks) {
    const { root } = await service.json<BookRoot>(`/v1/root?at=${block}`);
    expect(await late.json(`/v1/root?at=${block}`)).toMatchObject({ blockNumber: `${block}`, root });
    roots.set(`${block}`, roots.get(`${block}`) ?? root);
  }
  expect(new Set(roots.values()).size).toBeGreaterThan(10);
  for (const [block, root] of roots) expect(await late.json(`/v1/root?at=${block}`)).toMatchObject({ root });
  await late.stop();
});
