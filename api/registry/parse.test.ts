import { describe, expect, it } from "vitest";
import {
  A,
  type Fields,
  listingEntry,
  ORIGINATOR,
  problemsOf,
  readRegistry,
  registryDocument,
  withListing,
  withOriginator,
} from "../../test/harness/registry-document.ts";
import { pairKey } from "./schema.ts";

const B = `0x${"b2".repeat(20)}`;
const listing = listingEntry(1);
const second = listingEntry(2);
const without = (entry: Fields, field: string) =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => name !== field));

describe("the reading of a document", () => {
  it("reads a document and finds its entries by public id and by pair", async () => {
    const registry = await readRegistry(registryDocument([ORIGINATOR], [listing, second]));
    expect([...registry.originators]).toEqual([ORIGINATOR]);
    expect([...registry.listings]).toEqual([listing, second]);
    expect(registry.originatorByPublicId.get("org_a")?.legalName).toBe("A Ltd");
    expect(registry.listingByPublicId.get("lst_2")?.onchainId).toBe("2");
    expect(registry.listingByPair.get(pairKey({ escrowAddress: A, onchainId: 2n }))?.publicId).toBe("lst_2");
    expect(registry.listingByPair.get(pairKey({ escrowAddress: B, onchainId: 2n }))).toBeUndefined();
  });

  it("accepts a checksummed address and lowercases it", async () => {
    const checksummed = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
    const upper = `0x${"B2".repeat(20)}`;
    const registry = await readRegistry(
      registryDocument([{ ...ORIGINATOR, addresses: [upper] }], [{ ...listing, escrowAddress: checksummed }]),
    );
    expect(registry.originators.at(0)?.addresses).toEqual([B]);
    expect(registry.listings.at(0)?.escrowAddress).toBe(checksummed.toLowerCase());
    expect(
      registry.listingByPair.has(pairKey({ escrowAddress: checksummed.toLowerCase(), onchainId: "1" })),
    ).toBe(true);
  });

  it("keeps control and bidirectional characters: the hash is over the original", async () => {
    const title = "a\u202eb\u0000c";
    const { listings } = await readRegistry(withListing({ title, description: title }));
    expect(listings.at(0)).toMatchObject({
      title,
      description: title,
    });
  });

  it("accepts the limits", async () => {
    const widest = {
      publicId: `lst_${"Az0_-".repeat(12)}xyzw`,
      title: "👍".repeat(200),
      description: "d".repeat(4000),
    };
    expect(await problemsOf(withListing(widest))).toEqual([]);
    expect(await problemsOf(withOriginator({ legalName: "x".repeat(200), addresses: [] }))).toEqual([]);
    expect(await problemsOf(withOriginator({ description: "x".repeat(2000) }))).toEqual([]);
    for (const website of [
      "https://a.example",
      "https://a-b.example:8443/c/d?e=f&g=%20#h",
      "https://xn--a.example?x",
    ])
      expect(await problemsOf(withOriginator({ website }))).toEqual([]);
    expect(await problemsOf(registryDocument([], []))).toEqual([]);
    expect(await problemsOf(`\ufeff${JSON.stringify(registryDocument())}`)).toEqual([]);
  });

  const terms = {
    ...{ targetAmount: "1000000000000000000000", minRaise: "0", couponRateBps: 1450, tenorDays: 90 },
    ...{ insuranceBps: 0, pricingMode: "fixed", goLiveAt: "2026-03-01T12:00:00Z" },
  };

  it("reads terms, whole numbers as texts too, and times at any offset", async () => {
    const written = { ...terms, couponRateBps: "1450", closeAt: "2026-03-02T01:00:00+01:00" };
    const fields = { terms: written, refnum: "FX00001", tokenAddress: B.toUpperCase().replace("X", "x") };
    const [entry] = (await readRegistry(withListing(fields))).listings;
    expect(entry).toMatchObject({
      ...{ refnum: "FX00001", tokenAddress: B },
      terms: {
        ...{ targetAmount: 10n ** 21n, minRaise: 0n, couponRateBps: 1450, tenorDays: 90, insuranceBps: 0 },
        ...{ pricingMode: "fixed", goLiveAt: 1_772_366_400n, closeAt: 1_772_409_600n },
      },
    });
    for (const closeAt of [undefined, null]) {
      const without = await readRegistry(withListing({ terms: { ...terms, closeAt } }));
      expect(without.listings.at(0)?.terms?.closeAt).toBe(null);
    }
  });

  it.each([
    [{ terms: {} }, 7, "listings[0].terms.targetAmount: is missing (expected base units"],
    [
      { terms: { ...terms, targetAmount: 5 } },
      1,
      "listings[0].terms.targetAmount: not an amount: 5 (expected base",
    ],
    [{ terms: { ...terms, minRaise: "1.5" } }, 1, "listings[0].terms.minRaise: not an amount"],
    [{ terms: { ...terms, minRaise: `${2n ** 256n}` } }, 1, "listings[0].terms.minRaise: not an amount"],
    [{ terms: { ...terms, tenorDays: "4294967296" } }, 1, "listings[0].terms.tenorDays: not a whole number"],
    [
      { terms: { ...terms, couponRateBps: -1 } },
      1,
      "listings[0].terms.couponRateBps: not a whole number: -1",
    ],
    [
      { terms: { ...terms, pricingMode: "dutch" } },
      1,
      'listings[0].terms.pricingMode: not a pricing mode: "dutch"',
    ],
    [{ terms: { ...terms, goLiveAt: 1 } }, 1, "listings[0].terms.goLiveAt: not a time: 1"],
    [{ terms: { ...terms, goLiveAt: "2026-02-30T00:00:00Z" } }, 1, "listings[0].terms.goLiveAt: not a time"],
    [{ terms: { ...terms, closeAt: "1969-12-31T00:00:00Z" } }, 1, "listings[0].terms.closeAt: not a time"],
    [{ terms: { ...terms, fee: 1 } }, 1, 'listings[0].terms: unknown field "fee"'],
    [{ refnum: "1" }, 1, 'listings[0].refnum: not a reference number: "1" (expected letters and five digits'],
    [{ tokenAddress: "0x" }, 1, "listings[0].tokenAddress: not an address"],
  ])("refuses facts of a listing such as %j", async (fields, count, expected) => {
    const found = await problemsOf(withListing(fields));
    expect([found.length, found[0]]).toEqual([count, expect.stringContaining(expected)]);
  });

  it.each([
    [{ publicId: "lst_" }, 'listings[0].publicId: not a public id: "lst_" (expected lst_ and 1 to 64'],
    [{ publicId: "org_a" }, "listings[0].publicId: not a public id"],
    [{ publicId: `lst_${"a".repeat(65)}` }, "listings[0].publicId: not a public id"],
    [{ publicId: "lst_a b" }, "listings[0].publicId: not a public id"],
    [{ publicId: "lst_a\n" }, "listings[0].publicId: not a public id"],
    [{ originator: "lst_1" }, "listings[0].originator: not a public id"],
    [
      { escrowAddress: "0x12" },
      'listings[0].escrowAddress: not an address: "0x12" (expected 0x and 40 hex digits)',
    ],
    [{ escrowAddress: `0X${"a1".repeat(20)}` }, "listings[0].escrowAddress: not an address"],
    [{ onchainId: 1 }, "listings[0].onchainId: not an on-chain id: 1 (expected a decimal string"],
    [{ onchainId: "01" }, "listings[0].onchainId: not an on-chain id"],
    [{ onchainId: "-1" }, "listings[0].onchainId: not an on-chain id"],
    [{ onchainId: (2n ** 256n).toString() }, "listings[0].onchainId: not an on-chain id"],
    [{ title: "" }, "listings[0].title: not a text"],
    [{ title: "x".repeat(201) }, "listings[0].title: not a text"],
    [{ title: "👍".repeat(201) }, "listings[0].title: not a text"],
    [{ title: "\ud800" }, "listings[0].title: holds half of a surrogate pair"],
    [{ description: "x".repeat(4001) }, "listings[0].description: not a text"],
    [{ description: null }, "listings[0].description: not a text: null"],
    [{ subtitle: "x" }, 'listings[0]: unknown field "subtitle"'],
  ])("refuses a listing with %j", async (fields, expected) => {
    const found = await problemsOf(withListing(fields));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });

  it.each([
    [{ legalName: "" }, "originators[0].legalName: not a text"],
    [{ legalName: "x".repeat(201) }, "originators[0].legalName: not a text"],
    [{ jurisdiction: "UK" }, 'originators[0].jurisdiction: not a country: "UK"'],
    [{ jurisdiction: "sg" }, "originators[0].jurisdiction: not a country"],
    [{ jurisdiction: "XX" }, "originators[0].jurisdiction: not a country"],
    [{ kybStatus: "pending" }, "originators[0].kybStatus: not a status"],
    [{ addresses: [A, "0x"] }, "originators[0].addresses[1]: not an address"],
    [{ addresses: A }, "originators[0].addresses: not a list"],
    [
      { addresses: [A, B, A.replace("a", "A")] },
      `originators[0].addresses[2]: "${A}" is already in originators[0].addresses[0]`,
    ],
    [{ description: "x".repeat(2001) }, "originators[0].description: not a text"],
    [{ website: "http://a.example" }, "originators[0].website: not a website"],
    [{ website: "javascript:alert(1)" }, "originators[0].website: not a website"],
    [{ website: "https://a.example@b.example/" }, "originators[0].website: not a website"],
    [{ website: 'https://a.example/"x' }, "originators[0].website: not a website"],
    [{ website: "https://\u0430.example/" }, "originators[0].website: not a website"],
    [{ website: "https://a.example:99999/" }, "originators[0].website: not a website"],
    [{ website: `https://a.example/${"x".repeat(300)}` }, "originators[0].website: not a website"],
    [{ notes: 1 }, 'originators[0]: unknown field "notes"'],
  ])("refuses an originator with %j", async (fields, expected) => {
    const found = await problemsOf(withOriginator(fields));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });

  it.each(["not_started", "submitted", "in_review", "approved", "rejected", "expired"])(
    "accepts kybStatus %s",
    async (kybStatus) => {
      expect(await problemsOf(withOriginator({ kybStatus }))).toEqual([]);
    },
  );

  it("misses every field that is not there", async () => {
    for (const field of Object.keys(listing)) {
      expect((await problemsOf(registryDocument([ORIGINATOR], [without(listing, field)])))[0]).toContain(
        `listings[0].${field}: is missing`,
      );
    }
    for (const field of Object.keys(ORIGINATOR)) {
      expect((await problemsOf(registryDocument([without(ORIGINATOR, field)])))[0]).toContain(
        `originators[0].${field}: is missing`,
      );
    }
    expect(await problemsOf({ listings: [] })).toEqual([
      "originators: is missing (expected a list of originators)",
    ]);
  });

  it("refuses what is said twice, and an originator that is not there", async () => {
    const twice = { ...second, onchainId: "1", escrowAddress: A.toUpperCase().replace("0X", "0x") };
    expect(await problemsOf(registryDocument([ORIGINATOR], [listing, twice]))).toEqual([
      "listings[1].onchainId: the pair of escrow and on-chain id is already in listings[0]",
    ]);
    expect(
      await problemsOf(registryDocument([ORIGINATOR], [listing, { ...second, publicId: "lst_1" }])),
    ).toEqual(['listings[1].publicId: "lst_1" is already in listings[0]']);
    expect(await problemsOf(registryDocument([ORIGINATOR, { ...ORIGINATOR, addresses: [] }]))).toEqual([
      'originators[1].publicId: "org_a" is already in originators[0]',
    ]);
    expect(await problemsOf(withListing({ originator: "org_b" }))).toEqual([
      'listings[0].originator: no originator has the public id "org_b"',
    ]);
  });

  it.each(["0", `${2n ** 256n - 1n}`])("accepts the on-chain id %s", async (onchainId) => {
    const { listingByPair } = await readRegistry(withListing({ onchainId }));
    expect(listingByPair.get(pairKey({ escrowAddress: A, onchainId }))?.publicId).toBe("lst_1");
  });

  it("accepts one on-chain id in two escrows: ids restart at 1 on every redeploy", async () => {
    expect(
      await problemsOf(
        registryDocument([ORIGINATOR], [listing, { ...listing, publicId: "lst_2", escrowAddress: B }]),
      ),
    ).toEqual([]);
  });

  it("names at most 20 problems, and how many more there are", async () => {
    const bad = Array.from({ length: 25 }, (_, index) => ({
      ...listing,
      publicId: `lst_${index}`,
      onchainId: "00",
    }));
    await expect(readRegistry(registryDocument([ORIGINATOR], bad))).rejects.toThrow(/and 5 more$/);
    expect(await problemsOf(registryDocument([ORIGINATOR], bad))).toHaveLength(20);
  });

  it.each([
    ["", "not JSON"],
    ["{", "not JSON"],
    ["[]", "the document: not an object: []"],
    ["null", "the document: not an object: null"],
    ['{"originators":[],"listings":[],"version":1}', 'the document: unknown field "version"'],
    ['{"originators":[],"listings":[],"__proto__":{}}', 'the document: unknown field "__proto__"'],
  ])("refuses %s", async (text, expected) => {
    expect((await problemsOf(text))[0]).toContain(expected);
  });

  it("refuses bytes that are not UTF-8", async () => {
    await expect(readRegistry(Uint8Array.of(0x7b, 0xff, 0x7d))).rejects.toThrow("the document is not UTF-8");
  });

  it("lets nothing active from the document into a message", async () => {
    const active = ["\u001b[2J", "\u202e", "\u0085", "\n"];
    for (const text of active) {
      for (const problem of [
        ...(await problemsOf(`x${text}`)),
        ...(await problemsOf(withListing({ escrowAddress: text, [text]: 1 }))),
      ]) {
        expect(problem).not.toContain(text);
      }
    }
  });
});
