import { expect, it } from "vitest";
import { ids, longMarket } from "../../../test/harness/long-market.ts";
import { ArchivedRows } from "./archived-rows.ts";

it("rows that are appended to the same rows twice do not disturb each other", () => {
  const market = longMarket(24);
  market.open(ids(1, 24));
  const view = market.end(ids(1, 24)).listings.archived?.view;
  if (view === undefined) throw new Error("nothing is archived");
  const rowsIn = (rows: ArchivedRows) => Array.from(rows.walk(null), ({ publicId }) => publicId);
  const named = (...rows: number[]) => rows.map((row) => view.archive.publicIdOf(row));
  const first = ArchivedRows.none(view).with(view, [0, 1, 2, 3, 4, 5, 6, 7], 0);
  const [one, other] = [first.with(view, [8], 0), first.with(view, [9], 0)];
  const longer = one.with(view, [10, 11, 12, 13], 0);
  expect(rowsIn(first)).toEqual(named(0, 1, 2, 3, 4, 5, 6, 7));
  expect(rowsIn(one)).toEqual(named(0, 1, 2, 3, 4, 5, 6, 7, 8));
  expect(rowsIn(other)).toEqual(named(0, 1, 2, 3, 4, 5, 6, 7, 9));
  expect(rowsIn(longer)).toEqual(named(0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13));
  expect([first.length, one.length, other.length, longer.length]).toEqual([8, 9, 9, 13]);
});
