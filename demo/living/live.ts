/** @module The live market: blocks at the pace of the real chain, and an action every few seconds. */
import { setTimeout as pause } from "node:timers/promises";
import type { RegistryDocument } from "../../api/registry/schema.ts";
import type { LocalChain } from "../chain.ts";
import type { PlayedMarket } from "../market/play.ts";
import { mine } from "../market/player.ts";
import { createRandom, type Random } from "../market/random.ts";
import { registryEntry } from "../market/registry.ts";
import { trade } from "./desk.ts";
import { secondsToNextRaise } from "./ideas.ts";
import { trackRaises } from "./raises.ts";
import { meetDeadlines, openRaise, subscribe, withdraw } from "./raising.ts";
import { claim, drawDownOrVoid, refund, repay } from "./repaying.ts";
import { createPerform, type MarketEvent, type Play, type Scene } from "./scene.ts";

/** Milliseconds between blocks, about as on the real chain. */
const BLOCK_TIME = 750;
/** Milliseconds between actions. */
const SHORTEST_BEAT = 1_500;
const LONGEST_BEAT = 3_500;
/** Consecutive failures of the chain that end the demo; single ones happen on a busy machine. */
const MOST_FAILURES = 5;

/** The plays when nothing is due. */
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
  readonly market: PlayedMarket;
  readonly seed: number;
  /** Receives one line per action. */
  readonly print: (line: string) => void;
  /** Replaces the registry document. */
  readonly publish: (document: RegistryDocument) => Promise<void>;
  readonly signal: AbortSignal;
};

/** Runs until the signal. @throws when the chain stops answering */
export async function live(parameters: LiveParameters): Promise<void> {
  const { chain, signal } = parameters;
  await chain.testClient.setAutomine(false);
  const mining = repeat(signal, BLOCK_TIME, () => mine(chain));
  await Promise.all([mining, playContinuously(parameters)]);
}

/** No new blocks until the signal. @throws when the chain stops answering */
export async function standStill({ chain, signal }: Pick<LiveParameters, "chain" | "signal">): Promise<void> {
  await repeat(signal, 1_000, () => chain.publicClient.getBlockNumber());
}

async function playContinuously(parameters: LiveParameters): Promise<void> {
  const { chain, market, seed, print, publish, signal } = parameters;
  const { contracts, plan } = market;
  const random = createRandom(seed, "living");
  let now = plan.end;
  const readTime = async () => {
    now = Number((await chain.publicClient.getBlock()).timestamp);
  };
  await readTime();
  const raises = await trackRaises(contracts, plan, now);
  const perform = createPerform(chain, contracts);
  const scene: Scene = { contracts, raises, random, now: () => now, perform };
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

  const beat = () => random.between(SHORTEST_BEAT, LONGEST_BEAT);
  await repeat(signal, beat, async () => {
    await readTime();
    const plays = [meetDeadlines, open, drawDownOrVoid, ...shuffledByWeight(random)];
    const event = await firstPossible(plays, scene);
    if (event === null) return;
    if (event.raise !== null) await raises.refresh(event.raise, now);
    print(formatEvent(event, now));
  });
}

function publicIdOf({ business, refnum }: { business: string; refnum: string }): string {
  return `lst_${business}_${refnum.toLowerCase()}`;
}

async function firstPossible(plays: readonly Play[], scene: Scene): Promise<MarketEvent | null> {
  for (const play of plays) {
    const event = await play(scene);
    if (event !== null) return event;
  }
  return null;
}

/** All plays, in a random order that favours heavy ones. */
function shuffledByWeight(random: Random): Play[] {
  return WEIGHTED.map(([weight, play]) => ({ play, key: random.next() ** (1 / weight) }))
    .sort((a, b) => b.key - a.key)
    .map(({ play }) => play);
}

function formatEvent({ raise, text }: MarketEvent, now: number): string {
  const time = new Date(now * 1000).toISOString().slice(11, 19);
  return `  ${time}  ${(raise?.refnum ?? "").padEnd(7)}  ${text}`;
}

type Interval = number | (() => number);

/** Repeats with a pause of this many milliseconds, until the signal. */
async function repeat(signal: AbortSignal, interval: Interval, once: () => Promise<unknown>): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await once();
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures >= MOST_FAILURES) throw error;
    }
    await pause(typeof interval === "number" ? interval : interval(), undefined, { signal }).catch(() => {});
  }
}
