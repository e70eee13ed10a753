/**
 * Living part: drawdowns, repayments, payouts, and the way back of the money.
 * @module
 */
import { BUSINESSES } from "../market/businesses.ts";
import { dollars, interestOn, readable, shareOf } from "../market/money.ts";
import type { LivingRaise } from "./book.ts";
import type { Play } from "./scene.ts";

/** Seconds from a close to what follows it. */
const PATIENCE = 12;

/** What is left below this is paid at once. */
const SMALL_REST = dollars(2_000);

/** A raise that has reached its minimum is drawn down, or voided if that is its fate. */
export const proceed: Play = async (scene) => {
  const { book } = scene;
  const raise = book.at("succeeded").find(({ since }) => scene.now() >= since + PATIENCE);
  if (raise === undefined) return null;
  if (raise.fate === "void") {
    const reason = "conditions not met";
    if ((await scene.perform("operator", { kind: "voidListing", raise: raise.id, reason })) === null)
      return null;
    return { raise, text: "is voided after its close: everybody gets the money back" };
  }
  if ((await scene.perform(raise.business, { kind: "drawDown", raise: raise.id })) === null) return null;
  return { raise, text: `${nameOf(raise)} draws ${readable(raise.raised)} down` };
};

export const repay: Play = async (scene) => {
  const { book, random } = scene;
  const candidates = book.at("drawn").filter(({ role }) => role !== "distressed");
  if (candidates.length === 0) return null;
  const raise = random.pick(candidates);
  const inFull = raise.outstanding < SMALL_REST || (raise.young && random.chance(0.35));
  const principal = inFull ? raise.outstanding : shareOf(raise.outstanding, random.between(0.05, 0.3));
  const interest = interestOn(raise.outstanding, raise.terms.couponRateBps, random.integer(3, 30));
  const action = { kind: "repay", raise: raise.id, principal, interest } as const;
  if ((await scene.perform(raise.business, action)) === null) return null;
  const end = inFull ? ", the last of it" : "";
  return {
    raise,
    text: `${nameOf(raise)} repays ${readable(principal)} and ${readable(interest)} interest${end}`,
  };
};

export const claim: Play = async (scene) => {
  const { book, random } = scene;
  const candidates = [...book.at("drawn"), ...book.at("settled")];
  // Some of them, until one is found whose holder has something to fetch.
  for (const raise of random.shuffled(candidates).slice(0, 6)) {
    const holders = await book.holders(raise);
    if (holders.length === 0) continue;
    const { backer } = random.pick(holders);
    if ((await scene.perform(backer, { kind: "claimPayout", raise: raise.id })) === null) continue;
    return { raise, text: `${backer} fetches a payout` };
  }
  return null;
};

/** A backer of a raise that came to nothing gets the principal back; the last one always leaves it for later. */
export const refund: Play = async (scene) => {
  const { book, random } = scene;
  const ended = [...book.at("failed"), ...book.at("cancelled"), ...book.at("voided")];
  const recent = ended.filter(waiting(scene.now()));
  for (const raise of random.shuffled(recent).slice(0, 6)) {
    const holders = await book.holders(raise);
    if (holders.length < 2) continue;
    const { backer, amount } = random.pick(holders);
    if ((await scene.perform(backer, { kind: "refund", raise: raise.id, backer })) === null) continue;
    return { raise, text: `${backer} gets ${readable(amount)} back` };
  }
  return null;
};

function waiting(now: number): (raise: LivingRaise) => boolean {
  return ({ since }) => now >= since + PATIENCE;
}

function nameOf({ business }: LivingRaise): string {
  return BUSINESSES[business].legalName;
}
