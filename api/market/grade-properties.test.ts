import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LocatedEvent } from "../../src/fold/events.ts";
import { arbitraryHistory } from "../../test/harness/arbitrary-history.ts";
import { type Book, createBook, ESCROW, tell } from "../../test/harness/book.ts";
import { type CreditRecord, creditRecord, gradeAt } from "./grade.ts";

const DAY = 86_400n;
const DOLLAR = 10n ** 18n;
const NOW = 3_000n * DAY;
const RUNS = { numRuns: 2_000 };

const gradeOf = (records: readonly CreditRecord[]) => gradeAt(records, true, NOW).grade;
const toleranceOf = (principal: bigint) => (principal / 10_000n > 1n ? principal / 10_000n : 1n);

const daysBefore = (most: number) =>
  fc.integer({ min: 0, max: most }).map((days) => NOW - BigInt(days) * DAY);
const principals = fc
  .oneof(fc.constantFrom(0, 1, 999, 1_000, 1_001, 10_000, 250_000), fc.integer({ min: 0, max: 300_000 }))
  .map((dollars) => BigInt(dollars) * DOLLAR);

/** A record as a raise can leave it: what ended has ended by now, what is settled has an end. */
const record: fc.Arbitrary<CreditRecord> = fc
  .record({
    principal: principals,
    maturityAt: fc.integer({ min: -200, max: 800 }).map((days) => NOW - BigInt(days) * DAY),
    state: fc.constantFrom("cleared", "settled", "open"),
    share: fc.oneof(fc.constantFrom(0n, 1n, 2n, 10_000n), fc.bigInt(0n, 10_000n)),
    end: daysBefore(800),
    reserve: fc.oneof(fc.constant(0n), fc.bigInt(0n, 10_000n)),
  })
  .map(({ principal, maturityAt, state, share, end, reserve }) => ({
    principal,
    maturityAt,
    unpaid: state === "cleared" ? 0n : (principal * share) / 10_000n,
    settledAt: state === "settled" ? end : null,
    endedAt: state === "open" && (principal * share) / 10_000n > toleranceOf(principal) ? null : end,
    reserveApplied: (principal * reserve) / 10_000n,
  }));
const history = fc.array(record, { minLength: 2, maxLength: 12 });

/** It counts whatever it still pays: settled, or more than 30 days past its maturity. */
const surelyResolved = ({ settledAt, maturityAt }: CreditRecord) =>
  settledAt !== null || NOW > maturityAt + 30n * DAY;

function expectNotBetter(before: readonly CreditRecord[], after: readonly CreditRecord[]): void {
  const was = gradeOf(before);
  const is = gradeOf(after);
  expect(is === "NR").toBe(was === "NR");
  // "A" to "E" sort as they grade.
  expect(is >= was, `${was} became ${is}`).toBe(true);
}

describe("the grade", () => {
  it("does not depend on the order of the raises", () => {
    const shuffled = history.chain((records) =>
      fc.tuple(
        fc.constant(records),
        fc.shuffledSubarray(records, { minLength: records.length, maxLength: records.length }),
      ),
    );
    const property = fc.property(shuffled, ([records, otherwise]) => {
      expect(gradeAt(otherwise, true, NOW)).toEqual(gradeAt(records, true, NOW));
    });
    fc.assert(property, RUNS);
  });

  it("never gets worse by one more clean raise", () => {
    const clean = fc
      .record({ principal: principals, days: fc.integer({ min: 0, max: 800 }), settled: fc.boolean() })
      .map(({ principal, days, settled }): CreditRecord => {
        const maturityAt = NOW - BigInt(days) * DAY;
        const settledAt = settled ? maturityAt : null;
        const paid = { unpaid: toleranceOf(principal), reserveApplied: toleranceOf(principal) };
        return { principal, maturityAt, ...paid, settledAt, endedAt: maturityAt };
      });
    const property = fc.property(history, clean, (records, raise) => {
      const before = gradeOf(records);
      fc.pre(before !== "NR");
      const after = gradeOf([...records, raise]);
      expect(after !== "NR" && after <= before, `${before} became ${after}`).toBe(true);
    });
    fc.assert(property, RUNS);
  });

  it("never rises with what a resolved raise leaves unpaid", () => {
    const property = fc.property(history, fc.nat(), fc.bigInt(0n, 10_000n), (records, which, share) => {
      const index = which % records.length;
      const changed = records.map((raise, at) =>
        at === index
          ? { ...raise, unpaid: raise.unpaid + ((raise.principal - raise.unpaid) * share) / 10_000n }
          : raise,
      );
      fc.pre(records[index] !== undefined && surelyResolved(records[index]));
      expectNotBetter(records, changed);
    });
    fc.assert(property, RUNS);
  });

  it("never rises with how late a resolved raise ends, or with what its reserve had to cover", () => {
    const property = fc.property(
      history,
      fc.nat(),
      daysBefore(800),
      fc.boolean(),
      (records, which, end, covered) => {
        const index = which % records.length;
        const changed = records.map((raise, at): CreditRecord => {
          if (at !== index) return raise;
          if (covered) return { ...raise, reserveApplied: raise.reserveApplied + raise.principal };
          const later = (time: bigint | null) => (time === null || time > end ? time : end);
          return { ...raise, endedAt: later(raise.endedAt), settledAt: later(raise.settledAt) };
        });
        expectNotBetter(records, changed);
      },
    );
    fc.assert(property, RUNS);
  });

  it("can rise with a late raise that is not resolved yet, because that does not count yet", () => {
    // A reserve paid for it, 8 days after maturity. Paid off it is late; with the rest still owed it waits.
    const clean = { principal: 10_000n * DOLLAR, unpaid: 0n, reserveApplied: 0n };
    const records = Array<CreditRecord>(6).fill({
      ...clean,
      maturityAt: NOW - 400n * DAY,
      settledAt: null,
      endedAt: NOW - 400n * DAY,
    });
    const late = { ...clean, maturityAt: NOW - 8n * DAY, settledAt: null, reserveApplied: 5_000n * DOLLAR };
    const paidOff = { ...late, endedAt: NOW - DAY };
    const stillOwed = { ...late, unpaid: 5_000n * DOLLAR, endedAt: null };
    expect(gradeAt([...records, paidOff], true, NOW)).toMatchObject({
      grade: "B",
      rating: { n: 7, lateBps: 1_428 },
    });
    expect(gradeAt([...records, stillOwed], true, NOW)).toMatchObject({
      grade: "A",
      rating: { n: 6, lateBps: 0 },
    });
  });

  it("is the same at a block before and after later blocks are folded", () => {
    const raises = fc.tuple(
      ...[1n, 2n, 3n, 4n].map((onchainId) => arbitraryHistory({ escrowAddress: ESCROW, onchainId })),
    );
    const property = fc.property(raises, fc.bigInt(0n, 200n), (histories, block) => {
      const events = histories.flat().sort((a, b) => Number(a.at.blockTime - b.at.blockTime));
      const seenAt = (book: Book) => [...book.listings.values()];
      const judge = (rows: ReturnType<typeof seenAt>) =>
        gradeAt(
          rows.flatMap((row) => creditRecord(row) ?? []),
          true,
          block,
        );
      const play = (book: Book, part: readonly LocatedEvent[]) => {
        for (const event of part) book.record(event);
      };
      const until = events.filter(({ at }) => at.blockTime <= block);
      const short = createBook();
      play(short, until);

      const long = createBook();
      play(long, until);
      const rowsAtBlock = seenAt(long);
      const then = judge(rowsAtBlock);
      play(long, events.slice(until.length));
      expect(judge(rowsAtBlock)).toEqual(then);
      expect(judge(seenAt(short))).toEqual(then);
    });
    fc.assert(property, { numRuns: 500 });
  });
});

describe("what the grade is computed from", () => {
  it("are whole shares of the volume, whatever figures the chain says", () => {
    const amount = fc.constantFrom(0n, 1n, 1_000n * DOLLAR, 2n ** 200n, 2n ** 256n - 1n);
    const loan = fc.record({
      drawn: fc.constantFrom(1_000n * DOLLAR, 2n ** 200n, 2n ** 256n - 1n),
      left: amount,
      writtenOff: fc.option(amount),
    });
    const property = fc.property(fc.array(loan, { minLength: 2, maxLength: 5 }), (loans) => {
      const records = loans.flatMap(({ drawn, left, writtenOff }) => {
        const raise = tell();
        raise.emit(1n, "DrawnDown", { amount: drawn, maturityAt: 10n });
        raise.emit(2n, "Repaid", { principal: 1n, outstandingPrincipal: left });
        if (writtenOff !== null) raise.emit(3n, "ListingSettled", { writtenOffPrincipal: writtenOff });
        return creditRecord(raise.row()) ?? [];
      });
      const { grade, rating } = gradeAt(records, true, NOW);
      expect(grade).not.toBe("NR");
      for (const bps of [rating.lossBps, rating.lateBps]) {
        expect(Number.isInteger(bps) && bps !== null && bps >= 0 && bps <= 10_000).toBe(true);
      }
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});
