/**
 * The bids of an auction by rate: sums without names. Pure.
 *
 * The chain records the backer of a refund, not the bid. A withdrawal is taken from the backer's newest bids, as the escrow does;
 * an outbid amount from the backer's dearest bids, as only those can be outbid.
 * @module
 */
import type { Hex } from "viem";
import type { ListingRow, StoredRow } from "../../src/fold/state.ts";
import { sumOf } from "./amount.ts";

/** An event that changed what an auction has raised, or closed it. Base units; basis points. */
export type BidEvent =
  | { kind: "bid"; backer: Hex; rateBps: number; amount: bigint }
  | { kind: "withdrawn" | "outbid"; backer: Hex; amount: bigint }
  | { kind: "closed" };

type BidRow = Pick<StoredRow, "kind" | "args" | "committed">;

/** The bids of a listing with withdrawals and outbid amounts. Amounts are each event's change of `raisedAmount`. @param rows oldest first */
export function toBidEvents(rows: readonly BidRow[]): BidEvent[] {
  return rows.flatMap(toBidEvent);
}

/** The bids of a raise that was read before them; null when they are not its own: a reorganisation may have come between. */
export function bidsOf(
  { raisedAmount }: Pick<ListingRow, "raisedAmount">,
  rows: readonly BidRow[] | null,
): BidEvent[] | null {
  const isOfRaise = rows !== null && sumOf(rows, ({ committed }) => committed ?? 0n) === raisedAmount;
  return isOfRaise ? toBidEvents(rows) : null;
}

/** Events after the close, and refunds of a failed raise, change nothing. */
function toBidEvent({ kind, args, committed }: BidRow): BidEvent[] {
  if (kind === "listing_closed") return [{ kind: "closed" }];
  if (committed === null || committed === 0n) return [];
  const backer = args.backer as Hex;
  if (kind === "subscribed") {
    return committed > 0n
      ? [{ kind: "bid", backer, rateBps: Number(args.bidRateBps), amount: committed }]
      : [];
  }
  if (committed > 0n) return [];
  return [{ kind: args.reason === "outbid" ? "outbid" : "withdrawn", backer, amount: -committed }];
}

/** Whether the rate of a raise is a maximum: an auction's is, until a close fixes it. */
export function isRateOpen({ pricingMode, closedAt }: Pick<ListingRow, "pricingMode" | "closedAt">): boolean {
  return pricingMode === "auction" && closedAt === null;
}

/** Whether bids may still set the rate of a raise. `pricingMode` is null where the registry has it instead of the contract. */
export function awaitsBids({
  pricingMode,
  closedAt,
  terminalKind,
}: Pick<ListingRow, "pricingMode" | "closedAt" | "terminalKind">): boolean {
  return pricingMode !== "fixed" && closedAt === null && terminalKind === null;
}

/** Whether the contract tells the rates of all bids: one that does not know them has 0, which no auction takes. */
export function tellsRates(bids: readonly BidEvent[]): boolean {
  return bids.every((event) => event.kind !== "bid" || event.rateBps > 0);
}

/**
 * The rate at which an auction would clear now, basis points per annum; null once it has closed or ended, while it would miss its
 * minimum, with more bids than can be summed, and for a contract that does not tell their rates.
 * @param bids all of the auction's, oldest first
 */
export function indicativeRateBps(row: ListingRow, bids: readonly BidEvent[] | null): number | null {
  const { raisedAmount, minRaise, targetAmount, terminalKind } = row;
  if (bids === null || !isRateOpen(row) || terminalKind !== null || !tellsRates(bids)) return null;
  if (raisedAmount === 0n || raisedAmount < (minRaise ?? 0n)) return null;
  const most = Number.POSITIVE_INFINITY;
  return bidBook({ events: bids, target: targetAmount ?? 0n, hasFailed: false, most }).marginalBps;
}

/** The bids at one rate, or at a few neighbouring ones. Base units; basis points per annum. */
export type BidsAtRate = {
  lowestBps: number;
  highestBps: number;
  /** bids that were not withdrawn */
  count: number;
  /** not withdrawn */
  amount: bigint;
  /** not outbid; before the auction closed, what would be accepted if it closed now */
  accepted: bigint;
  /** `amount` of this and all lower rates */
  cumulated: bigint;
};

export type BidBook = {
  /** lowest rate first */
  rates: readonly BidsAtRate[];
  /** whether the auction has closed: what was accepted is known */
  isClosed: boolean;
  /** the highest accepted rate; null when nothing is accepted. Basis points */
  marginalBps: number | null;
};

export type BidBookParameters = {
  /** oldest first */
  events: readonly BidEvent[];
  /** base units */
  target: bigint;
  /** whether the raise failed: then nothing is accepted */
  hasFailed: boolean;
  /** the most entries of `rates`; beyond it, neighbouring rates are put together */
  most: number;
};

type Standing = { backer: Hex; rateBps: number; amount: bigint; outbid: bigint };

/**
 * The bids of an auction by rate, lowest first, and what is accepted at each: `target` is filled from the lowest rate up, and with a
 * closed auction every bid that was not outbid is accepted. Amounts are in base units, rates in basis points per annum. Interface
 * document, "Listing": `pricingMode` `auction`.
 */
export function bidBook({ events, target, hasFailed, most }: BidBookParameters): BidBook {
  const standing: Standing[] = [];
  for (const event of events) {
    if (event.kind === "bid") standing.push({ ...event, outbid: 0n });
    if (event.kind === "withdrawn") withdraw(standing, event.backer, event.amount);
    if (event.kind === "outbid") outbid(standing, event.backer, event.amount);
  }
  const isClosed = events.some(({ kind }) => kind === "closed");
  let cumulated = 0n;
  let standingSum = 0n;
  const byRate = [...Map.groupBy(standing.filter(isLeft), ({ rateBps }) => rateBps)]
    .toSorted(([a], [b]) => a - b)
    .map(([rateBps, bids]): BidsAtRate => {
      const amount = sumOf(bids, (bid) => bid.amount);
      const room = target > standingSum ? target - standingSum : 0n;
      const notOutbid = amount - sumOf(bids, (bid) => bid.outbid);
      cumulated += amount;
      standingSum += notOutbid;
      const accepted = isClosed ? notOutbid : smaller(notOutbid, room);
      return {
        lowestBps: rateBps,
        highestBps: rateBps,
        count: bids.length,
        amount,
        accepted: hasFailed ? 0n : accepted,
        cumulated,
      };
    });
  const marginal = byRate.findLast(({ accepted }) => accepted > 0n);
  return { rates: grouped(byRate, most), isClosed, marginalBps: marginal?.highestBps ?? null };
}

/** A refund takes at most what the backer has left, as in the fold. */
function withdraw(standing: readonly Standing[], backer: Hex, amount: bigint): void {
  let left = amount;
  for (const bid of standing.filter((one) => one.backer === backer).toReversed()) {
    const taken = smaller(left, bid.amount - bid.outbid);
    bid.amount -= taken;
    left -= taken;
  }
}

function outbid(standing: readonly Standing[], backer: Hex, amount: bigint): void {
  let left = amount;
  const own = standing.filter((one) => one.backer === backer);
  for (const bid of own.toReversed().toSorted((a, b) => b.rateBps - a.rateBps)) {
    const taken = smaller(left, bid.amount - bid.outbid);
    bid.outbid += taken;
    left -= taken;
  }
}

function isLeft({ amount }: Standing): boolean {
  return amount > 0n;
}

function grouped(rates: readonly BidsAtRate[], most: number): readonly BidsAtRate[] {
  const size = Math.ceil(rates.length / Math.max(1, most));
  if (size <= 1) return rates;
  return Array.from({ length: Math.ceil(rates.length / size) }, (_, index) => {
    const [first, ...others] = rates.slice(index * size, (index + 1) * size);
    if (first === undefined) return [];
    return others.reduce(
      (group, next) => ({
        ...next,
        lowestBps: group.lowestBps,
        count: group.count + next.count,
        amount: group.amount + next.amount,
        accepted: group.accepted + next.accepted,
      }),
      first,
    );
  }).flat();
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
