/**
 * Histories that the reference escrow permits: a model of its guards, written from their description and not from
 * its code, that turns dice into transactions.
 * @module
 */
import type fc from "fast-check";
import type { Hex } from "viem";
import type { LoggedEvent } from "./arbitrary-history.ts";
import {
  ALICE,
  AUCTION,
  BOB,
  type EscrowLog,
  escrowLog,
  placeAt,
  type RawTerms,
  REFUND,
  RESERVE,
  ROUTER,
  rawTerms,
  toListingEvent,
} from "./book.ts";
import { type Dice, dice, diceSeeds } from "./dice.ts";

const BACKERS = [ALICE, BOB, ROUTER] as const;
const AMOUNTS = [1n, 10n, 40n, 60n, 100n, 2n ** 200n] as const;
const BID_RATES = [900, 1_200, 1_450] as const;
const STEPS = [0n, 0n, 1n, 3n, 10n, 40n] as const;
const TENOR = 60n;
/** How many actions are tried in a step until a guard lets one through. */
const ATTEMPTS = 5;

/** The events of one transaction. */
export type Transaction = { blockTime: bigint; events: LoggedEvent[] };

/** The escrow's own books of one listing. */
type Escrow = {
  terms: RawTerms;
  held: Map<Hex, bigint>;
  raised: bigint;
  refunded: bigint;
  reserve: bigint;
  everSubscribed: boolean;
  stage: "open" | "succeeded" | "failed" | "drawn" | "settled" | "cancelled" | "voided";
  outstanding: bigint;
  reserveUsed: boolean;
  maturityAt: bigint;
  paid: bigint;
  claimed: bigint;
};

/** An attempt at `now`: the logs of the transaction, none where a guard forbids it. */
type Action = (escrow: Escrow, roll: Dice, now: bigint) => EscrowLog[];

/** A creation and up to 25 transactions that keep every guard. */
export function permittedHistory(): fc.Arbitrary<Transaction[]> {
  return diceSeeds(26).map((seeds) => {
    let position = 0;
    let now = 1n;
    let escrow: Escrow | null = null;
    return seeds.flatMap((seed): Transaction[] => {
      const roll = dice(seed);
      now += roll.one(STEPS);
      let logs: EscrowLog[] = [];
      if (escrow === null) {
        escrow = newEscrow(randomTerms(roll, now));
        logs = [escrowLog("ListingCreated", { terms: escrow.terms })];
      }
      for (let attempt = 0; attempt < ATTEMPTS && logs.length === 0; attempt++) {
        logs = roll.one(ACTIONS)(escrow, roll, now);
      }
      const events = logs.map((log) => {
        position += 1;
        return { ...toListingEvent(log), at: placeAt(position, now), log };
      });
      return events.length === 0 ? [] : [{ blockTime: now, events }];
    });
  });
}

function newEscrow(terms: RawTerms): Escrow {
  const nothing = { raised: 0n, refunded: 0n, reserve: 0n, outstanding: 0n, paid: 0n, claimed: 0n };
  const flags = { everSubscribed: false, reserveUsed: false, maturityAt: 0n };
  return { terms, held: new Map(), stage: "open", ...nothing, ...flags };
}

function randomTerms(roll: Dice, now: bigint): RawTerms {
  const targetAmount = roll.one([100n, 150n, 2n ** 201n]);
  return rawTerms({
    targetAmount,
    minRaise: roll.one([0n, 1n, 60n, 100n, targetAmount]),
    pricingMode: roll.below(2),
    goLiveAt: now + roll.one([0n, 0n, 5n]),
    closeAt: roll.one([0n, now + 10n, now + 30n, now + 80n]),
  });
}

const pastDeadline = ({ terms }: Escrow, now: bigint) => terms.closeAt !== 0n && now >= terms.closeAt;
const raising = (escrow: Escrow, now: bigint) => escrow.stage === "open" && !pastDeadline(escrow, now);
const met = ({ raised, terms }: Escrow) => raised > 0n && raised >= terms.minRaise;
const heldBy = ({ held }: Escrow, backer: Hex) => held.get(backer) ?? 0n;
const least = (a: bigint, b: bigint) => (a < b ? a : b);

function payBack(escrow: Escrow, backer: Hex, amount: bigint, reason: number): EscrowLog {
  escrow.held.set(backer, heldBy(escrow, backer) - amount);
  escrow.refunded += amount;
  return escrowLog("Refunded", { backer, reason, amount, totalRefunded: escrow.refunded });
}

function closeFor(escrow: Escrow, reason: number): EscrowLog {
  const minRaiseMet = met(escrow);
  escrow.stage = minRaiseMet ? "succeeded" : "failed";
  return escrowLog("ListingClosed", { reason, raisedAmount: escrow.raised, minRaiseMet });
}

const subscribe: Action = (escrow, roll, now) => {
  if (!raising(escrow, now) || now < escrow.terms.goLiveAt) return [];
  const auction = escrow.terms.pricingMode === AUCTION;
  const wanted = roll.one(AMOUNTS);
  const amount = auction ? wanted : least(wanted, escrow.terms.targetAmount - escrow.raised);
  const backer = roll.one(BACKERS);
  escrow.everSubscribed = true;
  escrow.raised += amount;
  escrow.held.set(backer, heldBy(escrow, backer) + amount);
  const bidRateBps = auction ? roll.one(BID_RATES) : 0;
  const args = { backer, payer: roll.one(BACKERS), amount, bidRateBps, totalRaised: escrow.raised };
  const log = escrowLog("Subscribed", args);
  const filled = !auction && escrow.raised === escrow.terms.targetAmount;
  return filled ? [log, closeFor(escrow, 0)] : [log];
};

const withdraw: Action = (escrow, roll, now) => {
  const backer = roll.one(BACKERS);
  const held = heldBy(escrow, backer);
  if (!raising(escrow, now) || held === 0n) return [];
  const amount = roll.one([held, least(held, 10n)]);
  escrow.raised -= amount;
  return [payBack(escrow, backer, amount, REFUND.withdrawn)];
};

const changeTerms: Action = (escrow, roll, now) => {
  const { terms } = escrow;
  if (!raising(escrow, now)) return [];
  if (escrow.everSubscribed && terms.closeAt === 0n) return [];
  escrow.terms = escrow.everSubscribed ? { ...terms, closeAt: terms.closeAt + 20n } : randomTerms(roll, now);
  return [escrowLog("ListingTermsUpdated", { terms: escrow.terms })];
};

const close: Action = (escrow, roll, now) => {
  if (escrow.stage !== "open") return [];
  if (!pastDeadline(escrow, now) && roll.below(3) > 0) return [];
  // Whichever rate clears: some bids are above it, in a raise that reached its minimum.
  const outbid = escrow.terms.pricingMode === AUCTION && met(escrow) ? BACKERS.slice(roll.below(4)) : [];
  const refunds = outbid.flatMap((backer) => {
    const amount = least(heldBy(escrow, backer), roll.one([1n, 50n, 2n ** 255n]));
    if (amount === 0n) return [];
    escrow.raised -= amount;
    return [payBack(escrow, backer, amount, REFUND.outbid)];
  });
  return [...refunds, closeFor(escrow, pastDeadline(escrow, now) ? 1 : 2)];
};

const cancel: Action = (escrow, roll, now) => {
  if (!raising(escrow, now) || roll.below(6) > 0) return [];
  escrow.stage = "cancelled";
  return [escrowLog("ListingCancelled")];
};

const voidRaise: Action = (escrow, roll, now) => {
  const closed = escrow.stage === "open" ? pastDeadline(escrow, now) : true;
  if (!closed || !["open", "succeeded", "failed"].includes(escrow.stage) || roll.below(5) > 0) return [];
  escrow.stage = "voided";
  return [escrowLog("ListingVoided")];
};

const refundInFull: Action = (escrow, roll, now) => {
  const backer = roll.one(BACKERS);
  const amount = heldBy(escrow, backer);
  if (amount === 0n) return [];
  if (escrow.stage === "cancelled") return [payBack(escrow, backer, amount, REFUND.cancelled)];
  if (escrow.stage === "voided") return [payBack(escrow, backer, amount, REFUND.voided)];
  const missed = escrow.stage === "failed" || (pastDeadline(escrow, now) && !met(escrow));
  return missed ? [payBack(escrow, backer, amount, REFUND.minNotMet)] : [];
};

const postReserve: Action = (escrow, roll) => {
  const amount = roll.one([1n, 50n]);
  escrow.reserve += amount;
  return [escrowLog("ReserveChanged", { amount, reserveBalance: escrow.reserve })];
};

const drawDown: Action = (escrow, _roll, now) => {
  const needed = (escrow.terms.targetAmount * BigInt(escrow.terms.insuranceBps)) / 10_000n;
  if (escrow.stage !== "succeeded") return [];
  const post = needed > escrow.reserve ? needed - escrow.reserve : 0n;
  escrow.reserve += post;
  const amount = escrow.raised;
  Object.assign(escrow, { stage: "drawn", outstanding: amount, maturityAt: now + TENOR });
  const posted = escrowLog("ReserveChanged", { amount: post, reserveBalance: escrow.reserve });
  const drawn = escrowLog("DrawnDown", { amount, fee: amount / 100n, maturityAt: now + TENOR });
  return post > 0n ? [posted, drawn] : [drawn];
};

function repaid(escrow: Escrow, principal: bigint, interest: bigint): EscrowLog[] {
  escrow.outstanding -= principal;
  escrow.paid += principal + interest;
  const log = escrowLog("Repaid", { principal, interest, outstandingPrincipal: escrow.outstanding });
  if (escrow.outstanding > 0n) return [log];
  escrow.stage = "settled";
  return [log, escrowLog("ListingSettled", { outcome: escrow.reserveUsed ? 1 : 0 })];
}

const repay: Action = (escrow, roll) => {
  if (escrow.stage !== "drawn") return [];
  return repaid(escrow, least(roll.one([...AMOUNTS, 2n ** 255n]), escrow.outstanding), roll.one([0n, 3n]));
};

const settle: Action = (escrow, _roll, now) => {
  if (escrow.stage !== "drawn" || now < escrow.maturityAt) return [];
  const covered = least(escrow.reserve, escrow.outstanding);
  const logs: EscrowLog[] = [];
  if (covered > 0n) {
    escrow.reserve -= covered;
    escrow.reserveUsed = true;
    const args = { reason: RESERVE.applied, amount: covered, reserveBalance: escrow.reserve };
    logs.push(escrowLog("ReserveChanged", args), ...repaid(escrow, covered, 0n));
  }
  if (escrow.outstanding === 0n) return logs;
  escrow.stage = "settled";
  return [...logs, escrowLog("ListingSettled", { outcome: 2, writtenOffPrincipal: escrow.outstanding })];
};

const claim: Action = (escrow, roll) => {
  if (escrow.claimed === escrow.paid) return [];
  const amount = escrow.paid - escrow.claimed;
  escrow.claimed = escrow.paid;
  return [escrowLog("PayoutClaimed", { holder: roll.one(BACKERS), amount, totalClaimed: escrow.claimed })];
};

const ACTIONS: readonly Action[] = [
  ...Array<Action>(6).fill(subscribe),
  ...[withdraw, withdraw, changeTerms, close, close, cancel, voidRaise, refundInFull, refundInFull],
  ...[postReserve, drawDown, drawDown, drawDown, repay, repay, repay, settle, claim],
];
