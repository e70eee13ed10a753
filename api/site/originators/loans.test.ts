import { describe, expect, it, vi } from "vitest";
import { imageOf } from "../../../config/format/image.ts";
import type { RepaymentRow } from "../../../src/fold/state.ts";
import { png } from "../../../test/harness/images.ts";
import { business } from "../../../test/harness/market.ts";
import {
  DAY,
  DOLLAR,
  DRAWN,
  entryDraft,
  listingRow,
  NOW,
  registryOf,
  repaymentRow,
} from "../../../test/harness/rows.ts";
import {
  blocksOf,
  checkForm,
  exactRows,
  factIn,
  pageIn,
  sectionOf,
  wordsOf,
} from "../../../test/harness/site-pages.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { textOf } from "../value.ts";
import { aboutSection } from "./about.ts";
import { originatorPage } from "./page.ts";

/** 1,000 dollars for 100 days, drawn so many days ago. */
const drawn = (daysAgo: bigint) => ({
  ...DRAWN,
  raisedAmount: 1_000n * DOLLAR,
  drawnAmount: 1_000n * DOLLAR,
  drawnDownAt: NOW - daysAgo * DAY,
  maturityAt: NOW - daysAgo * DAY + 100n * DAY,
  outstandingPrincipal: 1_000n * DOLLAR,
});

/** The same, settled so many days ago with so much of it lost. */
const settled = (daysAgo: bigint, endedAgo: bigint, lost = 0n) => ({
  ...drawn(daysAgo),
  outstandingPrincipal: lost * DOLLAR,
  terminalKind: "settled" as const,
  terminalAt: NOW - endedAgo * DAY,
  clearedAt: lost === 0n ? NOW - endedAgo * DAY : null,
  outcome: lost === 0n ? ("repaid" as const) : ("defaulted" as const),
  writtenOffPrincipal: lost * DOLLAR,
});

/** The payment of a raise, in dollars, so many days ago. */
const paid = (onchainId: bigint, endedAgo: bigint, interest: bigint, owed = 0n) =>
  repaymentRow({
    onchainId,
    blockTime: NOW - endedAgo * DAY,
    principal: (1_000n - owed) * DOLLAR,
    interest: interest * DOLLAR,
    outstandingPrincipal: owed * DOLLAR,
  });

async function pageOf(
  rows: Parameters<typeof listingRow>[0][],
  repayments: readonly RepaymentRow[] = [],
  changes: Parameters<typeof business>[0] = {},
) {
  const listings = rows.map((row, index) => listingRow({ onchainId: BigInt(index + 1), ...row }));
  const entries = listings.map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}` }));
  const registry = registryOf(entries, [business(changes)]);
  const snapshot = await snapshotOf(tablesOf({ listings, repayments }), registry);
  const page = pageIn(originatorPage({ snapshot, query: new URLSearchParams() }, "org_northwind"));
  checkForm(page);
  return page;
}

type Page = Awaited<ReturnType<typeof pageOf>>;

function chartOf(page: Page, id: string) {
  const [block] = blocksOf(sectionOf(page, id), "chart");
  if (block === undefined) throw new Error(`${id} has no chart`);
  return block.chart;
}

const ids = ({ sections }: Page) => sections.map(({ id }) => id);

describe("the track record of a business", () => {
  it("has each loan with its course in words, the latest drawdown first", async () => {
    const page = await pageOf(
      [
        settled(900n, 800n),
        settled(700n, 590n),
        settled(500n, 390n, 300n),
        { ...settled(400n, 300n), reserveApplied: 100n * DOLLAR },
        drawn(102n),
        drawn(140n),
        drawn(50n),
        {},
      ],
      [paid(1n, 800n, 40n), paid(2n, 590n, 40n), paid(3n, 390n, 10n, 300n), paid(4n, 300n, 40n)],
    );
    const { table } = chartOf(page, "record");
    const shown = table.rows.map(({ key, cells }) => [
      key,
      cells[5] && textOf(cells[5]),
      cells[6] && textOf(cells[6]),
    ]);
    expect(shown).toEqual([
      ["lst_7", "Due 20 Apr 2026", "–"],
      ["lst_5", "In grace, 2 days overdue", "–"],
      ["lst_6", "Late, 40 days overdue", "–"],
      ["lst_4", "Repaid with the reserve", "15.39%"],
      // 0.71 ^ (365 / 110) = 0.320958.
      ["lst_3", "Lost 30.00%", "-67.90%"],
      // 1.04 ^ (365 / 110) = 1.138989.
      ["lst_2", "Repaid, 10 days late", "13.90%"],
      // 1.04 ^ (365 / 100) = 1.153909.
      ["lst_1", "Repaid on time", "15.39%"],
    ]);
    // 2,080 / x ^ 100 + 1,750 / x ^ 110 is 4,000 at x ^ 365 = 0.859346.
    expect(wordsOf(page)).toContain(
      "On its 4 loans that have ended, backers lost 14.07% a year on the money while it was lent, after losses. 3 loans are still owed: 1 on time, 1 in grace, 1 late.",
    );
    expect(textOf(factIn(page, "realisedBps").value)).toBe("-14.07%");
    expect(exactRows(table)[6]).toMatchObject({
      endedAt: new Date(Number(NOW - 800n * DAY) * 1000).toISOString().replace(".000", ""),
      course: "repaid",
    });
  });

  it("leads the page, after what the business says of itself", async () => {
    const about = { description: "We bake.\nBread.", website: "https://northwind.example/bread" };
    const page = await pageOf([settled(900n, 800n), settled(700n, 600n), {}], [], about);
    expect(ids(page).slice(0, 5)).toEqual(["standing", "about", "record", "grades", "raises"]);
    const website = factIn(page, "website").value;
    expect(website).toEqual({
      kind: "link",
      text: "northwind.example",
      href: about.website,
      isForeign: true,
    });
    expect(sectionOf(page, "about").title).toBe("In the business's own words");
    expect(blocksOf(sectionOf(page, "about"), "quote")).toEqual([{ kind: "quote", text: about.description }]);
  });

  it("is left out before the first drawdown, and so are grades", async () => {
    expect(ids(await pageOf([{}]))).toEqual(["standing", "raises", "verified", "grade", "elsewhere"]);
    expect(ids(await pageOf([drawn(50n)]))).not.toContain("grades");
    expect(wordsOf(await pageOf([drawn(50n)]))).toContain(
      "No loan has ended yet. 1 loan is still owed, on time.",
    );
    expect(factIn(await pageOf([drawn(50n)]), "realisedBps")).toMatchObject({
      value: { kind: "none" },
      note: "No loan has ended yet",
    });
  });

  it("tells a loan that ended within a day of its due date from one on time", async () => {
    const hoursLate = { ...settled(700n, 600n), terminalAt: NOW - 600n * DAY + 3_600n };
    const page = await pageOf([{ ...hoursLate, clearedAt: hoursLate.terminalAt }], [paid(1n, 599n, 40n)]);
    const [row] = chartOf(page, "record").table.rows;
    expect(row?.cells[5] && textOf(row.cells[5])).toBe("Repaid, less than a day late");
  });

  it("has the interest that is still owed of a loan whose principal is repaid", async () => {
    const principal = {
      ...{ ...drawn(120n), minRaise: 0n },
      ...{ outstandingPrincipal: 0n, repaidPrincipal: 1_000n * DOLLAR },
    };
    // 1,000 × 0.145 × 180 / 365 = 71.50….
    const rows = [0n, 72n].map((interest) => ({
      ...principal,
      clearedAt: NOW - 30n * DAY,
      repaidInterest: interest * DOLLAR,
    }));
    const page = await pageOf(rows, [paid(1n, 30n, 0n), paid(2n, 30n, 72n)]);
    const shown = chartOf(page, "record").table.rows.map(({ cells }) => cells[5] && textOf(cells[5]));
    expect(shown.sort()).toEqual(["Repaid on time", "Repaid on time, but for interest"]);
  });

  it("says of loans that ended on their first day that they were too short for a rate", async () => {
    const page = await pageOf([settled(700n, 700n)], [paid(1n, 700n, 0n)]);
    expect(wordsOf(page)).toContain("Its one loan that has ended was too short for a yearly rate.");
    expect(factIn(page, "realisedBps").note).toBe(
      "The loans that have ended were too short for a yearly rate",
    );
  });

  it("has the last thirty loans", async () => {
    const page = await pageOf(Array.from({ length: 31 }, (_, index) => drawn(BigInt(index + 1))));
    const { table } = chartOf(page, "record");
    expect(table.caption).toContain("The last 30 of 31 loans");
    expect(table.rows).toHaveLength(30);
    expect(table.rows[0]?.key).toBe("lst_1");
  });
});

it("names what the registry has of the business, with the logo in a place of its size", async () => {
  const image = imageOf(png(300, 100), { kinds: ["png"], mostBytes: 1_000 });
  const { market, registry } = await snapshotOf(
    tablesOf({ listings: [listingRow()] }),
    registryOf([entryDraft()], [business({ logo: "logo.png", description: "\u202E \n" })]),
  );
  const [originator] = market.originators;
  if (originator === undefined) throw new Error("the business is visible");
  const images = new Map([["logo.png", image]]);
  expect(aboutSection(originator, { registry: { ...registry, images } })?.blocks).toEqual([
    {
      kind: "picture",
      picture: {
        src: `/covers/${image.hash}.png`,
        alt: "Logo of Northwind Bakery Pte. Ltd.",
        height: 56,
        width: 168,
      },
    },
  ]);
  // A text of nothing but control characters, and a picture that cannot be used.
  expect(aboutSection(originator, { registry })).toBeNull();
});

describe("the grades of a business over time", () => {
  it("are told with what happened and why, the last change first", async () => {
    const page = await pageOf([settled(900n, 800n), settled(700n, 600n), drawn(200n)]);
    const { table, isTableOpen } = chartOf(page, "grades");
    expect(isTableOpen).toBe(true);
    expect(table.rows.map(({ cells }) => cells.map(textOf))).toEqual([
      ["19 Feb 2026", "E", "More than 90 days overdue: “Raise 3”."],
      ["21 Dec 2025", "D", "More than 30 days overdue: “Raise 3”."],
      ["9 Jul 2024", "B", "Repaid: “Raise 2”. It repaid all 2,000 USD-test of its finished raises, on time."],
      [
        "13 Sep 2023",
        "NR",
        "Drawn: “Raise 1”. Not rated: fewer than 2 raises of at least 1,000 USD-test are finished, which is too short a record for a grade.",
      ],
    ]);
    expect(wordsOf(page)).toContain("as if the business had been verified all the time");
  });
});

it("takes each raise in full once for the page: thousands in the archive are opened one by one", async () => {
  const snapshot = await snapshotOf(tablesOf());
  const listings = snapshot.market.originatorByPublicId.get("org_northwind")?.listings;
  if (listings === undefined) throw new Error("the business is visible");
  const reads = (["all", "where", Symbol.iterator] as const).map((name) => vi.spyOn(listings, name));
  pageIn(originatorPage({ snapshot, query: new URLSearchParams() }, "org_northwind"));
  expect(reads.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1);
});
