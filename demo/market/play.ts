/**
 * Plays the demo's market on a local chain: deploys the contracts and executes the plan, block by block. The demo and all
 * tests with a whole market use it.
 * @module
 */
import type { Address } from "viem";
import type { RegistryDocument } from "../../api/registry/schema.ts";
import { type LocalChain, startChain } from "../chain.ts";
import {
  addressAndBlock,
  type Deployment,
  deployDesk,
  deployDollar,
  deployEscrow,
  deployFactory,
} from "../deploy.ts";
import type { EscrowName, Step } from "./actions.ts";
import { ACTORS, type Actor, accountIndex } from "./cast.ts";
import type { MarketContracts } from "./contracts.ts";
import { genesisOf, type MarketPlan, planMarket } from "./plan.ts";
import { type CallableStep, mine, playBlock } from "./player.ts";
import { createReferenceContracts, deployed } from "./reference.ts";
import { registryDocument, registryEntry } from "./registry.ts";

/** Number of accounts that the chain must have. */
export const ACCOUNT_COUNT = ACTORS.length;

/** Enough for any reorg that the indexer follows, and few enough for a demo that runs for days. */
const KEPT_STATES = 200;

/** Taken from the principal at each drawdown. */
const FEE_BPS = 100;

export type PlayParameters = {
  readonly seed: number;
  /** The end of the market: the time of the last block, Unix seconds. */
  readonly now: number;
  /** Receives the number of blocks. */
  readonly onProgress?: (done: number, total: number) => void;
};

/** A market that has been played, on any contracts. */
export type PlayedMarket = {
  readonly plan: MarketPlan;
  readonly contracts: MarketContracts;
  readonly registry: RegistryDocument;
  /** The settings that name its contracts. */
  readonly settings: Readonly<Record<string, string>>;
  /** Addresses to show, each with what is there. */
  readonly places: readonly { readonly address: Address; readonly note: string }[];
};

export type DemoMarket = PlayedMarket & {
  /** Both from the factory, `legacy` first; ids start at 1 in each. */
  readonly escrows: Readonly<Record<EscrowName, Deployment>>;
  readonly factory: Deployment;
  readonly desk: Deployment;
  readonly dollar: Deployment;
  /** The first block with anything to index. */
  readonly startBlock: bigint;
};

/** A chain for a market that ends at `end` (Unix seconds), on any free port by default. */
export function startDemoChain({ end, port }: { end: number; port?: number }): Promise<LocalChain> {
  const genesisTimestamp = genesisOf(end);
  return startChain({ port, genesisTimestamp, accounts: ACCOUNT_COUNT, keptStates: KEPT_STATES });
}

/**
 * Plays two years up to `now`. Afterwards the chain mines each transaction at once again.
 *
 * @example
 * const now = Math.floor(Date.now() / 1000);
 * const chain = await startDemoChain({ end: now });
 * const { escrows, registry } = await playDemoMarket(chain, { seed: 1, now });
 */
export async function playDemoMarket(
  chain: LocalChain,
  { seed, now, onProgress }: PlayParameters,
): Promise<DemoMarket> {
  const plan = planMarket({ seed, end: now });
  const { genesisAt } = plan;
  const dollar = await deployAt(chain, genesisAt + 60, () => deployDollar(chain));
  const factory = await deployAt(chain, genesisAt + 120, () => deployFactory(chain));
  const desk = await deployAt(chain, genesisAt + 180, () => deployDesk(chain, { dollar: dollar.address }));

  const escrows = new Map<EscrowName, Deployment>();
  const contracts = createReferenceContracts(chain, { dollar, desk, escrows }, accountsOf(chain));
  const feeRecipient = contracts.addressOf("treasury");
  const params = { dollar: dollar.address, factory: factory.address, feeBps: FEE_BPS, feeRecipient };
  await playSteps(chain, plan, contracts, {
    onProgress,
    deploy: async (escrow, at) =>
      void escrows.set(escrow, await deployAt(chain, at, () => deployEscrow(chain, params))),
  });

  const [legacy, current] = [deployed(escrows, "legacy"), deployed(escrows, "current")];
  return {
    ...{ plan, contracts, factory, desk, dollar },
    escrows: { legacy, current },
    registry: registryOf(plan, contracts),
    startBlock: dollar.blockNumber,
    settings: {
      // The factory announces both escrows; an escrow may also be listed.
      ESCROWS: addressAndBlock(legacy),
      ESCROW_FACTORY: addressAndBlock(factory),
      DESK: addressAndBlock(desk),
      HOLDERS: "true",
    },
    places: [
      { address: legacy.address, note: "FL…" },
      { address: current.address, note: "RB…" },
    ],
  };
}

/** Deploys in a block at that time (Unix seconds). */
export async function deployAt(
  chain: LocalChain,
  at: number,
  deploy: () => Promise<Deployment>,
): Promise<Deployment> {
  await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(at) });
  return deploy();
}

/** Plays a plan to its end. @param deploy performs the deployments in it */
export async function playSteps(
  chain: LocalChain,
  { steps, end }: MarketPlan,
  contracts: MarketContracts,
  options: {
    readonly onProgress: PlayParameters["onProgress"];
    readonly deploy?: (escrow: EscrowName, at: number) => Promise<void>;
  },
): Promise<void> {
  const { onProgress, deploy } = options;
  await chain.testClient.setAutomine(false);
  const blocks = blocksOf(steps);
  for (const [index, { at, steps }] of blocks.entries()) {
    const calls: CallableStep[] = [];
    for (const { by, action } of steps) {
      if (action.kind === "deployEscrow") {
        await chain.testClient.setAutomine(true);
        await deploy?.(action.escrow, at);
        await chain.testClient.setAutomine(false);
      } else calls.push({ at, by, action });
    }
    if (calls.length > 0) await playBlock(chain, contracts, at, calls);
    onProgress?.(index + 1, blocks.length);
  }
  await mine(chain, end);
  await chain.testClient.setAutomine(true);
}

/** Steps at the same time share a block. */
function blocksOf(steps: readonly Step[]): { at: number; steps: readonly Step[] }[] {
  const byTime = Map.groupBy(steps, ({ at }) => at);
  return [...byTime].map(([at, together]) => ({ at, steps: together }));
}

export function registryOf({ raises }: MarketPlan, contracts: MarketContracts): RegistryDocument {
  const published = raises.filter(({ story }) => story.unpublished !== true);
  const entries = published.map(({ story, ...raise }) => registryEntry({ ...story, ...raise }, contracts));
  return registryDocument(entries, contracts);
}

/** Each actor's account, in lowercase. */
export function accountsOf(chain: LocalChain): (actor: Actor) => Address {
  return (actor) => {
    const account = chain.accounts[accountIndex(actor)];
    if (account === undefined) throw new Error(`the market needs a chain with ${ACCOUNT_COUNT} accounts`);
    return account.address.toLowerCase() as Address;
  };
}
