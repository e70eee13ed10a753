/**
 * The real service for a test of its pages: the demo's chain and market, the indexer and its API over them, and a way to
 * let something happen on the chain.
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChain } from "../../demo/chain.ts";
import { trackRaises } from "../../demo/living/raises.ts";
import { subscribe } from "../../demo/living/raising.ts";
import { createPerform, type Scene } from "../../demo/living/scene.ts";
import { genesisOf } from "../../demo/market/plan.ts";
import { ACCOUNT_COUNT, playDemoMarket } from "../../demo/market/play.ts";
import { mine } from "../../demo/market/player.ts";
import { createRandom } from "../../demo/market/random.ts";
import { registryFileIn } from "../../demo/market/registry.ts";
import { startService } from "../../demo/service.ts";
import { freePort } from "../harness/free-port.ts";

const SEED = 1;
const KEPT_STATES = 200;
const MOST_TRIES = 20;

type LiveSite = {
  /** without a slash at the end */
  url: string;
  /** Somebody subscribes to a raise that is open. The chain mines one block for it, and no block otherwise. */
  subscribe(): Promise<{ refnum: string }>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Starts everything and waits until it is at the head: about half a minute. */
export async function openLiveSite(): Promise<LiveSite> {
  await using opening = new AsyncDisposableStack();
  const now = Math.floor(Date.now() / 1000);
  const chain = await startChain({
    genesisTimestamp: genesisOf(now),
    accounts: ACCOUNT_COUNT,
    keptStates: KEPT_STATES,
  });
  opening.defer(() => chain.stop());
  const market = await playDemoMarket(chain, { seed: SEED, now });
  await mine(chain, Math.floor(Date.now() / 1000));

  const folder = await mkdtemp(join(tmpdir(), "raisebook-browser-"));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const registryFile = registryFileIn(folder);
  await registryFile.write(market.registry);
  const port = await freePort();
  const service = startService({
    ...{ market, rpcUrl: chain.rpcUrl, registryPath: registryFile.path, port },
    dataDir: join(folder, "data"),
  });
  opening.defer(async () => void (await service.stop()));
  await service.ready(() => {});

  const time = async () => Number((await chain.publicClient.getBlock()).timestamp);
  const raises = await trackRaises(market.contracts, market.plan, await time());
  const random = createRandom(SEED, "browser");
  const perform = createPerform(chain, market.contracts);
  const stack = opening.move();
  return {
    url: service.url,
    async subscribe() {
      const at = await time();
      const scene: Scene = { contracts: market.contracts, raises, random, now: () => at, perform };
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const happening = await subscribe(scene);
        if (happening?.raise) return { refnum: happening.raise.refnum };
      }
      throw new Error("nobody could subscribe to anything");
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
