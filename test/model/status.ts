/** @module The lifecycle of a listing at a moment, as `market.md` defines it under "Status". */
import type { ChainLog } from "./chain-log.ts";
import { type Raise, raiseOf } from "./raise.ts";

const DAY = 86_400n;

export type Status = "listed" | "funding" | "live" | "matured" | "refunding" | "voided" | "cancelled";

export type Repayment = "not_drawn" | "current" | "grace" | "late" | "default" | "repaid" | "written_off";

const FINAL = { ListingCancelled: "cancelled", ListingVoided: "voided", ListingSettled: "matured" } as const;

/** @param now the head's timestamp, unix seconds */
export function statusOf(raise: Raise, now: bigint): Status {
  if (raise.terminal) return FINAL[raise.terminal.name];
  if (raise.close || deadlinePassed(raise, now)) return raiseSucceeded(raise) ? "live" : "refunding";
  return raise.firstSubscription ? "funding" : "listed";
}

/**
 * When the status became what it is, unix seconds: the time of the event that decided, or `closeAt` where time did.
 * @param history every log of the listing, of which `raise` was made
 */
export function statusSince(raise: Raise, history: readonly ChainLog[], now: bigint): bigint {
  const decided = decidedAt(raise, history, now);
  // Nothing is decided of a raise that does not exist yet.
  const created = history.find(({ name }) => name === "ListingCreated")?.at ?? 0n;
  return decided > created ? decided : created;
}

function decidedAt(raise: Raise, history: readonly ChainLog[], now: bigint): bigint {
  if (raise.terminal) return raise.terminal.at;
  const { close } = raise;
  if (!close && !deadlinePassed(raise, now)) {
    return raise.firstSubscription?.at ?? raise.terms?.goLiveAt ?? 0n;
  }
  const closeAt = raise.terms?.closeAt ?? 0n;
  if (close && !deadlinePassed(raise, close.at)) return close.at;
  // The deadline had decided already; what lowers the raise after it, and the close, count only where they turned that decision round.
  const turn = history.findLast((log, index) => {
    if (log !== close && log.name !== "Refunded") return false;
    const [before, after] = [index, index + 1].map((end) => raiseOf(history.slice(0, end))) as [Raise, Raise];
    // Terms may bring a closing time of the past: what came before them turned nothing round.
    return deadlinePassed(before, log.at) && raiseSucceeded(before) !== raiseSucceeded(after);
  });
  return turn?.at ?? closeAt;
}

export function repaymentOf({ drawdown, terminal }: Raise, now: bigint): Repayment {
  if (terminal?.name === "ListingSettled") {
    return terminal.args.writtenOffPrincipal === 0n ? "repaid" : "written_off";
  }
  if (!drawdown) return "not_drawn";
  const { maturityAt } = drawdown.args;
  if (now <= maturityAt) return "current";
  if (now <= maturityAt + 7n * DAY) return "grace";
  return now <= maturityAt + 90n * DAY ? "late" : "default";
}

function deadlinePassed({ terms }: Raise, now: bigint): boolean {
  return !!terms && terms.closeAt > 0n && now >= terms.closeAt;
}

function raiseSucceeded({ raised, terms }: Raise): boolean {
  return raised > 0n && raised >= (terms?.minRaise ?? 0n);
}
