/** @module The grade of an originator, method v1: integers only, floor division. */

import { DAY } from "../../config/format/time.ts";
import { repaymentTolerance } from "../../src/fold/rules.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { ONE } from "./amount.ts";
import type { Grade, Rating } from "./schema.ts";
import { DEFAULT_AFTER, GRACE } from "./status.ts";

export const LATE = 30n * DAY;
export const RECENT = 365n * DAY;
/** 1,000 dollars: below this a raise does not count towards a record. Base units. */
export const MIN_PRINCIPAL = 1_000n * ONE;
/** A record starts as if it had this many raises of 6% risk. */
const PRIOR_RAISES = 2n;
const PRIOR_BPS = 600n;
const MIN_RESOLVED = 2n;

/** The part of a drawn raise that counts for the grade. Base units and unix seconds. */
export type CreditRecord = {
  principal: bigint;
  maturityAt: bigint;
  /** written off once settled, else outstanding */
  unpaid: bigint;
  settledAt: bigint | null;
  /** when the outstanding principal first fell within the tolerance, or the settlement */
  endedAt: bigint | null;
  reserveApplied: bigint;
};

/** The credit record of a listing, null before its drawdown. */
export function creditRecord(row: ListingRow): CreditRecord | null {
  if (row.drawnAmount === null || row.maturityAt === null) return null;
  const settledAt = row.terminalKind === "settled" ? row.terminalAt : null;
  const unpaid = settledAt === null ? row.outstandingPrincipal : (row.writtenOffPrincipal ?? 0n);
  return {
    principal: row.drawnAmount,
    maturityAt: row.maturityAt,
    // A loss never exceeds the amount drawn, whatever the chain's figure says.
    unpaid: unpaid < row.drawnAmount ? unpaid : row.drawnAmount,
    settledAt,
    endedAt: earlier(row.clearedAt, settledAt),
    reserveApplied: row.reserveApplied,
  };
}

/** The sums of records, base units. */
export type RecordSums = {
  /** resolved raises of at least `MIN_PRINCIPAL` */
  n: bigint;
  volume: bigint;
  loss: bigint;
  late: bigint;
  /** records that cap the grade */
  caps: Record<Cap, number>;
  byDaysLate: Rating["byDaysLate"];
};

export function noRecords(): RecordSums {
  const byDaysLate = { onTime: 0, upTo7: 0, upTo30: 0, upTo90: 0, over90: 0, writtenOff: 0 };
  return { n: 0n, volume: 0n, loss: 0n, late: 0n, caps: { C: 0, D: 0, E: 0 }, byDaysLate };
}

/** Adds a record as it is at `now`, or takes one away that was added. */
export function countRecord(sums: RecordSums, record: CreditRecord, now: bigint, sign: 1 | -1 = 1): void {
  const { principal, resolved, loss, late, cap } = judge(record, now);
  if (cap !== null) sums.caps[cap] += sign;
  const days = daysLateOf(record, now);
  if (days !== null) sums.byDaysLate[days] += sign;
  if (!resolved) return;
  const factor = BigInt(sign);
  if (principal >= MIN_PRINCIPAL) sums.n += factor;
  sums.volume += factor * principal;
  sums.loss += factor * loss;
  sums.late += factor * late;
}

/** Whether a loss on a principal is too small for the grade. Base units. */
export function isRemainder(lost: bigint, principal: bigint): boolean {
  return lost > 0n && lost <= repaymentTolerance(principal);
}

/** From when on (unix seconds) time alone does not change what this record adds; null while only an event can end it. */
export function closedFrom({ principal, unpaid, settledAt, endedAt }: CreditRecord): bigint | null {
  if (endedAt === null || unpaid <= repaymentTolerance(principal)) return endedAt;
  return settledAt === null ? null : settledAt + RECENT + 1n;
}

/**
 * The grade at `now` (unix seconds) and the figures behind it.
 * @param approved the business verification; without it NR
 * @param closed what further, closed records add up to
 */
export function gradeAt(
  records: readonly CreditRecord[],
  approved: boolean,
  now: bigint,
  closed: RecordSums = noRecords(),
): { grade: Grade; rating: Rating } {
  const sums = { ...closed, caps: { ...closed.caps }, byDaysLate: { ...closed.byDaysLate } };
  for (const record of records) countRecord(sums, record, now);
  const { n, volume, loss, late, caps, byDaysLate } = sums;
  const cap = (["E", "D", "C"] as const).find((one) => caps[one] > 0) ?? null;
  const base = { method: "v1", n: Number(n), volume: volume.toString() } as const;
  const latest = { cap, byDaysLate };
  if (!approved || n < MIN_RESOLVED) {
    return { grade: "NR", rating: { ...base, lossBps: null, lateBps: null, adjustedBps: null, ...latest } };
  }
  const lossBps = (10_000n * loss) / volume;
  const lateBps = (10_000n * late) / volume;
  const x = lossBps + lateBps / 4n;
  const pulled = (n * x + PRIOR_RAISES * PRIOR_BPS) / (n + PRIOR_RAISES);
  const adjusted = x > pulled ? x : pulled;
  const figures = { lossBps: Number(lossBps), lateBps: Number(lateBps), adjustedBps: Number(adjusted) };
  const band = bandOf(adjusted);
  return { grade: cap !== null && cap > band ? cap : band, rating: { ...base, ...figures, ...latest } };
}

/** From the due date of a record that is repaid, due or settled to its end, or to `now` without one; null for any other. */
function daysLateOf(
  { principal, maturityAt, unpaid, settledAt, endedAt }: CreditRecord,
  now: bigint,
): keyof Rating["byDaysLate"] | null {
  const late = (endedAt ?? now) - maturityAt;
  if (settledAt !== null && unpaid > repaymentTolerance(principal)) return "writtenOff";
  if (late <= 0n) return endedAt === null ? null : "onTime";
  if (late <= GRACE) return "upTo7";
  if (late <= LATE) return "upTo30";
  return late <= DEFAULT_AFTER ? "upTo90" : "over90";
}

/** The moments (unix seconds) at which time alone can change the rating of an originator with this record. */
export function gradeTurnsOf({ maturityAt, settledAt }: CreditRecord): bigint[] {
  const turns = [0n, GRACE, LATE, DEFAULT_AFTER].map((span) => maturityAt + span + 1n);
  return settledAt === null ? turns : [...turns, settledAt + RECENT + 1n];
}

type Cap = NonNullable<Rating["cap"]>;
type Judged = { principal: bigint; resolved: boolean; loss: bigint; late: bigint; cap: Cap | null };

function judge(record: CreditRecord, now: bigint): Judged {
  const { principal, maturityAt, unpaid, settledAt, endedAt, reserveApplied } = record;
  const tolerance = repaymentTolerance(principal);
  const settled = settledAt !== null;
  const short = unpaid > tolerance;
  const pastLate = now > maturityAt + LATE;
  const pastDefault = now > maturityAt + DEFAULT_AFTER;

  let cap: Cap | null = null;
  if (short && !settled && pastDefault) cap = "E";
  else if (short && !settled && pastLate) cap = "D";
  else if (short && settled && now - settledAt <= RECENT) cap = "C";

  const lateEnd = (endedAt ?? now) > maturityAt + LATE;
  return {
    principal,
    resolved: settled || !short || pastLate,
    loss: short && (settled || pastDefault) ? unpaid : 0n,
    late: lateEnd || reserveApplied > tolerance ? principal : 0n,
    cap,
  };
}

function bandOf(adjustedBps: bigint): Exclude<Grade, "NR"> {
  if (adjustedBps < 200n) return "A";
  if (adjustedBps < 550n) return "B";
  if (adjustedBps < 900n) return "C";
  return adjustedBps < 1800n ? "D" : "E";
}

function earlier(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
