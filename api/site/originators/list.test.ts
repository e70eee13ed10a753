import { describe, expect, it } from "vitest";
import { market } from "../../../test/harness/businesses.ts";
import { business } from "../../../test/harness/market.ts";
import { DOLLAR, DRAWN, NOW } from "../../../test/harness/rows.ts";
import {
  blocksOf,
  checkForm,
  exactRows,
  hrefsIn,
  pageIn,
  sectionOf,
  tableIn,
  wordsOf,
} from "../../../test/harness/site-pages.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Page } from "../page.ts";
import { PAGES } from "../pages.ts";
import { textOf } from "../value.ts";
import { originatorsPage } from "./list.ts";
import { originatorPage } from "./page.ts";

const asked = (snapshot: Snapshot | null, query = "") => ({ snapshot, query: new URLSearchParams(query) });
const everyState = () => snapshotOf(tablesOf());

describe("the page of all businesses", () => {
  it("has a row for each, with its sums", async () => {
    const page = pageIn(originatorsPage(asked(await everyState())));
    checkForm(page);
    expect(page).toMatchObject({ path: "/originators", title: "Businesses", isLive: true });
    expect(exactRows(tableIn(sectionOf(page, "businesses")))).toEqual([
      {
        legalName: "Northwind Bakery Pte. Ltd.",
        ratingGrade: "B",
        lent: (240_000n * DOLLAR).toString(),
        outstanding: (80_000n * DOLLAR).toString(),
        overdue: (80_000n * DOLLAR).toString(),
        jurisdiction: "SG",
        onTime: "2",
        stages: "1 funded or repaying, 2 repaid, 1 not funded, 1 voided, 1 cancelled",
      },
      {
        legalName: "TidePools",
        ratingGrade: "NR",
        lent: "0",
        outstanding: "0",
        overdue: null,
        jurisdiction: "SG",
        onTime: null,
        stages: "2 open",
      },
    ]);
    const [first, second] = tableIn(sectionOf(page, "businesses")).rows;
    // It owes nothing: "Owed 0" in each such row would only be read.
    expect(second?.cells[3] && textOf(second.cells[3])).toBe("–");
    expect(first?.key).toBe("org_northwind");
    expect(first?.cells[0]).toMatchObject({ kind: "link", href: "/originators/org_northwind" });
    expect(first?.cells[5] && textOf(first.cells[5])).toBe("Singapore");
    expect(hrefsIn(page)).toEqual([
      "/",
      "/originators",
      "/originators?sort=name",
      "/originators?sort=lent",
      "/originators?sort=owed",
      "/knowledge/grades",
      "/v1/originators",
    ]);
  });

  it("was changed last when one of its raises was", async () => {
    const snapshot = await everyState();
    const page = pageIn(originatorsPage(asked(snapshot)));
    const changes = snapshot.market.listings.map((listing) => snapshot.market.changedAt(listing));
    expect(page.updated).toBe(changes.toSorted().at(-1));
  });

  it("says so when there is none, and when nothing is indexed", async () => {
    const page = pageIn(originatorsPage(asked(await market([]))));
    checkForm(page);
    expect(tableIn(sectionOf(page, "businesses")).rows).toEqual([]);
    expect(page.updated).toBe("2026-03-01T12:00:00Z");
    expect(originatorsPage(asked(null))).toEqual({ kind: "not_indexed_yet" });
  });

  it("says what is overdue and how badly", async () => {
    const owes = (days: bigint) => ({
      ...DRAWN,
      outstandingPrincipal: 500n * DOLLAR,
      maturityAt: NOW - days * 86_400n,
    });
    const snapshot = await market([owes(3n), owes(40n), owes(100n), owes(100n)]);
    const [row] = tableIn(sectionOf(pageIn(originatorsPage(asked(snapshot))), "businesses")).rows;
    expect(row?.cells[4]).toEqual({
      kind: "word",
      text: "1,000 in default, 500 late, 500 in grace",
      exact: (2_000n * DOLLAR).toString(),
      tone: "bad",
    });
    const page = pageIn(originatorPage(asked(snapshot), "org_northwind"));
    expect(sectionOf(page, "standing").tone).toBe("bad");
  });

  it("is sorted by grade, name, what was lent or what is owed", async () => {
    const funds = (amount: bigint) => ({ raisedAmount: amount * DOLLAR, subscriberCount: 1 });
    const businesses = [
      business({ publicId: "org_a", legalName: "Émile" }),
      business({ publicId: "org_b", legalName: "Zoë" }),
      business({ publicId: "org_c", legalName: "anna" }),
    ];
    const drawn = (amount: bigint) => ({ ...DRAWN, ...funds(amount), drawnAmount: amount * DOLLAR });
    const owing = { ...drawn(1_000n), outstandingPrincipal: 2n * DOLLAR };
    const snapshot = await market(
      [
        { ...drawn(5_000n), outstandingPrincipal: DOLLAR },
        owing,
        { ...drawn(3_000n), outstandingPrincipal: 0n },
      ],
      businesses,
      ["org_a", "org_b", "org_c"],
    );
    const order = (query: string) =>
      tableIn(sectionOf(pageIn(originatorsPage(asked(snapshot, query))), "businesses")).rows.map(
        ({ key }) => key,
      );
    expect(order("")).toEqual(["org_a", "org_c", "org_b"]);
    expect(order("sort=name")).toEqual(["org_c", "org_a", "org_b"]);
    expect(order("sort=lent")).toEqual(order("sort=grade"));
    expect(order("sort=owed")).toEqual(["org_b", "org_a", "org_c"]);
    const [links] = blocksOf(
      sectionOf(pageIn(originatorsPage(asked(snapshot, "sort=owed"))), "businesses"),
      "links",
    );
    expect(links?.links.flatMap(({ text, isCurrent }) => (isCurrent ? [text] : []))).toEqual(["Most owed"]);
    for (const query of ["sort=newest", "sort=", "sort=__proto__", "sort=name&sort=owed"]) {
      const refused = pageIn(originatorsPage(asked(snapshot, query)), "refused");
      expect(wordsOf(refused)).toMatch(/the orders are grade, name, lent, owed\.|name one\./);
    }
    const described = PAGES.find(({ path }) => path === "/originators")?.query?.sort ?? "";
    expect(described).toBe("Order: `grade` (the default), `name`, `lent` or `owed`.");
  });

  it("has fifty businesses a page, each on one page, in one order", async () => {
    const businesses = Array.from({ length: 101 }, (_, index) => business({ publicId: `org_${index}` }));
    const ids = businesses.map(({ publicId }) => publicId);
    const snapshot = await market(Array(101).fill({}), businesses, ids);
    const pages = ["", "page=2", "page=3"].map((query) => pageIn(originatorsPage(asked(snapshot, query))));
    const shown = pages.map((page) => tableIn(sectionOf(page, "businesses")).rows.map(({ key }) => key));
    expect(shown.map(({ length }) => length)).toEqual([50, 50, 1]);
    expect(shown.flat()).toEqual(snapshot.market.originators.map(({ publicId }) => publicId));
    const onward = (page: Page) =>
      blocksOf(sectionOf(page, "businesses"), "links")
        .filter(({ look }) => look === undefined)
        .flatMap(({ links }) => links.map(({ href }) => href));
    expect(pages.map(onward)).toEqual([
      ["/originators?page=2"],
      ["/originators", "/originators?page=3"],
      ["/originators?page=2"],
    ]);
    expect(onward(pageIn(originatorsPage(asked(snapshot, "sort=name&page=2"))))).toEqual([
      "/originators?sort=name",
      "/originators?sort=name&page=3",
    ]);
    for (const page of pages) checkForm(page);
  });

  it.each(["page=0", "page=2", "page=-1", "page=01", "page=1.5", "page=", "page=abc", "page=1&page=1"])(
    "refuses ?%s and says what is allowed",
    async (query) => {
      const page = pageIn(originatorsPage(asked(await everyState(), query)), "refused");
      checkForm(page);
      const [notice] = page.sections.flatMap((section) => blocksOf(section, "notice"));
      expect(notice?.text).toMatch(/there is only page 1\.|name one\./);
      expect(hrefsIn(page)).toContain("/originators");
    },
  );
});
