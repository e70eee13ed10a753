import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { csvBody, listingsCsv } from "./csv.ts";

/** Cells as a reader takes them, to whom any line end outside of quotes ends a row: the guard off again. */
function read(text: string): string[][] {
  const rows: string[][] = parse(text, { record_delimiter: ["\r\n", "\n", "\r"] });
  return rows.map((row) => row.map((cell) => cell.replace(/^'('*[=+\-@\t\r\n＝＋－＠])/, "$1")));
}

describe("csvBody", () => {
  it("is RFC 4180: a header row, CR LF, quotes where they are needed, null as an empty cell", () => {
    const body = csvBody(
      ["a", "b", "c"],
      [
        { a: 'say "oven"', b: null, c: true },
        { a: "1,5\n", c: 12 },
      ],
    );
    expect(body.bytes.toString()).toBe('a,b,c\r\n"say ""oven""",,true\r\n"1,5\n",,12\r\n');
    expect(body.type).toBe("text/csv; charset=utf-8; header=present");
    expect(csvBody(["a", "b"], []).bytes.toString()).toBe("a,b\r\n");
  });

  it.each(["a\nb", "a\rb", "a\r\nb", 'a"b', "a,b"])("quotes %j", (text) => {
    const body = csvBody(["a", "b"], [{ a: text, b: 1 }]);
    expect(body.bytes.toString()).toBe(`a,b\r\n"${text.replace('"', '""')}",1\r\n`);
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "＝1", "＋1", "－1", "＠1", "'=1", "''+1"])(
    "guards %j",
    (text) => {
      const [, [cell] = []] = parse(csvBody(["a"], [{ a: text }]).bytes.toString(), {
        record_delimiter: "\r\n",
      }) as string[][];
      expect(cell).toBe(`'${text}`);
    },
  );

  it.each(["a=1", "'quoted'", "1-2", "", "x@y", "🥐"])("leaves %j alone", (text) => {
    expect(csvBody(["a", "b"], [{ a: text, b: "." }]).bytes.toString()).toContain(`${text},.`);
  });

  it("gives back every text, whatever stands in it", () => {
    const cell = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom("=", "+", "-", "@", "'", '"', ",", "\r", "\n", "\t", " ", "a", "\u202e"),
      }),
    );
    const property = fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 6 }), (rows) => {
      const { bytes } = csvBody(
        ["one", "other"],
        rows.map(([one, other]) => ({ one, other })),
      );
      // A lone surrogate is no character: as UTF-8 it is U+FFFD.
      const expected = rows.map((row) => row.map((text) => text.toWellFormed()));
      expect(read(bytes.toString())).toEqual([["one", "other"], ...expected]);
    });
    fc.assert(property, { numRuns: 1000 });
  });
});

describe("listingsCsv", () => {
  it("has a column for each field of a listing, in its order, with the same values", async () => {
    const { market } = await snapshotOf(tablesOf());
    const [header = [], ...rows] = read(listingsCsv(market.listings).bytes.toString());
    expect(header).toEqual(Object.keys(market.listings[0] ?? {}));
    expect(rows).toEqual(
      market.listings.map((listing) =>
        Object.values(listing).map((value) => (value === null ? "" : `${value}`)),
      ),
    );
  });
});
