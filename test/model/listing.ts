/** @module One listing of the answers, field by field from the interface document and `market.md`. */
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
import { openingOf, refundableOf, writtenOffOf } from "./stats.ts";
import { repaymentOf, statusOf, statusSince } from "./status.ts";

const PRICING_MODES = ["fixed", "auction"];
const OUTCOMES = ["repaid", "repaid_with_reserve", "defaulted"];

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
    projectedAmount: projectedAmount(raise, now),
    statusSince: instant(statusSince(raise, of.history, now)),
    refundedAmount: `${raise.refunded}`,
    withdrawnAmount: `${raise.refunded > raise.returned ? raise.refunded - raise.returned : 0n}`,
    returnedAmount: `${raise.returned}`,
    refundableAmount: `${refundableOf(raise, now)}`,
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
    termsUpdates: raise.termsUpdates.length,
    termsUpdatedAt: instantOfLast(raise.termsUpdates),
    updatedAt: instantOfLast(of.history),
    updatedBlock: `${of.history.at(-1)?.blockNumber}`,
  };
}

function instantOfLast(logs: readonly ChainLog[]): string | null {
  const last = logs.at(-1);
  return last ? instant(last.at) : null;
}

/** The amount of an open raise with a deadline at its close, at the average pace per hour since it opened a day ago or more. */
function projectedAmount(raise: Raise, now: bigint): string | null {
  const { raised, terms } = raise;
  const openFor = (now - openingOf(raise)) / 3600n;
  if (!terms || terms.closeAt === 0n || openFor < 24n) return null;
  if (!["listed", "funding"].includes(statusOf(raise, now))) return null;
  const atPace = (raised * (terms.closeAt - openingOf(raise))) / (openFor * 3600n);
  const most = raised > terms.targetAmount ? raised : terms.targetAmount;
  return `${atPace < most ? atPace : most}`;
}
