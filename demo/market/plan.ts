/**
 * The plan of the demo's market: two years of what people do, from a seed and the time at which it ends. Pure: the
 * same seed gives the same steps, and another end only moves them.
 * @module
 */
import type { Action, EscrowName, Step, Terms } from "./actions.ts";
import { ACTORS, type Actor } from "./cast.ts";
import { playOut } from "./course.ts";
import { playDesk } from "./desk.ts";
import { about, basisPoints, dollars } from "./money.ts";
import type { RaiseStory } from "./raise-story.ts";
import { CURRENT_RAISES } from "./raises-current.ts";
import { LEGACY_RAISES } from "./raises-legacy.ts";
import { OPEN_RAISES } from "./raises-open.ts";
import { createRandom, type Random } from "./random.ts";
import { DAY, HOUR, type PlannedRaise, type Script } from "./script.ts";

export type MarketPlan = {
  /** The chain's first block, about two years before the end. Unix seconds. */
  readonly genesisAt: number;
  readonly end: number;
  /** In the order in which they happen. */
  readonly steps: readonly Step[];
  readonly raises: readonly PlannedRaise[];
};

export type PlanParameters = {
  readonly seed: number;
  /** Unix seconds. */
  readonly end: number;
};

const LENGTH = 731 * DAY;
const OPENING_DAY = -729;
const REDEPLOY_DAY = -409;
/** More than anybody can spend: the dollar is a test dollar, and the demo may run for weeks. */
const POCKET_MONEY = dollars(1_000_000_000_000);
/** Within this time two things may share a block. */
const SHARED_BLOCK = 6 * HOUR;
/** What can move a little earlier without passing a deadline. */
const MOVABLE: readonly Action["kind"][] = ["subscribe", "claimPayout", "refund"];

/** Refnums count on from here; what came before was not raised on these contracts. */
const REFNUMS: Readonly<Record<EscrowName, { prefix: string; before: number }>> = {
  legacy: { prefix: "FL", before: 10 },
  current: { prefix: "RB", before: 0 },
};

/** When the chain of a market that ends at `end` has to begin. Unix seconds. */
export function genesisOf(end: number): number {
  return end - LENGTH;
}

/** @throws when a story does not fit into the time before `end` */
export function planMarket({ seed, end }: PlanParameters): MarketPlan {
  const raises = [
    ...numbered("legacy", LEGACY_RAISES, seed, end),
    ...numbered("current", [...CURRENT_RAISES, ...OPEN_RAISES], seed, end),
  ];
  const scripts = raises.map((raise) => playOut(raise, end, createRandom(seed, raise.story.publicId)));
  const steps = [
    ...opening(end + OPENING_DAY * DAY),
    ...redeploy(end + REDEPLOY_DAY * DAY),
    ...scripts.flatMap((script: Script) => script.steps),
    ...playDesk(scripts, end, createRandom(seed, "desk")),
  ].sort((a, b) => a.at - b.at);
  return {
    genesisAt: genesisOf(end),
    end,
    steps: sharingBlocks(steps, createRandom(seed, "blocks")),
    raises,
  };
}

/** The refnum of a raise, which follows from its place in its escrow. */
export function refnumOf(escrow: EscrowName, onchainId: number): string {
  const { prefix, before } = REFNUMS[escrow];
  return `${prefix}${String(before + onchainId).padStart(5, "0")}`;
}

/** Ids follow the order of creation, as they do on the chain. */
function numbered(
  escrow: EscrowName,
  stories: readonly RaiseStory[],
  seed: number,
  end: number,
): PlannedRaise[] {
  return stories
    .map((story) => {
      const random = createRandom(seed, `${story.publicId}/terms`);
      const terms = termsOf(story, end, random);
      return { story, terms, createdAt: Math.round(end + (story.goLiveDay - random.between(1, 4)) * DAY) };
    })
    .sort((a, b) => a.createdAt - b.createdAt)
    .map((raise, index) => {
      const onchainId = index + 1;
      return { ...raise, id: { escrow, onchainId }, refnum: refnumOf(escrow, onchainId) };
    });
}

function termsOf(story: RaiseStory, end: number, random: Random): Terms {
  const targetAmount = about(story.target, random);
  return {
    targetAmount,
    minRaise: basisPoints(targetAmount, story.minimum * 100),
    couponRateBps: story.couponRateBps,
    insuranceBps: story.insuranceBps,
    tenorDays: story.tenorDays,
    pricingMode: story.pricingMode,
    goLiveAt: Math.round(end + story.goLiveDay * DAY),
    closeAt: story.closeDay === null ? null : Math.round(end + story.closeDay * DAY),
  };
}

/** The first escrow; everybody gets dollars and lets escrow and desk take them. */
function opening(at: number): Step[] {
  const everybody = (action: Action) => ACTORS.map((by: Actor): Step => ({ at: at + HOUR, by, action }));
  return [
    { at, by: "operator", action: { kind: "deployEscrow", escrow: "legacy" } },
    ...everybody({ kind: "mint", amount: POCKET_MONEY }),
    ...everybody({ kind: "approveDollar", spender: "legacy" }),
    ...everybody({ kind: "approveDollar", spender: "desk" }),
  ];
}

/** The second escrow, whose ids begin at 1 again. */
function redeploy(at: number): Step[] {
  return [
    { at, by: "operator", action: { kind: "deployEscrow", escrow: "current" } },
    ...ACTORS.map(
      (by): Step => ({ at: at + HOUR, by, action: { kind: "approveDollar", spender: "current" } }),
    ),
  ];
}

/** Now and then moves a step back into the block of the one before it. */
function sharingBlocks(steps: readonly Step[], random: Random): Step[] {
  const moved: Step[] = [];
  for (const step of steps) {
    const before = moved.at(-1);
    const near = before !== undefined && step.at - before.at <= SHARED_BLOCK;
    const joins = near && MOVABLE.includes(step.action.kind) && random.chance(0.5);
    moved.push(joins ? { ...step, at: before.at } : step);
  }
  return moved;
}
