/**
 * A worked example of contracts that are not the project's own, and how the demo plays it: the same cast, plan and player, on other
 * contracts.
 * @module
 */
import { fileURLToPath } from "node:url";
import type { LocalChain } from "../chain.ts";
import { type Deployment, deployContract } from "../deploy.ts";
import type { RaiseId } from "../market/actions.ts";
import type { MarketContracts } from "../market/contracts.ts";
import { fundEveryone, genesisOf, type Outline, planMarket } from "../market/plan.ts";
import { deployAt, type PlayedMarket, type PlayParameters, playSteps, registryOf } from "../market/play.ts";
import type { RaiseStory } from "../market/raise-story.ts";

export type Example = {
  /** The module for `CONTRACTS`. */
  readonly module: URL;
  readonly stories: readonly RaiseStory[];
  readonly refnumOf: (id: RaiseId) => string;
  /** Deploys with `deploy`, one contract after the other. */
  set(
    chain: LocalChain,
    deploy: (params: Parameters<typeof deployContract>[1]) => Promise<Deployment>,
  ): Promise<Pick<PlayedMarket, "contracts" | "settings" | "places">>;
};

export function outlineOf({ stories, refnumOf }: Pick<Example, "stories" | "refnumOf">): Outline {
  return {
    ...{ refnumOf, preparations: fundEveryone, hasDesk: false },
    stories: { legacy: [], current: stories },
  };
}

/** Plays two years up to `now`. */
export async function playExample(
  example: Example,
  chain: LocalChain,
  { seed, now, onProgress }: PlayParameters,
): Promise<PlayedMarket> {
  const plan = planMarket({ seed, end: now, outline: outlineOf(example) });
  let at = genesisOf(now);
  const { contracts, settings, places } = await example.set(chain, (params) => {
    at += 60;
    return deployAt(chain, at, () => deployContract(chain, params));
  });
  await playSteps(chain, plan, contracts, { onProgress });
  return {
    ...{ plan, contracts, places, registry: registryOf(plan, contracts) },
    settings: { ...settings, CONTRACTS: fileURLToPath(example.module) },
  };
}

/** The members of contracts without a desk. */
export const WITHOUT_DESK: Pick<MarketContracts, "latestOffers"> = { latestOffers: async () => [] };
