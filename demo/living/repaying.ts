/** @module Live market: drawdowns, repayments, payouts, refunds. */
import { BUSINESSES } from "../market/cast.ts";
import { dollars, formatDollars, interestOn, shareOf } from "../market/money.ts";
import type { LiveRaise } from "./raises.ts";
import type { Play } from "./scene.ts";

/** Seconds from a close to the next step. */
const PAUSE = 12;

/** A smaller remainder is repaid at once. */
const SMALL_REMAINDER = dollars(2_000);

/** Draws down a raise that has reached its minimum, or voids it if that is its fate. */
export const drawDownOrVoid: Play = async (scene) => {
  const raise = scene.raises.inStage("succeeded").find(({ since }) => scene.now() >= since + PAUSE);
  if (raise === undefined) return null;
  if (raise.fate === "void") {
    const reason = "conditions not met";
    if ((await scene.perform("operator", { kind: "voidListing", raise: raise.id, reason })) === null)
      return null;
    return { raise, text: "is voided after its close: all backers are refunded" };
  }
  if ((await scene.perform(raise.business, { kind: "drawDown", raise: raise.id })) === null) return null;
  return { raise, text: `${nameOf(raise)} draws down ${formatDollars(raise.raised)}` };
};

export const repay: Play = async (scene) => {
  const { raises, random } = scene;
  const candidates = raises.inStage("drawn").filter(({ role }) => role !== "distressed");
  if (candidates.length === 0) return null;
  const raise = random.pick(candidates);
  const inFull = raise.outstanding < SMALL_REMAINDER || (raise.isNew && random.chance(0.35));
  const principal = inFull ? raise.outstanding : shareOf(raise.outstanding, random.between(0.05, 0.3));
  const interest = interestOn(raise.outstanding, raise.terms.couponRateBps, random.integer(3, 30));
  const action = { kind: "repay", raise: raise.id, principal, interest } as const;
  if ((await scene.perform(raise.business, action)) === null) return null;
  const amounts = `${formatDollars(principal)} and ${formatDollars(interest)} interest`;
  return { raise, text: `${nameOf(raise)} repays ${amounts}${inFull ? ", in full" : ""}` };
};

export const claim: Play = async (scene) => {
  const { raises, random } = scene;
  const candidates = [...raises.inStage("drawn"), ...raises.inStage("settled")];
  // Tries some of them for a holder with something to claim.
  for (const raise of random.shuffled(candidates).slice(0, 6)) {
    const holders = await raises.holders(raise);
    if (holders.length === 0) continue;
    const { backer } = random.pick(holders);
    if ((await scene.perform(backer, { kind: "claimPayout", raise: raise.id })) === null) continue;
    return { raise, text: `${backer} claims a payout` };
  }
  return null;
};

/** Refunds a backer of a failed raise. The last one is never refunded. */
export const refund: Play = async (scene) => {
  const { raises, random } = scene;
  const ended = [...raises.inStage("failed"), ...raises.inStage("cancelled"), ...raises.inStage("voided")];
  const due = ended.filter(({ since }) => scene.now() >= since + PAUSE);
  for (const raise of random.shuffled(due).slice(0, 6)) {
    const holders = await raises.holders(raise);
    if (holders.length < 2) continue;
    const { backer, amount } = random.pick(holders);
    if ((await scene.perform(backer, { kind: "refund", raise: raise.id, backer })) === null) continue;
    return { raise, text: `${backer} is refunded ${formatDollars(amount)}` };
  }
  return null;
};

function nameOf({ business }: LiveRaise): string {
  return BUSINESSES[business].legalName;
}
