import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBook, RESERVE, tell } from "../../test/harness/book.ts";
import { gradeOf, type Loan } from "../../test/model/grade.ts";
import {
  type Credit,
  carryGrades,
  creditOf,
  differsFrom,
  gradeHistory,
  gradesOver,
  gradeThen,
} from "./grade-history.ts";
import type { Originator } from "./originator.ts";

const DAY = 86_400n;
const DOLLAR = 10n ** 18n;

type Payment = { day: number; share: number; isReserve: boolean };
/** Days from the drawdown; shares in percent of the principal. */
type Story = {
  dollars: number;
  drawnDay: number;
  tenor: number;
  payments: readonly Payment[];
  settledDay: number | null;
};

/** A loan as an escrow permits it: nothing is paid beyond what is owed, or after the settlement. */
const story: fc.Arbitrary<Story> = fc
  .record({
    dollars: fc.constantFrom(999, 1_000, 5_000, 80_000),
    drawnDay: fc.nat(400),
    tenor: fc.constantFrom(30, 90, 180),
    payments: fc.array(
      fc.record({ day: fc.nat(700), share: fc.integer({ min: 1, max: 100 }), isReserve: fc.boolean() }),
      { maxLength: 4 },
    ),
    settledDay: fc.option(fc.nat(700)),
  })
  .map(({ payments, settledDay, ...rest }) => {
    let owed = 100;
    const kept = payments
      .toSorted((a, b) => a.day - b.day)
      .filter(({ day }) => settledDay === null || day < settledDay)
      .flatMap((payment) => {
        const share = Math.min(payment.share, owed);
        owed -= share;
        return share === 0 ? [] : [{ ...payment, share }];
      });
    return { ...rest, settledDay, payments: kept };
  });

const secondsOf = ({ drawnDay }: Story, day: number) => BigInt(1 + drawnDay + day) * DAY;
const principalOf = ({ dollars }: Story) => BigInt(dollars) * DOLLAR;
const owedAfter = (one: Story, payments: readonly Payment[]) =>
  payments.reduce((owed, { share }) => owed - (principalOf(one) * BigInt(share)) / 100n, principalOf(one));

/** The record that the fold leaves. */
function creditFrom(one: Story, pair: string): Credit {
  const told = tell(createBook());
  const principal = principalOf(one);
  const maturityAt = secondsOf(one, one.tenor);
  told.emit(secondsOf(one, 0) - 1n, "ListingCreated");
  told.emit(secondsOf(one, 0), "DrawnDown", { amount: principal, maturityAt });
  const repayments = one.payments.map(({ day, share, isReserve }, index) => {
    const at = secondsOf(one, day);
    const outstandingPrincipal = owedAfter(one, one.payments.slice(0, index + 1));
    const paid = (principal * BigInt(share)) / 100n;
    if (isReserve) told.emit(at, "ReserveChanged", { reason: RESERVE.applied, amount: paid });
    told.emit(at, "Repaid", { principal: paid, outstandingPrincipal });
    return { blockTime: at, principal: paid, interest: 0n, outstandingPrincipal };
  });
  const writtenOffPrincipal = owedAfter(one, one.payments);
  if (one.settledDay !== null) {
    told.emit(secondsOf(one, one.settledDay), "ListingSettled", { outcome: 0, writtenOffPrincipal });
  }
  const credit = creditOf(pair, told.row(), []);
  if (credit === null) throw new Error("the raise was drawn");
  return { ...credit, repayments };
}

/** The same for the model, up to a time. */
function loanAt(one: Story, at: bigint): Loan[] {
  if (secondsOf(one, 0) > at) return [];
  const payments = one.payments.filter(({ day }) => secondsOf(one, day) <= at);
  const settledAt = one.settledDay === null ? null : secondsOf(one, one.settledDay);
  const principal = principalOf(one);
  return [
    {
      principal,
      maturity: secondsOf(one, one.tenor),
      balances: [
        { at: secondsOf(one, 0), outstanding: principal },
        ...payments.map(({ day }, index) => ({
          at: secondsOf(one, day),
          outstanding: owedAfter(one, payments.slice(0, index + 1)),
        })),
      ],
      settled:
        settledAt === null || settledAt > at
          ? null
          : { at: settledAt, writtenOff: owedAfter(one, one.payments) },
      applied: payments
        .filter(({ isReserve }) => isReserve)
        .reduce((sum, { share }) => sum + (principal * BigInt(share)) / 100n, 0n),
    },
  ];
}

const onTime = (drawnDay: number): Story => ({
  dollars: 5_000,
  drawnDay,
  tenor: 90,
  payments: [{ day: 90, share: 100, isReserve: false }],
  settledDay: 90,
});
const historyOf = (stories: readonly Story[], now: bigint) =>
  gradeHistory(
    stories.map((one, index) => creditFrom(one, `${index}`)),
    true,
    now,
  ).steps;
/** The day of each change, the grade from then on, and what changed it. */
const toldBy = (stories: readonly Story[], now: bigint) =>
  historyOf(stories, now).map(({ at, grade, causes }) => [
    Number(at / DAY),
    grade,
    causes.map(({ pair, kind }) => `${pair} ${kind}`).join(", "),
  ]);

const CLEAN = ["0", "1"].map((pair) => ({
  ...creditFrom({ ...onTime(0), tenor: 1, payments: [], settledDay: 1 }, pair),
  unpaid: 0n,
}));

/** The grades of a business with two clean raises, and this one, at these moments. */
function gradesAt(moments: readonly bigint[], credit: Credit | null) {
  const business = { kybStatus: "approved" } as Originator;
  const of = { creditsOf: () => (credit === null ? CLEAN : [...CLEAN, credit]), now: 2_000n * DAY };
  return moments.map((at) => gradeThen(business, at, of));
}

describe("the grades over time", () => {
  it("are those of the model at every moment, on any history that an escrow permits", () => {
    fc.assert(
      fc.property(fc.array(story, { maxLength: 6 }), fc.array(fc.nat(1_700)), (stories, days) => {
        const now = 1_700n * DAY;
        const steps = historyOf(stories, now);
        const moments = [
          ...days.map((day) => BigInt(day) * DAY),
          ...steps.flatMap(({ at }) => [at - 1n, at]),
          now,
        ];
        for (const at of moments) {
          const loans = stories.flatMap((one) => loanAt(one, at));
          const step = steps.findLast((one) => one.at <= at);
          expect(step?.grade ?? "NR").toBe(gradeOf(loans, "approved", at).grade);
        }
        for (const { at, rating } of steps) {
          const loans = stories.flatMap((one) => loanAt(one, at));
          expect(rating).toEqual(gradeOf(loans, "approved", at).rating);
        }
        for (const [index, { causes, grade }] of steps.entries()) {
          expect(causes.length).toBeGreaterThan(0);
          expect(grade).not.toBe(steps[index - 1]?.grade);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("are the same until the moment from which on a record is another", () => {
    const change = fc.record({
      payments: fc.constantFrom(4, 4, 0, 1, 2),
      tenor: fc.constantFrom(null, null, null, null, 30),
      isReserve: fc.constantFrom(null, true),
      isSettled: fc.constantFrom(true, true, false),
    });
    const property = fc.property(story, change, (one, { payments, tenor, isReserve, isSettled }) => {
      const paid = one.payments
        .slice(0, payments)
        .map((each) => ({ ...each, isReserve: isReserve ?? each.isReserve }));
      const settledDay = isSettled ? one.settledDay : null;
      const other: Story = { ...one, payments: paid, settledDay, tenor: tenor ?? one.tenor };
      const days = [one, other].flatMap((each) => [
        ...[0, each.tenor, each.tenor + 31, each.tenor + 91, each.settledDay ?? 0, 1_000],
        ...each.payments.map(({ day }) => day),
      ]);
      const moments = [...new Set(days)]
        .toSorted((a, b) => a - b)
        .flatMap((day) => [secondsOf(one, day) - 1n, secondsOf(one, day)]);
      const [before, after] = [one, other].map((each) => creditFrom(each, "changed")) as [Credit, Credit];
      const grades = new Map([before, after, null].map((credit) => [credit, gradesAt(moments, credit)]));
      for (const [first, second] of [
        [before, after],
        [after, before],
        [null, after],
        [before, null],
      ] as const) {
        const since = differsFrom(first, second);
        const earlier = moments.filter((at) => since === null || at < since);
        const [was, is] = [first, second].map((credit) => grades.get(credit)?.slice(0, earlier.length));
        expect(is).toEqual(was);
      }
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it("begin with the first drawdown, without a grade, and rise with each raise that is repaid", () => {
    // Two clean raises: (2·0 + 2·600) / 4 = 300, a B. Five of them: 1200 / 7 = 171, an A.
    const stories = [0, 100, 200, 300, 400].map(onTime);
    expect(toldBy(stories, 600n * DAY)).toEqual([
      [1, "NR", "0 drawn"],
      [191, "B", "1 repaid"],
      [491, "A", "4 repaid"],
    ]);
    expect(toldBy(stories, 200n * DAY).map(([, grade]) => grade)).toEqual(["NR", "B"]);
    expect(toldBy([], 200n * DAY)).toEqual([]);
  });

  it("fall with a raise that is late, in default and lost, and rise a year after the loss", () => {
    const lost: Story = { dollars: 1_000, drawnDay: 200, tenor: 90, payments: [], settledDay: 300 };
    // 291 is the due date. Of 51,000 dollars 1,000 came to be lost: 196 bps, and as many late.
    const stories = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(onTime);
    expect(toldBy([...stories, lost], 1_000n * DAY)).toEqual([
      [1, "NR", "0 drawn"],
      [92, "B", "1 repaid"],
      [95, "A", "4 repaid"],
      [321, "D", "10 late"],
      [381, "E", "10 default"],
      // Adjusted (11 · (196 + 49) + 1200) / 13 = 299.
      [501, "C", "10 lost"],
      [866, "B", "10 forgotten"],
    ]);
  });

  it("name a remainder up to the tolerance a repayment, and more a loss", () => {
    const tolerance = DOLLAR / 2n;
    const last = (unpaid: bigint) => {
      const second = { ...creditFrom(onTime(100), "1"), unpaid };
      const [step] = gradeHistory([creditFrom(onTime(0), "0"), second], true, 300n * DAY).steps.slice(-1);
      return [step?.grade, step?.causes];
    };
    expect(last(tolerance)).toEqual(["B", [{ pair: "1", kind: "repaid" }]]);
    expect(last(tolerance + 1n)).toEqual(["C", [{ pair: "1", kind: "lost" }]]);
    const lost = creditFrom(onTime(100), "1");
    expect(differsFrom(lost, { ...lost, unpaid: 1n })).toBe(lost.settledAt);
  });

  it("are kept until the next moment, and for the business with another record until that differs", () => {
    const business = () => ({ kybStatus: "approved" }) as Originator;
    const [first, second, third] = [0, 100, 200].map((day) => creditFrom(onTime(day), `${day}`)) as [
      Credit,
      Credit,
      Credit,
    ];
    const at = (credits: Credit[], now: bigint) => gradeHistory(credits, true, now).steps;
    const before = business();
    expect(gradesOver(before, () => [first, second], 100n * DAY)).toHaveLength(1);
    const known = gradesOver(before, () => [first, second], 250n * DAY);
    expect(known).toEqual(at([first, second], 250n * DAY));
    const rated = known.at(-1)?.at ?? 0n;
    const gradeOfBusiness = (moment: bigint) =>
      gradeThen(before, moment, { creditsOf: () => [first, second], now: 250n * DAY });
    expect([gradeOfBusiness(rated - 1n), gradeOfBusiness(rated)]).toEqual(["NR", "B"]);
    const after = business();
    const other = { ...third, endedAt: null, settledAt: null, unpaid: third.principal, repayments: [] };
    carryGrades(before, after, other.drawnAt);
    expect(gradesOver(after, () => [first, second, other], 600n * DAY)).toEqual(
      at([first, second, other], 600n * DAY),
    );
  });

  it("do not exist for a business that is not verified", () => {
    const credits = [onTime(0), onTime(1)].map((one, index) => creditFrom(one, `${index}`));
    expect(gradeHistory(credits, false, 500n * DAY).steps.map(({ grade }) => grade)).toEqual(["NR"]);
  });
});
