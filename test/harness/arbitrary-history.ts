/** @module Histories that no escrow needs to permit: any events, in any order, with running totals that are mostly right. */
import type { Hex } from "viem";
import type { LocatedEvent } from "../../src/fold/events.ts";
import {
  ALICE,
  BOB,
  ESCROW,
  type EscrowLog,
  escrowLog,
  type LogName,
  placeAt,
  ROUTER,
  rawTerms,
  toListingEvent,
} from "./book.ts";
import { type Dice, dice, diceSeeds } from "./dice.ts";

const MAX = 2n ** 256n - 1n;
const BACKERS = [ALICE, BOB, ROUTER] as const;
const AMOUNTS = [0n, 1n, 5n, 40n, 60n, 100n, 100n, 2n ** 200n] as const;
const LARGEST = [MAX, MAX - 1n, 2n ** 255n] as const;
// Close to each other and to the times of blocks, so that deadlines pass within a history, and without one.
const CLOSE_TIMES = [0n, 20n, 50n, 90n, 130n, 2n ** 64n - 1n] as const;
const BID_RATES = [0, 900, 1_200, 1_450] as const;
const STEPS = [0n, 0n, 1n, 4n, 10n, 25n] as const;
const NAMES: readonly LogName[] = [
  "ListingCreated",
  "ListingTermsUpdated",
  "ListingTermsUpdated",
  ...Array<LogName>(7).fill("Subscribed"),
  ...Array<LogName>(5).fill("Refunded"),
  "ReserveChanged",
  "ListingClosed",
  "DrawnDown",
  "Repaid",
  "Repaid",
  "PayoutClaimed",
  "ListingSettled",
  "ListingCancelled",
  "ListingVoided",
];

type Pair = { escrowAddress: Hex; onchainId: bigint };
/** The totals of a chain that counts naively. */
type Totals = { raised: bigint; refunded: bigint; reserve: bigint; outstanding: bigint; claimed: bigint };

/** An event with the log that it was made of. */
export type LoggedEvent = LocatedEvent & { log: EscrowLog };

/** Up to 20 events of one listing; block times never fall. Three of four begin with a creation. */
export function arbitraryHistory(pair: Pair = { escrowAddress: ESCROW, onchainId: 1n }) {
  return diceSeeds(20).map((seeds): LoggedEvent[] => {
    const totals: Totals = { raised: 0n, refunded: 0n, reserve: 0n, outstanding: 0n, claimed: 0n };
    let time = 1n;
    return seeds.map((seed, index) => {
      const roll = dice(seed);
      time += roll.one(STEPS);
      const name = index === 0 && roll.below(4) > 0 ? "ListingCreated" : roll.one(NAMES);
      const at = placeAt(index + 1, time, pair);
      const log = randomLog(name, roll, totals, pair);
      return { ...toListingEvent(log), at, log };
    });
  });
}

function randomLog(name: LogName, roll: Dice, totals: Totals, { escrowAddress, onchainId }: Pair): EscrowLog {
  const amount = roll.below(40) === 0 ? roll.one(LARGEST) : roll.one(AMOUNTS);
  const backer = roll.one(BACKERS);
  const wrong = roll.below(25) === 0;
  const told = (total: bigint) => (wrong ? total ^ 64n : total) & MAX;
  const terms = () =>
    rawTerms({
      minRaise: roll.one([0n, 1n, 60n, 100n]),
      pricingMode: roll.below(3),
      closeAt: roll.one(CLOSE_TIMES),
    });
  switch (name) {
    case "ListingCreated": {
      // Each pair has its own token: these histories are not about which listing names a token first.
      const token: Hex = `0x${escrowAddress.slice(2, 38)}${onchainId.toString().padStart(4, "0")}`;
      return escrowLog(name, { token, refnum: roll.one(["RB00001", "odd"]), terms: terms() }, onchainId);
    }
    case "ListingTermsUpdated":
      return escrowLog(name, { terms: terms() }, onchainId);
    case "Subscribed":
      totals.raised += amount;
      return escrowLog(
        name,
        { backer, amount, bidRateBps: roll.one(BID_RATES), totalRaised: told(totals.raised) },
        onchainId,
      );
    case "Refunded": {
      const reason = roll.one([0, 0, 0, 1, 1, 2, 3, 4, 99]);
      if (reason < 2) totals.raised -= amount < totals.raised ? amount : totals.raised;
      totals.refunded += amount;
      return escrowLog(name, { backer, reason, amount, totalRefunded: told(totals.refunded) }, onchainId);
    }
    case "ReserveChanged": {
      const reason = roll.below(4);
      totals.reserve += reason === 0 || amount > totals.reserve ? amount : -amount;
      return escrowLog(name, { reason, amount, reserveBalance: told(totals.reserve) }, onchainId);
    }
    case "ListingClosed":
      return escrowLog(name, { reason: roll.below(4), raisedAmount: told(totals.raised) }, onchainId);
    case "DrawnDown":
      totals.outstanding = amount;
      return escrowLog(name, { amount, maturityAt: roll.one(CLOSE_TIMES) }, onchainId);
    case "Repaid":
      totals.outstanding -= amount < totals.outstanding ? amount : totals.outstanding;
      return escrowLog(
        name,
        { principal: amount, interest: amount, outstandingPrincipal: told(totals.outstanding) },
        onchainId,
      );
    case "PayoutClaimed":
      totals.claimed += amount;
      return escrowLog(name, { amount, totalClaimed: told(totals.claimed) }, onchainId);
    case "ListingSettled":
      return escrowLog(name, { outcome: roll.below(4), writtenOffPrincipal: amount }, onchainId);
    default:
      return escrowLog(name, {}, onchainId);
  }
}
