/**
 * The plan of the demo's market: two years of actions, generated from a seed and an end time. Pure: the same seed gives the
 * same steps, and another end only shifts them.
 * @module
 */
import type { Action, EscrowName, RaiseId, Step, Terms } from "./actions.ts";
import { ACTORS } from "./cast.ts";
import { deskSteps } from "./desk.ts";
import { basisPoints, dollars, roughly } from "./money.ts";
import type { RaiseStory } from "./raise-story.ts";
import { CURRENT_RAISES } from "./raises-current.ts";
import { LEGACY_RAISES } from "./raises-legacy.ts";
import { OPEN_RAISES } from "./raises-open.ts";
import { bid, close, create, subscribeFixed, windowEnd } from "./raising.ts";
import { createRandom, type Random } from "./random.ts";
import { type Close, drawDown, refundShare, repay } from "./repaying.ts";
import { createScript, DAY, HOUR, type PlannedRaise, type Script } from "./script.ts";

export type MarketPlan = {
  /** Time of the chain's first block, about two years before the end. Unix seconds. */
  readonly genesisAt: number;
  readonly end: number;
  /** In chronological order. */
  readonly steps: readonly Step[];
  readonly raises: readonly PlannedRaise[];
};

/** The parameters of a plan. */
export type Outline = {
  /** By the escrow that they are on. */
  readonly stories: Readonly<Record<EscrowName, readonly RaiseStory[]>>;
  readonly refnumOf: (id: RaiseId) => string;
  /** The steps before and between the raises; times in unix seconds. */
  readonly preparations: (end: number) => readonly Step[];
  readonly hasDesk: boolean;
};

/** `end` in unix seconds. Default: the market of the project's own contracts. */
type PlanParameters = { readonly seed: number; readonly end: number; readonly outline?: Outline };

const LENGTH = 731 * DAY;
const OPENING_DAY = -729;
const REDEPLOY_DAY = -409;
/** More than anyone can spend, even if the demo runs for weeks. */
const INITIAL_BALANCE = dollars(1_000_000_000_000);
/** Longest time between steps that may share a block. */
const SHARED_BLOCK = 6 * HOUR;
/** Actions that can move a little earlier without missing a deadline. */
const MOVABLE: readonly Action["kind"][] = ["subscribe", "claimPayout", "refund"];

/** Refnums continue after `before` earlier raises on other contracts. */
const REFNUMS: Readonly<Record<EscrowName, { prefix: string; before: number }>> = {
  legacy: { prefix: "FL", before: 10 },
  current: { prefix: "RB", before: 0 },
};

/** Start of the chain for a market that ends at `end`. Unix seconds. */
export function genesisOf(end: number): number {
  return end - LENGTH;
}

/** @throws if a story does not fit into the time before `end` */
export function planMarket({ seed, end, outline = REFERENCE }: PlanParameters): MarketPlan {
  const raises = [...numbered("legacy", outline, seed, end), ...numbered("current", outline, seed, end)];
  const scripts = raises.map((raise) => writeScript(raise, end, createRandom(seed, raise.story.publicId)));
  const steps = [
    ...outline.preparations(end),
    ...scripts.flatMap((script: Script) => script.steps),
    ...(outline.hasDesk ? deskSteps(scripts, end, createRandom(seed, "desk")) : []),
  ].sort((a, b) => a.at - b.at);
  const shared = sharingBlocks(steps, createRandom(seed, "blocks"));
  return { genesisAt: genesisOf(end), end, steps: shared, raises };
}

/** A raise's refnum on the project's own contracts, which follows from its id. */
export function refnumOf({ escrow, onchainId }: RaiseId): string {
  const { prefix, before } = REFNUMS[escrow];
  return `${prefix}${String(before + onchainId).padStart(5, "0")}`;
}

/** Ids follow the order of creation, as on the chain. */
function numbered(
  escrow: EscrowName,
  { stories, refnumOf }: Outline,
  seed: number,
  end: number,
): PlannedRaise[] {
  return stories[escrow]
    .map((story) => {
      const random = createRandom(seed, `${story.publicId}/terms`);
      const terms = termsOf(story, end, random);
      return { story, terms, createdAt: Math.round(end + (story.goLiveDay - random.between(1, 4)) * DAY) };
    })
    .sort((a, b) => a.createdAt - b.createdAt)
    .map((raise, index) => {
      const id = { escrow, onchainId: index + 1 };
      return { ...raise, id, refnum: refnumOf(id) };
    });
}

function termsOf(story: RaiseStory, end: number, random: Random): Terms {
  const targetAmount = roughly(story.target, random);
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

const everyone = (at: number, action: Action) => ACTORS.map((by): Step => ({ at, by, action }));

/** Everyone gets dollars and lets the current escrow move them. */
export function fundEveryone(end: number): Step[] {
  const at = end + OPENING_DAY * DAY;
  return [
    ...everyone(at, { kind: "mint", amount: INITIAL_BALANCE }),
    ...everyone(at, { kind: "approveDollar", spender: "current" }),
  ];
}

/** Deploys the first escrow; everyone gets dollars and approves escrow and desk. */
function opening(at: number): Step[] {
  const later = at + HOUR;
  return [
    { at, by: "operator", action: { kind: "deployEscrow", escrow: "legacy" } },
    ...everyone(later, { kind: "mint", amount: INITIAL_BALANCE }),
    ...everyone(later, { kind: "approveDollar", spender: "legacy" }),
    ...everyone(later, { kind: "approveDollar", spender: "desk" }),
  ];
}

/** Deploys the second escrow, whose ids start at 1 again. */
function redeploy(at: number): Step[] {
  return [
    { at, by: "operator", action: { kind: "deployEscrow", escrow: "current" } },
    ...everyone(at + HOUR, { kind: "approveDollar", spender: "current" }),
  ];
}

const REFERENCE: Outline = {
  stories: { legacy: LEGACY_RAISES, current: [...CURRENT_RAISES, ...OPEN_RAISES] },
  refnumOf,
  preparations: (end) => [...opening(end + OPENING_DAY * DAY), ...redeploy(end + REDEPLOY_DAY * DAY)],
  hasDesk: true,
};

/** Moves some steps back into the block of the step before. */
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

/** The script of a raise up to `end` (unix seconds). Its steps are not in chronological order. */
function writeScript(raise: PlannedRaise, end: number, random: Random): Script {
  const script = createScript(raise, end, random);
  const { course } = raise.story;
  create(script);
  switch (course.kind) {
    case "open":
      if (course.reached > 0) subscribeUntil(script, course.reached, end - HOUR);
      break;
    case "cancelled": {
      const { goLiveAt } = raise.terms;
      const at = Math.round(goLiveAt + (windowEnd(raise) - goLiveAt) * random.between(0.6, 0.9));
      subscribeUntil(script, course.reached, at - HOUR);
      script.add(at, "operator", { kind: "cancel", reason: course.reason });
      refundShare(script, at, course.refundedShare);
      break;
    }
    case "missed":
      subscribeUntil(script, course.reached, windowEnd(raise) - HOUR);
      refundShare(script, close(script), course.refundedShare);
      break;
    case "voided": {
      const at = Math.round(succeed(script).closedAt + random.between(1, 4) * DAY);
      script.add(at, "operator", { kind: "voidListing", reason: course.reason });
      refundShare(script, at, course.refundedShare);
      break;
    }
    case "undrawn":
      succeed(script);
      break;
    default:
      repay(script, drawDown(script, succeed(script)), course);
  }
  return script;
}

function subscribeUntil(script: Script, fraction: number, until: number): void {
  if (script.raise.terms.pricingMode === "auction") bid(script, fraction, until);
  else subscribeFixed(script, fraction, until);
}

/** Reaches the minimum and closes. */
function succeed(script: Script): Close {
  const { raise, random } = script;
  const { goLiveAt, pricingMode, couponRateBps } = raise.terms;
  const last = windowEnd(raise) - HOUR;
  if (pricingMode === "auction") {
    const clearingRate = bid(script, random.between(1.1, 1.4), last);
    return { closedAt: close(script), couponRateBps: clearingRate };
  }
  if (random.chance(0.4)) {
    const least = Math.min(0.95, raise.story.minimum / 100 + 0.1);
    subscribeFixed(script, random.between(least, 0.98), last);
    return { closedAt: close(script), couponRateBps };
  }
  subscribeFixed(script, 1, goLiveAt + (last - goLiveAt) * random.between(0.5, 0.95));
  const subscribed = script.steps.filter(({ action }) => action.kind === "subscribe");
  return { closedAt: Math.max(...subscribed.map(({ at }) => at)), couponRateBps };
}
