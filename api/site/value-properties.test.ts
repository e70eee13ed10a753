/** Programs read every value exactly; people read no more than it is. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stripControl } from "../../config/format/untrusted-text.ts";
import { breakingText } from "../../test/harness/hostile/page.ts";
import { GRADES, listingSchema, STATUSES } from "../market/schema.ts";
import { COUNTRY_CODES } from "../registry/countries.ts";
import {
  amount,
  code,
  count,
  country,
  exactOf,
  link,
  NONE,
  rate,
  shortCode,
  text,
  textOf,
  time,
} from "./value.ts";

const baseUnits = fc.oneof(
  fc.constantFrom(0n, 1n, 10n ** 16n - 1n, 10n ** 16n, 10n ** 18n, 2n ** 256n - 1n),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
);
const CENT = 10n ** 16n;

describe("an amount", () => {
  it("is exact in base units, and read in whole cents that are never more than it is", () => {
    fc.assert(
      fc.property(baseUnits, (money) => {
        const value = amount(`${money}`);
        expect(BigInt(exactOf(value) ?? "-1")).toBe(money);
        const shown = textOf(value);
        if (money > 0n && money < CENT) {
          expect(shown).toBe("<0.01 USD-test");
          return;
        }
        const [, whole = "", cents = "00"] = /^([\d,]+)(?:\.(\d\d))? USD-test$/.exec(shown) ?? [];
        expect(whole).toMatch(/^\d{1,3}(,\d{3})*$/);
        expect(BigInt(whole.replaceAll(",", "") + cents)).toBe(money / CENT);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [undefined, "1.50 USD-test"],
    ["tokens", "1.50 tokens"],
    [null, "1.50"],
  ])("in the unit %s is %s", (unit, expected) => {
    expect(textOf(amount("1500000000000000000", unit))).toBe(expected);
  });
});

describe("a figure", () => {
  it("is exact in basis points and read with two decimals if it is a rate", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (basisPoints) => {
        const value = rate(basisPoints);
        expect(exactOf(value)).toBe(`${basisPoints}`);
        const [, shown = ""] = /^(\d+\.\d\d)%$/.exec(textOf(value)) ?? [];
        expect(BigInt(shown.replace(".", ""))).toBe(BigInt(basisPoints));
      }),
    );
  });

  it("reads back as it is if it is a count", () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(undefined, "days"), (number, unit) => {
        const value = count(number, unit);
        expect(exactOf(value)).toBe(`${number}`);
        const [figure = "", name] = textOf(value).split(" ");
        expect(Number(figure.replaceAll(",", ""))).toBe(number);
        expect(name).toBe(unit === undefined ? undefined : number === 1 ? "day" : "days");
      }),
    );
  });

  it("is said to be missing if it is not known, and is null for programs", () => {
    for (const none of [amount(null), rate(null), time(null), NONE]) {
      expect([textOf(none), exactOf(none)]).toEqual(["–", null]);
    }
  });
});

it("a moment is exact to the second, and read in UTC", () => {
  const moments = fc
    .integer({ min: 0, max: 4_000_000_000 })
    .map((seconds) => new Date(seconds * 1000).toISOString());
  fc.assert(
    fc.property(moments, (iso) => {
      expect(exactOf(time(iso))).toBe(iso);
      const shown = Date.parse(textOf(time(iso)).replace(",", ""));
      expect(shown).toBe(Date.parse(iso) - (Date.parse(iso) % 60_000));
    }),
  );
});

describe("a word of the schema", () => {
  const words = [
    ...STATUSES.map((status) => ({ kind: "status", status }) as const),
    ...listingSchema.shape.repayment.options.map((repayment) => ({ kind: "repayment", repayment }) as const),
    ...GRADES.map((grade) => ({ kind: "grade", grade }) as const),
    ...(["pending", "final"] as const).map((finality) => ({ kind: "finality", finality }) as const),
    ...[true, false].map((isYes) => ({ kind: "yes_or_no", isYes }) as const),
  ];

  it.each(words)("$kind: %o is kept for programs and said for people", (value) => {
    const { kind: _, ...rest } = value;
    expect(exactOf(value)).toBe(String(Object.values(rest)[0]));
    expect(textOf(value)).toMatch(/^[A-Z]/);
    expect(textOf(value)).not.toContain("_");
  });

  it("is said in words of its own", () => {
    for (const kind of new Set(words.map((word) => word.kind))) {
      const said = words.filter((word) => word.kind === kind).map(textOf);
      expect(new Set(said).size).toBe(said.length);
    }
  });

  it.each([...COUNTRY_CODES])("the country %s has a name", (isoCode) => {
    expect(exactOf(country(isoCode))).toBe(isoCode);
    expect(textOf(country(isoCode)).length).toBeGreaterThan(3);
  });
});

it("a text of a third party is read without invisible characters in every place", () => {
  fc.assert(
    fc.property(breakingText, (said) => {
      const shown = stripControl(said, { keepLineFeeds: false });
      for (const value of [text(said), link(said, "/"), code(said)]) {
        // Isolations keep a text in its place, and reach no further.
        const words = textOf(value).replaceAll(/\u2068([^\u2068\u2069]*)\u2069/g, "$1");
        expect(words).toBe(shown);
      }
      expect(exactOf(code(said))).toBe(said);
    }),
  );
});

it("a hash in short shows its ends, and is copied whole", () => {
  const hash = `0x${"ab".repeat(30)}1234`;
  expect(textOf(shortCode(hash))).toBe("0xababab…ab1234");
  expect(exactOf(shortCode(hash))).toBe(hash);
});
