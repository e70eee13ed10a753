/** @module The amounts due and paid on a listing, as `market.md` and decision 0005 define them under "Schedule". */
import { indicativeRate } from "./auction.ts";
import { type ChainLog, sum, those } from "./chain-log.ts";
import { DAY, instant } from "./instant.ts";
import type { Raise } from "./raise.ts";
import { statusOf } from "./status.ts";

/** The body of `GET /v1/listings/{id}/schedule`: times in ISO 8601, amounts in base units. */
export type Schedule = {
  estimated: boolean;
  maturityAt: string;
  principal: string;
  interest: string;
  /** of an auction, at the rate at which it would clear now */
  indicativeInterest: string | null;
  total: string;
  paidPrincipal: string;
  paidInterest: string;
  outstandingPrincipal: string;
  payments: { at: string; principal: string; interest: string; txHash: string }[];
};

/** A year of 365 days, in basis points. */
const YEAR_BPS = 3_650_000n;

/**
 * @param raise of a listing that was created
 * @param history every log of the listing, of which `raise` was made
 * @param now the head's timestamp, unix seconds
 */
export function scheduleOf(raise: Raise, history: readonly ChainLog[], now: bigint): Schedule {
  const { terms, drawdown, couponRateBps } = raise;
  if (!terms || couponRateBps === undefined) throw new Error("nothing is due before the creation");
  const days = BigInt(terms.tenorDays);
  const estimatedMaturity = (terms.closeAt > 0n ? terms.closeAt : now) + days * DAY;
  // Money is drawn while a raise is open or live; one that ended without it never owes anything.
  const expected = ["listed", "funding", "live"].includes(statusOf(raise, now)) ? raise.raised : 0n;
  const principal = drawdown ? drawdown.args.amount : expected;
  const interest = (principal * BigInt(couponRateBps) * days) / YEAR_BPS;
  const rate = indicativeRate(raise, history);
  const accepted = raise.raised > terms.targetAmount ? terms.targetAmount : raise.raised;
  const repayments = those(history, "Repaid");
  return {
    estimated: !drawdown,
    maturityAt: instant(drawdown ? drawdown.args.maturityAt : estimatedMaturity),
    principal: `${principal}`,
    interest: `${interest}`,
    indicativeInterest: rate === null ? null : `${(accepted * BigInt(rate) * days) / YEAR_BPS}`,
    total: `${principal + interest}`,
    paidPrincipal: `${sum(repayments.map(({ args }) => args.principal))}`,
    paidInterest: `${sum(repayments.map(({ args }) => args.interest))}`,
    outstandingPrincipal: `${raise.outstanding}`,
    payments: repayments.map(({ at, args, txHash }) => ({
      at: instant(at),
      principal: `${args.principal}`,
      interest: `${args.interest}`,
      txHash,
    })),
  };
}
