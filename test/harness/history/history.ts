/**
 * Random histories through the real contracts: two escrows or more, interleaved, several moves to a block, legal
 * ones and ones that the contracts refuse. One seed decides a history on a chain of a given start.
 * @module
 */
import { writeFile } from "node:fs/promises";
import { type Address, createPublicClient, http } from "viem";
import { listingEscrowAbi } from "../../../abis/ListingEscrow.ts";
import type { LocalChain } from "../../../demo/chain.ts";
import type { RegistryDocument } from "../../model/registry.ts";
import { STAGE } from "../enums.ts";
import { mine } from "./block.ts";
import { outfit } from "./cast.ts";
import { nextBlockTime } from "./clock.ts";
import { bornBy, creation } from "./creation.ts";
import { type Desk, offersMadeBy } from "./desk.ts";
import { deskOptions } from "./desk-moves.ts";
import { isUnderWay, type Listing, lookUp } from "./listing.ts";
import { loanOptions } from "./loan-moves.ts";
import type { Move, Scene } from "./move.ts";
import { type Published, registryOf } from "./publication.ts";
import { raiseOptions } from "./raise-moves.ts";
import { random as seeded } from "./random.ts";
import { DAY } from "./terms.ts";

export type HistoryParameters = {
  chain: LocalChain;
  /** deployed already; each one's owner acts in its name */
  escrows: readonly Address[];
  dollar: Address;
  /** deployed already, over the same dollar; without one there are no trades */
  desk?: Address;
  seed: number;
  /** where the seed is told; the console when not given */
  log?: (line: string) => void;
};

/** How often each move was made, and how often the contracts refused it. */
type Tally = Record<string, { made: number; refused: number }>;

export type History = {
  seed: number;
  /** Mines one block with one to six moves in it; resolves to how many there were. */
  step(): Promise<number>;
  /** Makes moves until at least this many were made in total. */
  playUntil(moves: number): Promise<void>;
  /** the document as of now: a random part of the raises that exist */
  registry(): RegistryDocument;
  moves(): number;
  tally(): Tally;
  /** Remembers this moment of the chain. Returns what takes the history back there, once the chain is; as often as it is. */
  mark(): () => void;
  /** Lets the chain mine each transaction by itself again. */
  finish(): Promise<void>;
};

/** How many raises are under way at once, at most: more would each be too seldom acted on to get anywhere. */
const MOST_UNDER_WAY = 14;

export async function createHistory(params: HistoryParameters): Promise<History> {
  const { chain, escrows, dollar, desk: deskAddress, seed, log = console.info } = params;
  const random = seeded(seed);
  const client = createPublicClient({ transport: http(chain.rpcUrl, { batch: true }), cacheTime: 0 });
  const listings: Listing[] = [];
  const published: Published[] = [];
  const desk: Desk | undefined = deskAddress && { address: deskAddress, dollar, offers: [] };
  const tally: Tally = {};
  const houses = await Promise.all(
    escrows.map(async (address) => ({
      escrow: address,
      owner: await client.readContract({ address, abi: listingEscrowAbi, functionName: "owner" }),
    })),
  );
  let serial = 0;
  let moves = 0;

  const chooseMove = async (scene: Scene): Promise<Move> => {
    const underWay = listings.filter(isUnderWay);
    const isRoom = underWay.length < MOST_UNDER_WAY;
    if (listings.length === 0 || (isRoom && random.chance(0.12)))
      return creation(scene, random.one(houses), ++serial);
    const tradable = desk ? underWay.filter(({ stage }) => stage === STAGE.drawn) : [];
    const isForDesk = tradable.length > 0 && random.chance(0.3);
    const listing = random.one(
      isForDesk ? tradable : underWay.length > 0 && random.chance(0.8) ? underWay : listings,
    );
    const others = isForDesk ? [] : [...raiseOptions(scene, listing), ...loanOptions(scene, listing)];
    const move = random.weighted([...others, ...deskOptions(scene, listing)]);
    if (!move) throw new Error("no move was possible");
    return move();
  };

  const step = async () => {
    const last = await client.getBlock();
    const expiries = desk?.offers.map(({ expiresAt }) => expiresAt);
    const now = nextBlockTime(random, last.timestamp, listings, expiries);
    const scene = { random, now, client, ...(desk && { desk }) };
    const chosen: Move[] = [];
    const several = random.chance(0.45) ? random.between(2, 6) : 1;
    while (chosen.length < several) chosen.push(await chooseMove(scene));

    const receipts = await mine(chain, client, chosen, now);
    for (const [index, move] of chosen.entries()) {
      const receipt = receipts[index];
      const isRefused = receipt?.status !== "success";
      const { made, refused } = tally[move.name] ?? { made: 0, refused: 0 };
      tally[move.name] = { made: made + 1, refused: isRefused ? refused + 1 : refused };
      if (isRefused) continue;
      if (move.gains) move.listing?.holders.add(move.gains);
      desk?.offers.push(...offersMadeBy(receipt.logs));
      const born = await bornBy(move, receipt.logs, client);
      if (!born) continue;
      listings.push(born.listing);
      published.push(born.published);
    }
    const touched = new Set(chosen.flatMap(({ listing }) => (listing ? [listing] : [])));
    await Promise.all(
      [...touched].map(async (listing) => {
        Object.assign(listing, await lookUp(client, listing.escrow, listing.id));
      }),
    );
    moves += chosen.length;
    return chosen.length;
  };

  log(`history of seed ${seed} (again with SEED=${seed} or --seed ${seed})`);
  await chain.testClient.request({ method: "anvil_autoImpersonateAccount", params: [true] } as never);
  await chain.testClient.setAutomine(false);
  const { timestamp } = await client.getBlock();
  const trusted = deskAddress ? [...escrows, deskAddress] : escrows;
  // A round time: how long the deployments took must not tell in the history.
  await mine(chain, client, outfit(dollar, trusted), timestamp - (timestamp % DAY) + DAY);

  return {
    seed,
    step,
    async playUntil(wanted) {
      while (moves < wanted) await step();
    },
    registry: () => registryOf(published),
    moves: () => moves,
    tally: () => tally,
    mark() {
      const kept = {
        listings: copied(listings),
        published: [...published],
        offers: [...(desk?.offers ?? [])],
      };
      return () => {
        listings.splice(0, listings.length, ...copied(kept.listings));
        published.splice(0, published.length, ...kept.published);
        desk?.offers.splice(0, desk.offers.length, ...kept.offers);
      };
    },
    finish: () => chain.testClient.setAutomine(true),
  };
}

function copied(listings: readonly Listing[]): Listing[] {
  return listings.map((listing) => ({ ...listing, holders: new Set(listing.holders) }));
}

export type PlayHistoryParameters = HistoryParameters & {
  /** minimum number of moves */
  actions: number;
  /** where the registry document is written, if anywhere */
  registryPath?: string;
};

/** A whole history at once. */
export async function playHistory({
  actions,
  registryPath,
  ...params
}: PlayHistoryParameters): Promise<History> {
  const history = await createHistory(params);
  await history.playUntil(actions);
  await history.finish();
  if (registryPath) await writeFile(registryPath, JSON.stringify(history.registry(), null, 2));
  return history;
}
