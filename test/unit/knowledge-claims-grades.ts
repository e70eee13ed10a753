/**
 * The claims on grades.
 * @module
 */
import { expect } from "vitest";
import { type CreditRecord, gradeAt } from "../../api/market/grade.ts";
import { GRADES, type Grade, type Listing, type Originator, type Rating } from "../../api/market/schema.ts";
import { KYB_STATUSES } from "../../api/registry/schema.ts";
import { DAY, DOLLAR, NOW } from "../harness/rows.ts";
import { type Check, type Claim, section } from "./knowledge-claims.ts";
import { ask, read } from "./knowledge-claims-asking.ts";

const COUNTRIES = new Intl.DisplayNames("en", { type: "region" });
const GRADE_TEST = "api/market/grade.test.ts";

/** A raise of so many dollars that was repaid on time, long ago. */
function repaid(dollars: bigint, change: Partial<CreditRecord> = {}): CreditRecord {
  const maturityAt = NOW - 400n * DAY;
  const paid = { unpaid: 0n, settledAt: maturityAt, endedAt: maturityAt, reserveApplied: 0n };
  return { principal: dollars * DOLLAR, maturityAt, ...paid, ...change };
}
const several = (count: number, dollars = 10_000n) => Array.from({ length: count }, () => repaid(dollars));
/** A raise of 10,000 dollars of which nothing came back so many days after maturity. */
const owed = (days: bigint, change: Partial<CreditRecord> = {}) =>
  repaid(10_000n, {
    maturityAt: NOW - days * DAY,
    unpaid: 10_000n * DOLLAR,
    settledAt: null,
    endedAt: null,
    ...change,
  });
const graded = (records: readonly CreditRecord[], approved = true) => gradeAt(records, approved, NOW);
const cap = (record: CreditRecord) => graded([...several(4), record]).rating.cap;

/** The grade at this figure: of so many raises with the same small loss that the prior pulls no more. */
function gradeAtRisk(bps: bigint): Grade {
  const settledAt = NOW - 500n * DAY;
  const lossy = {
    unpaid: (2_000n * DOLLAR * bps) / 10_000n,
    settledAt,
    endedAt: settledAt,
    maturityAt: settledAt,
  };
  const { grade, rating } = graded(Array<CreditRecord>(5_000).fill(repaid(2_000n, lossy)));
  expect(rating).toMatchObject({ adjustedBps: Number(bps), cap: null });
  return grade;
}
/** How many raises that were all repaid give a figure. */
const clean = (count: number): [number | null, Grade] => {
  const { grade, rating } = graded(several(count));
  return [rating.adjustedBps, grade];
};
/** The grade just below a limit, and at it. */
const isFrom =
  (limit: bigint, below: Grade, from: Grade): Check =>
  () =>
    expect([gradeAtRisk(limit - 1n), gradeAtRisk(limit)]).toEqual([below, from]);

const example: readonly CreditRecord[] = [
  ...several(9),
  repaid(10_000n, {
    maturityAt: NOW - 150n * DAY,
    settledAt: NOW - 100n * DAY,
    endedAt: NOW - 100n * DAY,
    unpaid: 3_000n * DOLLAR,
  }),
];
const exampleHas =
  (expected: Partial<Rating> & { grade?: Grade }): Check =>
  () => {
    const { grade, rating } = graded(example);
    expect({ ...rating, grade }).toMatchObject(expected);
  };

const grades = (anchor: string, claims: Parameters<typeof section>[2]) => section("grades", anchor, claims);

const GRADE_CLAIMS = [
  grades("", [
    ["A grade from `A` (best) to `E`", () => expect(GRADES).toEqual(["A", "B", "C", "D", "E", "NR"])],
    ["It follows a fixed formula.", ["api/market/grade.ts#gradeAt"]],
    [
      "`originatorGrade` of a listing and `ratingGrade` of its originator are always the same.",
      ["api/market/visibility.test.ts › is that of its listings, from one call"],
    ],
    [
      "`rating` (null where NR has none)",
      () => {
        const { grade, rating } = graded(several(1));
        expect({ grade, ...rating }).toMatchObject({
          grade: "NR",
          lossBps: null,
          lateBps: null,
          adjustedBps: null,
        });
      },
    ],
  ]),
  grades("what-is-known-about-a-business", [
    [
      "Its page and [/v1/originators](/v1/originators) give its legal name, the country in which it is registered (`jurisdiction`), `kybStatus` (whether the operator has checked that it is real), its grade, and every visible raise that it has published.",
      async () => {
        const { originators } = (await read("/v1/originators")) as { originators: Originator[] };
        const { listings } = (await read("/v1/listings")) as { listings: Listing[] };
        expect(originators.length).toBeGreaterThan(0);
        for (const one of originators) {
          expect(one.legalName).not.toBe("");
          expect(one.jurisdiction).toMatch(/^[A-Z]{2}$/);
          expect(KYB_STATUSES).toContain(one.kybStatus);
          expect(GRADES).toContain(one.ratingGrade);
          const its = listings.filter(({ originator }) => originator === one.publicId);
          expect(one.listings).toEqual(its);
          const page = await ask(`/originators/${one.publicId}.md`);
          for (const fact of [
            one.legalName,
            `${COUNTRIES.of(one.jurisdiction)}`,
            ...its.map(({ title }) => title),
          ]) {
            expect(page.text).toContain(fact);
          }
        }
      },
    ],
  ]),
  grades("when-is-a-business-nr", [
    [
      "When its business verification (`kybStatus`) is not `approved`",
      () => expect([graded(several(6), false).grade, graded(several(6)).grade]).toEqual(["NR", "A"]),
    ],
    [
      "fewer than 2 resolved raises of at least 1,000 dollars",
      () => {
        const justBelow = repaid(1_000n, { principal: 1_000n * DOLLAR - 1n });
        expect(graded([repaid(1_000n), justBelow]).grade).toBe("NR");
        expect(graded([repaid(1_000n), repaid(1_000n)]).grade).toBe("B");
      },
    ],
  ]),
  grades("which-raises-count", [
    [
      "settled, or paid off, or more than 30 days past maturity",
      () => {
        const counts = [owed(30n), owed(31n), owed(1n, { settledAt: NOW }), owed(-9n, { unpaid: 0n })];
        expect(counts.map((record) => graded([record]).rating.n)).toEqual([0, 1, 1, 1]);
      },
    ],
    [
      "When no more than 1/10000 of the principal is missing (a few cents), a raise is paid off",
      () => {
        const left = (unpaid: bigint) => graded([owed(1n, { unpaid })]).rating.n;
        expect([left(DOLLAR), left(DOLLAR + 1n)]).toEqual([1, 0]);
      },
    ],
    [
      "Missed minimums, cancellations and voids do not count.",
      [
        `${GRADE_TEST} › is a raise with a drawdown only: missed minimums, cancellations and voids are no credit events`,
      ],
    ],
    [
      "Raises from the business's addresses count even when they are unpublished",
      ["api/market/visibility.test.ts › does not improve when a default is unpublished"],
    ],
  ]),
  grades("the-formula", [
    [
      "Whole numbers, each division rounded down. V is the principal of all resolved raises, n the number of those of at least 1,000 dollars.",
      () =>
        expect(graded([...several(2), repaid(999n), owed(9n)]).rating).toMatchObject({
          n: 2,
          volume: (20_999n * DOLLAR).toString(),
        }),
    ],
    [
      "principal unpaid in raises settled short, or more than 90 days past maturity",
      () => {
        const loss = (record: CreditRecord) => graded([...several(3), record]).rating.lossBps;
        const short = { settledAt: NOW, endedAt: NOW };
        expect([loss(owed(90n)), loss(owed(91n)), loss(owed(1n, short))]).toEqual([0, 2_500, 2_500]);
      },
    ],
    [
      "the whole principal of resolved raises that were not paid off or settled within 30 days after maturity, or that took more than 1/10000 of it from the reserve",
      () => {
        const late = (change: Partial<CreditRecord>) =>
          graded([...several(3), repaid(10_000n, change)]).rating.lateBps;
        const { maturityAt } = repaid(1n);
        const ended = (days: bigint) => late({ endedAt: maturityAt + days * DAY });
        expect([ended(30n), ended(31n)]).toEqual([0, 2_500]);
        expect([late({ reserveApplied: DOLLAR }), late({ reserveApplied: DOLLAR + 1n })]).toEqual([0, 2_500]);
      },
    ],
    [
      "lossBps = 10000 × loss / V lateBps = 10000 × late / V x = lossBps + lateBps / 4 adjustedBps = max(x, (n × x + 2 × 600) / (n + 2))",
      [
        `${GRADE_TEST} › the vectors`,
        "api/market/grade.ts#gradeAt",
        "test/model/grade.test.ts › the vectors",
      ],
    ],
    ["pulls a short record towards 6% risk", () => expect(clean(2)).toEqual([300, "B"])],
    [
      "a bad one is never flattered",
      () => {
        const { rating } = graded([repaid(10_000n), owed(400n)]);
        expect(rating).toMatchObject({ lossBps: 5_000, lateBps: 5_000, adjustedBps: 6_250 });
      },
    ],
  ]),
  grades("which-figure-gives-which-grade", [
    ["| A | below 200 |", isFrom(200n, "A", "B")],
    ["| B | 200 to 549 |", isFrom(550n, "B", "C")],
    ["| C | 550 to 899 |", isFrom(900n, "C", "D")],
    ["| D | 900 to 1799 |", isFrom(1_800n, "D", "E")],
    ["| E | 1800 or more |", isFrom(1_800n, "D", "E")],
  ]),
  grades("caps-after-a-failure", [
    [
      "The worst one wins; `rating.cap` names it.",
      () => expect(graded([...several(9), owed(40n), owed(91n)]).rating.cap).toBe("E"),
    ],
    [
      "Unpaid more than 90 days past maturity: E.",
      () => expect([cap(owed(90n)), cap(owed(91n))]).toEqual(["D", "E"]),
    ],
    [
      "Unpaid more than 30 days past maturity: D at best.",
      () => expect([cap(owed(30n)), cap(owed(31n))]).toEqual([null, "D"]),
    ],
    [
      "Settled with a loss in the last 365 days: C at best.",
      () => {
        const settled = (days: bigint) => cap(owed(500n, { settledAt: NOW - days * DAY }));
        expect([settled(365n), settled(366n)]).toEqual(["C", null]);
      },
    ],
  ]),
  grades("worked-example", [
    [
      "Ten raises of 10,000 dollars. Nine were repaid on time. The tenth was settled 50 days after maturity, 100 days ago, with 30% unpaid.",
      [
        `${GRADE_TEST} › the vectors`,
        "test/vectors/grade.json › ten equal, one settled 30 percent short 100 days ago",
      ],
    ],
    [
      "V = 100,000 and loss = 3,000, so `lossBps` = 300.",
      exampleHas({ volume: (100_000n * DOLLAR).toString(), lossBps: 300 }),
    ],
    ["late = 10,000, so `lateBps` = 1000.", exampleHas({ lateBps: 1_000 })],
    ["x = 300 + 1000 / 4 = 550.", () => expect(300 + 1_000 / 4).toBe(550)],
    [
      "`adjustedBps` = max(550, (10 × 550 + 1200) / 12) = 558: grade C. The cap is C too.",
      exampleHas({ n: 10, adjustedBps: 558, cap: "C", grade: "C" }),
    ],
    [
      "two raises on time give 300 (B), four give 200 (B), six give 150 (A)",
      () =>
        expect([2, 4, 6].map(clean)).toEqual([
          [300, "B"],
          [200, "B"],
          [150, "A"],
        ]),
    ],
  ]),
];

export const CLAIMS_ON_GRADES: readonly Claim[] = GRADE_CLAIMS.flat();
