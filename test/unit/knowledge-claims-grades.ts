/** @module The claims on grades. */
import { expect } from "vitest";
import { type CreditRecord, gradeAt } from "../../api/market/grade.ts";
import type { Originator } from "../../api/market/originator.ts";
import { GRADES, type Grade, type Listing } from "../../api/market/schema.ts";
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
const several = (count: number) => Array.from({ length: count }, () => repaid(10_000n));
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

const grades = (anchor: string, claims: Parameters<typeof section>[2]) => section("grades", anchor, claims);

const GRADE_CLAIMS = [
  grades("", [
    ["A grade from A (best) to E", () => expect(GRADES).toEqual(["A", "B", "C", "D", "E", "NR"])],
    ["It follows a fixed formula.", ["api/market/grade.ts#gradeAt"]],
  ]),
  grades("can-anyone-change-a-grade", [
    [
      "No. Grades follow from events on the chain, a history that nobody can edit.",
      ["api/market/grade.ts#gradeAt"],
    ],
    [
      "The operator only says which businesses are verified, and which raises and addresses are theirs.",
      () => expect([graded(several(2)).grade, graded(several(2), false).grade]).toEqual(["B", "NR"]),
    ],
  ]),
  grades("how-does-a-grade-improve", [
    [
      "By more raises that are repaid in full within 30 days of their due date, without the reserve.",
      () => {
        const grade = (count: number) =>
          graded([...several(count), owed(45n, { unpaid: 0n, endedAt: NOW })]).grade;
        expect([grade(2), grade(20)]).toEqual(["C", "A"]);
      },
    ],
  ]),
  grades("does-the-grade-set-the-interest", [
    ["No, the terms or the auction do.", ["src/fold/vocabulary.ts#PRICING_MODES"]],
    [
      "[The board](/?show=all&grade=C) shows what others pay.",
      async () => expect((await ask("/?show=all&grade=C")).status).toBe(200),
    ],
  ]),
  grades("what-is-known-about-a-business", [
    [
      "Its page has its legal name, country of registration, grade, every visible raise, and whether the operator has checked that it is real.",
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
      "When it is not verified",
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
  grades("when-is-a-business-nr", [
    [
      "To get rated it needs both.",
      () => expect([graded(several(2)).grade, graded(several(2), false).grade]).toEqual(["B", "NR"]),
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
      "A few missing cents, up to 1/10000 of the principal, do not count.",
      () => {
        const left = (unpaid: bigint) => graded([owed(1n, { unpaid })]).rating.n;
        expect([left(DOLLAR), left(DOLLAR + 1n)]).toEqual([1, 0]);
      },
    ],
    [
      "Missed minimums, cancellations and voids do not count.",
      [
        `${GRADE_TEST} › counts only raises with a drawdown: missed minimums, cancellations and voids are no credit events`,
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
  ]),
  grades("for-developers", [
    [
      "`originatorGrade` of a listing and `ratingGrade` of its originator are the same: `A` to `E` or `NR`.",
      ["api/market/visibility.test.ts › is that of its listings, from one call"],
    ],
    [
      "The figures behind it are in `rating`",
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
  grades("for-developers", [
    ["with the `cap`", () => expect(graded([...several(9), owed(91n)]).rating.cap).toBe("E")],
    [
      "`kybStatus` is `approved` for a verified business, `jurisdiction` its country.",
      () => {
        expect(GRADES).toEqual(["A", "B", "C", "D", "E", "NR"]);
        expect(KYB_STATUSES).toContain("approved");
      },
    ],
  ]),
  grades("which-figure-gives-which-grade", [
    [
      "The figure is the share lost, plus a quarter of the share repaid late; a short record is pulled towards 6%.",
      () => {
        const { rating } = graded([repaid(10_000n), owed(400n)]);
        expect(rating).toMatchObject({ lossBps: 5_000, lateBps: 5_000, adjustedBps: 6_250 });
        expect(clean(2)).toEqual([300, "B"]);
      },
    ],
    [
      "With all raises on time, two to four give a B, five an A.",
      () => expect([2, 4, 5].map((count) => clean(count)[1])).toEqual(["B", "B", "A"]),
    ],
    ["| A | below 2% |", isFrom(200n, "A", "B")],
    ["| B | 2% to 5.49% |", isFrom(550n, "B", "C")],
    ["| C | 5.5% to 8.99% |", isFrom(900n, "C", "D")],
    ["| D | 9% to 17.99% |", isFrom(1_800n, "D", "E")],
    ["| E | 18% or more |", isFrom(1_800n, "D", "E")],
  ]),
  grades("caps-after-a-failure", [
    ["The worst one wins.", () => expect(graded([...several(9), owed(40n), owed(91n)]).rating.cap).toBe("E")],
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
];

export const CLAIMS_ON_GRADES: readonly Claim[] = GRADE_CLAIMS.flat();
