/**
 * Plays the demo's market on a local chain: deploys the contracts and executes the plan, block by block. The demo and all
 * tests with a whole market use it.
 * @module
 */
import type { Address } from "viem";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import type { RegistryDocument } from "../../api/registry/schema.ts";
import { type LocalChain, startChain } from "../chain.ts";
import { type Deployment, deployDesk, deployDollar, deployEscrow, deployFactory } from "../deploy.ts";
import type { EscrowName, RaiseId, Step } from "./actions.ts";
import type { CallableAction, Contracts } from "./calls.ts";
import { ACTORS, accountIndex } from "./cast.ts";
import { genesisOf, type MarketPlan, planMarket } from "./plan.ts";
import { mine, playBlock } from "./player.ts";
import { registryDocument, registryEntry } from "./registry.ts";

/** Number of accounts that the chain must have. */
export const ACCOUNT_COUNT = ACTORS.length;

/** Enough for any reorg that the indexer follows, and few enough for a demo that runs for days. */
const KEPT_STATES = 200;

/** Taken from the principal at each drawdown. */
const FEE_BPS = 100;

export type PlayDemoMarketParameters = {
  readonly seed: number;
  /** The end of the market: the time of the last block, Unix seconds. */
  readonly now: number;
  /** Receives the number of blocks. */
  readonly onProgress?: (done: number, total: number) => void;
};

export type DemoMarket = {
  readonly plan: MarketPlan;
  readonly contracts: Contracts;
  /** Both from the factory, `legacy` first; ids start at 1 in each. */
  readonly escrows: Readonly<Record<EscrowName, Deployment>>;
  readonly factory: Deployment;
  readonly desk: Deployment;
  readonly dollar: Deployment;
  readonly registry: RegistryDocument;
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
  { seed, now, onProgress }: PlayDemoMarketParameters,
): Promise<DemoMarket> {
  const plan = planMarket({ seed, end: now });
  const deployAt = async (at: number, deploy: () => Promise<Deployment>) => {
    await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(at) });
    return deploy();
  };
  const { genesisAt } = plan;
  const dollar = await deployAt(genesisAt + 60, () => deployDollar(chain));
  const factory = await deployAt(genesisAt + 120, () => deployFactory(chain));
  const desk = await deployAt(genesisAt + 180, () => deployDesk(chain, { dollar: dollar.address }));

  const escrows = new Map<EscrowName, Deployment>();
  const contracts = createContracts(chain, { dollar, desk, escrows });
  const deployNext = async (escrow: EscrowName, at: number) => {
    const feeRecipient = contracts.addressOf("treasury");
    const params = { dollar: dollar.address, factory: factory.address, feeBps: FEE_BPS, feeRecipient };
    await chain.testClient.setAutomine(true);
    escrows.set(escrow, await deployAt(at, () => deployEscrow(chain, params)));
    await chain.testClient.setAutomine(false);
  };

  const blocks = blocksOf(plan.steps);
  for (const [index, { at, steps }] of blocks.entries()) {
    const calls: (Step & { action: CallableAction })[] = [];
    for (const { by, action } of steps) {
      if (action.kind === "deployEscrow") await deployNext(action.escrow, at);
      else calls.push({ at, by, action });
    }
    if (calls.length > 0) await playBlock(chain, contracts, at, calls);
    onProgress?.(index + 1, blocks.length);
  }
  await mine(chain, now);
  await chain.testClient.setAutomine(true);

  return {
    plan,
    contracts,
    escrows: { legacy: deployed(escrows, "legacy"), current: deployed(escrows, "current") },
    factory,
    desk,
    dollar,
    registry: registryOf(plan, contracts),
    startBlock: dollar.blockNumber,
  };
}

/** Steps at the same time share a block. */
function blocksOf(steps: readonly Step[]): { at: number; steps: readonly Step[] }[] {
  const byTime = Map.groupBy(steps, ({ at }) => at);
  return [...byTime].map(([at, together]) => ({ at, steps: together }));
}

function registryOf({ raises }: MarketPlan, contracts: Contracts): RegistryDocument {
  const published = raises.filter(({ story }) => story.unpublished !== true);
  const entries = published.map(({ story, id }) => registryEntry({ ...story, id }, contracts));
  return registryDocument(entries, contracts);
}

function createContracts(
  chain: LocalChain,
  deployments: { dollar: Deployment; desk: Deployment; escrows: ReadonlyMap<EscrowName, Deployment> },
): Contracts {
  const tokens = new Map<string, Address>();
  const escrow = (name: EscrowName) => deployed(deployments.escrows, name).address;
  return {
    dollar: deployments.dollar.address,
    desk: deployments.desk.address,
    escrow,
    addressOf(actor) {
      const account = chain.accounts[accountIndex(actor)];
      if (account === undefined) throw new Error(`the market needs a chain with ${ACCOUNT_COUNT} accounts`);
      return account.address.toLowerCase() as Address;
    },
    async tokenOf({ escrow: name, onchainId }: RaiseId) {
      const key = `${name}/${onchainId}`;
      const cached = tokens.get(key);
      if (cached !== undefined) return cached;
      const token = await chain.publicClient.readContract({
        address: escrow(name),
        abi: listingEscrowAbi,
        functionName: "tokenOf",
        args: [BigInt(onchainId)],
      });
      tokens.set(key, token);
      return token;
    },
  };
}

function deployed(escrows: ReadonlyMap<EscrowName, Deployment>, name: EscrowName): Deployment {
  const deployment = escrows.get(name);
  if (deployment === undefined) throw new Error(`the ${name} escrow is not deployed yet`);
  return deployment;
}
