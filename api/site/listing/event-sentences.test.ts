import fc from "fast-check";
import { type Hex, keccak256, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import type { Terms } from "../../../src/fold/event-kinds.ts";
import type { DeskEvent, ListingEvent } from "../../../src/fold/events.ts";
import { toLedgerArgs } from "../../../src/fold/ledger.ts";
import { EVENT_KINDS, type EventKind } from "../../../src/fold/vocabulary.ts";
import {
  ALICE,
  type ArgsOf,
  type DeskLog,
  escrowLog,
  type LogName,
  REFUND,
  rawTerms,
  TOKEN,
  toDeskEvent,
  toListingEvent,
} from "../../../test/harness/book.ts";
import { DESK, DOLLAR } from "../../../test/harness/rows.ts";
import { toEvent } from "../../ledger/event.ts";
import type { LedgerEvent } from "../../ledger/schema.ts";
import { eventSentences } from "./event-sentences.ts";

function shown({ kind, args }: ListingEvent | DeskEvent): LedgerEvent {
  const row = {
    escrowAddress: `0x${"e1".repeat(20)}` as Hex,
    onchainId: 1n,
    eventId: "1".padEnd(75, "0"),
    kind,
    blockNumber: 1n,
    blockTime: 1_772_366_400n,
    txHash: `0x${"7a".repeat(32)}` as Hex,
    logIndex: 3,
    part: 0,
    args: toLedgerArgs(args),
  };
  return toEvent(row, { publicId: "lst_1", refnum: "RB00001", finality: "final", exposeAccounts: true });
}
const escrow = <Name extends LogName>(name: Name, args: Partial<ArgsOf<Name>>) =>
  eventSentences(shown(toListingEvent(escrowLog(name, args))));
const desk = (log: DeskLog) => eventSentences(shown(toDeskEvent(log, DESK)));

const BIG = 1_250n * DOLLAR + DOLLAR / 2n;
const TERMS = rawTerms({ targetAmount: BIG, minRaise: DOLLAR, goLiveAt: 1n, closeAt: 1_772_366_400n });
const TERMS_WORDS =
  "Target 1,250.50 USD-test, minimum 1 USD-test, 14.50% interest a year for 90 days, a reserve of 5.00% of the target, closing on 1 Mar 2026, 12:00 UTC.";

const SENTENCES: Record<EventKind, [said: string, expected: string]> = {
  listing_created: [escrow("ListingCreated", { terms: TERMS }), `The raise was created. ${TERMS_WORDS}`],
  listing_terms_updated: [
    escrow("ListingTermsUpdated", { terms: { ...TERMS, closeAt: 0n, pricingMode: 1, tenorDays: 1 } }),
    "The terms were changed. Target 1,250.50 USD-test, minimum 1 USD-test, at most 14.50% interest a year for 1 day, a reserve of 5.00% of the target, no closing time.",
  ],
  subscribed: [
    escrow("Subscribed", { amount: DOLLAR, bidRateBps: 900, totalRaised: BIG }),
    "A backer bid 1 USD-test at 9.00% a year. Running total: 1,250.50.",
  ],
  refunded: [
    escrow("Refunded", { reason: 2, amount: DOLLAR, totalRefunded: BIG }),
    "A backer got 1 USD-test back because the raise closed below its minimum. Refunded and withdrawn so far: 1,250.50.",
  ],
  reserve_changed: [
    escrow("ReserveChanged", { reason: 1, amount: DOLLAR, reserveBalance: BIG }),
    "1 USD-test of the reserve was used to pay principal. Reserve now: 1,250.50.",
  ],
  listing_closed: [
    escrow("ListingClosed", { reason: 0, raisedAmount: BIG, minRaiseMet: true, couponRateBps: 900 }),
    "The raise closed when its target was reached, with 1,250.50 USD-test committed at 9.00% interest a year. The minimum was met.",
  ],
  drawn_down: [
    escrow("DrawnDown", { amount: BIG, fee: DOLLAR, maturityAt: 1_772_366_400n }),
    "The business drew down 1,250.50 USD-test; 1 USD-test of it was kept as a fee. It now owes 1,250.50 USD-test, due on 1 Mar 2026, 12:00 UTC.",
  ],
  repaid: [
    escrow("Repaid", { principal: BIG, interest: DOLLAR, outstandingPrincipal: 0n }),
    "1,250.50 USD-test of principal and 1 USD-test of interest were repaid. No principal is owed any more.",
  ],
  payout_claimed: [
    escrow("PayoutClaimed", { amount: DOLLAR, totalClaimed: BIG }),
    "A holder collected 1 USD-test. Collected so far: 1,250.50.",
  ],
  listing_settled: [
    escrow("ListingSettled", { outcome: 2, writtenOffPrincipal: BIG }),
    "The raise was settled: it defaulted. 1,250.50 USD-test of principal was written off.",
  ],
  unmapped: [
    eventSentences(shown({ kind: "unmapped", args: { logName: "Deposited" } })),
    "The contract emitted Deposited, which could not be interpreted. No figure counts it.",
  ],
  listing_cancelled: [
    escrow("ListingCancelled", { reason: keccak256("0x01") }),
    "The raise was called off before its close.",
  ],
  listing_voided: [
    escrow("ListingVoided", { reason: stringToHex("supplier changed its price", { size: 32 }) }),
    "The raise was voided after it closed, with the reason “supplier changed its price”.",
  ],
  offer_created: [
    desk({
      eventName: "OfferCreated",
      args: {
        offerId: 1n,
        token: TOKEN,
        seller: ALICE,
        amount: BIG,
        priceBps: 9_500n,
        expiresAt: 1_772_366_400n,
      },
    }),
    "1,250.50 tokens were put up for sale at 95.00% of par, until 1 Mar 2026, 12:00 UTC.",
  ],
  offer_filled: [
    desk({
      eventName: "OfferFilled",
      args: { offerId: 1n, token: TOKEN, buyer: ALICE, amount: BIG, cost: DOLLAR, remaining: 0n },
    }),
    "1,250.50 tokens were bought for 1 USD-test. Nothing was left for sale.",
  ],
  offer_cancelled: [
    desk({ eventName: "OfferCancelled", args: { offerId: 1n, remaining: BIG } }),
    "An offer was withdrawn with 1,250.50 tokens left of it.",
  ],
};

describe("an event in words", () => {
  it.each(EVENT_KINDS)("%s", (kind) => {
    const [said, expected] = SENTENCES[kind];
    expect(said).toBe(expected);
  });

  it("says of the terms what the event tells", () => {
    const none = { originator: null, token: null, refnum: null, metadataHash: null };
    const created = (terms: Partial<Terms>) =>
      eventSentences(shown({ kind: "listing_created", args: { ...none, terms } }));
    expect(created({})).toBe("The raise was created.");
    expect(created({ tenorDays: 90 })).toBe("The raise was created. For 90 days.");
    expect(
      eventSentences(
        shown({ kind: "listing_terms_updated", args: { metadataHash: null, terms: { targetAmount: BIG } } }),
      ),
    ).toBe("The terms were changed. Target 1,250.50 USD-test.");
  });

  it("gives a reason for an outbid amount that holds for bids at the clearing rate too", () => {
    const said = escrow("Refunded", { reason: REFUND.outbid, amount: DOLLAR, totalRefunded: DOLLAR });
    expect(said).toMatch(/^A backer got 1 USD-test back because the auction did not accept it\./);
  });

  it("says how much of an offer is left", () => {
    const said = (remaining: bigint) =>
      desk({
        eventName: "OfferFilled",
        args: { offerId: 1n, token: TOKEN, buyer: ALICE, amount: BIG, cost: DOLLAR, remaining },
      });
    expect(said(DOLLAR)).toMatch(/ 1 tokens were left for sale\.$/);
    expect(said(1n)).toMatch(/ <0\.01 tokens were left for sale\.$/);
  });

  it.each([0, 1, 2, 3, 4, 5, 255])("has words for the reason %i", (number) => {
    const said = [
      escrow("Refunded", { reason: number }),
      escrow("ReserveChanged", { reason: number }),
      escrow("ListingClosed", { reason: number }),
      escrow("ListingSettled", { outcome: number }),
    ];
    const known = [5, 3, 3, 3];
    said.forEach((sentence, index) => {
      expect(sentence.includes(`(unknown_${number})`), sentence).toBe(number >= (known[index] ?? 0));
      expect(sentence).not.toContain("undefined");
    });
  });

  it("never names a person, though the event does", () => {
    const person = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);
    fc.assert(
      fc.property(person, fc.bigInt(0n, 2n ** 256n - 1n), (one, amount) => {
        const events = [
          toListingEvent(escrowLog("Subscribed", { backer: one, payer: one, amount, totalRaised: amount })),
          toListingEvent(escrowLog("Refunded", { backer: one, amount })),
          toListingEvent(escrowLog("ReserveChanged", { account: one, amount })),
          toListingEvent(
            escrowLog("DrawnDown", { to: one, amount, fee: amount, maturityAt: 2n ** 64n - 1n }),
          ),
          toListingEvent(escrowLog("Repaid", { payer: one, principal: amount, interest: amount })),
          toListingEvent(escrowLog("PayoutClaimed", { holder: one, amount })),
        ].map(shown);
        for (const event of events) {
          expect(JSON.stringify(event)).toContain(one);
          expect(eventSentences(event)).not.toContain(one.slice(2));
        }
      }),
    );
  });
});
