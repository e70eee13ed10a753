import { describe, expect, it } from "vitest";
import { appIn } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
import { market } from "../../../test/harness/businesses.ts";
import { business } from "../../../test/harness/market.ts";
import { DAY, DOLLAR, DRAWN, NOW } from "../../../test/harness/rows.ts";
import {
  blocksOf,
  checkForm,
  pageIn,
  sectionOf,
  tableIn,
  wordsOf,
} from "../../../test/harness/site-pages.ts";
import { SITE } from "../../../test/harness/snapshot.ts";
import type { Page } from "../page.ts";
import { textOf } from "../value.ts";
import { comparePage } from "./compare.ts";
import { watchedPage } from "./watched.ts";

const late = {
  ...DRAWN,
  drawnAmount: 80_000n * DOLLAR,
  outstandingPrincipal: 20_000n * DOLLAR,
  repaidPrincipal: 60_000n * DOLLAR,
  maturityAt: NOW - 40n * DAY,
  reserveBalance: 4_000n * DOLLAR,
};

/** Five raises; the third is of a business that is not verified. */
const snapshot = await market(
  [{}, late, {}, { terminalKind: "cancelled", terminalAt: NOW }, {}],
  [
    business(),
    business({ publicId: "org_new", legalName: "New Ltd", kybStatus: "in_review", addresses: [] }),
  ],
  ["org_northwind", "org_northwind", "org_new", "org_northwind", "org_northwind"],
);
const asked = (query: string) => ({ snapshot, query: new URLSearchParams(query) });
const compared = (query: string) => pageIn(comparePage(asked(query)));
const watched = (query: string) => pageIn(watchedPage(asked(query), SITE.publicUrl));
const refused = (query: string) => pageIn(comparePage(asked(query)), "refused");

/** A line of the comparison: what is said of each raise. */
function lineOf(page: Page, section: string, key: string): string[] {
  const row = tableIn(sectionOf(page, section)).rows.find((one) => one.key === `${section}-${key}`);
  return (row?.cells ?? []).map(textOf);
}
const columnsOf = (page: Page) => tableIn(sectionOf(page, "terms")).columns.map(({ label }) => label);
const noticesOf = ({ sections }: Page) =>
  sections.flatMap((one) => blocksOf(one, "notice")).map(({ text }) => text);

describe("the page that compares raises", () => {
  it("puts them side by side, in the order of the address", () => {
    const page = compared("ids=lst_2,lst_1,lst_3");
    checkForm(page);
    expect(page).toMatchObject({ path: "/compare", isUnlisted: true, isLive: true });
    expect(columnsOf(page)).toEqual(["Raise", "RB00002", "RB00001", "RB00003"]);
    expect(lineOf(page, "terms", "title")).toEqual(["Title", "Raise 2", "Raise 1", "Raise 3"]);
    expect(lineOf(page, "terms", "couponRateBps")).toEqual(["Interest a year", "14.50%", "14.50%", "14.50%"]);
    expect(lineOf(page, "terms", "warnings").at(-1)).toContain("Business not verified");
    expect(lineOf(page, "standing", "status")).toEqual(["State", "Late · 40 days overdue", "Open", "Open"]);
    expect(lineOf(page, "standing", "share")).toEqual(["Done", "75% repaid", "0% funded", "0% funded"]);
    expect(lineOf(page, "risk", "originatorGrade").slice(1)).toEqual(["NR", "NR", "NR"]);
    // 60,000 of 80,000 is repaid, and 4,000 is in reserve.
    expect(lineOf(page, "risk", "cover")).toEqual([
      "If nothing more is repaid",
      "80.00% in all, with the reserve",
      "The reserve pays back 0.00% as posted so far, 5.00% once it is complete",
      "The reserve pays back 0.00% as posted so far, 5.00% once it is complete",
    ]);
    expect(lineOf(page, "business", "overdue").slice(1)).toEqual(["20,000 late", "20,000 late", "–"]);
  });

  it("has shares of a percent, and a day of opening for a raise whose terms name none", async () => {
    const terms = { insuranceBps: 50, goLiveAt: 0n, createdAt: NOW - 5n * DAY };
    const query = new URLSearchParams("ids=lst_1");
    const page = pageIn(comparePage({ snapshot: await market([terms]), query }));
    expect(lineOf(page, "risk", "insuranceBps")).toEqual(["Reserve required, of the target", "0.50%"]);
    expect(lineOf(page, "standing", "openedAt")[1]).toMatch(/^24 Feb 2026/);
    expect(lineOf(page, "business", "lent")[0]).toBe("Lent in all");
  });

  it("takes reference numbers, boxes of a form, and a name twice", () => {
    expect(columnsOf(compared("ids=rb00001&ids=lst_3&ids=RB00001,%20lst_3,"))).toEqual([
      "Raise",
      "RB00001",
      "RB00003",
    ]);
  });

  it("leaves out lines that say nothing of any of them", () => {
    expect(lineOf(compared("ids=lst_1"), "terms", "warnings")).toEqual([]);
    expect(lineOf(compared("ids=lst_1"), "standing", "maturityAt")).toEqual([]);
  });

  it("has no cover where nothing can be lost any more", () => {
    expect(lineOf(compared("ids=lst_4,lst_1"), "risk", "cover").slice(1)).toEqual([
      "–",
      "The reserve pays back 0.00% as posted so far, 5.00% once it is complete",
    ]);
    expect(lineOf(compared("ids=lst_4"), "risk", "cover")).toEqual([]);
  });

  it("has one cover where the whole reserve is posted, or none is required", async () => {
    const posted = { insuranceBps: 3_000, reserveBalance: 30_000n * DOLLAR };
    const query = new URLSearchParams("ids=lst_1,lst_2");
    const page = pageIn(comparePage({ snapshot: await market([posted, { insuranceBps: 0 }]), query }));
    expect(lineOf(page, "risk", "cover").slice(1)).toEqual([
      "The reserve pays back 30.00%",
      "The reserve pays back 0.00%",
    ]);
  });

  it("has the way to each comparison without one of them", () => {
    const chips = blocksOf(sectionOf(compared("ids=lst_1,lst_2,lst_3"), "chosen"), "links")[0]?.links;
    expect(chips?.map(({ text, href }) => [text, href])).toEqual([
      ["Remove RB00001", "/compare?ids=lst_2,lst_3"],
      ["Remove RB00002", "/compare?ids=lst_1,lst_3"],
      ["Remove RB00003", "/compare?ids=lst_1,lst_2"],
    ]);
  });

  it("says how to choose when none is chosen", () => {
    for (const query of ["", "ids=", "ids=,%20,", "id=lst_1"]) {
      const page = compared(query);
      checkForm(page);
      expect(wordsOf(page)).toContain("No raise is chosen.");
      expect(page.sections).toHaveLength(1);
      expect(page.isLive).toBe(false);
    }
  });

  it("refuses a raise that is not there, and shows the others", () => {
    const page = refused("ids=lst_1,lst_none,%3Cscript%3E");
    checkForm(page);
    expect(noticesOf(page)).toEqual(['There is no raise "lst_none", "<script>".']);
    expect(columnsOf(page)).toEqual(["Raise", "RB00001"]);
  });

  it("refuses more than four, and shows the first", () => {
    const page = refused("ids=lst_1,lst_2,lst_3,lst_4,lst_5");
    expect(noticesOf(page)).toEqual([
      "You chose 5 raises. At most 4 can be compared; the first 4 are shown.",
    ]);
    expect(columnsOf(page)).toHaveLength(5);
  });

  it("costs little for an address of any length", () => {
    const page = refused(`ids=${"x,".repeat(50_000)}${Array.from({ length: 5_000 }, (_, at) => `n${at}`)}`);
    expect(noticesOf(page).join("").length).toBeLessThan(20_000);
  });
});

describe("the page of the watch list", () => {
  it("has each raise with what can change, and a link to the list", () => {
    const page = watched("ids=lst_2,RB00004,lst_1");
    checkForm(page);
    expect(page).toMatchObject({ path: "/watched", isUnlisted: true, isLive: true });
    const { rows, isOfRaises } = tableIn(sectionOf(page, "watched"));
    expect(isOfRaises).toBe(true);
    expect(rows.map(({ key, cells }) => [key, ...cells.slice(1).map(textOf)])).toEqual([
      [
        "lst_2",
        "Late · 40 days overdue",
        "60,000 of 80,000 principal repaid",
        "NR",
        "14.50%",
        "Was due 20 Jan 2026",
      ],
      ["lst_4", "Cancelled", "0 of 100,000 committed", "NR", "14.50%", "Ended 1 Mar 2026"],
      ["lst_1", "Open", "0 of 100,000 committed", "NR", "14.50%", "Closes 11 Mar 2026"],
    ]);
    const [kept] = blocksOf(sectionOf(page, "keep"), "snippet");
    expect(kept?.snippet.text).toBe("https://raises.example/watched?ids=lst_2,lst_4,lst_1");
  });

  it("does not say that a loan is due that is paid off", async () => {
    const paid = {
      ...late,
      outstandingPrincipal: 0n,
      repaidPrincipal: 80_000n * DOLLAR,
      repaidInterest: 80_000n * DOLLAR,
      maturityAt: NOW + DAY,
    };
    const owing = { ...paid, repaidInterest: 0n };
    const query = new URLSearchParams("ids=lst_1,lst_2");
    const page = pageIn(watchedPage({ snapshot: await market([paid, owing]), query }, SITE.publicUrl));
    const { rows } = tableIn(sectionOf(page, "watched"));
    const figures = ["80,000 of 80,000 principal repaid", "B", "14.50%"];
    expect(rows.map(({ cells }) => cells.slice(1).map(textOf))).toEqual([
      ["Paid off", ...figures, "Was due 2 Mar 2026"],
      ["Principal repaid", ...figures, "Due 2 Mar 2026"],
    ]);
  });

  it("keeps the rest of a list when a raise of it is withdrawn", () => {
    const page = watched("ids=lst_1,lst_gone");
    expect(noticesOf(page)).toEqual(['There is no raise "lst_gone". It may have been withdrawn.']);
    expect(tableIn(sectionOf(page, "watched")).rows).toHaveLength(1);
  });

  it("says how to begin when it is empty", () => {
    const page = watched("");
    checkForm(page);
    expect(tableIn(sectionOf(page, "watched")).empty).toContain("Press the star");
    expect(page.sections.map(({ id }) => id)).toEqual(["watched", "about-the-list"]);
  });

  it("shows the first fifty of more", async () => {
    const many = await market(Array(51).fill({}));
    const query = new URLSearchParams({ ids: many.market.listings.map(({ publicId }) => publicId).join() });
    const page = pageIn(watchedPage({ snapshot: many, query }, SITE.publicUrl));
    expect(noticesOf(page)[0]).toContain("At most 50 can be watched; the first 50 are shown.");
    expect(tableIn(sectionOf(page, "watched")).rows).toHaveLength(50);
  });
});

it("has nothing to show before the first block", () => {
  const nothing = { snapshot: null, query: new URLSearchParams("ids=lst_1") };
  expect(comparePage(nothing)).toEqual({ kind: "not_indexed_yet" });
  expect(watchedPage(nothing, SITE.publicUrl)).toEqual({ kind: "not_indexed_yet" });
});

describe("over HTTP", async () => {
  const ask = asking(await appIn({ snapshot }));
  const statusOf = async (path: string) => (await ask(path, { headers: { Accept: "text/html" } })).status;

  it("both pages have their statuses, and are no pages for search engines", async () => {
    expect(await statusOf("/compare?ids=lst_1&ids=lst_2")).toBe(200);
    expect(await statusOf("/compare")).toBe(200);
    expect(await statusOf("/compare?ids=lst_none")).toBe(400);
    expect(await statusOf("/watched?ids=lst_1,lst_none")).toBe(200);
    for (const path of ["/compare?ids=lst_1", "/watched?ids=lst_1"]) {
      const { text } = await ask(path, { headers: { Accept: "text/html" } });
      expect(text).toContain('<meta name="robots" content="noindex"');
    }
    const { text: sitemap } = await ask("/sitemap.txt");
    expect(sitemap).not.toMatch(/compare|watched/);
  });

  it("say the same in Markdown", async () => {
    const { text } = await ask("/compare.md?ids=lst_2,lst_1");
    expect(text).toContain("| Raise | RB00002 | RB00001 |");
    expect(text).toContain("| Reserve held | 4,000 | 0 |");
    expect((await ask("/watched.md?ids=lst_1")).text).toContain("https://raises.example/watched?ids=lst_1");
  });

  it("the board has a box and a star for each raise, which are no part of its Markdown", async () => {
    for (const view of ["/?show=all", "/?show=all&view=table"]) {
      const { text } = await ask(view, { headers: { Accept: "text/html" } });
      for (const { publicId } of snapshot.market.listings) {
        expect(text).toContain(`<input type="checkbox" name="ids" value="${publicId}" form="compareForm"`);
        expect(text).toContain(`data-watch="${publicId}"`);
      }
      expect(text.match(/<form id="compareForm"/g)).toHaveLength(1);
    }
    expect((await ask("/index.md?show=all")).text).not.toContain("Compare");
  });
});
