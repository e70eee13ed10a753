import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeContracts } from "../../src/contracts/describe.ts";
import { ALICE, BOB, createBook, type Raise, REFUND, tellRaise } from "../../test/harness/book.ts";
import { permittedHistory } from "../../test/harness/permitted-history.ts";
import { refundableAmount } from "./listing.ts";
import { refundSentence } from "./sentences.ts";
import { hasFailed, statusAt } from "./status.ts";

const DOLLAR = 10n ** 18n;
const CLOSED = { contracts: describeContracts({ contracts: null }), isCloseRecorded: true };
const APP = "https://app.example/listings/lst_1";

/** A raise of at least 100 dollars that closes at second 1,000. */
function raise(): Raise {
  return tellRaise({ minRaise: 100n * DOLLAR, targetAmount: 1_000n * DOLLAR });
}

/** Alice brings 60 dollars and Bob 30, and Bob takes 10 out again while it is open. */
function openRaise(): Raise {
  const told = raise();
  told.emit(20n, "Subscribed", { backer: ALICE, amount: 60n * DOLLAR, totalRaised: 60n * DOLLAR });
  told.emit(30n, "Subscribed", { backer: BOB, amount: 30n * DOLLAR, totalRaised: 90n * DOLLAR });
  told.emit(40n, "Refunded", { backer: BOB, amount: 10n * DOLLAR, totalRefunded: 10n * DOLLAR });
  return told;
}

function refund(told: Raise, backer: typeof ALICE, dollars: bigint, total: bigint, reason: number): void {
  told.emit(1_100n, "Refunded", { backer, reason, amount: dollars * DOLLAR, totalRefunded: total * DOLLAR });
}

/** Dollars left to claim at second 2,000, and the sentence about them. */
function shown(told: Raise, appUrl: string | null = APP) {
  const row = told.row();
  const { status } = statusAt(row, 2_000n);
  const left = refundableAmount(row, status);
  const words = refundSentence(
    {
      status,
      raisedAmount: `${row.raisedAmount}`,
      refundedAmount: `${row.refundedAmount}`,
      withdrawnAmount: `${row.refundedAmount - row.returnedPrincipal}`,
      refundableAmount: `${left}`,
      appUrl,
    },
    CLOSED,
  );
  return { status, left: left / DOLLAR, words };
}

describe("what is left to claim", () => {
  it("after a missed minimum is what was committed at the close, less what went back since", () => {
    const told = openRaise();
    expect(shown(told)).toEqual({
      status: "refunding",
      left: 80n,
      words:
        "80 of 80 USD-test is still to be claimed: backers can claim it at any time in the app. Another 10 USD-test had been withdrawn or outbid before the close.",
    });
    refund(told, ALICE, 60n, 70n, REFUND.minNotMet);
    expect(shown(told)).toMatchObject({
      left: 20n,
      words: expect.stringMatching(/^20 of 80 USD-test is still to be claimed/),
    });
    refund(told, BOB, 20n, 90n, REFUND.minNotMet);
    expect(shown(told)).toEqual({
      status: "refunding",
      left: 0n,
      words:
        "Fully refunded: backers have all 80 USD-test back. Another 10 USD-test had been withdrawn or outbid before the close.",
    });
  });

  it.each([
    ["cancelled", "ListingCancelled", REFUND.cancelled],
    ["voided", "ListingVoided", REFUND.voided],
  ] as const)("is counted alike when the raise is %s", (status, event, reason) => {
    const told = openRaise();
    told.emit(900n, event);
    expect(shown(told)).toMatchObject({ status, left: 80n });
    refund(told, ALICE, 60n, 70n, reason);
    refund(told, BOB, 20n, 90n, reason);
    expect(shown(told)).toMatchObject({ status, left: 0n, words: expect.stringMatching(/^Fully refunded/) });
  });

  it("is zero without subscriptions, and if all of it was withdrawn before", () => {
    expect(shown(raise())).toMatchObject({
      status: "refunding",
      left: 0n,
      words: "Nobody had subscribed, so there is nothing to claim.",
    });
    const told = raise();
    told.emit(20n, "Subscribed", { backer: ALICE, amount: DOLLAR, totalRaised: DOLLAR });
    told.emit(30n, "Refunded", { backer: ALICE, amount: DOLLAR, totalRefunded: DOLLAR });
    expect(shown(told)).toMatchObject({
      left: 0n,
      words: "Everything subscribed had been withdrawn before, so there is nothing to claim.",
    });
  });

  it("is not lowered by a refund to an address that had nothing, or had less", () => {
    const told = openRaise();
    told.emit(1_050n, "Subscribed", { backer: ALICE, amount: 5n * DOLLAR, totalRaised: 85n * DOLLAR });
    refund(told, ALICE, 65n, 75n, REFUND.minNotMet);
    expect(shown(told)).toMatchObject({ left: 20n });
  });

  it("names no app where none is configured", () => {
    expect(shown(openRaise(), null).words).toBe(
      "80 of 80 USD-test is still to be claimed: backers can claim it at any time; no app to do so in is configured here. Another 10 USD-test had been withdrawn or outbid before the close.",
    );
  });

  it("is nothing in a raise that has not failed", () => {
    const told = raise();
    told.emit(20n, "Subscribed", { amount: 100n * DOLLAR, totalRaised: 100n * DOLLAR });
    expect(shown(told)).toEqual({ status: "live", left: 0n, words: null });
  });

  it("is all that was subscribed less all that was refunded, whatever the escrow permits", () => {
    const seen = { left: 0, nothing: 0 };
    const property = fc.property(permittedHistory(), (transactions) => {
      const book = createBook();
      let unclaimed = 0n;
      for (const { blockTime, events } of transactions) {
        for (const event of events) {
          book.record(event);
          if (event.kind === "subscribed") unclaimed += event.args.amount;
          if (event.kind === "refunded") unclaimed -= event.args.amount;
        }
        for (const row of book.listings.values()) {
          const { status } = statusAt(row, blockTime);
          if (!hasFailed({ status })) continue;
          expect(refundableAmount(row, status)).toBe(unclaimed);
          seen[unclaimed > 0n ? "left" : "nothing"]++;
        }
      }
    });
    fc.assert(property, { numRuns: 500 });
    expect(Math.min(seen.left, seen.nothing)).toBeGreaterThan(20);
  });
});
