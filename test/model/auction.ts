/**
 * The rate at which an auction would clear now, as the definition of a clearing over the bids that are left: the cheapest first, until
 * the target is full.
 * @module
 */
import { type ChainLog, sum, those } from "./chain-log.ts";
import { type Raise, raiseOf } from "./raise.ts";

const AUCTION = 1;
const OUTBID = 1;

/** Until its close, the rate of an auction is a maximum. */
export function isMaximum({ terms, close }: Raise): boolean {
  return terms?.pricingMode === AUCTION && !close;
}

/**
 * In basis points per annum; null where no rate is open, and where the raise would fail.
 * @param history every log of the listing, in the chain's order
 */
export function indicativeRate(raise: Raise, history: readonly ChainLog[]): number | null {
  const { terms, terminal, raised } = raise;
  if (!terms || !isMaximum(raise) || terminal || raised === 0n || raised < terms.minRaise) return null;
  const all = bidsLeft(history);
  // No auction takes a bid of 0: a contract that does not tell the rates has 0.
  if (terms.targetAmount === 0n || all.some(({ rate }) => rate === 0)) return null;
  const bids = all.filter(({ amount }) => amount > 0n);
  const upTo = (rate: number) => sum(bids.filter((bid) => bid.rate <= rate).map(({ amount }) => amount));
  const rates = [...new Set(bids.map(({ rate }) => rate))].sort((one, other) => one - other);
  return rates.find((rate) => upTo(rate) >= terms.targetAmount) ?? rates.at(-1) ?? null;
}

/**
 * The bids with what is left of each. A bid is what its subscription raised; a withdrawal takes from the backer's newest bids, and an
 * outbid amount from the dearest.
 */
function bidsLeft(history: readonly ChainLog[]) {
  const bids: { backer: string; rate: number; amount: bigint }[] = [];
  for (const log of those(history, "Subscribed", "Refunded")) {
    const change = raisedBy(log, history);
    const { backer } = log.args;
    if (log.name === "Subscribed") {
      if (change > 0n) bids.push({ backer, rate: log.args.bidRateBps, amount: change });
      continue;
    }
    const own = bids.filter((bid) => bid.backer === backer).reverse();
    if (log.args.reason === OUTBID) own.sort((one, other) => other.rate - one.rate);
    let left = -change;
    for (const bid of own) {
      if (left <= 0n) break;
      const taken = left < bid.amount ? left : bid.amount;
      bid.amount -= taken;
      left -= taken;
    }
  }
  return bids;
}

/** The amount raised after the event, less the amount before it. */
function raisedBy(log: ChainLog, history: readonly ChainLog[]): bigint {
  const at = history.indexOf(log);
  return raiseOf(history.slice(0, at + 1)).raised - raiseOf(history.slice(0, at)).raised;
}
