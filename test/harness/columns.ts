/** @module Compares the columns of a market with its listings. */
import { expect } from "vitest";
import { columnsOf } from "../../api/market/columns.ts";
import type { Market } from "../../api/market/market.ts";
import { nameOfPeriod } from "../../api/market/periods.ts";
import { GRADES, REPAYMENTS, STATUSES } from "../../api/market/schema.ts";

/** Expects that the columns of a market say what a walk over its listings says. */
export function expectColumnsOf(market: Market): void {
  const { listings } = market;
  const columns = columnsOf(market);
  const changes = listings.map((listing) => Date.parse(market.changedAt(listing)) / 1000);
  expect(columns.latestChange()).toBe(listings.length === 0 ? null : Math.max(...changes));
  const escrows = Map.groupBy(listings, ({ escrowAddress }) => escrowAddress);
  expect([...columns.escrows()].sort()).toEqual(
    [...escrows].map(([escrow, { length }]) => [escrow, length]).sort(),
  );
  expect(columns.tallies()).toEqual({
    status: STATUSES.map((one) => listings.filter(({ status }) => status === one).length),
    repayment: REPAYMENTS.map((one) => listings.filter(({ repayment }) => repayment === one).length),
    grade: GRADES.map((one) => listings.filter(({ originatorGrade }) => originatorGrade === one).length),
  });
  const months = Map.groupBy(listings, (listing) => market.createdAt(listing).slice(0, 7));
  expect(
    [...columns.months()].map(([month, { count, latest }]) => [
      ...[nameOfPeriod(month, "month"), count, latest],
      ...columns.ofMonth(month).map(({ publicId }) => publicId),
    ]),
  ).toEqual(
    [...months]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([month, own]) => [
        ...[month, own.length, Math.max(...own.map((one) => Date.parse(market.changedAt(one)) / 1000))],
        ...own
          .toSorted((a, b) => {
            const [one, other] = [a, b].map((listing) => `${market.createdAt(listing)} ${listing.publicId}`);
            return (one ?? "") < (other ?? "") ? -1 : 1;
          })
          .map(({ publicId }) => publicId),
      ]),
  );
}
