import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { business } from "../../test/harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, listingRow, NOW, registryOf } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { gradeReason, ratingSection } from "./grade.ts";

const ON_TIME = { onTime: 4, upTo7: 0, upTo30: 0, upTo90: 0, over90: 0, writtenOff: 0 };

const settled = {
  ...DRAWN,
  drawnAmount: 80_000n * DOLLAR,
  maturityAt: NOW - 60n * DAY,
  terminalKind: "settled",
  terminalAt: NOW - 50n * DAY,
  clearedAt: NOW - 50n * DAY,
  outstandingPrincipal: 0n,
  writtenOffPrincipal: 0n,
  outcome: "repaid",
} as const;

/** The parts of the page at `path`, in Markdown. */
async function partsOf(path: string, rows: Parameters<typeof listingRow>[0][], kybStatus = "approved") {
  const listings = rows.map((row, index) => listingRow({ onchainId: BigInt(index + 1), ...row }));
  const entries = listings.map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}` }));
  const snapshot = await snapshotOf(tablesOf({ listings }), registryOf(entries, [business({ kybStatus })]));
  const { text } = await asking(await appIn({ snapshot }))(`${path}.md`);
  return text.split("\n## ");
}

async function gradePart(...asked: Parameters<typeof partsOf>) {
  return (
    (await partsOf(...asked)).find((part) => /^(The business|Business grade|How the grade)/.test(part)) ?? ""
  );
}

async function standing(...asked: Parameters<typeof partsOf>) {
  return (await partsOf(...asked)).find((part) => part.startsWith("Standing")) ?? "";
}

describe("the grade of a business", () => {
  const failed = { writtenOffPrincipal: 8_000n * DOLLAR, outcome: "defaulted" } as const;
  const records: [string, Parameters<typeof listingRow>[0][], string][] = [
    ["with a good record", [settled, settled], "approved"],
    ["with a failure", [settled, { ...settled, ...failed }], "approved"],
    ["with a short record", [settled], "approved"],
    ["without a verification", [settled, settled], "expired"],
  ];

  it.each(records)("is told in the same words on both pages: %s", async (_, rows, kybStatus) => {
    const lines = async (path: string) => (await gradePart(path, rows, kybStatus)).split("\n").slice(1);
    const [ofBusiness, ofRaise] = [await lines("/originators/org_northwind"), await lines("/listings/lst_1")];
    // Eight figures, each explained. The page of a raise says why in a sentence, and leads here.
    expect(ofBusiness.filter((line) => line.startsWith("- **"))).toHaveLength(8);
    expect(ofBusiness.join()).toMatch(/- \*\*Finished raises\*\*: [12] \(/);
    const reason = /^- \*\*Grade\*\*: .*/m;
    expect(ofRaise.join("\n").match(reason)?.[0]).toBe(
      (await standing("/originators/org_northwind", rows, kybStatus)).match(reason)?.[0],
    );
    expect(ofRaise.join()).toContain("/originators/org_northwind)");
    expect(ofRaise.join()).toContain("[How grades are computed]");
  });

  it("has its reason in a sentence, with the figures that count", () => {
    const rating = { method: "v1", n: 4, volume: `${80_000n * DOLLAR}`, adjustedBps: 300 } as const;
    const reason = (
      lossBps: number,
      lateBps: number,
      cap: "C" | "D" | null = null,
      { hasRemainders = false, ...days }: Partial<typeof ON_TIME> & { hasRemainders?: boolean } = {},
    ) =>
      gradeReason(
        {
          ratingGrade: "C",
          kybStatus: "approved",
          rating: { ...rating, lossBps, lateBps, cap, byDaysLate: { ...ON_TIME, ...days } },
        },
        hasRemainders,
      );
    const late =
      "was in raises that ended, or are still unpaid, more than 30 days late or that needed the reserve.";
    const of = "Of the 80,000 USD-test lent in its finished raises";
    expect(reason(0, 0)).toBe("It repaid all 80,000 USD-test of its finished raises, on time.");
    expect(reason(0, 10)).toBe(`${of}, nothing was lost or is in default, and 0.10% ${late}`);
    expect(reason(10, 0)).toBe(`${of}, 0.10% was lost or is in default, and nothing ${late}`);
    const overlap = "The two shares may overlap.";
    expect(reason(10_000, 10_000)).toBe(
      `${of}, 100.00% was lost or is in default, and 100.00% ${late} ${overlap}`,
    );
    // Rates are rounded down, and up to 30 days late is no lateness of the grade.
    const tiny = "less than 0.01%";
    expect(reason(0, 0, null, { upTo30: 1 })).toBe(
      `${of}, nothing was lost, and no raise ended more than 30 days late.`,
    );
    expect(reason(0, 0, null, { upTo90: 1 })).toBe(
      `${of}, nothing was lost or is in default, and ${tiny} ${late}`,
    );
    expect(reason(0, 0, null, { writtenOff: 1 })).toBe(
      `${of}, ${tiny} was lost or is in default, and ${tiny} ${late} ${overlap}`,
    );
    const hasRemainders = true;
    expect(reason(0, 0, null, { hasRemainders })).toBe(
      "It repaid the 80,000 USD-test of its finished raises on time, but for small remainders, which the grade does not count.",
    );
    expect(reason(0, 0, null, { hasRemainders, upTo30: 1 })).toBe(
      `${of}, only small remainders were lost, and no raise ended more than 30 days late.`,
    );
    expect(reason(0, 10, null, { hasRemainders })).toBe(
      `${of}, ${tiny} was lost or is in default, and 0.10% ${late} ${overlap}`,
    );
    expect(reason(125, 0, "C")).toBe("A raise was settled with a loss in the last 365 days.");
    // A limit that was not reached explains nothing.
    expect(reason(0, 10, "D")).toContain("nothing was lost");
  });

  it("does not speak of all where a raise left a remainder that is too small to count", async () => {
    const onTime = { ...settled, maturityAt: NOW - 50n * DAY };
    // A ten-thousandth of 80,000 is 8.
    const remainder = { ...onTime, writtenOffPrincipal: 7n * DOLLAR };
    const told =
      /^- \*\*Grade\*\*: B \(It repaid the 160,000 USD-test of its finished raises on time, but for/m;
    const card = await gradePart("/listings/lst_1", [onTime, remainder]);
    expect(card).toMatch(told);
    expect(card).toContain("- **Ended with a loss**: 1");
    expect(await standing("/originators/org_northwind", [onTime, remainder])).toMatch(told);
    const parts = await partsOf("/originators/org_northwind", [onTime, remainder]);
    expect(parts.join()).not.toContain("repaid all");
    expect(parts.join()).toContain("Lost less than 0.01%");
    expect(await standing("/originators/org_northwind", [onTime, onTime])).toContain("It repaid all 160,000");
  });

  it("does not speak of all while such a remainder is owed, and the track record has it", async () => {
    const onTime = { ...settled, maturityAt: NOW - 50n * DAY };
    const cleared = { ...DRAWN, maturityAt: NOW - 91n * DAY, clearedAt: NOW - 95n * DAY };
    const owed = { ...cleared, outstandingPrincipal: 7n * DOLLAR, repaidPrincipal: 79_993n * DOLLAR };
    const parts = await partsOf("/originators/org_northwind", [onTime, owed]);
    const page = parts.join();
    expect(page).toContain(
      "It repaid the 160,000 USD-test of its finished raises on time, but for small remainders",
    );
    expect(page).not.toContain("repaid all");
    expect(page).toContain("In default · 91 days overdue");
    expect(parts.find((part) => part.startsWith("Track record"))).toContain("| Repaid on time, but for 7 |");
    const early = { ...owed, maturityAt: NOW + 5n * DAY };
    expect((await partsOf("/originators/org_northwind", [onTime, early])).join()).not.toContain("repaid all");
  });

  it("takes no raise that was settled without a drawdown for one that left a remainder", async () => {
    const onTime = { ...settled, maturityAt: NOW - 50n * DAY };
    const undrawn = { drawnAmount: null, drawnDownAt: null, maturityAt: null, clearedAt: null };
    const never = { ...onTime, ...undrawn, writtenOffPrincipal: 7n * DOLLAR };
    expect(await standing("/originators/org_northwind", [onTime, onTime, never])).toContain(
      "It repaid all 160,000",
    );
  });

  it("has other words for each kind of record", async () => {
    const parts = await Promise.all(
      records.map(([, rows, kybStatus]) => standing("/originators/org_northwind", rows, kybStatus)),
    );
    expect(parts[0]).toContain(
      "- **Grade**: B (Of the 160,000 USD-test lent in its finished raises, nothing was lost, and no raise ended more than 30 days late.)",
    );
    expect(parts[1]).toContain("settled with a loss in the last 365 days");
    expect(parts[2]).toContain("too short a record");
    expect(parts[3]).toContain("only while its verification is approved");
  });

  it("says of each limit what failed", async () => {
    const overdue = (days: bigint) => ({
      ...DRAWN,
      drawnAmount: 80_000n * DOLLAR,
      outstandingPrincipal: 80_000n * DOLLAR,
      maturityAt: NOW - days * DAY,
    });
    const notes: [string, Parameters<typeof listingRow>[0]][] = [
      ["C (A raise was settled with a loss in the last 365 days.)", { ...settled, ...failed }],
      ["D (A raise is more than 30 days overdue.)", overdue(31n)],
      ["E (A raise is more than 90 days overdue.)", overdue(91n)],
    ];
    for (const [note, row] of notes) {
      const part = await gradePart("/originators/org_northwind", [settled, settled, row]);
      expect(part).toContain(`- **Best possible grade**: ${note}`);
    }
  });

  it("says how late the raises were repaid, kind by kind", async () => {
    const late = { ...settled, maturityAt: NOW - 58n * DAY };
    const part = await gradePart("/originators/org_northwind", [settled, late, { ...late, ...failed }]);
    // Eight days late twice, one of them with a loss; the first ten.
    expect(part).toContain("- **Days late**: 2 up to 30 days late, 1 with a loss (");
    expect(await gradePart("/originators/org_northwind", [{}])).toContain(
      "- **Days late**: no raise was due yet (",
    );
  });

  it("has every figure of the rating", () => {
    const rating = {
      method: "v1",
      n: 3,
      volume: "1",
      lossBps: 2,
      lateBps: 4,
      adjustedBps: 5,
      cap: "C",
      byDaysLate: ON_TIME,
    } as const;
    const { blocks } = ratingSection({ ratingGrade: "C", kybStatus: "approved", rating }, false);
    const keys = blocks.flatMap((block) => (block.kind === "facts" ? block.facts.map(({ key }) => key) : []));
    expect(keys.toSorted()).toEqual(
      Object.keys(rating)
        .map((key) => `rating.${key}`)
        .toSorted(),
    );
  });
});
