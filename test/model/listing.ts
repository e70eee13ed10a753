/**
 * One listing of the answers, field by field from the interface document and `market.md`.
 * @module
 */
import { indicativeRate, isMaximum } from "./auction.ts";
import type { ChainLog } from "./chain-log.ts";
import type { Grade } from "./grade.ts";
import { instant } from "./instant.ts";
import type { Raise } from "./raise.ts";
import {
  lines,
  metadataHashOf,
  oneLine,
  owns,
  type RegistryListing,
  type RegistryOriginator,
} from "./registry.ts";
import { writtenOffOf } from "./stats.ts";
import { repaymentOf, statusOf, statusSince } from "./status.ts";

const PRICING_MODES = ["fixed", "auction"];
const OUTCOMES = ["repaid", "repaid_with_reserve", "defaulted"];
const RETURNS_MONEY = ["refunding", "voided", "cancelled"];

export type ExpectedListing = ReturnType<typeof describeListing>;

/** @param of.now the head's timestamp, unix seconds */
export function describeListing(of: {
  entry: RegistryListing;
  originator: RegistryOriginator;
  grade: Grade;
  raise: Raise;
  history: readonly ChainLog[];
  now: bigint;
  /** the last block that no reorg takes back */
  finalized: bigint;
  publicUrl: string;
  appUrl: string | null;
  chainId?: number;
}) {
  const { entry, originator, raise, now } = of;
  const { created, terms, drawdown, terminal } = raise;
  if (!created || !terms) throw new Error("a listing without its creation is not visible");
  const status = statusOf(raise, now);
  const outcome = terminal?.name === "ListingSettled" ? OUTCOMES[terminal.args.outcome] : null;
  return {
    publicId: entry.publicId,
    refnum: created.args.refnum,
    title: oneLine(entry.title),
    description: lines(entry.description),
    status,
    targetAmount: `${terms.targetAmount}`,
    minRaise: `${terms.minRaise}`,
    raisedAmount: `${raise.raised}`,
    couponRateBps: raise.couponRateBps,
    tenorDays: terms.tenorDays,
    insuranceBps: terms.insuranceBps,
    reserveBalance: `${raise.reserve}`,
    pricingMode: PRICING_MODES[terms.pricingMode],
    goLiveAt: instant(terms.goLiveAt),
    closeAt: terms.closeAt === 0n ? null : instant(terms.closeAt),
    originatorGrade: of.grade,
    chainId: of.chainId ?? 97,
    tokenAddress: created.args.token.toLowerCase(),
    escrowAddress: created.escrow,
    subscriberCount: raise.subscribers,
    onchainId: `${created.args.onchainId}`,
    couponIsMaximum: isMaximum(raise),
    indicativeRateBps: indicativeRate(raise, of.history),
    acceptsMoney: status === "listed" || status === "funding",
    statusSince: instant(statusSince(raise, of.history, now)),
    refundedAmount: `${raise.refunded}`,
    withdrawnAmount: `${raise.refunded > raise.returned ? raise.refunded - raise.returned : 0n}`,
    returnedAmount: `${raise.returned}`,
    refundableAmount: `${RETURNS_MONEY.includes(status) && raise.raised > raise.returned ? raise.raised - raise.returned : 0n}`,
    drawnAmount: `${drawdown?.args.amount ?? 0n}`,
    repaidAmount: `${raise.repaid}`,
    outstandingPrincipal: `${raise.outstanding}`,
    writtenOffAmount: `${writtenOffOf(raise)}`,
    drawnDownAt: drawdown ? instant(drawdown.at) : null,
    maturityAt: drawdown ? instant(drawdown.args.maturityAt) : null,
    repayment: repaymentOf(raise, now),
    outcome: outcome ?? null,
    originator: originator.publicId,
    originatorVerified: owns(originator, created.args.originator),
    originatorOnChain: true,
    url: `${of.publicUrl}/listings/${entry.publicId}`,
    appUrl: of.appUrl === null ? null : `${of.appUrl}/listings/${entry.publicId}`,
    metadataVerified: raise.metadataHash === metadataHashOf(entry),
    metadataOnChain: true,
    finality: of.history.every(({ blockNumber }) => blockNumber <= of.finalized) ? "final" : "pending",
    termsFrom: "chain",
  };
}
