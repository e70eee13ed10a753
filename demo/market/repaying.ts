/** @module The second half of a raise: drawdown and repayment, or refunds. */
import { interestOn, shareOf } from "./money.ts";
import type { Course } from "./raise-story.ts";
import { DAY, HOUR, reserveOf, type Script, total } from "./script.ts";

type Repayment = Extract<Course, { kind: "repaid" | "repaidWithReserve" | "writtenOff" | "outstanding" }>;

/** A close with the minimum met: its time and rate. */
export type Close = { readonly closedAt: number; readonly couponRateBps: number };

type Loan = {
  readonly principal: bigint;
  readonly interest: bigint;
  readonly drawnAt: number;
  readonly maturityAt: number;
};

export function drawDown(script: Script, { closedAt, couponRateBps }: Close): Loan {
  const { raise, end, random, positions } = script;
  const { story, terms } = raise;
  const drawnAt =
    story.drawnDay === undefined
      ? Math.round(closedAt + random.between(1, 3) * DAY)
      : end + story.drawnDay * DAY;
  script.add(drawnAt, story.business, { kind: "drawDown" });
  const principal = total(positions);
  return {
    principal,
    interest: interestOn(principal, couponRateBps, terms.tenorDays),
    drawnAt,
    maturityAt: drawnAt + terms.tenorDays * DAY,
  };
}

export function repay(script: Script, loan: Loan, course: Repayment): void {
  switch (course.kind) {
    case "repaid":
      repayInFull(script, loan, course.payments ?? 1, course.afterMaturity);
      break;
    case "repaidWithReserve":
      repayWithReserve(script, loan, course.shortfall);
      break;
    case "writtenOff":
      writeOff(script, loan, course.shortfall, course.settledAfterMaturity);
      break;
    case "outstanding":
      repayInPart(script, loan, course.payments, course.paidShare);
  }
}

/** Interest in equal payments, the principal with the last. */
function repayInFull(script: Script, loan: Loan, payments: number, afterMaturity?: number): void {
  const { principal, interest, drawnAt, maturityAt } = loan;
  const part = interest / BigInt(payments);
  for (let index = 1; index < payments; index++)
    pay(script, drawnAt + ((maturityAt - drawnAt) * index) / payments, 0n, part);
  const offset = afterMaturity ?? -script.random.between(0.2, 3);
  const settledAt = maturityAt + offset * DAY;
  pay(script, settledAt, principal, interest - part * BigInt(payments - 1));
  release(script, settledAt, reserveOf(script.raise.terms));
}

function repayWithReserve(script: Script, loan: Loan, shortfall: number): void {
  const missing = shareOf(loan.principal, shortfall);
  pay(script, loan.maturityAt - HOUR, loan.principal - missing, loan.interest);
  const appliedAt = loan.maturityAt + 10 * DAY;
  script.add(appliedAt, "operator", { kind: "applyReserve", amount: missing });
  claim(script, appliedAt);
  release(script, appliedAt, reserveOf(script.raise.terms) - missing);
}

function writeOff(script: Script, loan: Loan, shortfall: number, afterMaturity: number): void {
  pay(script, loan.maturityAt + 20 * DAY, loan.principal - shareOf(loan.principal, shortfall), loan.interest);
  const settledAt = loan.maturityAt + afterMaturity * DAY;
  script.add(settledAt, "operator", { kind: "settle" });
  claim(script, settledAt);
}

/** Payments spread evenly over the time so far; the rest is outstanding at the end. */
function repayInPart(script: Script, loan: Loan, payments: number, paidShare: number): void {
  const { principal, interest, drawnAt, maturityAt } = loan;
  const until = Math.min(script.end, maturityAt);
  const share = (amount: bigint, fraction: number) => shareOf(amount, fraction) / BigInt(payments);
  const accrued = Math.min(1, (until - drawnAt) / (maturityAt - drawnAt));
  for (let index = 1; index <= payments; index++) {
    const at = drawnAt + ((until - drawnAt) * index) / (payments + 0.5);
    pay(script, at, share(principal, paidShare), share(interest, accrued * 0.9));
  }
}

function pay(script: Script, at: number, principal: bigint, interest: bigint): void {
  script.add(at, script.raise.story.business, { kind: "repay", principal, interest });
  claim(script, at);
}

/** Some holders claim their share within a week. */
function claim(script: Script, paidAt: number): void {
  const { random } = script;
  for (const holder of script.positions.keys()) {
    if (!random.chance(0.45)) continue;
    script.addIfInTime(paidAt + random.between(0.1, 6) * DAY, holder, { kind: "claimPayout" });
  }
}

function release(script: Script, endedAt: number, amount: bigint): void {
  if (amount === 0n) return;
  const at = endedAt + script.random.between(1, 4) * DAY;
  script.addIfInTime(at, "operator", { kind: "releaseReserve", amount });
}

/** Refunds a share of the backers; unless it is 1, at least one is not refunded. */
export function refundShare(script: Script, endedAt: number, share: number): void {
  const { random, positions, raise } = script;
  const backers = random.shuffled([...positions.keys()]);
  const count =
    share === 1 ? backers.length : Math.min(backers.length - 1, Math.ceil(backers.length * share));
  for (const backer of backers.slice(0, count)) {
    // Anyone may trigger a refund; mostly the backer does.
    const by = random.chance(0.7) ? backer : "operator";
    script.add(endedAt + random.between(0.1, 7) * DAY, by, { kind: "refund", backer });
    positions.delete(backer);
  }
  release(script, endedAt, reserveOf(raise.terms));
}
