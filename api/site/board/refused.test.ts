/** Queries that the board refuses, and its messages. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf, boardOf, pageOf } from "../../../test/harness/board-page.ts";
import { breakingText } from "../../../test/harness/hostile/page.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import type { Page } from "../page.ts";
import { boardParameters } from "./query.ts";

const snapshot = await snapshotOf(tablesOf());
const boardFor = (query: string) => boardOf(snapshot, query);
/** A cursor of the default order. */
const NEWEST = Buffer.from('["newest","-1","lst_1"]').toString("base64url");

describe("what cannot be used", () => {
  it.each([
    ["status=nonsense", "(status)", 'cannot be "nonsense". Allowed: listed, funding, live,'],
    ["status=live,LIVE", "(status)", 'cannot be "LIVE".'],
    ["grade=F", "(grade)", 'cannot be "F". Allowed: A, B,'],
    ["sort=__proto__", "(sort)", 'cannot be "__proto__". Allowed: newest,'],
    ["interest=-1", "interest", 'cannot be "-1". Allowed: a percentage such as 8 or 12.5.'],
    ["interest=1e3", "interest", 'cannot be "1e3".'],
    ["interest=14.555", "interest", 'cannot be "14.555".'],
    ["interest=99999999999", "interest", "a percentage"],
    ["term=0", "term", "a whole number of days, such as 180"],
    ["closing=soon", "closing", "a whole number of days, such as 7"],
    ["country=Germany", "(country)", 'cannot be "Germany". Allowed: AD, '],
    ["repayment=not_drawn", "(repayment)", "Allowed: current, grace, late,"],
    ["show=everything", "(show)", "Allowed: open, repaying, ended, all."],
    ["show=open,all", "(show)", "takes one word"],
    ["view=grid", "(view)", "Allowed: cards, table."],
    ["cursor=nonsense", "cursor", "is not one of this board. Leave it out for the first page."],
    [`q=${"x".repeat(201)}`, "q", "at most 200 characters"],
    [`sort=most_raised&cursor=${NEWEST}`, "cursor", "is of another order."],
  ])("%s is named, with what is allowed, and the book is shown", (query, named, allowed) => {
    const asked = boardFor(query);
    expect(asked.kind).toBe("refused");
    const notices = blocksOf(pageOf(asked), "raises", "notice");
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatchObject({ tone: "error" });
    expect(notices[0]?.text).toContain(named);
    expect(notices[0]?.text).toContain(allowed);
    const sections = ({ sections: all }: Page) => all.map(({ id }) => id);
    expect(sections(pageOf(asked))).toEqual(sections(pageOf(boardFor(""))));
    expect(pageOf(asked).jsonLd).toEqual([]);
  });

  it("is all named at once", () => {
    const asked = boardFor("status=x&grade=x&sort=x&interest=x&cursor=x");
    const notices = blocksOf(pageOf(asked), "raises", "notice").map(({ text }) => text);
    const names = ["interest", "grade", "status", "sort", "cursor"];
    expect(notices.map((text) => names.find((name) => new RegExp(`\\b${name}\\b`).test(text)))).toEqual(
      names,
    );
  });

  it("is never a failure, whatever is asked, and is said in plain characters", () => {
    const names = fc.constantFrom(...Object.keys(boardParameters()));
    fc.assert(
      fc.property(fc.array(fc.tuple(names, breakingText), { maxLength: 4 }), (pairs) => {
        const asked = boardFor(new URLSearchParams(pairs).toString());
        const notices = blocksOf(pageOf(asked), "raises", "notice");
        expect(asked.kind).toBe(notices.length > 0 ? "refused" : "page");
        for (const { text } of notices) {
          const words = text.replaceAll(/\u2068([^\u2068\u2069]*)\u2069/g, "$1");
          expect(words).toMatch(/^[^\p{Cc}\p{Bidi_C}\u2028\u2029]{1,1400}$/u);
        }
        for (const { form } of blocksOf(pageOf(asked), "raises", "form"))
          for (const { value } of form.fields)
            expect(value).toMatch(/^[^\p{Cc}\p{Bidi_C}\u2028\u2029]{0,200}$/u);
      }),
      { numRuns: 500 },
    );
  });

  it("never counts when it is another's parameter", () => {
    expect(boardFor("utm_source=x&limit=1&asOf=yesterday&closingBefore=x")).toEqual(boardFor(""));
  });
});
