/** Questions to the board: words, values of the form, and addresses. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerOf, blocksOf, boardOf, pageOf, rowsOf } from "../../../test/harness/board-page.ts";
import { breakingText } from "../../../test/harness/hostile/page.ts";
import { business } from "../../../test/harness/market.ts";
import { entryDraft, listingRow, registryOf } from "../../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { readField } from "../../market/query-field.ts";
import { GRADES, STATUSES } from "../../market/schema.ts";
import { boardFilters, boardPath, readBoardQuery } from "./query.ts";

const TITLES = ["Crème Brûlée Ovens", "Two  bakeries\tin Zürich", "Straße 漢字 ﬁne", "Phase 2 (solar)"];
const snapshot = await snapshotOf(
  tablesOf({ listings: TITLES.map((_, index) => listingRow({ onchainId: BigInt(index + 1) })) }),
  registryOf(
    TITLES.map((title, index) =>
      entryDraft({ onchainId: `${index + 1}`, title, originator: index === 3 ? "org_sun" : "org_northwind" }),
    ),
    [business(), business({ publicId: "org_sun", legalName: "Österreichische Sonne GmbH", addresses: [] })],
  ),
);
const answerTo = (query: string) => answerOf(snapshot, query);
const boardFor = (query: string | Record<string, string>) => boardOf(snapshot, query);
const { market } = snapshot;
/** A cursor of the default order. */
const NEWEST = Buffer.from('["newest","-1","lst_1"]').toString("base64url");
const found = (q: string) => rowsOf(pageOf(boardFor({ q }))).toSorted();

describe("words find a raise", () => {
  it.each([
    ["creme brulee", ["lst_1"]],
    ["CRÈME", ["lst_1"]],
    ["  ovens   crème ", ["lst_1"]],
    ["oven", ["lst_1"]],
    ["zurich", ["lst_2"]],
    ["bakeries two", ["lst_2"]],
    ["漢字", ["lst_3"]],
    ["fine", ["lst_3"]],
    ["(solar)", ["lst_4"]],
    ["RB00002", ["lst_2"]],
    ["rb0000", ["lst_1", "lst_2", "lst_3", "lst_4"]],
    ["lst_3", ["lst_3"]],
    ["northwind", ["lst_1", "lst_2", "lst_3"]],
    ["osterreichische", ["lst_4"]],
    ["sonne phase", ["lst_4"]],
    ["sonne ovens", []],
    ["Working capital", []],
    ["", ["lst_1", "lst_2", "lst_3", "lst_4"]],
  ])("%j", (words, expected) => expect(found(words)).toEqual(expected));

  it("in any order, and each more of them finds no more", () => {
    const word = fc.constantFrom("creme", "OVENS", "zürich", "sonne", "rb0000", "2", "northwind", "x");
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), word, (words, more) => {
        const fewer = found(words.join(" "));
        expect(found(words.toReversed().join("  "))).toEqual(fewer);
        expect(fewer).toEqual(expect.arrayContaining(found([...words, more].join(" "))));
      }),
    );
  });

  it("together with the filters", () => {
    expect(rowsOf(pageOf(boardFor("q=rb0000&originator=org_sun")))).toEqual(["lst_4"]);
    expect(rowsOf(pageOf(boardFor("q=rb0000&status=live")))).toEqual([]);
    expect(rowsOf(pageOf(boardFor("q=rb0000&interest=14.51")))).toEqual([]);
    expect(rowsOf(pageOf(boardFor("q=rb0000&interest=14.5")))).toHaveLength(4);
  });
});

describe("the form", () => {
  const formFor = (query: string) => {
    const [block] = blocksOf(pageOf(boardFor(query)), "raises", "form");
    if (block === undefined) throw new Error("the board has a form");
    return block.form;
  };
  const valuesIn = (query: string) =>
    Object.fromEntries(formFor(query).fields.map(({ name, value }) => [name, value]));

  const EMPTY = {
    q: "",
    sort: "",
    interest: "",
    interest_to: "",
    term_from: "",
    term: "",
    closing: "",
    country: "",
    repayment: "",
    grade: "",
  };

  it("keeps what was asked, in fields or beside them", () => {
    const asked =
      "q=two+words&grade=NR&interest=14.5&term=180&country=SG&sort=most_raised&status=live&view=table&show=ended";
    expect(valuesIn(asked)).toEqual({
      ...EMPTY,
      ...{ q: "two words", grade: "NR", interest: "14.5", term: "180", country: "SG", sort: "most_raised" },
    });
    expect(formFor(asked).hidden).toEqual({ status: "live", view: "table", show: "ended" });
    expect(valuesIn("")).toEqual(EMPTY);
  });

  it("has a check box for every grade, ticked as the address says, and shortcuts to the better ones", () => {
    const grade = (query: string) => formFor(query).fields.find((field) => field.name === "grade");
    expect(grade("")?.checks?.map(({ value }) => value)).toEqual(["A", "B", "C", "D", "E", "NR"]);
    const chosen = grade("grade=A,NR")?.checks?.flatMap(({ value, isChosen }) => (isChosen ? [value] : []));
    expect(chosen).toEqual(["A", "NR"]);
    expect(grade("grade=A,B")?.shortcuts).toEqual([
      { text: "B or better", href: "/", isCurrent: true },
      { text: "C or better", href: "/?grade=A,B,C", isCurrent: false },
    ]);
  });

  it("has ranges of interest and of the term, and takes each end", () => {
    const ranges = formFor("").fields.flatMap(({ name, range, label }) =>
      range === undefined ? [] : [[name, range, label]],
    );
    expect(ranges).toEqual([
      ["interest", "Interest, % a year", "From"],
      ["interest_to", "Interest, % a year", "To"],
      ["term_from", "Term, days", "From"],
      ["term", "Term, days", "To"],
    ]);
    // Every raise of this market pays 14.50% for 180 days.
    const counts = [
      "interest=14.5&interest_to=14.5",
      "interest_to=14.49",
      "term_from=180&term=180",
      "term_from=181",
    ];
    expect(counts.map((query) => rowsOf(pageOf(boardFor(query))).length)).toEqual([4, 0, 4, 0]);
  });

  it("says how many raises each choice leaves", () => {
    const choicesIn = (name: string, query: string) => {
      const field = formFor(query).fields.find((one) => one.name === name);
      return field?.options ?? field?.checks ?? [];
    };
    const countsIn = (name: string, query: string) =>
      Object.fromEntries(
        choicesIn(name, query).flatMap(({ value, label }) => {
          const [, shown] = /\((\d+)\)$/.exec(label) ?? [];
          return shown === undefined ? [] : [[value, Number(shown)]];
        }),
      );
    for (const query of [
      "",
      "q=sonne",
      "q=rb0000&grade=NR",
      "originator=org_sun&interest=15",
      "show=ended",
    ]) {
      for (const name of ["closing", "country", "repayment", "grade"]) {
        const counts = Object.entries(countsIn(name, query));
        expect(counts, `${query} ${name}`).not.toEqual([]);
        for (const [value, leaves] of counts) {
          const chosen = new URLSearchParams(query);
          chosen.set(name, value);
          chosen.set("view", "table");
          expect(leaves, `${query} ${name}=${value}`).toBe(rowsOf(pageOf(boardFor(`${chosen}`))).length);
        }
      }
    }
  });

  it("shows what narrows the board, each with a link without it", () => {
    const chipsIn = (query: string) =>
      blocksOf(pageOf(boardFor(query)), "raises", "links").flatMap((block) =>
        block.look === "chips" ? block.links : [],
      );
    expect(chipsIn("show=all&sort=newest&view=table")).toEqual([]);
    expect(chipsIn("q=sun&grade=A,B&show=all")).toEqual([
      { text: "Search: sun", href: "/?show=all&grade=A,B" },
      { text: "Grade: B or better", href: "/?show=all&q=sun" },
      { text: "All filters", href: "/?show=all" },
    ]);
    const words = (query: string) => chipsIn(query).map(({ text }) => text);
    expect(
      words("interest=8&interest_to=12.5&term_from=1&term=365&closing=7&country=DE,SG").slice(0, -1),
    ).toEqual([
      "Interest: from 8%",
      "Interest: up to 12.5%",
      "Term: from 1 day",
      "Term: up to 365 days",
      "Closing: Within 7 days",
      "Country: Germany, Singapore",
    ]);
    expect(words("grade=A")).toEqual(["Grade: A"]);
    expect(words("grade=A,C")).toEqual(["Grade: A, C"]);
    expect(words("repayment=written_off")).toEqual(["Repayment: Written off"]);
  });

  it("asks by an address that reads back as it was asked", () => {
    const values = fc.record({
      show: fc.constantFrom("", "open", "ended", "all"),
      q: breakingText.map((text) => readBoardQuery(new URLSearchParams({ q: text }), market).values.q),
      interest: fc.constantFrom("", "0", "14.5"),
      interest_to: fc.constantFrom("", "20"),
      term_from: fc.constantFrom("", "1"),
      term: fc.constantFrom("", "90"),
      closing: fc.constantFrom("", "7"),
      country: fc.constantFrom("", "SG", "DE,SG"),
      repayment: fc.constantFrom("", "late,default"),
      status: fc.subarray([...STATUSES]).map((words) => words.join(",")),
      grade: fc.subarray([...GRADES]).map((words) => words.join(",")),
      originator: fc.constantFrom("", "org_sun"),
      sort: fc.constantFrom("", "closing_soon"),
      view: fc.constantFrom("", "table"),
    });
    fc.assert(
      fc.property(values, (asked) => {
        const { searchParams } = new URL(boardPath(asked), SITE.publicUrl);
        const read = readBoardQuery(searchParams, market);
        expect({ ...read.values, problems: read.problems }).toEqual({ ...asked, problems: [] });
      }),
    );
  });
});

describe("an address", () => {
  it.each([
    ["q=&sort=&interest=&grade=", "/"],
    ["q=solar&sort=newest&view=cards", "/?q=solar"],
    ["grade=A&grade=B&show=", "/?grade=A,B"],
    ["sort=&cursor=", "/"],
    [`sort=&cursor=${NEWEST}`, `/?cursor=${NEWEST}`],
    ["q=%20&view=table", "/?view=table"],
  ])("without what says nothing: %s", (query, path) => {
    expect(answerTo(query)).toEqual({ kind: "moved", path });
    expect(answerTo(new URL(path, SITE.publicUrl).search).kind).toBe("page");
  });

  it("stays as it is when something in it cannot be used", () => {
    expect(answerTo("q=&sort=nonsense").kind).toBe("refused");
  });
});

describe("a number that the form takes", () => {
  const numbers = boardFilters().flatMap((filter) =>
    filter.kind === "integer" && filter.board.number !== undefined
      ? [{ filter, number: filter.board.number }]
      : [],
  );

  it.each(numbers)("is taken wherever the view leads to: $filter.board.name", ({ filter, number }) => {
    fc.assert(
      fc.property(fc.stringMatching(number.form), (text) => {
        expect(readField(filter, number.valueOf(Number(text), 0n))).toHaveProperty("value");
      }),
    );
  });

  it("can be a term of any length", () => {
    for (const term of ["term_from=70000", "term=999999999"]) expect(boardFor(term).kind, term).toBe("page");
  });
});
