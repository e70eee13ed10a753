/**
 * Random histories through the real contracts, two escrows and a desk interleaved: the answers equal those of a model
 * that was written from the documents alone, and the escrows' own view functions; and they are the same bytes whether
 * the history was indexed live, from its beginning, from the RPC cache, or written in bulk.
 *
 * `SEED=7 ACTIONS=5000 npx vitest run --project long integration/histories.test.ts` plays another, longer one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { type Deployment, deployDesk, deployDollar, deployEscrow, deployFactory } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { createHistory, type History } from "../harness/history/history.ts";
import { chosenSeed } from "../harness/history/random.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type RpcProxy, startRpcProxy } from "../harness/rpc-proxy.ts";
import { type Service, type ServiceOptions, startService } from "../harness/service.ts";
import { type AssertAnswer, createAnswerValidator } from "../harness/validate.ts";
import type { Prediction } from "../model/answers.ts";
import { answerTotals, expectedAnswers, viewTotals } from "../model/compare.ts";
import { differences } from "../model/differences.ts";
import type { Trading } from "../model/trading.ts";

/** One whose history trades. */
const PROVEN_SEED = 2_026;
const PROVEN_ACTIONS = 1_200;
const ACTIONS = Number(process.env.ACTIONS ?? PROVEN_ACTIONS);
const seed = chosenSeed(PROVEN_SEED);
const COMPARISONS = 12;
const PATHS = ["/v1/listings", "/v1/originators", "/v1/stats"] as const;

let chain: LocalChain;
let proxy: RpcProxy;
let escrows: Deployment[];
let desk: Deployment;
let history: History;
let options: ServiceOptions;
let live: Service;
let assertAnswer: AssertAnswer;
const directory = temporaryFolder();

beforeAll(async () => {
  chain = await startChain({ genesisTimestamp: 1_600_000_000, keptStates: 200 });
  proxy = await startRpcProxy(chain.rpcUrl);
  const { address: dollar } = await deployDollar(chain);
  const { address: factory, blockNumber } = await deployFactory(chain);
  const announced = await deployEscrow(chain, { dollar, factory, feeBps: 150 });
  const listed = await deployEscrow(chain, { dollar });
  escrows = [announced, listed];
  desk = await deployDesk(chain, { dollar });
  history = await createHistory({
    chain,
    dollar,
    escrows: escrows.map(({ address }) => address),
    desk: desk.address,
    seed,
  });
  options = {
    rpcUrl: proxy.url,
    // One escrow from the factory alone, one from the list alone.
    factory: `${factory}@${blockNumber}`,
    escrows: [`${listed.address}@${listed.blockNumber}`],
    desk: `${desk.address}@${desk.blockNumber}`,
    registry: history.registry(),
    env: { HOLDERS: "true" },
  };
  live = await startService(options);
  assertAnswer = createAnswerValidator(await live.json("/openapi.json"));
});

/**
 * The differences between the answers of the service and of the model, once the newest registry is in use and new finality has been
 * noted; patience is for that.
 */
async function differencesOf(service: Service, block: bigint): Promise<[Prediction, string[]]> {
  const deadline = performance.now() + PATIENCE.timeout;
  for (;;) {
    const { finalizedBlock } = await service.json<{ finalizedBlock: string }>("/v1/health");
    const expected = await expectedAnswers({
      client: chain.publicClient,
      escrows,
      desk: { address: desk.address },
      holders: true,
      registry: history.registry(),
      block,
      finalized: BigInt(finalizedBlock),
      publicUrl: "http://raises.localhost",
      appUrl: "http://app.localhost",
    });
    const { listings, originators, stats, schedules } = expected;
    const answers = await Promise.all(PATHS.map((path) => service.json(path)));
    const found = differences([listings, originators, stats], answers);
    if (found.length > 0 && performance.now() < deadline) {
      await sleep(50);
      continue;
    }
    const ids = Object.keys(schedules);
    const ofIds = await Promise.all(ids.map((id) => service.json(`/v1/listings/${id}/schedule`)));
    const shown = Object.fromEntries(ids.map((id, index) => [id, ofIds[index]]));
    return [expected, [...found, ...differences(schedules, shown)]];
  }
}

/** Expects the model's answers, and returns them, to show that there was anything to compare. */
async function compare(service: Service): Promise<Prediction> {
  const block = await chain.publicClient.getBlockNumber();
  await service.indexed(block);
  const [expected, found] = await differencesOf(service, block);
  expect(found, `block ${block}`).toEqual([]);

  const { listings } = await service.json<{ listings: Parameters<typeof answerTotals>[0] }>("/v1/listings");
  const shown = answerTotals(listings);
  const onChain = await viewTotals(chain.publicClient, escrows, block);
  const ofShown = Object.fromEntries(Object.keys(shown).map((pair) => [pair, onChain[pair]]));
  expect(differences(ofShown, shown), `views at block ${block}`).toEqual([]);

  const ids = listings.map((listing) => (listing as unknown as { publicId: string }).publicId);
  for (const path of [
    ...PATHS,
    "/v1/health",
    "/v1/ready",
    ...ids.slice(0, 5).flatMap((id) => [`/v1/listings/${id}`, `/v1/listings/${id}/schedule`]),
  ]) {
    assertAnswer(path, await service.get(path));
  }
  return expected;
}

test("live, at every moment, every field is the model's and every total the escrow's", async () => {
  const tradings: Trading[] = [];
  for (let part = 1; part <= COMPARISONS; part += 1) {
    await history.playUntil((ACTIONS * part) / COMPARISONS);
    await live.publish(history.registry());
    const { listings } = await compare(live);
    tradings.push(listings.trading);
  }
  const { anomalies } = await live.json<{ anomalies: { byKind: Record<string, number> } }>("/v1/health");
  // The reference escrow is consistent; only its refnums are free text.
  expect(Object.keys(anomalies.byKind).filter((kind) => kind !== "bad_refnum")).toEqual([]);

  if (seed !== PROVEN_SEED || ACTIONS < PROVEN_ACTIONS) return;
  const most = (of: (trading: Trading) => number) => Math.max(...tradings.map(of));
  expect(most(({ tradesTotal }) => tradesTotal)).toBeGreaterThan(20);
  expect(most(({ selfTrades }) => selfTrades)).toBeGreaterThan(1);
  expect(most(({ openOffers }) => openOffers)).toBeGreaterThan(2);
  expect(most(({ trades24h }) => trades24h)).toBeGreaterThan(0);
  expect(most(({ sellers30d }) => sellers30d)).toBeGreaterThan(1);
  expect(most(({ listings }) => listings.filter(hasYield).length)).toBeGreaterThan(0);
  expect(most(({ listings }) => Math.max(0, ...listings.map((row) => row.holderCount ?? 0)))).toBeGreaterThan(
    3,
  );
});

function hasYield({ yieldToMaturityBps }: Trading["listings"][number]): boolean {
  return yieldToMaturityBps !== null;
}

test("live, from the beginning, from the RPC cache, and in bulk: the same bytes", async () => {
  // Ponder takes blocks for final in steps of 30, and the one that is started later begins at another.
  await chain.testClient.mine({ blocks: 100 });
  const head = await chain.publicClient.getBlockNumber();
  await live.indexed(head);
  const bytes = async (service: Service) => {
    await service.indexed(head);
    // The local chain calls a block final that is thirty below its head.
    const isFinal = async () => (await service.json("/v1/health")).finalizedBlock === `${head - 30n}`;
    while (!(await isFinal())) await sleep(50);
    const answers = await Promise.all(PATHS.map((path) => service.get(path)));
    return answers.map(({ text, headers }) => [headers.get("etag"), text]);
  };
  const expected = await bytes(live);

  const kept = { ...options, registry: history.registry(), dataDirectory: directory };
  proxy.reset();
  const eventByEvent = { ...kept.env, FAST_FORWARD: "false" };
  const historical = await startService({ ...kept, env: { ...eventByEvent, DATABASE_SCHEMA: "first" } });
  const fromTheBeginning = await bytes(historical);
  await historical.stop();
  const blocksAsked = proxy.asked("eth_getBlockByNumber");
  const logsAsked = proxy.asked("eth_getLogs");

  proxy.reset();
  const replayed = await startService({ ...kept, env: { ...eventByEvent, DATABASE_SCHEMA: "second" } });
  const fromTheCache = await bytes(replayed);
  await replayed.stop();
  expect(proxy.asked("eth_getLogs")).toBeLessThan(logsAsked);
  expect(proxy.asked("eth_getBlockByNumber")).toBeLessThan(blocksAsked);

  const forwarded = await startService({ ...kept, env: { ...kept.env, DATABASE_SCHEMA: "third" } });
  const inBulk = await bytes(forwarded);
  await forwarded.stop();

  expect(fromTheBeginning).toEqual(expected);
  expect(fromTheCache).toEqual(expected);
  expect(inBulk).toEqual(expected);
});
