import { expect, test } from "vitest";
import { DOLLAR, entryDraft, HEAD, listingRow, registryOf, repaymentRow } from "../../test/harness/rows.ts";
import { SITE, tablesOf } from "../../test/harness/snapshot.ts";
import { NO_ROWS } from "../market/chain-rows.ts";
import { differences } from "./differences.ts";
import { readMarket } from "./read-market.ts";
import type { TakePart } from "./whole.ts";

test("counts each repayment once when the database aborts a read and it is tried again", async () => {
  const listing = listingRow({ raisedAmount: 100n * DOLLAR });
  const part = { ...NO_ROWS, listings: [listing], repayments: [repaymentRow()] };
  const marketOf = async (attempts: number) => {
    const read = async (_since: unknown, _restarted: unknown, take: TakePart) => {
      for (let attempt = 1; ; attempt += 1) {
        const position = tablesOf({ head: { ...HEAD } });
        take(position, part);
        if (attempt === attempts) return { ...position, rows: NO_ROWS };
      }
    };
    const made = await readMarket(read, { registry: registryOf([entryDraft()]), publicSettings: SITE });
    if (made === null) throw new Error("there is no market");
    return made.market();
  };
  const [once, twice] = [await marketOf(1), await marketOf(2)];
  expect(once.listings.length).toBe(1);
  expect(await differences(once, twice)).toEqual([]);
});

test("drops the rows of an aborted attempt", async () => {
  const of = { registry: registryOf([entryDraft()]), publicSettings: SITE };
  const made = await readMarket(async (_since, _restarted, take) => {
    take(tablesOf({ head: { ...HEAD } }), { ...NO_ROWS, listings: [listingRow()] });
    return { ...tablesOf({ head: { ...HEAD } }), rows: NO_ROWS };
  }, of);
  expect(made?.market().listings.length).toBe(0);
});
