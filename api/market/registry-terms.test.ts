/** The registry's terms of raises whose contracts have no events for a part of their lifecycle. */
import { describe, expect, it } from "vitest";
import { isoTime } from "../../config/format/time.ts";
import { type ListingEvent, UNKNOWN_ID } from "../../src/fold/events.ts";
import { ALICE } from "../../test/harness/book.ts";
import {
  createChain,
  entryOf,
  eventOf,
  marketOf,
  OTHERS,
  registryWith,
  TERMS,
  THREE,
  TOKEN,
} from "../../test/harness/derived-raises.ts";
import { matcherOf } from "./listings-query.ts";

describe("what the registry says of a raise", () => {
  const created = (terms: object, more: object = {}) =>
    ({
      kind: "listing_created",
      args: { originator: null, token: null, refnum: null, metadataHash: null, terms, ...more },
    }) as ListingEvent;

  it("makes a raise without an event at a followed escrow, and none elsewhere", () => {
    const none = createChain(THREE);
    const elsewhere = { publicId: "lst_2", escrowAddress: `0x${"99".repeat(20)}` };
    const market = marketOf(none, registryWith(entryOf(TERMS), entryOf(TERMS, elsewhere)));
    const listed = market.listings.all();
    expect(listed).toMatchObject([
      {
        ...{
          publicId: "lst_1",
          status: "listed",
          refnum: "FX00001",
          tokenAddress: TOKEN,
          termsFrom: "registry",
        },
        ...{ updatedAt: null, updatedBlock: null, finality: "final" },
      },
    ]);
    // It opened at 10; nothing has changed it since.
    const times = listed.map((one) => [market.createdAt(one), market.openedAt(one), market.changedAt(one)]);
    expect(times).toEqual([[isoTime(10n), isoTime(10n), isoTime(10n)]]);
    for (const changedSince of [{ block: 0n }, { time: 0n }])
      expect(listed.filter(matcherOf({ changedSince }, market.originatorByPublicId))).toEqual([]);
    expect(marketOf(none, registryWith(entryOf(TERMS)), { now: 9n }).listings.all()).toEqual([]);
  });

  it("is needed: without terms the raise is left out and counted", () => {
    const chain = createChain(THREE);
    chain.add(eventOf({ kind: "subscribed", at: 20n, backer: ALICE, amount: 5n }), 20n);
    const market = marketOf(chain, registryWith(entryOf(null)));
    expect(market.listings.all()).toEqual([]);
    expect(market.unprojectable).toMatchObject([{ onchainId: "1", problem: "listing without targetAmount" }]);
    expect(marketOf(chain, registryWith()).unpublished).toBe(1);
  });

  it("can be of raise 0; logs without a known raise belong to none", () => {
    const chain = createChain(THREE);
    chain.add({ kind: "unmapped", args: { logName: "Deposited" } }, 20n, UNKNOWN_ID);
    chain.add(eventOf({ kind: "subscribed", at: 21n, backer: ALICE, amount: 5n }), 21n, 0n);
    const market = marketOf(chain, registryWith(entryOf(TERMS, { onchainId: "0" })));
    expect(market.listings.all()).toMatchObject([{ onchainId: "0", raisedAmount: "5", status: "funding" }]);
    expect(market.unpublished).toBe(0);
  });

  it("never makes the principal negative, even if the close lowers the amount below what was repaid", () => {
    const kinds = new Set([...THREE, "listing_closed", "listing_settled"] as const);
    const chain = createChain(kinds);
    chain.add(eventOf({ kind: "subscribed", at: 20n, backer: ALICE, amount: 100n }), 20n);
    chain.add(eventOf({ kind: "repaid", at: 60n, amount: 60n }), 60n);
    const closed = { raisedAmount: 50n, reason: "deadline", couponRateBps: null } as const;
    chain.add({ kind: "listing_closed", args: closed } as ListingEvent, 70n);
    const market = marketOf(chain, registryWith(entryOf({ ...TERMS, minRaise: 10n })), { kinds, now: 80n });
    expect(market.listings.all()).toMatchObject([
      { raisedAmount: "50", drawnAmount: "50", repaidAmount: "60", outstandingPrincipal: "0" },
    ]);
  });

  it("makes no raise of contracts that announce theirs, before they do", () => {
    const kinds = new Set([...THREE, "listing_created" as const]);
    const chain = createChain(kinds);
    expect(marketOf(chain, registryWith(entryOf(TERMS)), { kinds }).listings.all()).toEqual([]);
    chain.add(created({}), 20n);
    expect(marketOf(chain, registryWith(entryOf(TERMS)), { kinds }).listings.all()).toMatchObject([
      {
        ...{ status: "listed", statusSince: isoTime(20n), termsFrom: "registry" },
        ...{ originatorOnChain: false, originatorVerified: false, metadataOnChain: false },
      },
    ]);
  });

  it("gives way to the chain, and a difference is named", () => {
    const kinds = new Set([...THREE, "listing_created" as const]);
    const chain = createChain(kinds);
    chain.add(
      created(
        { targetAmount: 300n, minRaise: 60n },
        { refnum: "RB00009", token: `0x${"71".repeat(20)}`, originator: `0x${"9a".repeat(20)}` },
      ),
      15n,
    );
    const market = marketOf(chain, registryWith(entryOf(TERMS)), { kinds });
    expect(market.listings.all()).toMatchObject([
      {
        ...{ targetAmount: "300", minRaise: "60", tenorDays: 1, refnum: "RB00009", termsFrom: "registry" },
        ...{ originatorOnChain: true, originatorVerified: false, metadataOnChain: false },
      },
    ]);
    const fields = ["terms.targetAmount", "refnum", "tokenAddress"];
    expect(market.contradictions).toEqual([{ publicId: "lst_1", fields }]);
    const agreed = { refnum: "RB00009", tokenAddress: `0x${"71".repeat(20)}` };
    expect(
      marketOf(chain, registryWith(entryOf({ ...TERMS, targetAmount: 300n }, agreed)), { kinds })
        .contradictions,
    ).toEqual([]);
  });

  it("is ignored where the chain gives all terms, its closing time as well", () => {
    const kinds = new Set([
      ...THREE,
      "listing_created",
      "listing_closed",
      "drawn_down",
      "listing_settled",
    ] as const);
    const chain = createChain(kinds);
    const { closeAt: _, ...terms } = TERMS;
    chain.add(created({ ...terms, ...OTHERS }), 15n);
    const market = marketOf(chain, registryWith(entryOf(TERMS)), { kinds, now: 60n });
    expect(market.listings.all()).toMatchObject([{ status: "listed", closeAt: null, termsFrom: "chain" }]);
    expect(market.contradictions).toEqual([{ publicId: "lst_1", fields: ["terms.closeAt"] }]);
  });

  it("contradicts no closing time of the chain where the entry gives none", () => {
    const kinds = new Set([...THREE, "listing_created"] as const);
    const { insuranceBps, ...some } = { ...TERMS, ...OTHERS };
    for (const given of [some, { ...some, insuranceBps }]) {
      const chain = createChain(kinds);
      chain.add(created({ ...given, closeAt: 90n }), 15n);
      const contradictionsOf = (closeAt: bigint | null) =>
        marketOf(chain, registryWith(entryOf({ ...TERMS, closeAt })), { kinds, now: 20n }).contradictions;
      expect(contradictionsOf(null)).toEqual([]);
      expect(contradictionsOf(91n)).toEqual([{ publicId: "lst_1", fields: ["terms.closeAt"] }]);
    }
  });

  it("does not freeze a raise before its creation, which gives a later closing time", () => {
    const kinds = new Set([
      ...THREE,
      "listing_created",
      "listing_closed",
      "drawn_down",
      "listing_settled",
    ] as const);
    const chain = createChain(kinds);
    chain.add(created({ targetAmount: 200n, closeAt: 90n }), 60n);
    chain.add(eventOf({ kind: "subscribed", at: 70n, backer: ALICE, amount: 80n }), 70n);
    const market = marketOf(chain, registryWith(entryOf({ ...TERMS, closeAt: 50n })), { kinds, now: 80n });
    expect(market.listings.all()).toMatchObject([
      { status: "funding", closeAt: isoTime(90n), raisedAmount: "80", subscriberCount: 1 },
    ]);
  });

  it("has a drawdown follow the figure that a close on the chain fixes", () => {
    const kinds = new Set([...THREE, "listing_closed" as const]);
    const chain = createChain(kinds);
    chain.add(eventOf({ kind: "subscribed", at: 20n, backer: ALICE, amount: 90n }), 20n);
    const owed = () => marketOf(chain, registryWith(entryOf(TERMS)), { kinds, now: 60n }).listings.at(0);
    expect(owed()).toMatchObject({ status: "live", outstandingPrincipal: "90", drawnDownAt: isoTime(50n) });
    const closed = (raisedAmount: bigint) =>
      ({
        kind: "listing_closed",
        args: { reason: "manual", raisedAmount, minRaiseMet: null, couponRateBps: null },
      }) as const;
    chain.add(closed(70n), 55n);
    expect(owed()).toMatchObject({ status: "live", outstandingPrincipal: "70", drawnDownAt: isoTime(50n) });
    const missed = createChain(kinds);
    missed.add(eventOf({ kind: "subscribed", at: 20n, backer: ALICE, amount: 90n }), 20n);
    missed.add(closed(10n), 55n);
    expect(marketOf(missed, registryWith(entryOf(TERMS)), { kinds, now: 60n }).listings.all()).toMatchObject([
      { status: "refunding", outstandingPrincipal: "0", drawnDownAt: null, repayment: "not_drawn" },
    ]);
  });

  it("counts for grades like what contracts tell themselves", () => {
    const chain = createChain(THREE);
    chain.add(eventOf({ kind: "subscribed", at: 20n, backer: ALICE, amount: 90n }), 20n);
    const late = 50n + 86_400n * 100n;
    const [owner] = marketOf(chain, registryWith(entryOf(TERMS)), { now: late }).originators;
    expect(owner?.rating).toMatchObject({ volume: "90", cap: "E" });
  });
});
