import canonicalize from "canonicalize";
import fc from "fast-check";
import { expect, it } from "vitest";
import { plainListing } from "./plain-listing.ts";
import { registryDocument } from "./schema.ts";

const good = {
  ...{ publicId: "lst_1", originator: "org_a", escrowAddress: `0x${"Ab".repeat(20)}`, onchainId: "7" },
  ...{ title: 'A "title"', description: "Two\nlines 🏦" },
};

it("gives what is kept of a listing with the required fields", () => {
  expect(plainListing(good)).toEqual({
    ...{ publicId: "lst_1", owner: "org_a", pair: `0x${"ab".repeat(20)}:7`, hasPicture: false },
    canonical: `{"description":"Two\\nlines 🏦","escrowAddress":"0x${"Ab".repeat(20)}","onchainId":"7","originator":"org_a","publicId":"lst_1","title":"A \\"title\\""}`,
  });
  expect(plainListing({ ...good, refnum: "RB00042" })).toBeNull();
});

/** Valid values, and some that are just not. */
const ids = (prefix: string) =>
  fc.oneof(
    fc.constantFrom(
      `${prefix}a`,
      `${prefix}${"x".repeat(64)}`,
      `${prefix}${"x".repeat(65)}`,
      prefix,
      `${prefix}a\n`,
    ),
    fc.stringMatching(/^[a-z]{3}_[A-Za-z0-9_ -]{0,4}$/),
  );
const texts = (longest: number) =>
  fc.oneof(
    ...[0, 1, 2, longest - 1, longest, longest + 1].flatMap((length) =>
      ["a", "🏦", "\ud800"].map((character) => fc.constant(character.repeat(length))),
    ),
    fc.constant(`${"🏦".repeat(longest - 1)}a`),
    fc.string({ unit: "binary" }),
  );
const anything = fc.constantFrom<unknown>(undefined, null, 7, "", {}, [], true);
const drawn = fc.record({
  publicId: fc.oneof({ weight: 9, arbitrary: ids("lst_") }, anything),
  originator: fc.oneof({ weight: 9, arbitrary: ids("org_") }, anything),
  escrowAddress: fc.oneof(
    fc.stringMatching(/^0x[0-9a-fA-FgX]{40}$/),
    fc.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    fc.constantFrom("0x", `0X${"a".repeat(40)}`, `0x${"a".repeat(40)}\n`),
  ),
  onchainId: fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 257n }).map(String),
    fc.constantFrom(
      "0",
      "01",
      "1e3",
      "-1",
      `${2n ** 256n}`,
      `${2n ** 256n - 1n}`,
      "9".repeat(77),
      "9".repeat(78),
    ),
  ),
  title: fc.oneof({ weight: 9, arbitrary: texts(200) }, anything),
  description: fc.oneof({ weight: 9, arbitrary: texts(4000) }, anything),
});
/** Some fields are drawn, left out or added. */
const names = Object.keys(good);
const listings = fc
  .record({
    other: drawn,
    taken: fc.subarray(names, { maxLength: 3 }),
    more: fc.constantFrom<object>({}, {}, {}, { cover: "a.png" }, { cover: undefined }, { other: 1 }),
    missing: fc.constantFrom(...Array<null>(24).fill(null), ...names),
  })
  .map(({ other, taken, more, missing }) => {
    const all = {
      ...good,
      ...Object.fromEntries(Object.entries(other).filter(([key]) => taken.includes(key))),
      ...more,
    };
    return Object.fromEntries(Object.entries(all).filter(([key]) => key !== missing));
  });

it("recognises only what the schema accepts, as the library writes it", () => {
  const schema = registryDocument.shape.listings.element;
  let recognised = 0;
  let refused = 0;
  fc.assert(
    fc.property(listings, (listing) => {
      const found = plainListing(listing);
      const { data } = schema.safeParse(listing);
      if (data === undefined) refused += 1;
      if (found === null) {
        // The only valid plain entries that it leaves to the schema have an id with more digits.
        const isPlain = data !== undefined && Object.keys(listing).length === 6 && data.onchainId.length < 78;
        expect(isPlain).toBe(false);
        return;
      }
      recognised += 1;
      expect(data).toBeDefined();
      expect(found).toEqual({
        ...{ publicId: data?.publicId, owner: data?.originator, hasPicture: data?.cover !== undefined },
        pair: `${data?.escrowAddress}:${data?.onchainId}`,
        canonical: canonicalize(listing),
      });
    }),
    { numRuns: 4_000, seed: 1 },
  );
  expect(recognised).toBeGreaterThan(200);
  expect(refused).toBeGreaterThan(200);
});

it("leaves to the schema what is no plain object", () => {
  for (const one of [null, 7, "text", [], new Map(), Object.assign(Object.create({ title: "A" }), good)])
    expect(plainListing(one)).toBeNull();
});
