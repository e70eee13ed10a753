import { describe, expect, it } from "vitest";
import type { ListingRow } from "../../src/fold/state.ts";
import { createBook, tell } from "../../test/harness/book.ts";
import { CASES, METHOD, type VectorRaise } from "../../test/harness/grade-vectors.ts";
import { type CreditRecord, closedFrom, creditRecord, gradeAt, isRemainder } from "./grade.ts";

const DAY = 86_400n;
const DOLLAR = 10n ** 18n;
const NOW = 2_000n * DAY;

/** The row of a raise that was drawn and repaid as the vector says, told by the events of the escrow. */
function rowOf(raise: VectorRaise): ListingRow {
  const principal = BigInt(raise.principal) * DOLLAR;
  const maturityAt = NOW - BigInt(raise.maturedDaysAgo) * DAY;
  const drawnAt = maturityAt - 90n * DAY;
  const told = tell(createBook());
  told.emit(drawnAt - DAY, "ListingCreated");
  told.emit(drawnAt, "DrawnDown", { amount: principal, maturityAt });
  if (raise.repaidDaysLate !== null) {
    const paidAt = maturityAt + BigInt(raise.repaidDaysLate) * DAY;
    told.emit(paidAt, "Repaid", { principal, outstandingPrincipal: 0n });
    told.emit(paidAt, "ListingSettled", { outcome: 0, writtenOffPrincipal: 0n });
  }
  if (raise.settledDaysAgo !== undefined) {
    const settledAt = NOW - BigInt(raise.settledDaysAgo) * DAY;
    const lost = (principal * BigInt(raise.lossShare ?? 0)) / 10_000n;
    if (lost < principal) {
      told.emit(settledAt, "Repaid", { principal: principal - lost, outstandingPrincipal: lost });
    }
    told.emit(settledAt, "ListingSettled", { outcome: 2, writtenOffPrincipal: lost });
  }
  return told.row();
}

function recordsOf(raises: readonly VectorRaise[]): CreditRecord[] {
  return raises.flatMap((raise) => {
    const record = creditRecord(rowOf(raise));
    if (record === null) throw new Error("a raise of a vector has a drawdown");
    return Array<CreditRecord>(raise.times ?? 1).fill(record);
  });
}

const onTime = { principal: 10_000, maturedDaysAgo: 400, repaidDaysLate: 0 };
const gradeOf = (raises: readonly VectorRaise[], now = NOW) => gradeAt(recordsOf(raises), true, now);

describe("the vectors", () => {
  it("are all there", () => {
    expect([METHOD, CASES.length]).toEqual(["v1", 14]);
  });

  it.each(CASES)("$name", ({ raises, kybStatus, expect: expected }) => {
    const { grade, rating } = gradeAt(recordsOf(raises), (kybStatus ?? "approved") === "approved", NOW);
    const { x, cap, ...figures } = expected;
    expect({ grade, ...rating, cap: rating.cap ?? undefined }).toMatchObject({ ...figures, cap });
    if (x !== undefined) {
      expect((rating.lossBps ?? 0) + Math.floor((rating.lateBps ?? 0) / 4)).toBe(x);
    }
    if (grade === "NR") {
      expect(rating).toMatchObject({ lossBps: null, lateBps: null, adjustedBps: null });
    }
  });
});

describe("the grade", () => {
  const base: VectorRaise[] = [{ ...onTime, times: 4 }];
  const unpaid = (maturedDaysAgo: number): VectorRaise => ({
    principal: 10_000,
    maturedDaysAgo,
    repaidDaysLate: null,
  });

  it("counts only raises with a drawdown: missed minimums, cancellations and voids are no credit events", () => {
    for (const name of ["ListingClosed", "ListingCancelled", "ListingVoided"] as const) {
      const told = tell(createBook());
      told.emit(1n, "ListingCreated");
      told.emit(2n, "Subscribed", { amount: 10n, totalRaised: 10n });
      told.emit(3n, name, name === "ListingClosed" ? { raisedAmount: 10n } : {});
      expect(creditRecord(told.row())).toBeNull();
    }
  });

  it("counts an unpaid raise from 30 days past maturity on, and as lost from 90", () => {
    const seen = (days: bigint, seconds: bigint) =>
      gradeOf([...base, unpaid(0)], NOW + days * DAY + seconds).rating;
    expect(seen(30n, 0n)).toMatchObject({ n: 4, lossBps: 0, lateBps: 0, cap: null });
    expect(seen(30n, 1n)).toMatchObject({ n: 5, lossBps: 0, lateBps: 2_000, cap: "D" });
    expect(seen(90n, 0n)).toMatchObject({ n: 5, lossBps: 0, lateBps: 2_000, cap: "D" });
    expect(seen(90n, 1n)).toMatchObject({ n: 5, lossBps: 2_000, lateBps: 2_000, cap: "E" });
  });

  it("counts a repayment 30 days late as on time, a second more as late", () => {
    const paid = (seconds: bigint) => {
      const [record] = recordsOf([onTime]);
      if (record === undefined) throw new Error("no record");
      const endedAt = record.maturityAt + 30n * DAY + seconds;
      return gradeAt([...recordsOf(base), { ...record, endedAt, settledAt: null }], true, NOW).rating.lateBps;
    };
    expect(paid(0n)).toBe(0);
    expect(paid(1n)).toBe(2_000);
  });

  it("counts a remainder up to a ten-thousandth of the principal as paid", () => {
    const left = (units: bigint) => {
      const [record] = recordsOf([unpaid(200)]);
      if (record === undefined) throw new Error("no record");
      const endedAt = record.maturityAt;
      return gradeAt([...recordsOf(base), { ...record, unpaid: units, endedAt }], true, NOW).rating;
    };
    expect(left(DOLLAR)).toMatchObject({ lossBps: 0, cap: null });
    expect(left(DOLLAR + 1n)).toMatchObject({ cap: "E" });
  });

  it("counts no loss within the tolerance, settled or not", () => {
    for (const settledAt of [null, NOW - 300n * DAY]) {
      const records = recordsOf(base).map((record) => ({ ...record, unpaid: DOLLAR, settledAt }));
      expect(gradeAt(records, true, NOW).rating.lossBps).toBe(0);
    }
  });

  it.each([
    ["nothing is left", 0n, null, false, 5n],
    ["the tolerance is left", DOLLAR, null, true, 5n],
    ["more is left", DOLLAR + 1n, null, false, null],
    ["more is lost", DOLLAR + 1n, 9n, false, 9n + 365n * DAY + 1n],
  ])("is closed to time where %s", (_, unpaid, settledAt, remainder, from) => {
    const principal = 10_000n * DOLLAR;
    const record = { principal, maturityAt: 5n, unpaid, settledAt, endedAt: 5n, reserveApplied: 0n };
    expect(closedFrom(record)).toBe(from);
    expect(closedFrom({ ...record, endedAt: null })).toBeNull();
    expect(isRemainder(unpaid, principal)).toBe(remainder);
  });

  it("counts a raise by how late it was repaid, or is by now, to the second", () => {
    const counted = (records: readonly CreditRecord[], now: bigint) =>
      Object.entries(gradeAt(records, true, now).rating.byDaysLate).filter(([, raises]) => raises > 0);
    const owed = (days: bigint, seconds: bigint) =>
      counted(recordsOf([unpaid(0)]), NOW + days * DAY + seconds);
    expect([owed(0n, 0n), owed(0n, 1n), owed(7n, 0n)]).toEqual([[], [["upTo7", 1]], [["upTo7", 1]]]);
    expect([owed(7n, 1n), owed(30n, 0n)]).toEqual([[["upTo30", 1]], [["upTo30", 1]]]);
    expect([owed(30n, 1n), owed(90n, 0n)]).toEqual([[["upTo90", 1]], [["upTo90", 1]]]);
    expect(owed(90n, 1n)).toEqual([["over90", 1]]);
    const settled = (rest: bigint) =>
      counted(
        recordsOf([onTime]).map((record) => ({ ...record, unpaid: rest })),
        NOW,
      );
    expect([settled(DOLLAR), settled(DOLLAR + 1n)]).toEqual([[["onTime", 1]], [["writtenOff", 1]]]);
  });

  it("takes the earlier of payment and settlement as the end", () => {
    const ended = (paidDaysLate: bigint, settledDaysLate: bigint) => {
      const told = tell(createBook());
      const maturityAt = NOW - 400n * DAY;
      told.emit(1n, "DrawnDown", { amount: 10_000n * DOLLAR, maturityAt });
      const events = [
        [paidDaysLate, "Repaid"],
        [settledDaysLate, "ListingSettled"],
      ] as const;
      for (const [days, name] of events.toSorted(([a], [b]) => Number(a - b))) {
        const args = name === "Repaid" ? { principal: 10_000n * DOLLAR } : {};
        told.emit(maturityAt + days * DAY, name, args);
      }
      const record = creditRecord(told.row());
      return record?.endedAt === undefined ? null : Number(((record.endedAt ?? 0n) - maturityAt) / DAY);
    };
    expect(ended(0n, 60n)).toBe(0);
    expect(ended(60n, 2n)).toBe(2);
  });

  it("counts a raise as late if its reserve covered more than the tolerance", () => {
    const covered = (reserveApplied: bigint) => {
      const [record] = recordsOf([onTime]);
      if (record === undefined) throw new Error("no record");
      return gradeAt([...recordsOf(base), { ...record, reserveApplied }], true, NOW).rating.lateBps;
    };
    expect(covered(DOLLAR)).toBe(0);
    expect(covered(DOLLAR + 1n)).toBe(2_000);
  });

  it("is capped at C for 365 days after a settled loss, and not a second longer", () => {
    const lost = {
      principal: 1_000,
      maturedDaysAgo: 10,
      repaidDaysLate: null,
      settledDaysAgo: 0,
      lossShare: 100,
    };
    const raises = [{ ...onTime, principal: 100_000, times: 20 }, lost];
    expect(gradeOf(raises, NOW + 365n * DAY)).toMatchObject({ grade: "C", rating: { cap: "C" } });
    expect(gradeOf(raises, NOW + 365n * DAY + 1n)).toMatchObject({ grade: "A", rating: { cap: null } });
  });

  it("counts a raise below 1,000 dollars in the volume, not in n", () => {
    const small = { ...onTime, principal: 999 };
    expect(gradeOf([...base, small]).rating).toMatchObject({
      n: 4,
      volume: (40_999n * DOLLAR).toString(),
    });
    expect(gradeOf([...base, { ...onTime, principal: 1_000 }]).rating.n).toBe(5);
  });

  it("needs an approved business with two resolved raises; others get n, volume and cap only", () => {
    const [grade, rating] = Object.values(gradeAt(recordsOf([unpaid(100)]), true, NOW));
    expect(grade).toBe("NR");
    expect(rating).toEqual({
      method: "v1",
      n: 1,
      volume: (10_000n * DOLLAR).toString(),
      lossBps: null,
      lateBps: null,
      adjustedBps: null,
      cap: "E",
      byDaysLate: { onTime: 0, upTo7: 0, upTo30: 0, upTo90: 0, over90: 1, writtenOff: 0 },
    });
    expect(gradeAt([], true, NOW)).toMatchObject({ grade: "NR", rating: { n: 0, volume: "0", cap: null } });
  });

  // A hundred raises of one size, some lost long ago: with n = 100, adjusted is (100 x + 1200) / 102 or x.
  it.each([
    [0, 11, "A"],
    [191, 199, "A"],
    [192, 200, "B"],
    [548, 549, "B"],
    [549, 550, "C"],
    [899, 899, "C"],
    [900, 900, "D"],
    [1_799, 1_799, "D"],
    [1_800, 1_800, "E"],
    [10_000, 10_000, "E"],
  ])("counts %i bps lost in 100 raises as %i bps of risk: %s", (lossBps, adjustedBps, grade) => {
    const settled = { principal: 10_000, maturedDaysAgo: 900, repaidDaysLate: null, settledDaysAgo: 880 };
    const inFull = Math.floor(lossBps / 100);
    const inPart = lossBps % 100;
    const raises = [
      { ...settled, lossShare: 10_000, times: inFull },
      { ...settled, lossShare: inPart * 100, times: inPart > 0 ? 1 : 0 },
      { ...onTime, times: 100 - inFull - (inPart > 0 ? 1 : 0) },
    ];
    expect(gradeOf(raises.filter(({ times }) => times > 0))).toMatchObject({
      grade,
      rating: { n: 100, lossBps, lateBps: 0, adjustedBps, cap: null },
    });
  });
});
