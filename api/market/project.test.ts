import { keccak256, stringToBytes } from "viem";
import { describe, expect, it } from "vitest";
import type { ListingRow } from "../../src/fold/state.ts";
import { business, ESCROW, marketOf, STRANGER } from "../../test/harness/market.ts";
import { DAY, DOLLAR, entryDraft, listingRow, NOW } from "../../test/harness/rows.ts";
import { findListing } from "./market.ts";
import { listingSchema, originatorSchema } from "./schema.ts";

const OTHER_ESCROW = `0x${"f6".repeat(20)}` as const;

/** The only listing of a market with this row and this entry. */
function shown(row: Partial<ListingRow>, entry: Parameters<typeof entryDraft>[0] = {}) {
  const { listings, unprojectable } = marketOf([listingRow(row)], [entryDraft(entry)]);
  expect([listings.length, unprojectable]).toEqual([1, []]);
  return listings.at(0);
}

describe("a listing", () => {
  it("has every field of the interface document, and ours", () => {
    const row = listingRow({
      raisedAmount: 80_000n * DOLLAR,
      subscriberCount: 3,
      firstSubscribedAt: NOW - DAY,
      refundedAmount: 7n,
      reserveBalance: 5_000n * DOLLAR,
      metadataHash: keccak256(
        stringToBytes(
          '{"description":"Working capital for a bakery.\\n\\nA second oven.","title":"A \\"second\\" oven – 大"}',
        ),
      ),
    });
    const { listings } = marketOf([row], [entryDraft({ title: 'A "second" oven – 大' })]);
    expect(listings.all()).toEqual([
      {
        publicId: "lst_1",
        refnum: "RB00001",
        title: 'A "second" oven – 大',
        description: "Working capital for a bakery.\n\nA second oven.",
        status: "funding",
        targetAmount: "100000000000000000000000",
        minRaise: "50000000000000000000000",
        raisedAmount: "80000000000000000000000",
        couponRateBps: 1450,
        tenorDays: 180,
        insuranceBps: 500,
        reserveBalance: "5000000000000000000000",
        pricingMode: "fixed",
        goLiveAt: "2026-02-28T12:00:00Z",
        closeAt: "2026-03-11T12:00:00Z",
        originatorGrade: "NR",
        chainId: 97,
        tokenAddress: "0x0000000000000000000000000000000000000001",
        escrowAddress: ESCROW,
        subscriberCount: 3,
        onchainId: "1",
        couponIsMaximum: false,
        indicativeRateBps: null,
        acceptsMoney: true,
        statusSince: "2026-02-28T12:00:00Z",
        refundedAmount: "7",
        withdrawnAmount: "7",
        returnedAmount: "0",
        drawnAmount: "0",
        refundableAmount: "0",
        repaidAmount: "0",
        outstandingPrincipal: "0",
        writtenOffAmount: "0",
        drawnDownAt: null,
        maturityAt: null,
        repayment: "not_drawn",
        outcome: null,
        originator: "org_northwind",
        originatorVerified: true,
        originatorOnChain: true,
        url: "https://raises.example/listings/lst_1",
        appUrl: "https://app.example/listings/lst_1",
        metadataVerified: true,
        metadataOnChain: true,
        finality: "final",
        termsFrom: "chain",
        // 80,000 in one whole day; eleven days of that would be more than the target
        projectedAmount: "100000000000000000000000",
        termsUpdates: 0,
        termsUpdatedAt: null,
        updatedAt: "2026-02-27T12:00:00Z",
        updatedBlock: "48210934",
      },
    ]);
    expect(listingSchema.strict().safeParse(listings.at(0)).error).toBeUndefined();
  });

  it("shows the coupon of the terms until the close fixes it", () => {
    expect(shown({ couponRateBps: 900 })?.couponRateBps).toBe(900);
    expect(shown({ couponRateBps: 900, closedCouponRateBps: 0, closedAt: NOW })?.couponRateBps).toBe(0);
  });

  it("shows what is repaid and owed between drawdown and settlement, and nothing owed after it", () => {
    const drawn = {
      closedAt: NOW - DAY,
      frozenAt: NOW - DAY,
      raisedAmount: 100n,
      minRaise: 1n,
      drawnDownAt: NOW - DAY,
      drawnAmount: 100n,
      maturityAt: NOW + DAY,
      outstandingPrincipal: 60n,
      repaidPrincipal: 40n,
      repaidInterest: 3n,
    };
    expect(shown(drawn)).toMatchObject({
      status: "live",
      acceptsMoney: false,
      repaidAmount: "43",
      outstandingPrincipal: "60",
      drawnDownAt: "2026-02-28T12:00:00Z",
      maturityAt: "2026-03-02T12:00:00Z",
      repayment: "current",
      outcome: null,
    });
    const settled = { terminalKind: "settled", terminalAt: NOW, outcome: "defaulted" } as const;
    expect(shown({ ...drawn, ...settled, writtenOffPrincipal: 60n })).toMatchObject({
      status: "matured",
      outstandingPrincipal: "0",
      repayment: "written_off",
      outcome: "defaulted",
    });
  });

  it("keeps amounts near 2^200 and ids near 2^256 exact", () => {
    const onchainId = 2n ** 256n - 1n;
    const row = { onchainId, raisedAmount: 2n ** 200n + 1n, token: STRANGER, refnum: "RB00001" };
    expect(shown(row, { onchainId: onchainId.toString(), publicId: "lst_1" })).toMatchObject({
      raisedAmount: "1606938044258990275541962092341162602522202993782792835301377",
      onchainId: "115792089237316195423570985008687907853269984665640564039457584007913129639935",
    });
  });

  it("shows a time past the year 9999 as its last second, and no closing time as null", () => {
    expect(shown({ closeAt: 253_402_300_799n })?.closeAt).toBe("9999-12-31T23:59:59Z");
    expect(shown({ closeAt: 253_402_300_800n })?.closeAt).toBe("9999-12-31T23:59:59Z");
    expect(shown({ closeAt: 2n ** 64n - 1n })).toMatchObject({
      closeAt: "9999-12-31T23:59:59Z",
      status: "listed",
    });
    expect(shown({ closeAt: null })?.closeAt).toBeNull();
  });

  it("says whether the chain's originator is one of the registry's", () => {
    expect(shown({})?.originatorVerified).toBe(true);
    expect(shown({ originator: STRANGER })?.originatorVerified).toBe(false);
  });

  it("says whether title and description are those that the chain commits to", () => {
    // RFC 8785: keys in order, no spaces, only what JSON must escape is escaped.
    const canonical = '{"description":"é\\u0007\\u001b\u202e/","title":"T"}';
    const metadataHash = keccak256(stringToBytes(canonical));
    const entry = { title: "T", description: "é\u0007\u001b\u202e/" };
    expect(shown({ metadataHash }, entry)?.metadataVerified).toBe(true);
    expect(shown({ metadataHash }, { ...entry, title: "t" })?.metadataVerified).toBe(false);
    expect(shown({ metadataHash }, { ...entry, description: "é/" })?.metadataVerified).toBe(false);
  });

  it("has no control or bidirectional characters in its texts, but keeps line feeds in the description", () => {
    const entry = { title: "A\u0000\u202eB\nC\u0085", description: "D\u2066\r\nE\u007f" };
    expect(shown({}, entry)).toMatchObject({ title: "ABC", description: "D\nE" });
  });
});

describe("the order", () => {
  it("is goLiveAt descending, then publicId, and the originators' is publicId", () => {
    const at = (onchainId: bigint, goLiveAt: bigint) => listingRow({ onchainId, goLiveAt });
    const rows = [at(1n, NOW - 3n), at(2n, NOW - 1n), at(3n, NOW - 2n), at(4n, NOW - 2n), at(5n, NOW - 2n)];
    const entry = (onchainId: string, publicId: string, originator: string) =>
      entryDraft({ onchainId, publicId, originator });
    const { listings, originators } = marketOf(
      rows,
      [
        entry("1", "lst_a", "org_b"),
        entry("3", "lst_c", "org_b"),
        entry("4", "lst_b", "org_a"),
        entry("5", "lst_B", "org_b"),
        entry("2", "lst_z", "org_b"),
      ],
      [business({ publicId: "org_b" }), business({ publicId: "org_a" })],
    );
    expect(listings.map(({ publicId }) => publicId)).toEqual(["lst_z", "lst_B", "lst_b", "lst_c", "lst_a"]);
    expect(originators.map(({ publicId }) => publicId)).toEqual(["org_a", "org_b"]);
    const own = originators[1]?.listings ?? [];
    expect(own.map(({ publicId }) => publicId)).toEqual(["lst_z", "lst_B", "lst_c", "lst_a"]);
    for (const listing of own) expect(listings.all()).toContain(listing);
  });
});

describe("a lookup", () => {
  const rows = [
    listingRow({ onchainId: 1n, refnum: "RB00007", createdEventId: "1" }),
    listingRow({ onchainId: 2n, refnum: "RB00007", createdEventId: "3" }),
    listingRow({ onchainId: 3n, refnum: "RB00007", createdEventId: "2" }),
    listingRow({ onchainId: 4n, refnum: "lst_1" }),
    listingRow({ onchainId: 5n, refnum: "OLD00005" }),
  ];
  const market = marketOf(
    rows,
    ["1", "2", "3", "4"].map((onchainId) => entryDraft({ onchainId })),
  );

  it("by refnum finds the latest created", () => {
    expect(findListing(market, "RB00007")?.publicId).toBe("lst_2");
  });

  it("by refnum in letters of either case, unless another has it letter by letter", () => {
    expect(findListing(market, "rb00007")?.publicId).toBe("lst_2");
    expect(findListing(market, "Rb00007")?.publicId).toBe("lst_2");
    const both = marketOf(
      [
        listingRow({ onchainId: 1n, refnum: "RB00007", createdEventId: "9" }),
        listingRow({ onchainId: 2n, refnum: "rb00007", createdEventId: "1" }),
      ],
      [entryDraft({ onchainId: "1" }), entryDraft({ onchainId: "2" })],
    );
    expect(findListing(both, "rb00007")?.onchainId).toBe("2");
    expect(findListing(both, "RB00007")?.onchainId).toBe("1");
    expect(findListing(both, "LST_1")).toBeUndefined();
  });

  it("by public id wins over a refnum of the same text", () => {
    expect(findListing(market, "lst_1")?.onchainId).toBe("1");
  });

  it("finds nothing that is not visible", () => {
    expect(findListing(market, "OLD00005")).toBeUndefined();
    expect(findListing(market, "lst_5")).toBeUndefined();
  });
});

describe("an originator", () => {
  it("has every field of the interface document, and its rating", () => {
    const { originators } = marketOf(
      [listingRow()],
      [entryDraft()],
      [business({ legalName: "North\u202ewind\n" })],
    );
    const shown = originators.map((one) => ({ ...one, listings: one.listings.all() }));
    expect(shown).toMatchObject([
      {
        publicId: "org_northwind",
        legalName: "Northwind",
        jurisdiction: "SG",
        kybStatus: "approved",
        ratingGrade: "NR",
        rating: {
          method: "v1",
          n: 0,
          volume: "0",
          lossBps: null,
          lateBps: null,
          adjustedBps: null,
          cap: null,
        },
        listings: [{ publicId: "lst_1" }],
      },
    ]);
    expect(originatorSchema.strict().safeParse(shown[0]).error).toBeUndefined();
  });
});

describe("one id in two escrows", () => {
  it("is two listings", () => {
    const rows = [listingRow(), listingRow({ escrowAddress: OTHER_ESCROW, refnum: "RB00099" })];
    const { listings } = marketOf(rows, [
      entryDraft({ publicId: "lst_a" }),
      entryDraft({ publicId: "lst_b", escrowAddress: OTHER_ESCROW.toUpperCase().replace("0X", "0x") }),
    ]);
    expect(
      listings.map(({ publicId, escrowAddress, refnum }) => ({ publicId, escrowAddress, refnum })),
    ).toEqual([
      { publicId: "lst_a", escrowAddress: ESCROW, refnum: "RB00001" },
      { publicId: "lst_b", escrowAddress: OTHER_ESCROW, refnum: "RB00099" },
    ]);
  });
});
