/** Paging through the ledger while the chain goes on and is reorganised: each final event is returned exactly once. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { addressAndBlock } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { readChainLedger } from "../harness/chain-ledger.ts";
import { keyOf, type ShownEvent, walk } from "../harness/ledger-pages.ts";
import { type LedgerStory, ledgerStory, type Roll, rollFrom } from "../harness/ledger-story.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type Service, startService } from "../harness/service.ts";
import { type AssertAnswer, createAnswerValidator } from "../harness/validate.ts";

const LISTINGS = 6;
/** No reorg is deeper than this: the indexer follows 30 blocks. */
const DEEPEST_REORG = 25;
/** In one walk. */
const MOST_DISTURBANCES = 8;
const SEED = Number(process.env.LEDGER_SEED ?? 20_261_121);

let chain: LocalChain;
let published: Deployment;
let unpublished: Deployment;
let desk: Deployment;
let service: Service;
let story: LedgerStory;
let assertAnswer: AssertAnswer;
const roll: Roll = rollFrom(SEED);

beforeAll(async () => {
  chain = await startChain();
  published = await deployRogueEscrow(chain);
  unpublished = await deployRogueEscrow(chain);
  desk = await deployRogueEscrow(chain);
  story = ledgerStory({
    chain,
    escrows: [published.address, unpublished.address],
    desk: desk.address,
    listings: LISTINGS,
    roll,
  });
  await story.begin();
  for (let block = 0; block < 80; block++) await story.block(40 + roll(60));
  await chain.testClient.mine({ blocks: 40 });
  service = await startService({
    rpcUrl: chain.rpcUrl,
    escrows: [published, unpublished].map(addressAndBlock),
    desk: `${desk.address}@${desk.blockNumber}`,
    registry: registryOf({ a: published.address }, LISTINGS),
    isEmbedded: true,
  });
  assertAnswer = createAnswerValidator(await service.json("/openapi.json"));
  await caughtUp();
});

async function caughtUp(): Promise<void> {
  await service.indexed(await chain.publicClient.getBlockNumber());
}

/** One block or a few, of which the newest have events. */
async function grow(blocks: number): Promise<void> {
  for (let block = 0; block < blocks; block++) await story.block(1 + roll(20));
}

/**
 * Replaces the newest blocks: by empty ones of the same height, or by others with other events. The chain is longer
 * afterwards, so that waiting for its head is waiting for the reorg. Returns the lowest block that was replaced.
 *
 * The indexer has seen what is taken away: asked for the logs of a block that is gone, a node answers with an error,
 * and Ponder tries for a minute before it looks at the chain again.
 */
async function reorganise(): Promise<bigint> {
  await caughtUp();
  const depth = 1 + roll(DEEPEST_REORG);
  if (roll(2) === 0) {
    const head = await chain.publicClient.getBlockNumber();
    await chain.testClient.request({ method: "anvil_reorg", params: [depth, []] } as never);
    await grow(1);
    return head - BigInt(depth) + 1n;
  }
  const fork = await chain.publicClient.getBlockNumber();
  const id = await chain.testClient.snapshot();
  const dropped = 1 + roll(8);
  await grow(dropped);
  await caughtUp();
  await chain.testClient.revert({ id });
  await grow(dropped + 1);
  return fork + 1n;
}

function compareNewestFirst(a: ShownEvent, b: ShownEvent): number {
  if (a.blockNumber !== b.blockNumber) return BigInt(a.blockNumber) > BigInt(b.blockNumber) ? -1 : 1;
  return b.logIndex - a.logIndex;
}

const ONE = "/v1/listings/lst_a_1/events";
const WALKS: { path: string; limit: number }[] = [
  { path: "/v1/events", limit: 10 },
  { path: "/v1/events", limit: 200 },
  { path: "/v1/events?kind=subscribed,offer_filled,listing_voided", limit: 25 },
  { path: ONE, limit: 20 },
  { path: `${ONE}?since=20`, limit: 200 },
];

/** Every event that a walk called final. */
const calledFinal: ShownEvent[] = [];

describe("a walk while blocks are mined and reorganised", () => {
  test.each(WALKS)("$path, $limit a page: every final event once, newest first", async ({ path, limit }) => {
    // Enough that can still be reorganised for the first pages to be among it.
    await grow(25);
    await caughtUp();
    const before = await walk({ service, path, limit: 200, assertAnswer });
    let lowestReplaced = (await chain.publicClient.getBlockNumber()) + 1n;
    let reorgs = 0;
    let disturbances = 0;
    const seen = await walk({
      service,
      path,
      limit,
      between: async (pages) => {
        // Most come while the walk is where a reorg can reach; each costs a second or two. The first is a reorg.
        const often = pages < 30 ? 3 : 20;
        if (disturbances === MOST_DISTURBANCES || (pages > 1 && roll(often) > 0)) return;
        disturbances += 1;
        if (pages > 1 && roll(3) === 0) await grow(1 + roll(3));
        else {
          const replaced = await reorganise();
          if (replaced < lowestReplaced) lowestReplaced = replaced;
          reorgs += 1;
        }
        if (roll(4) > 0) await caughtUp();
      },
    });
    expect(seen.toSorted(compareNewestFirst)).toEqual(seen);
    expect(new Set(seen.map(({ blockNumber, logIndex }) => `${blockNumber}/${logIndex}`)).size).toBe(
      seen.length,
    );
    expect(reorgs).toBeGreaterThan(0);

    const wasFinal = before.filter(({ finality }) => finality === "final");
    const stood = before.filter(
      ({ finality, blockNumber }) => finality === "final" || BigInt(blockNumber) < lowestReplaced,
    );
    const times = Map.groupBy(seen, keyOf);
    expect(wasFinal.length).toBeGreaterThan(100);
    expect(stood.filter((event) => times.get(keyOf(event))?.length !== 1)).toEqual([]);

    // Below the reorgs it saw nothing that was not there before.
    const below = (event: ShownEvent) => BigInt(event.blockNumber) < lowestReplaced;
    expect(seen.filter(below).map(keyOf)).toEqual(before.filter(below).map(keyOf));
    calledFinal.push(...seen.filter(({ finality }) => finality === "final"));
  });

  test("every row called final is on the chain, and in the end the ledger is what the chain says", async () => {
    await chain.testClient.mine({ blocks: 70 });
    await caughtUp();
    const contracts = { escrows: [published.address, unpublished.address], desk: desk.address };
    const all = await readChainLedger(chain, contracts);
    const visible = all.filter(({ escrowAddress }) => escrowAddress === published.address.toLowerCase());
    expect(all.length).toBeGreaterThan(5_000);
    expect(all.length - visible.length).toBeGreaterThan(1_000);

    const onChain = new Set(visible.map(keyOf));
    expect(calledFinal.length).toBeGreaterThan(10_000);
    expect(calledFinal.filter((event) => !onChain.has(keyOf(event)))).toEqual([]);

    const feed = await walk({ service, path: "/v1/events", limit: 200, assertAnswer });
    expect(feed.map(keyOf)).toEqual(visible.map(keyOf));
    expect(new Set(feed.map(({ finality }) => finality))).toEqual(new Set(["final"]));
    const ofOne = visible.filter(({ onchainId }) => onchainId === 1n);
    expect((await walk({ service, path: ONE, limit: 199 })).map(keyOf)).toEqual(ofOne.map(keyOf));
    expect(service.log.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
  });
});
