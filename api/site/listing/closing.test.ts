/** The sentences about the close of a raise: the rules that apply, and whether it is recorded. */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readContractsFile } from "../../../config/contracts-file.ts";
import { describeContracts } from "../../../src/contracts/describe.ts";
import type { ListingRow } from "../../../src/fold/state.ts";
import { marketOf } from "../../../test/harness/market.ts";
import { DAY, DOLLAR, entryDraft, listingRow, NOW } from "../../../test/harness/rows.ts";
import { type Closing, rateWords } from "../../market/sentences.ts";
import { detailsSection } from "./fields.ts";
import { nextStep } from "./next-step.ts";
import { scheduleSection } from "./schedule.ts";

const AUCTION = { pricingMode: "auction" } as const;

function raiseOf(changes: Partial<ListingRow>) {
  const raised = { raisedAmount: 80_000n * DOLLAR, firstSubscribedAt: NOW - DAY };
  const market = marketOf([listingRow({ ...raised, ...changes })], [entryDraft()]);
  const [listing] = market.listings;
  if (listing === undefined) throw new Error("the listing is visible");
  return { listing, schedule: market.scheduleOf(listing), isCloseRecorded: market.isCloseRecorded(listing) };
}

function contractsFrom(path: string): Closing["contracts"] {
  const file = fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  return describeContracts({ contracts: readContractsFile(file) });
}

it("for an operator's own contracts the next step says only what their module provides", () => {
  const atTarget = contractsFrom("demo/contracts/raise-escrows/contracts.mjs");
  const told = contractsFrom("demo/contracts/pooled-loans/contracts.mjs");
  const byTimeAlone = { ...atTarget, lifecycle: { ...atTarget.lifecycle, closesAtTarget: false } };
  const openIn = (contracts: Closing["contracts"], changes: Partial<ListingRow>) => {
    const { listing, isCloseRecorded } = raiseOf(changes);
    return nextStep(listing, NOW, { contracts, isCloseRecorded }).text.split(" If ")[0];
  };
  for (const changes of [{}, AUCTION]) {
    const endless = { ...changes, closeAt: null };
    expect(openIn(byTimeAlone, changes)).toBe("Open until 11 Mar 2026, 12:00 UTC.");
    expect(openIn(byTimeAlone, endless)).toBe("Open without a closing time.");
    expect(openIn(atTarget, changes)).toBe(
      "Open until 11 Mar 2026, 12:00 UTC or until the target is reached.",
    );
    expect(openIn(atTarget, endless)).toBe("Open until the target is reached.");
    expect(openIn(told, changes)).toBe(
      "Open until 11 Mar 2026, 12:00 UTC (its contract may close it earlier).",
    );
    expect(openIn(told, endless)).toBe("Open until its contract closes it.");
  }
});

it("nothing follows a past closing time while an operator's own contracts wait for their close event", () => {
  const told = contractsFrom("demo/contracts/pooled-loans/contracts.mjs");
  const never = contractsFrom("demo/contracts/raise-escrows/contracts.mjs");
  const nextIn = (contracts: Closing["contracts"], changes: Partial<ListingRow>) => {
    const { listing, isCloseRecorded } = raiseOf({ closeAt: NOW - 1n, ...changes });
    return nextStep(listing, NOW, { contracts, isCloseRecorded }).text;
  };
  const begins = "the business can draw the money, and then the term of 180 days begins.";
  const met = "Its closing time came with its minimum met.";
  expect(nextIn(told, {})).toBe(`${met} Once its close is recorded and its reserve is posted ${begins}`);
  expect(nextIn(told, { insuranceBps: 0 })).toBe(`${met} Once its close is recorded ${begins}`);
  expect(nextIn(never, {})).toBe(`${met} Once its reserve is posted ${begins}`);
  const failed = { raisedAmount: 10_000n * DOLLAR };
  const below = "Its closing time came below its minimum.";
  expect(nextIn(told, failed)).toBe(
    `${below} Backers can claim 10,000 USD-test once the close of the raise is recorded.`,
  );
  expect(nextIn(told, { ...failed, raisedAmount: 0n })).toMatch(
    /^Its closing time came with nothing committed, /,
  );
  const at = { frozenAt: NOW - 1n, closedAt: NOW - 1n, decidedAt: NOW - 1n };
  for (const text of [nextIn(told, { ...failed, ...at }), nextIn(never, failed)])
    expect(text).toMatch(/^The raise closed below its minimum\. .* can claim it at any time/);
});

it("an auction whose closing time has come waits for its close, and for nothing that would be now", () => {
  const saidOf = (changes: Partial<ListingRow>) => {
    const { listing, schedule } = raiseOf({ ...AUCTION, ...changes });
    const auction = { ...listing, indicativeRateBps: 1_110 };
    const { blocks } = scheduleSection(auction, { ...schedule, indicativeInterest: "1" }, NOW);
    const labels = blocks.flatMap((block) => (block.kind === "table" ? block.table.columns : []));
    return [rateWords(auction), rateWords(auction, { isShort: true }), labels[2]?.label];
  };
  expect(saidOf({})).toEqual([
    "at most 14.50%, 11.10% if it closed now",
    "at most 14.50% (now 11.10%)",
    "At 11.10%, if it closed now",
  ]);
  expect(saidOf({ closeAt: NOW - 1n })).toEqual([
    "at most 14.50%, 11.10% once its close is recorded",
    "at most 14.50% (will be 11.10%)",
    "At 11.10%, once its close is recorded",
  ]);
});

it("an auction with bids beyond its target is not estimated as if it took them all", () => {
  const introductionOf = (raisedAmount: bigint) => {
    const { listing, schedule } = raiseOf({ ...AUCTION, raisedAmount });
    const [first] = scheduleSection(listing, schedule, NOW).blocks;
    return first?.kind === "paragraph" ? first.text : "";
  };
  expect(introductionOf(150_000n * DOLLAR)).toMatch(
    / No more than the target of 100,000 USD-test will be accepted: the rest goes back at the close\.$/,
  );
  expect(introductionOf(100_000n * DOLLAR)).toMatch(/^An estimate: .* on a 365-day year\.$/);
});

it("the outcome is the contract's word only where an event says it", () => {
  const { listing } = raiseOf({ terminalKind: "settled", terminalAt: NOW - DAY, outcome: "repaid" });
  const noteIn = (path: string) => {
    const { blocks } = detailsSection(listing, new Set(), contractsFrom(path).lifecycle);
    const all = blocks.flatMap((block) => (block.kind === "facts" ? block.facts : []));
    return all.find(({ key }) => key === "outcome")?.note;
  };
  expect(noteIn("demo/contracts/raise-escrows/contracts.mjs")).toBe("All principal was repaid.");
  expect(noteIn("demo/contracts/pooled-loans/contracts.mjs")).toBe(
    "The contract settled the raise as repaid by the business.",
  );
});
