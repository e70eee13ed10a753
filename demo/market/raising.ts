/** @module The first half of a raise: creation, subscriptions, close. */
import { BACKERS, type Backer } from "./cast.ts";
import { basisPoints, shareOf, split } from "./money.ts";
import type { Random } from "./random.ts";
import { anyBacker, DAY, HOUR, type PlannedRaise, reserveOf, type Script } from "./script.ts";

/** How long a raise without a closing time stays open. */
const MANUAL_WINDOW = 20 * DAY;

/** Keeps the first subscription clear of the go-live when blocks are shared. */
const FIRST_SUBSCRIPTION_AFTER = 8 * HOUR;

/** Creates the raise and posts the reserve. */
export function create(script: Script): void {
  const { raise, random } = script;
  const { story, terms, refnum, createdAt } = raise;
  const metadata = { title: story.title, description: story.description };
  const postponed = story.course.kind === "open" && story.course.postponed === true;
  const first = postponed && terms.closeAt !== null ? { ...terms, closeAt: terms.closeAt - 10 * DAY } : terms;
  const listing = { refnum, originator: story.business, terms: first, metadata };
  script.add(createdAt, "operator", { kind: "createListing", ...listing });
  const reserve = reserveOf(terms);
  if (reserve > 0n) {
    const at = createdAt + random.between(1, 5) * HOUR;
    script.add(at, story.business, { kind: "postReserve", amount: reserve });
  }
  if (postponed) script.add(terms.goLiveAt + DAY, "operator", { kind: "updateTerms", terms, metadata });
}

/** Subscriptions for `fraction` of a fixed raise's target by `until`; 1 fills and closes it. */
export function subscribeFixed(script: Script, fraction: number, until: number): void {
  const { raise, random, positions } = script;
  const { targetAmount, goLiveAt } = raise.terms;
  const amount = fraction === 1 ? targetAmount : shareOf(targetAmount, fraction);
  const parts = split(amount, random.integer(5, 11), random);
  const times = timesBetween(goLiveAt + FIRST_SUBSCRIPTION_AFTER, until, parts.length, random);
  parts.forEach((part, index) => {
    const at = times[index] ?? until;
    subscribe(script, at, { backer: anyBacker(random), amount: part, rateBps: 0 });
    // A backer changes their mind well before the raise is full, so that the target is never exceeded.
    if (index === 1 && random.chance(0.4)) {
      const backer = [...positions.keys()][0];
      const most = backer === undefined ? 0n : (positions.get(backer) ?? 0n);
      if (backer !== undefined) moveSubscription(script, backer, most, at, times[2] ?? until);
    }
  });
}

/** Bids for `fraction` of an auction's target; above 1 some are outbid. Returns the rate at which it would clear. */
export function bid(script: Script, fraction: number, until: number): number {
  const { raise, random, positions } = script;
  const { targetAmount, couponRateBps, goLiveAt } = raise.terms;
  const parts = split(shareOf(targetAmount, fraction), random.integer(8, 14), random);
  const times = timesBetween(goLiveAt + FIRST_SUBSCRIPTION_AFTER, until, parts.length, random);
  const bids = parts.map((amount, index): PlannedBid => {
    const rateBps = Math.round((couponRateBps * random.between(0.62, 1)) / 5) * 5;
    const made = { backer: anyBacker(random), amount, rateBps };
    subscribe(script, times[index] ?? until, made);
    return made;
  });
  const { accepted, rateBps } = clearAuction(bids, targetAmount);
  positions.clear();
  for (const [backer, amount] of accepted) positions.set(backer, amount);
  return rateBps;
}

/** The end of subscriptions: the closing time, or a close by hand. */
export function windowEnd({ terms }: PlannedRaise): number {
  return terms.closeAt ?? terms.goLiveAt + MANUAL_WINDOW;
}

/** Closes soon after the deadline, by anyBacker; without a deadline by the operator. Returns the time. */
export function close(script: Script): number {
  const { raise, random } = script;
  const at = Math.round(windowEnd(raise) + random.between(0.1, 6) * HOUR);
  const by = raise.terms.closeAt === null || random.chance(0.5) ? "operator" : anyBacker(random);
  script.add(at, by, { kind: "close" });
  return at;
}

function subscribe(script: Script, at: number, { backer, amount, rateBps }: PlannedBid): void {
  const payer = script.random.chance(0.08) ? "router" : backer;
  script.add(at, payer, { kind: "subscribe", backer, amount, bidRateBps: rateBps });
  script.positions.set(backer, (script.positions.get(backer) ?? 0n) + amount);
}

/** One backer withdraws and another subscribes the same amount, so that the sum stays as planned. */
function moveSubscription(
  script: Script,
  backer: Backer,
  position: bigint,
  after: number,
  before: number,
): void {
  const { random } = script;
  const amount = basisPoints(position, random.integer(3_000, 9_000));
  if (amount === 0n) return;
  const other = random.pick(BACKERS.filter((candidate) => candidate !== backer));
  script.add(after + (before - after) / 3, backer, { kind: "withdraw", amount });
  script.positions.set(backer, position - amount);
  subscribe(script, after + ((before - after) * 2) / 3, { backer: other, amount, rateBps: 0 });
}

/** Sorted, and denser towards both ends: people come when a raise opens and before it closes. */
function timesBetween(from: number, to: number, count: number, random: Random): number[] {
  const times = Array.from({ length: count }, () => {
    const x = random.next();
    return Math.round(from + (to - from) * (x * x * (3 - 2 * x)));
  });
  return times.sort((a, b) => a - b);
}

type PlannedBid = { readonly backer: Backer; readonly amount: bigint; readonly rateBps: number };

type Clearing = {
  /** Accepted amount per backer. */
  readonly accepted: ReadonlyMap<Backer, bigint>;
  /** The highest accepted rate, which all of them earn. */
  readonly rateBps: number;
};

/** Predicts how an auction clears: the lowest rates first, then the earliest bids, up to `target`. */
export function clearAuction(bids: readonly PlannedBid[], target: bigint): Clearing {
  const accepted = new Map<Backer, bigint>();
  let room = target;
  let clearingRate = 0;
  for (const { backer, amount, rateBps } of bids.toSorted((a, b) => a.rateBps - b.rateBps)) {
    const kept = amount < room ? amount : room;
    if (kept === 0n) break;
    room -= kept;
    clearingRate = rateBps;
    accepted.set(backer, (accepted.get(backer) ?? 0n) + kept);
  }
  return { accepted, rateBps: clearingRate };
}
