import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { csvBody, listingsCsv, spreadsheetBody } from "./csv.ts";

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

describe("a file for spreadsheets", () => {
  it("begins with a byte order mark, and has whole dollars after each amount", () => {
    const rows = [
      { id: "a", amount: "1250500000000000000000", note: "=1" },
      { id: "b", amount: "999999999999999999", note: null },
      { id: "c", amount: null },
      { id: "d", amount: `${"9".repeat(15)}${"0".repeat(18)}` },
      { id: "e", amount: `1234567890123456${"7".repeat(18)}` },
    ];
    const body = spreadsheetBody(["id", "amount", "note"], rows, new Set(["amount"]));
    expect(body.type).toBe("text/csv; charset=utf-8; header=present");
    expect([...body.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(body.bytes.subarray(3).toString().split("\r\n")).toEqual([
      "id,amount,amountDollars,note",
      "a,1250500000000000000000,1250,'=1",
      "b,999999999999999999,0,",
      "c,,,",
      "d,999999999999999000000000000000000,999999999999999,",
      // A spreadsheet would show 1234567890123450.
      "e,1234567890123456777777777777777777,'1234567890123456,",
      "",
    ]);
  });

  it("has no dollars where a column has something else in a row", () => {
    const rows = [
      { kind: "offered", amount: "5000000000000000000" },
      { kind: "paid", amount: "5000000000000000000" },
    ];
    const body = spreadsheetBody(
      ["kind", "amount"],
      rows,
      new Set(["amount"]),
      ({ kind }) => kind === "paid",
    );
    expect(body.bytes.subarray(3).toString()).toBe(
      "kind,amount,amountDollars\r\noffered,5000000000000000000,\r\npaid,5000000000000000000,5\r\n",
    );
  });

  it("has every column of the raw form, and dollars of a raise's amounts", async () => {
    const { market } = await snapshotOf(tablesOf());
    const [header = [], first = []] = parse(listingsCsv(market.listings.all(), true).bytes.toString(), {
      bom: true,
    });
    const dollars = header.filter((name) => name.endsWith("Dollars"));
    expect(header.filter((name) => !dollars.includes(name))).toEqual(
      Object.keys(market.listings.at(0) ?? {}),
    );
    expect(dollars).toContain("raisedAmountDollars");
    expect(dollars).not.toContain("couponRateBpsDollars");
    // A target of 100,000.
    expect(first[header.indexOf("targetAmountDollars")]).toBe("100000");
  });

  it.each([
    ...["/v1/listings.csv", "/v1/events.csv", "/v1/listings/lst_1/events.csv"],
    ...["/v1/stats/series.csv", "/v1/stats/cohorts.csv", "/v1/stats/curves.csv"],
  ])("is at %s?excel=1", async (path) => {
    const ask = asking(await appIn());
    const [raw, excel] = [await ask(path), await ask(`${path}?excel=1`)];
    expect([raw.status, excel.status]).toEqual([200, 200]);
    expect(raw.text).not.toContain("Dollars");
    expect(excel.text).toContain("Dollars");
    expect(excel.headers.get("etag")).not.toBe(raw.headers.get("etag"));
    const refused = await ask(`${path}?excel=yes`);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('"parameter":"excel"')]);
    // The curves have no other form.
    const other = await ask(`${path.replace(".csv", "")}?excel=1`);
    expect(other.status).toBe(path.includes("curves") ? 404 : 400);
  });
});

describe("listingsCsv", () => {
  it("has a column for each field of a listing, in its order, with the same values", async () => {
    const { market } = await snapshotOf(tablesOf());
    const [header = [], ...rows] = read(listingsCsv(market.listings.all()).bytes.toString());
    expect(header).toEqual(Object.keys(market.listings.at(0) ?? {}));
    expect(rows).toEqual(
      market.listings.map((listing) =>
        Object.values(listing).map((value) => (value === null ? "" : `${value}`)),
      ),
    );
  });
});
