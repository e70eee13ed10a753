/**
 * Random histories that break every rule of an escrow: the answers still equal those of the model that was written
 * from the documents alone.
 */
import { beforeAll, expect, test } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { addressAndBlock } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { chosenSeed, random } from "../harness/history/random.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { playRogueHistory } from "../harness/rogue-history.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { totalsOf } from "../harness/series-totals.ts";
import { type Service, startService } from "../harness/service.ts";
import { expectedAnswers } from "../model/compare.ts";
import { differences } from "../model/differences.ts";

const IDS = 50;
const BLOCKS = 120;

let chain: LocalChain;
let escrows: Deployment[];
let service: Service;
let registry: ReturnType<typeof registryOf>;

beforeAll(async () => {
  const seed = chosenSeed(1);
  console.info(`rogue histories of the seeds ${seed} to ${seed + 2} (again with SEED=${seed})`);
  chain = await startChain({ genesisTimestamp: 1_600_000_000, keptStates: 200 });
  escrows = [await deployRogueEscrow(chain), await deployRogueEscrow(chain), await deployRogueEscrow(chain)];
  registry = registryOf(Object.fromEntries(escrows.map(({ address }, index) => [`e${index}`, address])), IDS);
  for (const [index, { address }] of escrows.entries()) {
    await playRogueHistory(chain, address, { random: random(seed + index), ids: IDS, blocks: BLOCKS });
  }
  service = await startService({
    rpcUrl: chain.rpcUrl,
    escrows: escrows.map(addressAndBlock),
    registry,
  });
});

test("every field of every answer is the model's, and every kind of trouble was there", async () => {
  await service.indexed(await chain.publicClient.getBlockNumber());
  const { finalizedBlock, anomalies } = await service.json<{
    finalizedBlock: string;
    anomalies: { byKind: Record<string, number> };
  }>("/v1/health");
  const expected = await expectedAnswers({
    finalized: BigInt(finalizedBlock),
    client: chain.publicClient,
    escrows,
    registry,
    publicUrl: "http://raises.localhost",
    appUrl: "http://app.localhost",
  });
  expect(expected.listings.listings.length).toBeGreaterThan(100);
  expect(differences(expected.listings, await service.json("/v1/listings"))).toEqual([]);
  expect(differences(expected.originators, await service.json("/v1/originators"))).toEqual([]);

  // Once the backfill is over.
  await expect.poll(async () => (await service.get("/v1/stats/series")).status).toBe(200);
  const { points } = await service.json<{ points: object[] }>("/v1/stats/series?by=day");
  expect(points.at(-1)).toMatchObject(totalsOf(await service.json("/v1/stats")));

  expect(Object.keys(anomalies.byKind).sort()).toEqual([
    "refund_exceeds_principal",
    "repaid_before_drawdown",
    "second_close",
    "second_created",
    "second_drawdown",
    "second_terminal",
    "subscribed_after_close",
    "terms_after_close",
    "token_reused",
    "total_mismatch",
    "unknown_listing",
    "zero_amount",
  ]);
});
