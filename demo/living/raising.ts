/**
 * Living part: raises open, are subscribed to, and close.
 * @module
 */
import { parseEventLogs } from "viem";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import type { Metadata } from "../market/actions.ts";
import { BACKERS } from "../market/cast.ts";
import { basisPoints, readable, shareOf } from "../market/money.ts";
import { refnumOf } from "../market/plan.ts";
import type { Random } from "../market/random.ts";
import { anybody, reserveOf } from "../market/script.ts";
import { ceilingOf, type LivingRaise, type NewRaise } from "./book.ts";
import { nextIdea } from "./ideas.ts";
import type { Happening, Play, Scene } from "./scene.ts";

/** So many seconds after the deadline somebody calls `close`; until then the raise has closed by time alone. */
const CLOSED_AFTER = 6;

/** So many seconds after it opened a raise is cancelled whose fate that is. */
const CANCELLED_AFTER = 240;

/** Less than this is nobody's subscription; in basis points of the target. It is also the least that auctions take. */
const LEAST_BPS = 100;

/** Opens the `ordinal`-th raise of this run and has it published. */
export async function openRaise(
  scene: Scene,
  ordinal: number,
  publish: (raise: NewRaise & Metadata) => Promise<void>,
): Promise<Happening | null> {
  const { book, contracts, random, chain } = scene;
  const idea = nextIdea(ordinal, scene.now() + random.pick([0, 0, 12]), random);
  const { business, title, description, terms, fate } = idea;
  const count = await chain.publicClient.readContract({
    address: contracts.escrow("current"),
    abi: listingEscrowAbi,
    functionName: "listingCount",
  });
  const id = { escrow: "current", onchainId: Number(count) + 1 } as const;
  const refnum = refnumOf(id.escrow, id.onchainId);
  const metadata = { title, description };
  const receipt = await scene.perform("operator", {
    kind: "createListing",
    raise: id,
    refnum,
    originator: business,
    terms,
    metadata,
  });
  const [created] = parseEventLogs({
    abi: listingEscrowAbi,
    eventName: "ListingCreated",
    logs: receipt?.logs ?? [],
  });
  if (created === undefined || created.args.onchainId !== BigInt(id.onchainId)) return null;
  const raise = { id, refnum, title, business, terms, fate, ceiling: ceilingOf(terms, fate), young: true };
  await publish({ ...raise, description });
  const entry = await book.add(raise, scene.now());
  await scene.perform(business, { kind: "postReserve", raise: id, amount: reserveOf(terms) });
  const hours = ((terms.closeAt ?? terms.goLiveAt) - terms.goLiveAt) / 3_600;
  const start = terms.goLiveAt > scene.now() ? "is open in a moment," : "is open";
  const text = `a new raise of ${readable(terms.targetAmount)}, "${title}", ${start} for ${hours.toFixed(1)} hours`;
  return happened(entry, text);
}

export const subscribe: Play = async (scene) => {
  const { book, random } = scene;
  const now = scene.now();
  const roomy = book.at("open").filter((raise) => takesMoney(raise, now) && room(raise) > 0n);
  const raise = chooseRaise(roomy, random);
  if (raise === null) return null;
  const { targetAmount, couponRateBps, pricingMode } = raise.terms;
  const wanted = shareOf(targetAmount, raise.young ? random.between(0.08, 0.3) : random.between(0.03, 0.1));
  const amount = wanted < room(raise) ? wanted : room(raise);
  const bidRateBps = pricingMode === "fixed" ? 0 : basisPointsOf(couponRateBps, random.between(0.65, 1));
  const backer = anybody(random);
  const action = { kind: "subscribe", raise: raise.id, backer, amount, bidRateBps } as const;
  if ((await scene.perform(backer, action)) === null) return null;
  const rate = bidRateBps === 0 ? "" : ` at ${(bidRateBps / 100).toFixed(2)} %`;
  const end = pricingMode === "fixed" && raise.raised + amount === targetAmount ? ", which fills it" : "";
  return happened(raise, `${backer} subscribes ${readable(amount)}${rate}${end}`);
};

export const withdraw: Play = async (scene) => {
  const { book, random } = scene;
  const candidates = book
    .at("open")
    .filter((raise) => takesMoney(raise, scene.now()) && raise.raised > 0n && raise.role !== "untouched");
  if (candidates.length === 0) return null;
  const raise = random.pick(candidates);
  const holders = await book.holders(raise);
  // The last backer stays: a raise without any still counts as funding, but looks deserted.
  if (holders.length < 2) return null;
  const { backer, amount: held } = random.pick(holders);
  const amount = random.chance(0.5) ? held : shareOf(held, random.between(0.2, 0.6));
  if ((await scene.perform(backer, { kind: "withdraw", raise: raise.id, amount })) === null) return null;
  return happened(raise, `${backer} withdraws ${readable(amount)}`);
};

/** What is due: a close after the deadline, or of an auction that has all its bids; a cancel. */
export const keepDates: Play = async (scene) => {
  const { book, random } = scene;
  const now = scene.now();
  for (const raise of book.at("open")) {
    const { goLiveAt, closeAt } = raise.terms;
    if (closeAt === null) continue;
    const isOver = now >= closeAt + CLOSED_AFTER;
    if (isOver || isBidOut(raise)) {
      const by = isOver ? random.pick(["operator", random.pick(BACKERS)] as const) : "operator";
      if ((await scene.perform(by, { kind: "close", raise: raise.id })) === null) {
        await book.refresh(raise, now);
        continue;
      }
      await book.refresh(raise, now);
      const outcome = raise.stage === "succeeded" ? "minimum met" : "minimum missed, backers are refunded";
      return happened(raise, `closes at ${readable(raise.raised)}: ${outcome}`);
    }
    if (raise.fate !== "cancel" || now < goLiveAt + CANCELLED_AFTER || now >= closeAt) continue;
    const reason = "withdrawn by the originator";
    if ((await scene.perform("operator", { kind: "cancel", raise: raise.id, reason })) === null) continue;
    return happened(raise, "is cancelled by its originator");
  }
  return null;
};

/** Mostly the raise that needs it most: it closes next, and is still below its minimum. */
function chooseRaise(roomy: readonly LivingRaise[], random: Random): LivingRaise | null {
  if (roomy.length === 0) return null;
  const needy = roomy.filter(({ young, fate, raised, terms }) => {
    return young && fate !== "miss" && raised < terms.minRaise;
  });
  const closing = (raise: LivingRaise) => raise.terms.closeAt ?? Number.MAX_SAFE_INTEGER;
  const [next] = needy.toSorted((a, b) => closing(a) - closing(b));
  return next !== undefined && random.chance(0.6) ? next : random.pick(roomy);
}

function happened(raise: LivingRaise, text: string): Happening {
  return { raise, text };
}

function takesMoney({ terms }: LivingRaise, now: number): boolean {
  // The next block may be a second later.
  return terms.goLiveAt <= now && (terms.closeAt === null || now + 2 < terms.closeAt);
}

/** How much may still be subscribed; nothing when it is too little for one person. */
function room({ terms, ceiling, raised }: LivingRaise): bigint {
  const left = ceiling - raised;
  return left >= basisPoints(terms.targetAmount, LEAST_BPS) ? left : 0n;
}

/** Whether an auction of ours has more bids than it can accept: nothing is won by waiting for its deadline. */
function isBidOut(raise: LivingRaise): boolean {
  const { young, fate, terms } = raise;
  const isToFill = young && (fate === "succeed" || fate === "void");
  return isToFill && terms.pricingMode === "auction" && room(raise) === 0n;
}

/** In steps of five basis points. */
function basisPointsOf(rateBps: number, fraction: number): number {
  return Math.max(5, Math.round((rateBps * fraction) / 5) * 5);
}
