/** @module The outcome of a plan of the demo's market, without a chain. */
import type { CreditRecord } from "../../api/market/grade.ts";
import type { Repayment, Status } from "../../api/market/schema.ts";
import { repaymentAt, statusAt } from "../../api/market/status.ts";
import type { Action, RaiseAction, RaiseId } from "../../demo/market/actions.ts";
import type { MarketPlan } from "../../demo/market/plan.ts";
import type { PlannedRaise } from "../../demo/market/script.ts";
import { created, ensure, type Followed, follow, maturityOf, raised } from "./planned-raise.ts";

export type Outcome = {
  raise: PlannedRaise;
  visible: boolean;
  status: Status;
  repayment: Repayment;
  record: CreditRecord | null;
  /** backers with principal that was not given back */
  holders: number;
};

/** Every raise of the plan in its final state. @throws if the escrow would refuse a step */
export function followPlan(plan: MarketPlan): Outcome[] {
  const followed = new Map<string, Followed>();
  const counts = new Map<string, number>();
  for (const { at, by, action } of plan.steps) {
    if (!concernsRaise(action)) continue;
    if (action.kind === "createListing") {
      const raise = plan.raises.find(({ id }) => keyOf(id) === keyOf(action.raise));
      const id = (counts.get(action.raise.escrow) ?? 0) + 1;
      counts.set(action.raise.escrow, id);
      ensure(
        raise !== undefined && raise.id.onchainId === id,
        `${keyOf(action.raise)} is created out of turn`,
      );
      if (raise !== undefined) followed.set(keyOf(action.raise), created(raise, action.terms, at));
      continue;
    }
    const raise = followed.get(keyOf(action.raise));
    ensure(raise !== undefined, `${action.kind} before the creation of ${keyOf(action.raise)}`);
    if (raise !== undefined) follow(raise, { at, by, action });
  }
  return [...followed.values()].map((raise) => outcomeOf(raise, plan.end));
}

function concernsRaise(action: Action): action is RaiseAction & { raise: RaiseId } {
  return "raise" in action;
}

function keyOf({ escrow, onchainId }: RaiseId): string {
  return `${escrow}/${onchainId}`;
}

function outcomeOf(raise: Followed, now: number): Outcome {
  const { story, id } = raise.raise;
  ensure(id.onchainId > 0, story.publicId);
  const drawn = raise.drawnDownAt !== null;
  const facts = {
    terminalKind: raise.terminal,
    terminalAt: seconds(raise.terminalAt),
    createdAt: null,
    frozenAt: seconds(raise.closedAt),
    decidedAt: seconds(raise.closedAt),
    closeAt: seconds(raise.terms.closeAt),
    goLiveAt: BigInt(raise.terms.goLiveAt),
    firstSubscribedAt: seconds(raise.firstSubscribedAt),
    // Money given back after the close does not count; nothing was drawn from a raise with refunds.
    raisedAmount: drawn ? raise.principal : raised(raise),
    minRaise: raise.terms.minRaise,
    writtenOffPrincipal: raise.terminal === "settled" ? raise.writtenOff : null,
    maturityAt: drawn ? BigInt(maturityOf(raise)) : null,
    drawnDownAt: seconds(raise.drawnDownAt),
  };
  return {
    raise: raise.raise,
    visible: story.unpublished !== true && raise.terms.goLiveAt <= now,
    status: statusAt(facts, BigInt(now)).status,
    repayment: repaymentAt(facts, BigInt(now)),
    record: drawn ? recordOf(raise) : null,
    holders: new Set(raise.bids.map(({ backer }) => backer)).size,
  };
}

function recordOf(raise: Followed): CreditRecord {
  const settled = raise.terminal === "settled";
  return {
    principal: raise.principal,
    maturityAt: BigInt(maturityOf(raise)),
    unpaid: settled ? raise.writtenOff : raise.outstanding,
    settledAt: settled ? seconds(raise.terminalAt) : null,
    endedAt: seconds(raise.clearedAt ?? raise.terminalAt),
    reserveApplied: raise.reserveApplied,
  };
}

function seconds(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}
