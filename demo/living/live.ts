/**
 * The living part of the demo: blocks at the pace of the real chain, and every few seconds somebody does something.
 * @module
 */
import { setTimeout as pause } from "node:timers/promises";
import type { RegistryDocument } from "../../api/registry/schema.ts";
import type { LocalChain } from "../chain.ts";
import type { DemoMarket } from "../market/play.ts";
import { mine } from "../market/player.ts";
import { createRandom, type Random } from "../market/random.ts";
import { registryEntry } from "../market/registry.ts";
import { openBook } from "./book.ts";
import { trade } from "./desk.ts";
import { secondsToNextRaise } from "./ideas.ts";
import { keepDates, openRaise, subscribe, withdraw } from "./raising.ts";
import { claim, proceed, refund, repay } from "./repaying.ts";
import { createPerform, type Happening, type Play, type Scene } from "./scene.ts";

/** Milliseconds from block to block; the real chain takes about as long. */
const BLOCK_TIME = 750;
/** Milliseconds from one thing that happens to the next. */
const SHORTEST_BEAT = 1_500;
const LONGEST_BEAT = 3_500;
/** The chain may fail to answer now and then, on a busy machine; not so often in a row. */
const MOST_FAILURES = 5;

/** What happens when nothing is due, by weight. */
const WEIGHTED: readonly (readonly [weight: number, play: Play])[] = [
  [52, subscribe],
  [14, repay],
  [6, withdraw],
  [10, claim],
  [6, refund],
  [8, trade],
];

export type LiveParameters = {
  readonly chain: LocalChain;
  readonly market: DemoMarket;
  readonly seed: number;
  /** Takes one line for each thing that happens. */
  readonly say: (line: string) => void;
  /** Publishes a whole registry document. */
  readonly publish: (document: RegistryDocument) => Promise<void>;
  readonly signal: AbortSignal;
};

/** Goes on until the signal. @throws when the chain does not answer any more */
export async function live(parameters: LiveParameters): Promise<void> {
  const { chain, signal } = parameters;
  await chain.testClient.setAutomine(false);
  await Promise.all([
    repeat(
      signal,
      () => BLOCK_TIME,
      () => mine(chain),
    ),
    act(parameters),
  ]);
}

/** No new blocks, until the signal. @throws when the chain does not answer any more */
export async function standStill({ chain, signal }: Pick<LiveParameters, "chain" | "signal">): Promise<void> {
  await repeat(
    signal,
    () => 1_000,
    async () => {
      await chain.publicClient.getBlockNumber();
    },
  );
}

async function act({ chain, market, seed, say, publish, signal }: LiveParameters): Promise<void> {
  const { contracts, plan } = market;
  const random = createRandom(seed, "living");
  let now = plan.end;
  const look = async () => {
    now = Number((await chain.publicClient.getBlock()).timestamp);
  };
  await look();
  const book = await openBook(chain, contracts, plan, now);
  const perform = createPerform(chain, contracts);
  const scene: Scene = { chain, contracts, book, random, now: () => now, perform };
  const listings = [...market.registry.listings];
  let opened = 0;
  let nextOpening = now + secondsToNextRaise(opened);

  const open: Play = async () => {
    if (now < nextOpening) return null;
    const ordinal = opened++;
    nextOpening = now + secondsToNextRaise(opened);
    return openRaise(scene, ordinal, async (raise) => {
      listings.push(registryEntry({ ...raise, publicId: publicIdOf(raise) }, contracts));
      await publish({ ...market.registry, listings });
    });
  };

  await repeat(
    signal,
    () => random.between(SHORTEST_BEAT, LONGEST_BEAT),
    async () => {
      await look();
      const happening = await first([keepDates, open, proceed, ...shuffledByWeight(random)], scene);
      if (happening === null) return;
      if (happening.raise !== null) await book.refresh(happening.raise, now);
      say(line(happening, now));
    },
  );
}

function publicIdOf({ business, refnum }: { business: string; refnum: string }): string {
  return `lst_${business}_${refnum.toLowerCase()}`;
}

/** The first of the plays that is possible. */
async function first(plays: readonly Play[], scene: Scene): Promise<Happening | null> {
  for (const play of plays) {
    const happening = await play(scene);
    if (happening !== null) return happening;
  }
  return null;
}

/** All of them, the heavy ones likely first. */
function shuffledByWeight(random: Random): Play[] {
  return WEIGHTED.map(([weight, play]) => ({ play, key: random.next() ** (1 / weight) }))
    .sort((a, b) => b.key - a.key)
    .map(({ play }) => play);
}

function line({ raise, text }: Happening, now: number): string {
  const time = new Date(now * 1000).toISOString().slice(11, 19);
  return `  ${time}  ${(raise?.refnum ?? "").padEnd(7)}  ${text}`;
}

/** Does it again and again, so many milliseconds after the last time, until the signal. */
async function repeat(signal: AbortSignal, interval: () => number, once: () => Promise<void>): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await once();
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures >= MOST_FAILURES) throw error;
    }
    await pause(interval(), undefined, { signal }).catch(() => {});
  }
}
