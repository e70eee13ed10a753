import { describe, expect, it } from "vitest";
import { isoTime } from "../../../config/format/time.ts";
import { market as marketOf } from "../../../test/harness/businesses.ts";
import { descriptionOf } from "../../../test/harness/charts.ts";
import { business } from "../../../test/harness/market.ts";
import { DAY, DOLLAR, DRAWN, HEAD, listingRow, NOW } from "../../../test/harness/rows.ts";
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
import type { History } from "../../history/as-of.ts";
import type { FlowRow } from "../../market/flows.ts";
import { dayOf } from "../../market/periods.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Chart, Page, PageResult } from "../page.ts";
import { formatTime } from "../times.ts";
import { textOf } from "../value.ts";
import { statisticsPage } from "./page.ts";

const at = (iso: string) => BigInt(Date.parse(iso)) / 1000n;
const dollars = (amount: number) => `${BigInt(amount) * DOLLAR}`;

/** 80,000 committed and lent in January 2026, 30,000 of it and 1,000 of interest paid in February; now is 1 March. */
async function market(flows: "known" | "unknown" = "known"): Promise<Snapshot> {
  const row = listingRow({
    ...DRAWN,
    onchainId: 1n,
    drawnDownAt: at("2026-01-15"),
    maturityAt: NOW + 300n * DAY,
    drawnAmount: 80_000n * DOLLAR,
    outstandingPrincipal: 50_000n * DOLLAR,
    repaidPrincipal: 30_000n * DOLLAR,
    repaidInterest: 1_000n * DOLLAR,
  });
  const flow = (day: string, measure: FlowRow["measure"], amount: number): FlowRow => ({
    escrowAddress: row.escrowAddress,
    onchainId: 1n,
    day: dayOf(at(day)),
    measure,
    amount: BigInt(amount) * DOLLAR,
  });
  const known = [
    flow("2026-01-10", "committed", 90_000),
    flow("2026-01-12", "withdrawn", 10_000),
    flow("2026-01-15", "outstanding", 80_000),
    flow("2026-02-20", "repaidPrincipal", 30_000),
    flow("2026-02-20", "repaidInterest", 1_000),
    flow("2026-02-20", "outstanding", -30_000),
  ];
  return snapshotOf(tablesOf({ listings: [row], flows: flows === "known" ? known : null }));
}

/** The past of the tests: what it was asked for, and one answer to everything. */
function past(answer: Awaited<ReturnType<History["at"]>> | null = null) {
  const asked: unknown[] = [];
  const history: History = {
    async at(snapshot, moment) {
      asked.push(moment);
      return answer ?? snapshot.market;
    },
  };
  return { asked, history };
}

async function found(query = "", { history } = past(), snapshot?: Snapshot): Promise<PageResult> {
  return statisticsPage(
    { snapshot: snapshot ?? (await market()), query: new URLSearchParams(query) },
    history,
  );
}

const chartRows = (page: Page, id: string) =>
  blocksOf(sectionOf(page, id), "chart").flatMap(({ chart }) => exactRows(chart.table));

describe("the statistics", () => {
  it("have what moved in each month, and what was owed at its end", async () => {
    const page = pageIn(await found());
    checkForm(page);
    const flows = chartRows(page, "flows").map(
      ({ period, committed, withdrawn, lent, repaidPrincipal, repaidInterest }) => [
        ...[period, committed, withdrawn, lent, repaidPrincipal, repaidInterest],
      ],
    );
    expect(flows.slice(-3)).toEqual([
      ["2026-01", dollars(90_000), dollars(10_000), dollars(80_000), "0", "0"],
      ["2026-02", "0", "0", "0", dollars(30_000), dollars(1_000)],
      ["2026-03", "0", "0", "0", "0", "0"],
    ]);
    const owed = chartRows(page, "owed").map(({ outstanding, outstandingLate }) => [
      outstanding,
      outstandingLate,
    ]);
    expect(owed.slice(-3)).toEqual([
      [dollars(80_000), "0"],
      [dollars(50_000), "0"],
      [dollars(50_000), "0"],
    ]);
    for (const id of ["flows", "owed"])
      expect(blocksOf(sectionOf(page, id), "chart")[0]?.chart.svg).not.toBeNull();
  });

  it("follow the loans of a quarter by months, and have them by grade, business and country", async () => {
    const page = pageIn(await found());
    const [cohort] = exactRows(tableIn(sectionOf(page, "vintages")));
    expect(cohort).toMatchObject({
      ...{ cohort: "2026-Q1", loans: "1", lent: dollars(80_000), repaidPrincipal: dollars(30_000) },
      ...{ defaultedBps: "0", realisedReturnBps: null },
    });
    // 30,000 of 80,000 in the month after that of the drawdown.
    expect(chartRows(page, "vintages").map((row) => row["2026-Q1"])).toEqual(["0", "3750"]);
    expect(exactRows(tableIn(sectionOf(page, "by-grade"))).map((row) => row.lent)).toEqual([dollars(80_000)]);
    for (const id of ["largest", "countries"]) {
      const [row] = exactRows(tableIn(sectionOf(page, id)));
      expect(row).toMatchObject({ lent: dollars(80_000), lentShare: "10000", owedShare: "10000" });
    }
    const [business] = tableIn(sectionOf(page, "largest")).rows;
    expect(business?.cells[0]).toMatchObject({
      kind: "link",
      href: expect.stringMatching(/^\/originators\/org_/),
    });
  });

  it("say what they count: commitments before withdrawals and outbid bids, the verification of now, all countries", async () => {
    const page = pageIn(await found());
    const [flows] = blocksOf(sectionOf(page, "flows"), "chart");
    expect(flows?.chart.table.columns.map(({ label }) => label)).toContain(
      "Committed, before withdrawals and outbid bids",
    );
    expect(wordsOf(page)).toContain("Loans of a business that is not verified now are under NR");
    expect(tableIn(sectionOf(page, "countries")).caption).toMatch(/^Where the businesses are registered;/);
    expect(tableIn(sectionOf(page, "largest")).caption).toMatch(/^Businesses by what they borrowed;/);
  });

  it("draw the time to fund of raises that took hours", async () => {
    const closed = NOW - DAY + 10n * 3_600n;
    const quick = { goLiveAt: NOW - DAY, frozenAt: closed, decidedAt: closed, closedAt: closed };
    const raised = { raisedAmount: 80_000n * DOLLAR, firstSubscribedAt: NOW - DAY };
    const row = listingRow({ ...quick, ...raised, onchainId: 1n });
    const page = pageIn(await found("", past(), await snapshotOf(tablesOf({ listings: [row], flows: [] }))));
    const [block] = blocksOf(sectionOf(page, "time-to-fund"), "chart");
    expect(block?.chart.table.rows.at(-2)?.cells.map(textOf)).toEqual(["2026-02", "1", "1", "0.4 days"]);
    expect(block?.chart.svg).not.toBeNull();
  });

  it("name how many of more businesses are shown", async () => {
    const ids = Array.from({ length: 11 }, (_, at) => `org_${at}`);
    const businesses = ids.map((publicId) => business({ publicId, legalName: publicId, addresses: [] }));
    const many = await marketOf(Array(11).fill(DRAWN), businesses, ids);
    const page = pageIn(await found("", past(), many));
    const largest = tableIn(sectionOf(page, "largest"));
    expect(largest.caption).toMatch(/^The 10 that borrowed most: businesses by what they borrowed;/);
    expect(largest.rows).toHaveLength(10);
  });

  it("lead to the same figures for programs, of the same periods and moment", async () => {
    const quarters = hrefsIn(pageIn(await found("by=quarter&asOf=2026-02-25")));
    expect(quarters).toEqual(
      expect.arrayContaining([
        "/v1/stats/series.csv?by=quarter&asOf=2026-02-25",
        "/v1/stats/cohorts?by=year&asOf=2026-02-25",
        "/v1/stats/curves.csv?by=grade&asOf=2026-02-25",
        "/statistics?asOf=2026-02-25",
      ]),
    );
    expect(hrefsIn(pageIn(await found()))).toContain("/v1/stats/series?by=month");
  });

  it("are of a moment of the past when asked, stand still then, and say so", async () => {
    const known = past();
    const page = pageIn(await found("asOf=600", known));
    expect(known.asked).toEqual([{ block: 600n }]);
    expect(page).toMatchObject({ isLive: false, isUnlisted: true });
    const saidOf = (shown: Page) => blocksOf(sectionOf(shown, "view"), "notice").map(({ text }) => text);
    expect(saidOf(page)).toEqual([`As of block ${HEAD.number}, ${formatTime(isoTime(HEAD.timestamp))}.`]);
    // The history knows no block of a time.
    expect(saidOf(pageIn(await found("asOf=2026-02-25")))).toEqual([
      `As of ${formatTime(isoTime(HEAD.timestamp))}.`,
    ]);
    expect(pageIn(await found())).toMatchObject({ isLive: true, isUnlisted: false });
  });

  it("speak of now at the head alone", async () => {
    const said = (page: Page) => [
      blocksOf(sectionOf(page, "view"), "facts")[0]?.facts.find(
        ({ key }) => key === "outstandingInDefaultBps",
      )?.label,
      descriptionOf(blocksOf(sectionOf(page, "owed"), "chart")[0]?.chart as Chart),
    ];
    expect(said(pageIn(await found()))).toEqual([
      "In default now",
      "Principal owed at the end of each month; now 50,000 USD-test, of which 0 USD-test is in default.",
    ]);
    expect(said(pageIn(await found("asOf=600")))).toEqual([
      "In default then",
      "Principal owed at the end of each month; on 1 Mar 2026, 12:00 UTC 50,000 USD-test, of which 0 USD-test was in default.",
    ]);
  });

  it.each([
    ["by=day", "month and quarter"],
    ["asOf=yesterday", "a date such as"],
  ])("refuse %s, and say what is allowed", async (query, allowed) => {
    const page = pageIn(await found(query), "refused");
    expect(blocksOf(sectionOf(page, "problem"), "notice")[0]?.text).toContain(allowed);
  });

  it("refuse a moment outside of the history, and are busy while there is none to be read", async () => {
    const outside = past({ reason: "out_of_range", detail: "The first block is 5." });
    expect(
      blocksOf(sectionOf(pageIn(await found("asOf=1", outside), "refused"), "problem"), "notice"),
    ).toMatchObject([{ text: "The first block is 5." }]);
    const crowded = past({ reason: "too_many_requests", detail: "Too many." });
    expect(await found("asOf=600", crowded)).toEqual({ kind: "busy", detail: "Too many." });
    expect(await found("", past(), await market("unknown"))).toMatchObject({ kind: "busy" });
  });

  it("lead to the open data", async () => {
    const [list] = blocksOf(sectionOf(pageIn(await found()), "open-data"), "links");
    expect(list?.links.map(({ href }) => href)).toEqual(["/data"]);
  });

  it("say of an empty market that nothing was lent", async () => {
    const empty = await snapshotOf(tablesOf({ listings: [], flows: [] }));
    const page = pageIn(await found("", past(), empty));
    checkForm(page);
    expect(tableIn(sectionOf(page, "vintages")).rows).toEqual([]);
    expect(blocksOf(sectionOf(page, "owed"), "chart")[0]?.chart.svg).toBeNull();
    expect(
      (await statisticsPage({ snapshot: null, query: new URLSearchParams() }, past().history)).kind,
    ).toBe("not_indexed_yet");
  });
});
