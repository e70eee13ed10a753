/** @module Live market: openings, subscriptions, withdrawals, closes. */
import type { Metadata } from "../market/actions.ts";
import { BACKERS } from "../market/cast.ts";
import type { MarketContracts } from "../market/contracts.ts";
import { basisPoints, formatDollars, shareOf } from "../market/money.ts";
import type { Random } from "../market/random.ts";
import { anyBacker, reserveOf } from "../market/script.ts";
import { nextIdea } from "./ideas.ts";
import { ceilingOf, type LiveRaise, type NewRaise } from "./raises.ts";
import type { MarketEvent, Play, Scene } from "./scene.ts";

/** Seconds from the deadline to the call of `close`; until then the raise is closed by time alone. */
const CLOSED_AFTER = 6;

/** Seconds from the go-live to a cancellation. */
const CANCELLED_AFTER = 240;

/** The smallest subscription, and the least that auctions take, in basis points of the target. */
const LEAST_BPS = 100;

/** Opens and publishes the `ordinal`-th raise of this run. */
export async function openRaise(
  scene: Scene,
  ordinal: number,
  publish: (raise: NewRaise & Metadata) => Promise<void>,
): Promise<MarketEvent | null> {
  const { raises, contracts, random } = scene;
  const idea = nextIdea(ordinal, scene.now() + random.pick([0, 0, 12]), random);
  const { business, title, description } = idea;
  const { terms, fate } = possible(idea, contracts.abilities);
  const id = { escrow: "current", onchainId: await contracts.nextId() } as const;
  const refnum = contracts.refnumOf(id);
  const listing = { raise: id, refnum, originator: business, terms, metadata: { title, description } };
  if ((await scene.perform("operator", { kind: "createListing", ...listing })) === null) return null;
  // The escrow may have got one from elsewhere meanwhile.
  if ((await contracts.nextId()) !== id.onchainId + 1) return null;
  const raise = { id, refnum, title, business, terms, fate, ceiling: ceilingOf(terms, fate), isNew: true };
  await publish({ ...raise, description });
  const entry = await raises.add(raise, scene.now());
  const reserve = reserveOf(terms);
  if (reserve > 0n) await scene.perform(business, { kind: "postReserve", raise: id, amount: reserve });
  const hours = ((terms.closeAt ?? terms.goLiveAt) - terms.goLiveAt) / 3_600;
  const start = terms.goLiveAt > scene.now() ? "opens in a moment" : "is open";
  const text = `a new raise of ${formatDollars(terms.targetAmount)}, "${title}", ${start} for ${hours.toFixed(1)} hours`;
  return { raise: entry, text };
}

/** The idea, as far as these contracts can have it. */
function possible(
  { terms, fate }: Pick<LiveRaise, "terms" | "fate">,
  { auctions, reserve, undoing }: MarketContracts["abilities"],
): Pick<LiveRaise, "terms" | "fate"> {
  return {
    terms: {
      ...terms,
      pricingMode: auctions ? terms.pricingMode : "fixed",
      insuranceBps: reserve ? terms.insuranceBps : 0,
    },
    fate: !undoing && (fate === "cancel" || fate === "void") ? "succeed" : fate,
  };
}

export const subscribe: Play = async (scene) => {
  const { raises, random } = scene;
  const now = scene.now();
  const available = raises.inStage("open").filter((raise) => isOpen(raise, now) && room(raise) > 0n);
  const raise = chooseRaise(available, random);
  if (raise === null) return null;
  const { targetAmount, couponRateBps, pricingMode } = raise.terms;
  const wish = shareOf(targetAmount, raise.isNew ? random.between(0.08, 0.3) : random.between(0.03, 0.1));
  const amount = wish < room(raise) ? wish : room(raise);
  const bidRateBps = pricingMode === "fixed" ? 0 : bidRate(couponRateBps, random.between(0.65, 1));
  const backer = anyBacker(random);
  const action = { kind: "subscribe", raise: raise.id, backer, amount, bidRateBps } as const;
  if ((await scene.perform(backer, action)) === null) return null;
  const rate = bidRateBps === 0 ? "" : ` at ${(bidRateBps / 100).toFixed(2)} %`;
  const end = pricingMode === "fixed" && raise.raised + amount === targetAmount ? ", which fills it" : "";
  return { raise, text: `${backer} subscribes ${formatDollars(amount)}${rate}${end}` };
};

export const withdraw: Play = async (scene) => {
  const { raises, random } = scene;
  const candidates = raises
    .inStage("open")
    .filter((raise) => isOpen(raise, scene.now()) && raise.raised > 0n && raise.role !== "untouched");
  if (candidates.length === 0) return null;
  const raise = random.pick(candidates);
  const holders = await raises.holders(raise);
  // The last backer stays: a raise without any is still funding, but looks deserted.
  if (holders.length < 2) return null;
  const { backer, amount: balance } = random.pick(holders);
  const amount = random.chance(0.5) ? balance : shareOf(balance, random.between(0.2, 0.6));
  if ((await scene.perform(backer, { kind: "withdraw", raise: raise.id, amount })) === null) return null;
  return { raise, text: `${backer} withdraws ${formatDollars(amount)}` };
};

/** Closes raises after their deadline and auctions with all their bids, and cancels those whose fate it is. */
export const meetDeadlines: Play = async (scene) => {
  const { raises, random } = scene;
  const now = scene.now();
  for (const raise of raises.inStage("open")) {
    const { goLiveAt, closeAt } = raise.terms;
    if (closeAt === null) continue;
    const isOver = now >= closeAt + CLOSED_AFTER;
    if (isOver || isOversubscribed(raise)) {
      const by = isOver ? random.pick(["operator", random.pick(BACKERS)] as const) : "operator";
      const receipt = await scene.perform(by, { kind: "close", raise: raise.id });
      await raises.refresh(raise, now);
      if (receipt === null) continue;
      const outcome = raise.stage === "succeeded" ? "minimum met" : "minimum missed, backers are refunded";
      return { raise, text: `closes at ${formatDollars(raise.raised)}: ${outcome}` };
    }
    if (raise.fate !== "cancel" || now < goLiveAt + CANCELLED_AFTER || now >= closeAt) continue;
    const reason = "withdrawn by the originator";
    if ((await scene.perform("operator", { kind: "cancel", raise: raise.id, reason })) === null) continue;
    return { raise, text: "is cancelled by its originator" };
  }
  return null;
};

/** Mostly the raise in most need: the next to close that is still below its minimum. */
function chooseRaise(available: readonly LiveRaise[], random: Random): LiveRaise | null {
  if (available.length === 0) return null;
  const isNeedy = ({ isNew, fate, raised, terms }: LiveRaise) =>
    isNew && fate !== "miss" && raised < terms.minRaise;
  const closing = (raise: LiveRaise) => raise.terms.closeAt ?? Number.MAX_SAFE_INTEGER;
  const [next] = available.filter(isNeedy).toSorted((a, b) => closing(a) - closing(b));
  return next !== undefined && random.chance(0.6) ? next : random.pick(available);
}

function isOpen({ terms }: LiveRaise, now: number): boolean {
  // The next block may be a second later.
  return terms.goLiveAt <= now && (terms.closeAt === null || now + 2 < terms.closeAt);
}

/** The amount left to subscribe; 0 when it is below the smallest subscription. */
function room({ terms, ceiling, raised }: LiveRaise): bigint {
  const left = ceiling - raised;
  return left >= basisPoints(terms.targetAmount, LEAST_BPS) ? left : 0n;
}

/** Whether a new auction has more bids than it can accept, so that it need not wait for its deadline. */
function isOversubscribed(raise: LiveRaise): boolean {
  const { isNew, fate, terms } = raise;
  const isToFill = isNew && (fate === "succeed" || fate === "void");
  return isToFill && terms.pricingMode === "auction" && room(raise) === 0n;
}

/** In steps of five basis points. */
function bidRate(rateBps: number, fraction: number): number {
  return Math.max(5, Math.round((rateBps * fraction) / 5) * 5);
}
