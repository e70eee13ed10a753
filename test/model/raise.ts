/**
 * The figures of one listing, as definitions over the whole list of its logs: each is a filter and a sum, nothing
 * is carried from one event to the next. `chain.md`, "What the running figures mean" and "Folding rules".
 * @module
 */
import { type ChainLog, inChainOrder, isBefore, sum, type Terms, those } from "./chain-log.ts";

/** The numbers of the contracts' enums that the definitions distinguish. */
const AUCTION = 1;
const WITHDRAWN = 0;
const OUTBID = 1;
const APPLIED = 1;

/** The facts of one listing. They follow from its logs alone: `now` changes none of them. Amounts in base units. */
export type Raise = {
  created: ChainLog<"ListingCreated"> | undefined;
  /** undefined only before the `ListingCreated` */
  terms: Terms | undefined;
  metadataHash: string | undefined;
  couponRateBps: number | undefined;
  raised: bigint;
  refunded: bigint;
  /** what went back to backers without lowering `raised`, of each no more than they had */
  returned: bigint;
  reserve: bigint;
  subscribers: number;
  firstSubscription: ChainLog<"Subscribed"> | undefined;
  /** the first `ListingClosed`, if no terminal event came before it */
  close: ChainLog<"ListingClosed"> | undefined;
  /** the first terminal event; it latches */
  terminal: ChainLog<"ListingSettled" | "ListingCancelled" | "ListingVoided"> | undefined;
  drawdown: ChainLog<"DrawnDown"> | undefined;
  /** principal and interest */
  repaid: bigint;
  outstanding: bigint;
  /** what was owed after the drawdown and after each repayment since, by time */
  balances: readonly { at: bigint; outstanding: bigint }[];
  reserveApplied: bigint;
  /** the first moment at which the subscription was over: by an event, or by a deadline that an event found passed */
  frozenAt: bigint | undefined;
  /** those that set terms */
  termsUpdates: readonly ChainLog<"ListingTermsUpdated">[];
};

/** @param history every log of one listing, in the chain's order */
export function raiseOf(history: readonly ChainLog[]): Raise {
  const created = those(history, "ListingCreated").at(0);
  const terminal = those(history, "ListingSettled", "ListingCancelled", "ListingVoided").at(0);
  const firstClose = those(history, "ListingClosed").at(0);
  const close = terminal && firstClose && isBefore(terminal, firstClose) ? undefined : firstClose;
  const isAfter = (log: ChainLog, other: ChainLog | undefined) => !!other && isBefore(other, log);

  /** Judged at each event, by its block's time and the terms that were valid when it came; it never thaws. */
  const frozen = remembered((log: ChainLog): boolean => {
    if (isAfter(log, close) || isAfter(log, terminal)) return true;
    return history.some((earlier) => {
      if (isBefore(log, earlier)) return false;
      const closeAt = termsBefore(earlier)?.args.terms.closeAt ?? 0n;
      return closeAt > 0n && earlier.at >= closeAt;
    });
  });
  const setsTerms = (log: ChainLog) =>
    log === created || (log.name === "ListingTermsUpdated" && !frozen(log));
  const termsBefore = (log: ChainLog) =>
    those(history, "ListingCreated", "ListingTermsUpdated").findLast(
      (candidate) => isBefore(candidate, log) && setsTerms(candidate),
    );

  const subscriptions = those(history, "Subscribed").filter(({ args }) => args.amount > 0n);
  const counted = subscriptions.filter((log) => !frozen(log));
  const refunds = those(history, "Refunded");
  const lowering = refunds.filter((log) => {
    if (log.args.reason !== WITHDRAWN && log.args.reason !== OUTBID) return false;
    // An auction is cleared after its deadline: until the close its outbid bids still leave.
    const isClearing = log.args.reason === OUTBID && termsBefore(log)?.args.terms.pricingMode === AUCTION;
    return !frozen(log) || (isClearing && !isAfter(log, close) && !isAfter(log, terminal));
  });

  /** Sums that start again at zero whenever they would be negative: a refund takes at most what is there. */
  const principalOf = (backer: string, until: (log: ChainLog) => boolean): bigint => {
    const moves = [...counted, ...lowering].filter((log) => log.args.backer === backer && until(log));
    const steps = inChainOrder(moves).map((log) =>
      log.name === "Subscribed" ? log.args.amount : -log.args.amount,
    );
    const sums = steps.map((_, index) => sum(steps.slice(0, index + 1)));
    const lowest = sums.reduce((least, each) => (each < least ? each : least), 0n);
    return (sums.at(-1) ?? 0n) - lowest;
  };
  const takenBy = (refund: ChainLog<"Refunded">) => {
    const principal = principalOf(refund.args.backer, (log) => isBefore(log, refund));
    return refund.args.amount < principal ? refund.args.amount : principal;
  };

  const returning = refunds.filter((log) => !lowering.includes(log));
  const returnedBy = (refund: ChainLog<"Refunded">) => {
    const { backer, amount } = refund.args;
    const earlier = returning.filter((log) => log.args.backer === backer && isBefore(log, refund));
    const left =
      principalOf(backer, (log) => isBefore(log, refund)) - sum(earlier.map(({ args }) => args.amount));
    if (left <= 0n) return 0n;
    return amount < left ? amount : left;
  };

  // The chain's own total after the last subscription that counts, less what left since: where sums and totals
  // agree this is subscriptions less refunds, and where they do not the chain's total counts.
  const last = counted.at(-1);
  const leftSince = sum(lowering.filter((log) => isAfter(log, last)).map(takenBy));
  const summed = (last?.args.totalRaised ?? 0n) - leftSince;

  const terms = those(history, "ListingCreated", "ListingTermsUpdated").findLast(setsTerms);
  const drawdown = those(history, "DrawnDown").at(0);
  const repayments = those(history, "Repaid");
  const balances = drawdown
    ? [
        { at: drawdown.at, outstanding: drawdown.args.amount },
        ...repayments
          .filter((log) => isAfter(log, drawdown))
          .map(({ at, args }) => ({ at, outstanding: args.outstandingPrincipal })),
      ]
    : [];
  const backers = [...new Set(counted.map(({ args }) => args.backer))];

  return {
    created,
    terms: terms?.args.terms,
    metadataHash: terms?.args.metadataHash,
    couponRateBps: close?.args.couponRateBps ?? terms?.args.terms.couponRateBps,
    raised: close ? close.args.raisedAmount : summed > 0n ? summed : 0n,
    refunded: refunds.at(-1)?.args.totalRefunded ?? 0n,
    returned: sum(returning.map(returnedBy)),
    reserve: those(history, "ReserveChanged").at(-1)?.args.reserveBalance ?? 0n,
    subscribers: backers.filter((backer) => principalOf(backer, () => true) > 0n).length,
    firstSubscription: subscriptions.at(0),
    close,
    terminal,
    drawdown,
    repaid: sum(repayments.map(({ args }) => args.principal + args.interest)),
    outstanding: terminal?.name === "ListingSettled" ? 0n : (balances.at(-1)?.outstanding ?? 0n),
    balances,
    reserveApplied: sum(
      those(history, "ReserveChanged")
        .filter(({ args }) => args.reason === APPLIED)
        .map(({ args }) => args.amount),
    ),
    frozenAt: [close?.at, terminal?.at, passedDeadline(history, termsBefore)]
      .filter((at) => at !== undefined)
      .reduce<bigint | undefined>((first, at) => (first === undefined || at < first ? at : first), undefined),
    termsUpdates: those(history, "ListingTermsUpdated").filter(setsTerms),
  };
}

/** The first deadline that had passed when an event came, by the terms valid before it. */
function passedDeadline(
  history: readonly ChainLog[],
  termsBefore: (log: ChainLog) => ChainLog<"ListingCreated" | "ListingTermsUpdated"> | undefined,
): bigint | undefined {
  return history
    .map((log) => ({ at: log.at, closeAt: termsBefore(log)?.args.terms.closeAt ?? 0n }))
    .find(({ at, closeAt }) => closeAt > 0n && at >= closeAt)?.closeAt;
}

function remembered(decide: (log: ChainLog) => boolean): (log: ChainLog) => boolean {
  const known = new Map<ChainLog, boolean>();
  return (log) => {
    const decision = known.get(log) ?? decide(log);
    known.set(log, decision);
    return decision;
  };
}
