import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryMarket } from "../../../test/harness/arbitrary-market.ts";
import { market, marketOfTheRegistry } from "../../../test/harness/businesses.ts";
import { business } from "../../../test/harness/market.ts";
import { DOLLAR, DRAWN, entryDraft, listingRow, NOW, registryOf } from "../../../test/harness/rows.ts";
import {
  blocksOf,
  checkForm,
  exactFacts,
  exactRows,
  factIn,
  hrefsIn,
  pageIn,
  sectionOf,
  tableIn,
  wordsOf,
} from "../../../test/harness/site-pages.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import type { Originator } from "../../market/originator.ts";
import type { Listing } from "../../market/schema.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { KYB_STATUSES } from "../../registry/schema.ts";
import type { Page } from "../page.ts";
import { textOf } from "../value.ts";
import { originatorsPage } from "./list.ts";
import { originatorPage } from "./page.ts";

const asked = (snapshot: Snapshot | null, query = "") => ({ snapshot, query: new URLSearchParams(query) });
const everyState = () => snapshotOf(tablesOf());
const northwind = (snapshot: Snapshot, query = "") =>
  pageIn(originatorPage(asked(snapshot, query), "org_northwind"));

/** The fields of the answer, by the keys that facts have. */
function fieldsOf({
  listings: _,
  rating: { byDaysLate: __, ...rating },
  ...fields
}: Originator): Record<string, string | null> {
  // Days late are a sentence (`grade.test.ts`).
  const ofRating = Object.entries(rating).map(([key, field]) => [
    `rating.${key}`,
    field === null ? null : `${field}`,
  ]);
  return { ...fields, ...Object.fromEntries(ofRating) };
}

/** The rules for the page of every business of every market. */
function checkBusiness(page: Page, originator: Originator): void {
  checkForm(page);
  expect(exactFacts(page)).toMatchObject(fieldsOf(originator));
  type Amount = "drawnAmount" | "raisedAmount" | "repaidAmount" | "outstandingPrincipal" | "writtenOffAmount";
  const sum = (field: Amount, all: readonly Listing[] = originator.listings.all()) =>
    all.reduce((total, one) => total + BigInt(one[field]), 0n).toString();
  expect(exactFacts(page)).toMatchObject({
    lent: sum("drawnAmount"),
    raised: sum("raisedAmount"),
    repaid: sum("repaidAmount"),
    outstanding: sum("outstandingPrincipal"),
    writtenOff: sum("writtenOffAmount"),
  });
  for (const state of ["current", "grace", "late", "default"]) {
    // The page leaves out a state in which nothing is owed.
    const owed = sum(
      "outstandingPrincipal",
      originator.listings.filter(({ repayment }) => repayment === state),
    );
    expect(exactFacts(page)[`owed.${state}`]).toBe(owed === "0" ? undefined : owed);
  }
  const raises = tableIn(sectionOf(page, "raises"));
  const listings = new Map(originator.listings.map((listing) => [listing.publicId, listing]));
  expect(raises.rows.map(({ key }) => key).toSorted()).toEqual([...listings.keys()].toSorted());
  for (const [at, row] of exactRows(raises).entries()) {
    const { title: _, ...figures } = row;
    const listing = listings.get(raises.rows[at]?.key ?? "");
    expect(figures).toEqual(
      Object.fromEntries(
        Object.keys(figures).map((key) => {
          const field = listing?.[key as keyof typeof listing];
          return [key, field === null ? null : String(field)];
        }),
      ),
    );
  }
  const differing = originator.listings.filter(
    (one) =>
      (one.originatorOnChain && !one.originatorVerified) || (one.metadataOnChain && !one.metadataVerified),
  );
  const verified = blocksOf(sectionOf(page, "verified"), "table");
  expect(verified.flatMap(({ table }) => exactRows(table).map(({ title: _, ...row }) => row))).toEqual(
    differing.map((one) => ({
      originatorVerified: String(one.originatorVerified),
      metadataVerified: String(one.metadataVerified),
    })),
  );
}

describe("the page of a business", () => {
  it("has every field of it, in every grade and state", async () => {
    const snapshot = await everyState();
    for (const originator of snapshot.market.originators) {
      const page = pageIn(originatorPage(asked(snapshot), originator.publicId));
      checkBusiness(page, originator);
      expect(page).toMatchObject({
        path: `/originators/${originator.publicId}`,
        title: originator.legalName,
        isLive: true,
      });
      // The standing comes first but for warnings, and beside the title.
      const [first] = page.sections.filter(({ id }) => id !== "warnings");
      expect(first).toMatchObject({ id: "standing", isBeside: true });
      expect(textOf(factIn(page, "kybStatus").value)).toBe(
        originator.kybStatus === "approved" ? "Approved" : "In review",
      );
      expect(hrefsIn(page)).toEqual(
        expect.arrayContaining([
          "/",
          "/originators",
          "/knowledge/grades",
          `/v1/originators/${originator.publicId}`,
          `/v1/listings?originator=${originator.publicId}`,
        ]),
      );
    }
  });

  it("says in words why there is no grade, and which figures are missing for it", async () => {
    const short = await market([{}]);
    const unverified = await market([{}], [business({ kybStatus: "expired" })]);
    const shortPage = northwind(short);
    const unverifiedPage = northwind(unverified);
    const reason = (page: Page) => factIn(page, "ratingGrade").note;
    expect(reason(shortPage)).toContain("too short a record");
    expect(reason(unverifiedPage)).toContain("only while its verification is approved");
    for (const key of ["rating.lossBps", "rating.lateBps", "rating.adjustedBps", "rating.cap"]) {
      expect(factIn(shortPage, key).note).toMatch(/^None: /);
    }
  });

  it("says which grade a failure leaves", async () => {
    const late = { ...DRAWN, drawnAmount: 80_000n * DOLLAR, maturityAt: NOW - 100n * 86_400n };
    const snapshot = await market([late, late]);
    const page = northwind(snapshot);
    expect(factIn(page, "rating.cap")).toMatchObject({
      value: { kind: "grade", grade: "E" },
      note: "A raise is more than 90 days overdue.",
    });
    expect(factIn(page, "ratingGrade")).toMatchObject({
      value: { kind: "grade", grade: "E" },
      note: "A raise is more than 90 days overdue.",
    });
  });

  it("keeps apart what was lost and what was late", async () => {
    const drawn = { ...DRAWN, drawnAmount: 80_000n * DOLLAR, maturityAt: NOW - 60n * 86_400n };
    const settled = {
      ...drawn,
      terminalKind: "settled",
      terminalAt: NOW - 10n * 86_400n,
      outcome: "defaulted",
    } as const;
    const snapshot = await market([
      { ...settled, outstandingPrincipal: 0n, writtenOffPrincipal: 8_000n * DOLLAR },
      { ...settled, outstandingPrincipal: 0n, writtenOffPrincipal: 0n },
    ]);
    const [originator] = snapshot.market.originators;
    if (originator === undefined) throw new Error("the business is not visible");
    expect(originator.rating).toMatchObject({ lossBps: 500, lateBps: 10_000 });
    const page = pageIn(originatorPage(asked(snapshot), originator.publicId));
    checkBusiness(page, originator);
    expect(textOf(factIn(page, "rating.lossBps").value)).toBe("5.00%");
    expect(textOf(factIn(page, "rating.lateBps").value)).toBe("100.00%");
    expect(factIn(page, "writtenOff").value).toMatchObject({ exact: `${8_000n * DOLLAR}`, tone: "bad" });
  });

  it("says that raises count which are not published, if there are any", async () => {
    const loan = { ...DRAWN, drawnAmount: 80_000n * DOLLAR, maturityAt: NOW - 60n * 86_400n };
    const rows = [1n, 2n].map((onchainId) => listingRow({ onchainId, ...loan }));
    const wordsWith = async (published: number) => {
      const entries = rows
        .slice(0, published)
        .map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}` }));
      const snapshot = await snapshotOf(tablesOf({ listings: rows }), registryOf(entries));
      const page = northwind(snapshot);
      expect(exactFacts(page)["rating.n"]).toBe("2");
      return blocksOf(sectionOf(page, "grade"), "paragraph").map(({ text }) => text);
    };
    expect(await wordsWith(2)).toEqual([]);
    expect(await wordsWith(1)).toEqual(["Raises of this business that are not published here count too."]);
  });

  it("explains every state of verification", async () => {
    const notes = await Promise.all(
      KYB_STATUSES.map(async (kybStatus) => {
        const snapshot = await market([{}], [business({ kybStatus })]);
        const page = northwind(snapshot);
        return factIn(page, "kybStatus").note;
      }),
    );
    expect(new Set(notes).size).toBe(KYB_STATUSES.length);
  });

  it("leads with warnings: a raise from another address, a changed text, a business that is not verified", async () => {
    const warningsOf = async (
      rows: Parameters<typeof market>[0],
      kybStatus: Originator["kybStatus"] = "approved",
    ) => {
      const snapshot = await market(rows, [business({ kybStatus })]);
      const [first] = northwind(snapshot).sections;
      return first?.id === "warnings" ? blocksOf(first, "notice").map(({ text }) => text) : null;
    };
    const stranger = { originator: `0x${"9a".repeat(20)}` } as const;
    const other = { metadataHash: `0x${"00".repeat(32)}` } as const;
    expect(await warningsOf([{}])).toBeNull();
    expect(await warningsOf([{}, stranger])).toEqual([expect.stringContaining("has not published")]);
    expect(await warningsOf([{}, other])).toEqual([expect.stringContaining("differs from the one")]);
    // Fields that the contract does not tell cannot contradict; the others still can.
    expect(await warningsOf([{ originator: null, metadataHash: null }])).toBeNull();
    expect(await warningsOf([{ ...stranger, metadataHash: null }])).toEqual([
      expect.stringContaining("has not published"),
    ]);
    expect(await warningsOf([{ ...stranger, ...other }], "in_review")).toEqual([
      ...[expect.stringContaining("has not published"), expect.stringContaining("differs from the one")],
      expect.stringContaining("not confirmed yet who this business is"),
    ]);
  });

  it("does not speak of a creator or a fingerprint that the chain does not have", async () => {
    const page = northwind(await marketOfTheRegistry());
    expect(blocksOf(sectionOf(page, "verified"), "notice").map(({ text }) => text)).toEqual([
      expect.stringContaining("from the operator's registry alone"),
    ]);
    expect(blocksOf(sectionOf(page, "verified"), "table")).toEqual([]);
  });

  it('says "No" only of what the chain contradicts', async () => {
    const stranger = { originator: `0x${"9a".repeat(20)}` } as const;
    const other = { metadataHash: `0x${"00".repeat(32)}` } as const;
    const snapshot = await market([
      {},
      { originator: null, metadataHash: null },
      { ...stranger, metadataHash: null },
      { ...other, originator: null },
      stranger,
    ]);
    const verified = sectionOf(northwind(snapshot), "verified");
    const { caption, rows } = tableIn(verified);
    expect(caption).toBe("Raises that differ from the blockchain");
    expect(rows.map(({ key, cells }) => [key, ...cells.slice(1).map(textOf)])).toEqual([
      ["lst_3", "No", "Not on the chain"],
      ["lst_4", "Not on the chain", "No"],
      ["lst_5", "No", "Yes"],
    ]);
  });

  it("has open raises first, then the loans that are overdue longest, then those that ended", async () => {
    const loan = (days: bigint) => ({
      ...DRAWN,
      outstandingPrincipal: DOLLAR,
      maturityAt: NOW - days * 86_400n,
    });
    const ended = { terminalKind: "cancelled", terminalAt: NOW } as const;
    const snapshot = await market([ended, loan(-5n), loan(40n), {}, loan(100n)]);
    const raises = tableIn(sectionOf(northwind(snapshot), "raises"));
    expect(raises.rows.map(({ cells }) => cells[4] && textOf(cells[4]))).toEqual([
      "Open",
      "In default · 100 days overdue",
      "Late · 40 days overdue",
      "Repaying · on time",
      "Cancelled",
    ]);
  });

  it("has fifty raises a page", async () => {
    const snapshot = await market(Array(51).fill({}));
    const pages = ["", "page=2"].map((query) => northwind(snapshot, query));
    for (const page of pages) checkForm(page);
    const shown = pages.map((page) => tableIn(sectionOf(page, "raises")).rows.length);
    expect(shown).toEqual([50, 1]);
    expect(pages.map((page) => textOf(factIn(page, "stages").value))).toEqual(Array(2).fill("51 open"));
    const refused = pageIn(originatorPage(asked(snapshot, "page=3"), "org_northwind"), "refused");
    expect(wordsOf(refused)).toContain('There is no page "3": the pages are 1 to 2.');
  });

  it("is missing when no visible business has the id, whatever the id is", async () => {
    const snapshot = await everyState();
    for (const id of ["org_nobody", "", "__proto__", "lst_1", "<script>\u202E", "x".repeat(5000)]) {
      const found = originatorPage(asked(snapshot), id);
      expect(found.kind).toBe("missing");
      if (found.kind === "missing") expect(found.detail.length).toBeLessThan(500);
    }
    expect(originatorPage(asked(null), "org_northwind")).toEqual({ kind: "not_indexed_yet" });
  });

  it("goes by its public id where nothing is left of its name", async () => {
    const snapshot = await market([{}], [business({ legalName: "\u202E \u202C" })]);
    const page = northwind(snapshot);
    expect(page.title).toBe("org_northwind");
    checkForm(pageIn(originatorsPage(asked(snapshot))));
  });
});

it("says of every market what the other faces say", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryMarket(), async ({ tables, registry }) => {
      const snapshot = await snapshotOf(tables, registry);
      const all = pageIn(originatorsPage(asked(snapshot)));
      checkForm(all);
      const rows = exactRows(tableIn(sectionOf(all, "businesses")));
      const total = (key: "lent" | "outstanding") =>
        rows.reduce((sum, row) => sum + BigInt(row[key] ?? "0"), 0n).toString();
      expect(total("lent")).toBe(snapshot.market.stats.lent);
      expect(total("outstanding")).toBe(snapshot.market.stats.outstanding);
      for (const originator of snapshot.market.originators) {
        checkBusiness(pageIn(originatorPage(asked(snapshot), originator.publicId)), originator);
      }
    }),
    { numRuns: 60 },
  );
});
