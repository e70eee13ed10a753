/**
 * The first half of a raise: from its creation over the subscriptions to the close.
 * @module
 */
import { clearAuction, type PlannedBid } from "./auction.ts";
import { BACKERS, type Backer } from "./cast.ts";
import { basisPoints, shareOf, split } from "./money.ts";
import type { Random } from "./random.ts";
import { anybody, DAY, HOUR, type PlannedRaise, reserveOf, type Script } from "./script.ts";

/** A raise without a closing time is closed by hand after so long. */
const MANUAL_WINDOW = 20 * DAY;

/** Nobody is quicker than this; it also keeps the first subscription clear of the go-live when blocks are shared. */
const FIRST_SUBSCRIPTION_AFTER = 8 * HOUR;

/** Creates the raise and posts the reserve. */
export function create(script: Script): void {
  const { raise, random } = script;
  const { story, terms, refnum, createdAt } = raise;
  const metadata = { title: story.title, description: story.description };
  const postponed = story.course.kind === "open" && story.course.postponed === true;
  const first = postponed && terms.closeAt !== null ? { ...terms, closeAt: terms.closeAt - 10 * DAY } : terms;
  script.add(createdAt, "operator", {
    kind: "createListing",
    refnum,
    originator: story.business,
    terms: first,
    metadata,
  });
  const reserve = reserveOf(terms);
  if (reserve > 0n) {
    script.add(createdAt + random.between(1, 5) * HOUR, story.business, {
      kind: "postReserve",
      amount: reserve,
    });
  }
  if (postponed) {
    script.add(terms.goLiveAt + DAY, "operator", { kind: "updateTerms", terms, metadata });
  }
}

/** A fixed raise takes `fraction` of its target until `until`; 1 fills it, which closes it. */
export function subscribeFixed(script: Script, fraction: number, until: number): void {
  const { raise, random, positions } = script;
  const { targetAmount, goLiveAt } = raise.terms;
  const amount = fraction === 1 ? targetAmount : shareOf(targetAmount, fraction);
  const parts = split(amount, random.integer(5, 11), random);
  const times = timesBetween(goLiveAt + FIRST_SUBSCRIPTION_AFTER, until, parts.length, random);
  parts.forEach((part, index) => {
    const at = times[index] ?? until;
    subscribe(script, at, { backer: anybody(random), amount: part, rateBps: 0 });
    // Somebody changes their mind; well before the raise is full, so that the target is never passed.
    if (index === 1 && random.chance(0.4)) {
      const backer = [...positions.keys()][0];
      const most = backer === undefined ? 0n : (positions.get(backer) ?? 0n);
      if (backer !== undefined) changeOfMind(script, backer, most, at, times[2] ?? until);
    }
  });
}

/**
 * An auction takes bids of `fraction` of its target in all; above 1 some are outbid when it clears. Returns the
 * rate at which it would close.
 */
export function bid(script: Script, fraction: number, until: number): number {
  const { raise, random, positions } = script;
  const { targetAmount, couponRateBps, goLiveAt } = raise.terms;
  const parts = split(shareOf(targetAmount, fraction), random.integer(8, 14), random);
  const times = timesBetween(goLiveAt + FIRST_SUBSCRIPTION_AFTER, until, parts.length, random);
  const bids = parts.map((amount, index): PlannedBid => {
    const rateBps = Math.round((couponRateBps * random.between(0.62, 1)) / 5) * 5;
    const made = { backer: anybody(random), amount, rateBps };
    subscribe(script, times[index] ?? until, made);
    return made;
  });
  const { accepted, rateBps } = clearAuction(bids, targetAmount);
  positions.clear();
  for (const [backer, amount] of accepted) positions.set(backer, amount);
  return rateBps;
}

/** When subscriptions end: at the closing time, or when somebody closes by hand. */
export function windowEnd({ terms }: PlannedRaise): number {
  return terms.closeAt ?? terms.goLiveAt + MANUAL_WINDOW;
}

/** Somebody calls `close` soon after the deadline; without one the operator does. Returns when. */
export function close(script: Script): number {
  const { raise, random } = script;
  const at = Math.round(windowEnd(raise) + random.between(0.1, 6) * HOUR);
  const by = raise.terms.closeAt === null || random.chance(0.5) ? "operator" : anybody(random);
  script.add(at, by, { kind: "close" });
  return at;
}

function subscribe(script: Script, at: number, { backer, amount, rateBps }: PlannedBid): void {
  const payer = script.random.chance(0.08) ? "router" : backer;
  script.add(at, payer, { kind: "subscribe", backer, amount, bidRateBps: rateBps });
  script.positions.set(backer, (script.positions.get(backer) ?? 0n) + amount);
}

/** Takes a part of a position out and puts the same back, so that the sum stays as planned. */
function changeOfMind(script: Script, backer: Backer, position: bigint, after: number, before: number): void {
  const { random } = script;
  const amount = basisPoints(position, random.integer(3_000, 9_000));
  if (amount === 0n) return;
  const other = random.pick(BACKERS.filter((candidate) => candidate !== backer));
  script.add(after + (before - after) / 3, backer, { kind: "withdraw", amount });
  script.positions.set(backer, position - amount);
  subscribe(script, after + ((before - after) * 2) / 3, { backer: other, amount, rateBps: 0 });
}

/** Sorted, more of them towards both ends: people come when a raise opens, and when it is about to close. */
function timesBetween(from: number, to: number, count: number, random: Random): number[] {
  const times = Array.from({ length: count }, () => {
    const x = random.next();
    return Math.round(from + (to - from) * (x * x * (3 - 2 * x)));
  });
  return times.sort((a, b) => a - b);
}
