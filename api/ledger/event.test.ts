import fc from "fast-check";
import { type Hex, keccak256, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import { PERSONS } from "../../src/fold/event-kinds.ts";
import type { DeskEvent, ListingEvent } from "../../src/fold/events.ts";
import { toLedgerArgs } from "../../src/fold/ledger.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import { EVENT_KINDS, type EventKind } from "../../src/fold/vocabulary.ts";
import {
  type DeskLog,
  escrowLog,
  type LogName,
  rawTerms,
  toDeskEvent,
  toListingEvent,
} from "../../test/harness/book.ts";
import { type EventContext, reasonWords, toEvent } from "./event.ts";
import { EVENT_COLUMNS, type LedgerEvent, ledgerEventSchema } from "./schema.ts";

const ANNA: Hex = `0x${"a1".repeat(20)}`;
const BERT: Hex = `0x${"b2".repeat(20)}`;
const DESK: Hex = `0x${"de".repeat(20)}`;
const TOKEN: Hex = `0x${"70".repeat(20)}`;
const HASH: Hex = `0x${"4a".repeat(32)}`;
const TX: Hex = `0x${"7a".repeat(32)}`;

const CONTEXT: EventContext = {
  publicId: "lst_bakery",
  refnum: "RB00042",
  finality: "final",
  exposeAccounts: true,
};

/** The fields that every event has. */
const PLACE = {
  publicId: "lst_bakery",
  refnum: "RB00042",
  blockNumber: "48211034",
  blockTime: "2026-03-01T12:00:00Z",
  logIndex: 3,
  txHash: TX,
  finality: "final",
};

/** The row that the fold writes of an event. */
function rowOf({ kind, args }: ListingEvent | DeskEvent): LedgerRow {
  return {
    escrowAddress: `0x${"e1".repeat(20)}`,
    onchainId: 1n,
    eventId: "1772366400".padEnd(75, "0"),
    kind,
    blockNumber: 48_211_034n,
    blockTime: 1_772_366_400n,
    txHash: TX,
    logIndex: 3,
    part: 0,
    // Through JSON, as a database has it.
    args: JSON.parse(JSON.stringify(toLedgerArgs(args))),
  };
}

const escrowRow = (name: LogName, args: object) => rowOf(toListingEvent(escrowLog(name, args)));
const deskRow = (log: DeskLog) => rowOf(toDeskEvent(log, DESK));

const terms = rawTerms({
  targetAmount: 100_000n * 10n ** 18n,
  minRaise: 5n,
  goLiveAt: 1_772_366_400n,
  closeAt: 1_772_366_401n,
  pricingMode: 1,
});
const SHOWN_TERMS = {
  targetAmount: "100000000000000000000000",
  minRaise: "5",
  couponRateBps: 1450,
  insuranceBps: 500,
  tenorDays: 90,
  pricingMode: "auction",
  goLiveAt: "2026-03-01T12:00:00Z",
  closeAt: "2026-03-01T12:00:01Z",
  metadataHash: HASH,
};

/** A row of each kind, and what is shown of it with the addresses of persons. */
const EXAMPLES: Record<EventKind, { row: LedgerRow; shown: object }> = {
  listing_created: {
    row: escrowRow("ListingCreated", { originator: ANNA, token: TOKEN, terms, metadataHash: HASH }),
    shown: { originatorAddress: ANNA, tokenAddress: TOKEN, ...SHOWN_TERMS },
  },
  listing_terms_updated: {
    row: escrowRow("ListingTermsUpdated", { terms: { ...terms, closeAt: 0n }, metadataHash: HASH }),
    shown: { ...SHOWN_TERMS, closeAt: null },
  },
  subscribed: {
    row: escrowRow("Subscribed", {
      backer: ANNA,
      payer: BERT,
      amount: 2n ** 200n,
      bidRateBps: 4_294_967_295,
      totalRaised: 2n ** 256n - 1n,
    }),
    shown: {
      backer: ANNA,
      payer: BERT,
      amount: "1606938044258990275541962092341162602522202993782792835301376",
      bidRateBps: 4_294_967_295,
      totalRaised: "115792089237316195423570985008687907853269984665640564039457584007913129639935",
    },
  },
  refunded: {
    row: escrowRow("Refunded", { backer: ANNA, reason: 2, amount: 7n, totalRefunded: 9n }),
    shown: { backer: ANNA, reason: "min_not_met", amount: "7", totalRefunded: "9" },
  },
  reserve_changed: {
    row: escrowRow("ReserveChanged", { reason: 1, account: BERT, amount: 7n, reserveBalance: 0n }),
    shown: { reason: "applied", account: BERT, amount: "7", reserveBalance: "0" },
  },
  listing_closed: {
    row: escrowRow("ListingClosed", { reason: 0, raisedAmount: 10n, minRaiseMet: true, couponRateBps: 900 }),
    shown: { reason: "filled", raisedAmount: "10", minRaiseMet: true, couponRateBps: 900 },
  },
  drawn_down: {
    row: escrowRow("DrawnDown", { to: ANNA, amount: 10n, fee: 1n, maturityAt: 1_772_366_400n }),
    shown: { to: ANNA, amount: "10", fee: "1", maturityAt: "2026-03-01T12:00:00Z" },
  },
  repaid: {
    row: escrowRow("Repaid", { payer: BERT, principal: 4n, interest: 1n, outstandingPrincipal: 6n }),
    shown: { payer: BERT, principal: "4", interest: "1", outstandingPrincipal: "6" },
  },
  payout_claimed: {
    row: escrowRow("PayoutClaimed", { holder: ANNA, amount: 5n, totalClaimed: 5n }),
    shown: { holder: ANNA, amount: "5", totalClaimed: "5" },
  },
  listing_settled: {
    row: escrowRow("ListingSettled", { outcome: 2, writtenOffPrincipal: 6n }),
    shown: { outcome: "defaulted", writtenOffPrincipal: "6" },
  },
  unmapped: {
    row: rowOf({ kind: "unmapped", args: { logName: "Deposited" } }),
    shown: { logName: "Deposited" },
  },
  listing_cancelled: { row: escrowRow("ListingCancelled", { reason: HASH }), shown: { reason: HASH } },
  listing_voided: { row: escrowRow("ListingVoided", { reason: HASH }), shown: { reason: HASH } },
  offer_created: {
    row: deskRow({
      eventName: "OfferCreated",
      args: {
        offerId: 12n,
        token: TOKEN,
        seller: ANNA,
        amount: 100n,
        priceBps: 9_800n,
        expiresAt: 2n ** 64n - 1n,
      },
    }),
    shown: {
      deskAddress: DESK,
      offerId: "12",
      tokenAddress: TOKEN,
      seller: ANNA,
      amount: "100",
      priceBps: 9_800,
      expiresAt: "9999-12-31T23:59:59Z",
    },
  },
  offer_filled: {
    row: deskRow({
      eventName: "OfferFilled",
      args: { offerId: 12n, token: TOKEN, buyer: BERT, amount: 40n, cost: 39n, remaining: 60n },
    }),
    shown: {
      deskAddress: DESK,
      offerId: "12",
      tokenAddress: TOKEN,
      buyer: BERT,
      amount: "40",
      cost: "39",
      remaining: "60",
    },
  },
  offer_cancelled: {
    row: deskRow({ eventName: "OfferCancelled", args: { offerId: 12n, remaining: 60n } }),
    shown: { deskAddress: DESK, offerId: "12", remaining: "60" },
  },
};

describe("toEvent", () => {
  it.each(EVENT_KINDS)("shows %s", (kind) => {
    const { row, shown } = EXAMPLES[kind];
    const event = toEvent(row, CONTEXT);
    expect(event).toStrictEqual({ kind, ...PLACE, ...shown });
    expect(ledgerEventSchema.parse(event)).toEqual(event);
  });

  it.each(EVENT_KINDS)("shows %s without the addresses of persons", (kind) => {
    const { row, shown } = EXAMPLES[kind];
    const event = toEvent(row, { ...CONTEXT, exposeAccounts: false });
    const left = Object.entries(shown).filter(([name]) => !(PERSONS as readonly string[]).includes(name));
    expect(event).toStrictEqual({ kind, ...PLACE, ...Object.fromEntries(left) });
    expect(ledgerEventSchema.parse(event)).toEqual(event);
  });

  it("says what can still be reorged away", () => {
    const event = toEvent(EXAMPLES.repaid.row, { ...CONTEXT, finality: "pending" });
    expect(event.finality).toBe("pending");
  });

  it.each([
    ["refunded", escrowRow("Refunded", { reason: 200 }), "reason", "unknown_200"],
    ["reserve_changed", escrowRow("ReserveChanged", { reason: 3 }), "reason", "unknown_3"],
    ["listing_closed", escrowRow("ListingClosed", { reason: 255 }), "reason", "unknown_255"],
    ["listing_settled", escrowRow("ListingSettled", { outcome: 44 }), "outcome", "unknown_44"],
    [
      "listing_created",
      escrowRow("ListingCreated", { terms: rawTerms({ pricingMode: 9 }) }),
      "pricingMode",
      "unknown_9",
    ],
  ])("keeps the number of a word that nobody knows: %s", (_kind, row, field, shown) => {
    const event = toEvent(row, CONTEXT);
    expect(event).toHaveProperty(field, shown);
    expect(ledgerEventSchema.parse(event)).toEqual(event);
  });

  it("has no number that JSON would round", () => {
    const args = { offerId: 2n ** 256n - 1n, token: TOKEN, seller: ANNA, amount: 1n, expiresAt: 0n };
    const priced = (priceBps: bigint) =>
      toEvent(deskRow({ eventName: "OfferCreated", args: { ...args, priceBps } }), CONTEXT);
    expect(priced(2n ** 256n - 1n)).toMatchObject({ priceBps: 9_007_199_254_740_991 });
    expect(priced(9_007_199_254_740_991n)).toMatchObject({ priceBps: 9_007_199_254_740_991 });
    expect(priced(9_007_199_254_740_990n)).toMatchObject({ priceBps: 9_007_199_254_740_990 });
  });

  it("has a column for everything that it shows", () => {
    const columned = EVENT_KINDS.filter((kind) => kind !== "unmapped");
    const shown = new Set(columned.flatMap((kind) => Object.keys(toEvent(EXAMPLES[kind].row, CONTEXT))));
    expect(new Set(EVENT_COLUMNS)).toEqual(shown);
    expect(EVENT_COLUMNS.slice(0, 8)).toEqual(["kind", ...Object.keys(PLACE)]);
  });
});

describe("the addresses of persons", () => {
  const address = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);
  const amount = fc.bigInt(0n, 2n ** 256n - 1n);

  /** Any event with persons; `others` are the addresses without a person. */
  const arbitraryEvent = fc
    .record({ persons: fc.tuple(address, address), others: fc.tuple(address, address), amount })
    .chain(({ persons, others, amount }) => {
      const [one, two] = persons;
      const rows = [
        escrowRow("Subscribed", { backer: one, payer: two, amount, totalRaised: amount }),
        escrowRow("Refunded", { backer: one, amount, totalRefunded: amount }),
        escrowRow("ReserveChanged", { account: one, amount, reserveBalance: amount }),
        escrowRow("DrawnDown", { to: one, amount, fee: amount }),
        escrowRow("Repaid", { payer: one, principal: amount }),
        escrowRow("PayoutClaimed", { holder: one, amount, totalClaimed: amount }),
        deskRow({
          eventName: "OfferCreated",
          args: { offerId: amount, token: others[0], seller: one, amount, priceBps: amount, expiresAt: 5n },
        }),
        deskRow({
          eventName: "OfferFilled",
          args: { offerId: amount, token: others[0], buyer: one, amount, cost: amount, remaining: amount },
        }),
      ];
      return fc.record({ persons: fc.constant([one, two]), row: fc.constantFrom(...rows) });
    });

  it("are in the text of an event only when they are to be", () => {
    fc.assert(
      fc.property(arbitraryEvent, ({ persons, row }) => {
        const kept = JSON.stringify(row.args);
        const inRow = persons.filter((person) => kept.includes(person.slice(2)));
        expect(inRow.length).toBeGreaterThan(0);
        const hidden = JSON.stringify(toEvent(row, { ...CONTEXT, exposeAccounts: false })).toLowerCase();
        for (const person of persons) expect(hidden).not.toContain(person.slice(2));
        const shown = JSON.stringify(toEvent(row, CONTEXT));
        for (const person of inRow) expect(shown).toContain(person);
      }),
      { numRuns: 1_000 },
    );
  });

  it("are hidden in every address field of the ledger that is not of a contract or an originator", () => {
    const contracts = ["originatorAddress", "tokenAddress", "deskAddress"];
    for (const kind of EVENT_KINDS) {
      const event: LedgerEvent = toEvent(EXAMPLES[kind].row, { ...CONTEXT, exposeAccounts: false });
      const addresses = Object.entries(event).filter(([, value]) => /^0x[0-9a-f]{40}$/.test(`${value}`));
      expect(
        addresses.filter(([name]) => !contracts.includes(name)),
        kind,
      ).toEqual([]);
    }
  });
});

it.each([
  [stringToHex("lease fell through", { size: 32 }), "lease fell through"],
  [stringToHex("Vertrag gekündigt 100", { size: 32 }), "Vertrag gekündigt 100"],
  ["deadline", null],
  [null, null],
  [`0x${"00".repeat(32)}`, null],
  [`0x${"00".repeat(31)}2a`, null],
  [keccak256("0x01"), null],
  [stringToHex("paid\u202enot\n", { size: 32 }), null],
  [stringToHex("paid\u2028- refunded", { size: 32 }), null],
])("the words of the reason %s are %s", (reason, words) => {
  expect(reasonWords(reason)).toBe(words);
});
