import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { RegistryError } from "../../../api/registry/error.ts";
import { parseRegistry } from "../../../test/harness/parsed-registry.ts";
import type { Created } from "./created.ts";
import { missingEntries } from "./entries.ts";

const OLD = `0x${"a1".repeat(20)}` as const;
const NEW = `0x${"b2".repeat(20)}` as const;
const KNOWN = `0x${"c3".repeat(20)}` as const;
const STRANGER = `0x${"d4".repeat(20)}` as const;

const terms = {
  ...{ targetAmount: 317_000n * 10n ** 18n, minRaise: 1n, couponRateBps: 1450, insuranceBps: 500 },
  ...{ tenorDays: 90, pricingMode: "fixed", goLiveAt: 1n, closeAt: null },
} as Created["terms"];
const created = (refnum: string, onchainId: bigint, rest: Partial<Created> = {}): Created => ({
  ...{ escrowAddress: NEW, onchainId, originator: KNOWN, refnum, terms, block: 7, isAnnounced: true },
  ...rest,
});

const business = {
  ...{ publicId: "org_known", legalName: "K", jurisdiction: "SG", kybStatus: "approved" },
  addresses: [KNOWN],
};
const listing = (publicId: string, escrowAddress: string, onchainId: string) => ({
  ...{ publicId, originator: "org_known", escrowAddress, onchainId, title: "T", description: "" },
});
const parse = (document: object) => parseRegistry(Buffer.from(JSON.stringify(document)));
const registry = (...listings: object[]) => parse({ originators: [business], listings });

const entriesOf = (known: ReturnType<typeof parse>, ...all: Created[]) =>
  missingEntries(known, { created: all, escrows: new Set([OLD, NEW]) }, { derivesClose: false });

describe("the entries", () => {
  it("are of the listings without one, with what the chain knows and what nobody has said yet empty", () => {
    const known = registry(listing("lst_first", NEW, "1"));
    const { originators, listings, notes } = entriesOf(known, created("RB1", 1n), created("RB00002", 2n));
    expect(originators).toEqual([]);
    expect(listings).toEqual([
      {
        ...{ publicId: "lst_rb00002", originator: "org_known", escrowAddress: NEW, onchainId: "2" },
        ...{ title: "", description: "" },
      },
    ]);
    expect(notes).toEqual([
      'lst_rb00002: "RB00002", 317,000 USD-test for 90 days at 14.50% a year, created in block 7, by org_known',
    ]);
  });

  it("have a place for the terms and the refnum that the chain does not give, with those that it gives", () => {
    const whole = { ...terms, closeAt: 1_772_366_400n };
    const { minRaise: _, pricingMode: __, ...some } = whole;
    const { listings, notes } = entriesOf(registry(), created("RB00001", 1n, { terms: some }), {
      ...created("", 2n),
      refnum: null,
      terms: {},
      isAnnounced: false,
    });
    const empty = { targetAmount: "", minRaise: "", couponRateBps: "", insuranceBps: "", tenorDays: "" };
    expect(listings).toMatchObject([
      {
        terms: {
          ...{
            targetAmount: `${terms.targetAmount}`,
            minRaise: "",
            couponRateBps: "1450",
            insuranceBps: "500",
          },
          ...{ tenorDays: "90", pricingMode: "", goLiveAt: "1970-01-01T00:00:01Z" },
          closeAt: "2026-03-01T12:00:00Z",
        },
      },
      { refnum: "", terms: { ...empty, pricingMode: "", goLiveAt: "" } },
    ]);
    expect(listings[0]).not.toHaveProperty("refnum");
    expect(notes[1]).toContain("first event in block 7");
  });

  it("have a place for the closing time where that alone closes a raise and the chain does not say it", () => {
    const { minRaise: _, closeAt: __, ...some } = terms;
    const all = [{}, some, { ...some, closeAt: null }, terms].map((own, index) =>
      created("RB00001", BigInt(index), { terms: own }),
    );
    const onChain = { created: all, escrows: new Set([NEW]) };
    const { listings } = missingEntries(registry(), onChain, { derivesClose: true });
    expect(listings.map(({ terms }) => terms?.closeAt)).toEqual(["", "", undefined, undefined]);
  });

  it("name an unknown business once, by its address", () => {
    const first = STRANGER;
    const second: `0x${string}` = `0x${STRANGER.slice(2, -1)}5`;
    const { originators, listings } = entriesOf(
      registry(),
      created("RB1", 1n, { originator: first }),
      created("RB2", 2n, { originator: first }),
      created("RB3", 3n, { originator: second }),
    );
    expect(originators).toEqual(
      [
        ["org_d4d4d4", first],
        [`org_d4d4d4_${second.slice(2)}`, second],
      ].map(([publicId, address]) => ({
        ...{ publicId, legalName: "", jurisdiction: "", kybStatus: "not_started", addresses: [address] },
      })),
    );
    expect(listings.map(({ originator }) => originator)).toEqual([
      ...["org_d4d4d4", "org_d4d4d4"],
      `org_d4d4d4_${second.slice(2)}`,
    ]);
  });

  it("have one business for all raises of which the contract does not say who raises", () => {
    const nobody = { originator: null };
    const { originators, listings } = entriesOf(
      registry(),
      created("RB1", 1n, nobody),
      created("RB2", 2n, nobody),
    );
    expect(originators).toMatchObject([{ publicId: "org_unknown", addresses: [] }]);
    expect(listings.map(({ originator }) => originator)).toEqual(["org_unknown", "org_unknown"]);
  });

  it("have ids that are free, and are not made from the on-chain id", () => {
    const known = registry(listing("lst_rb1", NEW, "1"));
    const ids = entriesOf(
      known,
      created("RB1", 1n),
      created("RB1", 2n),
      created("RB1", 3n),
      created("!?", 4n),
    );
    expect(ids.listings.map(({ publicId }) => publicId)).toEqual([
      ...["lst_rb1_b2b2b2", "lst_rb1_b2b2b2_2", "lst_raise"],
    ]);
  });

  it("are counted on from the last one where many raises have one reference number", () => {
    const all = Array.from({ length: 500 }, (_, index) => created("RB1", BigInt(index)));
    const known = registry();
    const has = vi.spyOn(Set.prototype, "has");
    const { listings } = entriesOf(known, ...all);
    const { length: lookups } = has.mock.calls.filter(([id]) => String(id).startsWith("lst_"));
    has.mockRestore();
    expect(new Set(listings.map(({ publicId }) => publicId)).size).toBe(500);
    expect(listings.at(-1)?.publicId).toBe("lst_rb1_b2b2b2_499");
    expect(lookups).toBeLessThanOrEqual(1_000);
  });

  it("found in a redeploy come with the entry that would have to point at them", () => {
    const known = registry(listing("lst_trucks", OLD, "5"), listing("lst_gone", STRANGER, "1"));
    const { notes } = entriesOf(known, created("RB5", 5n, { escrowAddress: OLD }), created("RB5", 1n));
    expect(notes[1]).toContain("point lst_trucks here instead, and its links stay");
    expect(notes[2]).toContain("1 entry names an escrow that the settings do not follow (such as lst_gone)");
    expect(entriesOf(known, created("RB5", 5n, { escrowAddress: OLD })).notes).toEqual([]);
  });

  it("cannot be published as they are, whatever is on the chain, and can once filled in", () => {
    const known = { originators: [business], listings: [listing("lst_rb1", OLD, "9")] };
    const one = fc.record({
      refnum: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("RB1", "rb1", "RB-1", "", "lst_rb1")),
      onchainId: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      escrowAddress: fc.constantFrom(OLD, NEW),
      originator: fc.constantFrom(KNOWN, STRANGER, OLD),
    });
    const pair = ({ escrowAddress, onchainId }: Pick<Created, "escrowAddress" | "onchainId">) =>
      `${escrowAddress}/${onchainId}`;
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: pair, minLength: 1, maxLength: 12 }), (all) => {
        fc.pre(all.every(({ onchainId }) => onchainId !== 9n));
        const list = all.map(({ refnum, onchainId, ...rest }) => created(refnum, onchainId, rest));
        const { originators, listings, notes } = entriesOf(parse(known), ...list);
        const whole = (names: object, texts: object) => ({
          originators: [...known.originators, ...originators.map((entry) => ({ ...entry, ...names }))],
          listings: [...known.listings, ...listings.map((entry) => ({ ...entry, ...texts }))],
        });
        expect(() => parse(whole({}, {}))).toThrow(RegistryError);
        const { listingByPair } = parse(whole({ legalName: "L", jurisdiction: "SG" }, { title: "T" }));
        for (const { escrowAddress, onchainId } of all) {
          expect(listingByPair.has(`${escrowAddress}:${onchainId}`)).toBe(true);
        }
        expect(listings).toEqual(entriesOf(parse(known), ...list).listings);
        expect(notes.join("")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});
