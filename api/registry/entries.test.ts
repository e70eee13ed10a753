import { describe, expect, it, vi } from "vitest";
import { finishNow } from "../../test/harness/parsed-registry.ts";
import { entryDraft, type OriginatorDraft } from "../../test/harness/rows.ts";
import { createDraft, MOST_ENTRIES } from "./draft.ts";
import type { KnownEntries } from "./known.ts";
import { createPacker, isSameText, type Packed } from "./packed.ts";
import { packPlaces, placeAt } from "./places.ts";
import { changedListings, changedOriginators, registryDocument } from "./schema.ts";
import { createTextIndex } from "./text-index.ts";

const ESCROW = "0xE5e5e5E5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5";
const originator: OriginatorDraft = {
  ...{ publicId: "org_a", legalName: "Ä & Söhne 🏦", jurisdiction: "SG", kybStatus: "approved" },
  ...{ addresses: [ESCROW], website: "https://a.example" },
};
const terms = {
  ...{ targetAmount: "5000", minRaise: "0", couponRateBps: "700", tenorDays: 30, insuranceBps: 1 },
  ...{ pricingMode: "auction", goLiveAt: "2026-03-01T12:00:00+02:00" },
};
const entryOf = (id: number, others: object = {}) => ({
  ...entryDraft({ publicId: `lst_${id}`, originator: "org_a", onchainId: `${id}` }),
  ...others,
});

function read(entries: readonly object[], known?: KnownEntries, owners: readonly object[] = [originator]) {
  const draft = createDraft({ known });
  for (const one of owners) draft.add("originators", one);
  for (const one of entries) draft.add("listings", one);
  draft.setTop({});
  return finishNow(draft);
}

describe("packed entries", () => {
  it("are read as the schema makes them", () => {
    const entries = [
      entryOf(1, { escrowAddress: ESCROW, title: 'a "quoted" \u202e title', cover: "a.png" }),
      entryOf(2, { terms, refnum: "RB00042", tokenAddress: ESCROW, description: "" }),
      entryOf(3, { terms: { ...terms, closeAt: "2026-04-01T00:00:00Z" } }),
      entryOf(4, { terms: { ...terms, closeAt: null } }),
    ];
    const { registry } = read(entries);
    const valid = registryDocument.parse({ originators: [originator], listings: entries });
    expect([...registry.listings]).toEqual(valid.listings);
    expect([...registry.originators]).toEqual(valid.originators);
    expect(registry.listingByPublicId.get("lst_2")).toEqual(valid.listings[1]);
    expect(registry.listingByPair.get(`${ESCROW.toLowerCase()}:1`)).toEqual(valid.listings[0]);
    expect(registry.listingByPair.has(`${ESCROW.toLowerCase()}:7`)).toBe(false);
    expect(registry.listings.at(-1)).toBeUndefined();
    expect([...registry.listingByPublicId.keys()]).toEqual(["lst_1", "lst_2", "lst_3", "lst_4"]);
  });

  it("differ where their text does, wherever they are", () => {
    const before = read([entryOf(1), entryOf(2), entryOf(3)]);
    const after = read([entryOf(3), entryOf(1), entryOf(2, { title: "Other" }), entryOf(4)], before.known);
    const ids = changedListings(before.registry, after.registry).map(({ publicId }) => publicId);
    expect(ids).toEqual(["lst_2", "lst_4"]);
    expect(changedOriginators(before.registry, after.registry)).toEqual([]);
    expect(changedListings(before.registry, before.registry)).toEqual([]);
    const renamed = read([entryOf(1)], after.known, [{ ...originator, legalName: "B" }]);
    expect(changedOriginators(after.registry, renamed.registry)).toHaveLength(1);
  });

  it("are the same text in another layout, without being known", () => {
    const { publicId, ...others } = entryOf(1);
    const [before, after] = [read([entryOf(1)]), read([{ ...others, publicId }])];
    expect(changedListings(before.registry, after.registry)).toEqual([]);
    expect(after.registry.hash).toBe(before.registry.hash);
  });

  it("keep their buffers while they are known", () => {
    const before = read([entryOf(1), entryOf(2)]);
    const after = read([entryOf(2), entryOf(5), entryOf(1)], before.known);
    const [old, next] = [before.known.listings, after.known.listings];
    expect(next.placeOf(0).bytes).toBe(old.placeOf(1).bytes);
    expect(isSameText(old, 0, next, 2)).toBe(true);
    expect(isSameText(old, 1, next, 1)).toBe(false);
    expect(after.registry.hash).toBe(read([entryOf(2), entryOf(5), entryOf(1)]).registry.hash);
  });

  it.each([
    ["other public ids", { publicId: "lst_7" }],
    ["other pairs", { onchainId: "7" }],
    ["both", { publicId: "lst_7", onchainId: "7" }],
  ])("are found by their own names where they are in the place of others, with %s", (_, others) => {
    const before = read([entryOf(1), entryOf(2)]);
    const { registry, known } = read([entryOf(1, others), entryOf(2)], before.known);
    expect(known.listings.placeOf(0).start).toBe(before.known.listings.placeOf(0).start);
    const { publicId, onchainId } = entryOf(1, others);
    const [entry] = registry.listings;
    expect(registry.listingByPublicId.get(publicId)).toEqual(entry);
    expect(registry.listingByPair.get(`${entry?.escrowAddress}:${onchainId}`)).toEqual(entry);
    expect(registry.listingByPublicId.has("lst_1")).toBe(publicId === "lst_1");
    expect(registry.listingByPair.has(`${entry?.escrowAddress}:1`)).toBe(onchainId === "1");
  });

  it("let go of buffers that few of them are in", () => {
    const long = "x".repeat(4_000);
    const add = (packed: Packed | null, texts: readonly string[]): Packed => {
      const packer = createPacker({ keepsSums: false, before: packed });
      for (const text of texts) {
        const key = Buffer.from(text.slice(0, 32).padEnd(32));
        const index = packed?.withKey(key) ?? -1;
        const entry = { publicId: text.slice(0, 8), pair: "", owner: "", canonical: text, hasPicture: false };
        if (packed !== null && index >= 0) packer.take({ from: packed, index });
        else packer.add(entry, key, null);
      }
      return packer.finish();
    };
    const texts = Array.from({ length: 1_000 }, (_, n) => `${String(n).padStart(8, "0")}${long}`);
    const all = add(null, texts);
    const most = add(all, texts.slice(0, 900));
    const few = add(
      most,
      texts.slice(0, 900).filter((_, n) => n % 90 === 0),
    );
    expect(most.placeOf(0).bytes === all.placeOf(0).bytes).toBe(true);
    expect(few.placeOf(0).bytes === all.placeOf(0).bytes).toBe(false);
    expect(few.placeOf(0).bytes.length).toBe(10 * (8 + 8 + long.length));
    expect(few.canonicalOf(9).toString()).toBe(texts[810]);
    expect(few.publicIdOf(9)).toBe("00000810");
  });
});

it("places of entries are found by index, and missing ones are missing", () => {
  const places = ["listings/ä.yaml", "row 2"];
  places[3] = "row 4";
  expect([0, 1, 2, 3, 4].map((index) => placeAt(packPlaces(places), index))).toEqual([
    "listings/ä.yaml",
    "row 2",
    undefined,
    "row 4",
    undefined,
  ]);
  expect(placeAt(packPlaces([]), 0)).toBeUndefined();
});

it("an index finds each text, the last of equal ones, and no other", () => {
  const texts = Array.from({ length: 3_000 }, (_, n) => `0xe5:${n % 2_990}`);
  const textOf = vi.fn((n: number) => texts[n] ?? "");
  const index = createTextIndex(texts.length, textOf);
  textOf.mockClear();
  const last = new Map(texts.map((text, n) => [text, n]));
  expect(index.size).toBe(last.size);
  for (const [text, n] of last) expect(index.find(text)).toBe(n);
  // Other texts are not read: they may be in a file.
  expect(textOf.mock.calls.length).toBe(last.size);
  for (const text of ["", "0xe5:", "0xe5:2990", "0xe5:-1"]) expect(index.find(text)).toBe(-1);
  expect(createTextIndex(0, () => "").find("a")).toBe(-1);
});

it("a list may have a million entries", () => {
  expect(MOST_ENTRIES).toBeGreaterThanOrEqual(1_000_000);
});
