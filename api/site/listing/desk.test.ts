import { describe, expect, it } from "vitest";
import type { ListingRow } from "../../../src/fold/state.ts";
import {
  DAY,
  DESK,
  DOLLAR,
  DRAWN,
  entryDraft,
  listingRow,
  NOW,
  offerRow,
  registryOf,
} from "../../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import type { Fact } from "../page.ts";
import { deskSection } from "./desk.ts";

const LOAN: Partial<ListingRow> = {
  ...DRAWN,
  repaidPrincipal: 0n,
  repaidInterest: 0n,
};

/** The yield on the page of a listing of which a hundred tokens are on offer. */
async function yieldOf(changes: Partial<ListingRow>): Promise<Fact | undefined> {
  const tables = tablesOf({ listings: [listingRow({ ...LOAN, ...changes })], offers: [offerRow()] });
  const { market } = await snapshotOf(tables, registryOf([entryDraft()]), { ...SITE, desk: DESK });
  const [listing] = market.listings;
  if (listing === undefined) throw new Error("the listing is visible");
  const facts = deskSection(market.trading, listing, { trades: [], until: NOW }).blocks.flatMap((block) =>
    block.kind === "facts" ? block.facts : [],
  );
  return facts.find(({ key }) => key === "yieldToMaturityBps");
}

describe("the yield on the desk", () => {
  it("says that it is too high once something was repaid", async () => {
    const whole = await yieldOf({});
    expect(whole?.value.kind).toBe("rate");
    expect(whole?.note).toMatch(/nothing before\.$/);
    for (const paid of [{ repaidPrincipal: 40_000n * DOLLAR }, { repaidInterest: 1n }]) {
      const part = await yieldOf(paid);
      expect(part?.value).toEqual(whole?.value);
      expect(part?.note).toBe(
        `${whole?.note} Part of this raise has been repaid already, so the true yield is lower.`,
      );
    }
  });

  it("says nothing of that where there is none", async () => {
    const over = await yieldOf({ maturityAt: NOW - DAY, repaidPrincipal: 40_000n * DOLLAR });
    expect(over?.value).toEqual({ kind: "none" });
    expect(over?.note).toMatch(/^None/);
  });
});
