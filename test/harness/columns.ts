/** @module The columns of a market beside its listings. */
import { expect } from "vitest";
import { columnsOf } from "../../api/market/columns.ts";
import type { Market } from "../../api/market/market.ts";
import { GRADES, REPAYMENTS, STATUSES } from "../../api/market/schema.ts";

/** Expects that the columns of a market say what a walk over its listings says. */
export function expectColumnsOf(market: Market): void {
  const { listings } = market;
  const columns = columnsOf(market);
  if (columns === null) throw new Error("the market has no columns");
  const inColumns: unknown[] = [];
  columns.each((row, publicId) => {
    const { status, repayment, originatorGrade, originator, couponRateBps, tenorDays, acceptsMoney } = row;
    const { closeAt, maturityAt, updatedAt, updatedBlock, outstandingPrincipal } = row;
    const ofOpen = acceptsMoney ? [row.raisedAmount, row.minRaise, row.projectedAmount] : [];
    inColumns.push([
      ...[publicId, status, repayment, originatorGrade, originator, couponRateBps, tenorDays, acceptsMoney],
      ...[closeAt, maturityAt, updatedAt, updatedBlock, outstandingPrincipal !== "0", ...ofOpen],
      columns.changedAt(publicId),
    ]);
  });
  const seconds = (time: string | null) => (time === null ? null : Date.parse(time) / 1000);
  const walked = listings.map((listing) => {
    const { publicId, status, repayment, originatorGrade, originator, couponRateBps, tenorDays } = listing;
    const { acceptsMoney, raisedAmount, minRaise, projectedAmount, outstandingPrincipal } = listing;
    return [
      ...[publicId, status, repayment, originatorGrade, originator, couponRateBps, tenorDays, acceptsMoney],
      ...[listing.closeAt, listing.maturityAt, listing.updatedAt].map(seconds),
      ...[Number(listing.updatedBlock), outstandingPrincipal !== "0"],
      ...(acceptsMoney ? [raisedAmount, minRaise, projectedAmount] : []),
      seconds(market.changedAt(listing)),
    ];
  });
  const byId = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  expect(byId(inColumns)).toEqual(byId(walked));
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
}
