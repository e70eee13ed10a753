/** @module The claims on amounts, rates and interest. */
import { expect } from "vitest";
import { formatAmount, formatRate } from "../../api/market/amount.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { marketOf } from "../harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, listingRow, NOW } from "../harness/rows.ts";
import { type Claim, section } from "./knowledge-claims.ts";

const amounts = (anchor: string, claims: Parameters<typeof section>[2]) =>
  section("amounts-and-rates", anchor, claims);

/** The loan of the page's example: 80,000 dollars at 14.50% for 180 days. */
function exampleSchedule() {
  const row = listingRow(DRAWN);
  expect([row.drawnAmount, row.couponRateBps, row.tenorDays]).toEqual([80_000n * DOLLAR, 1450, 180]);
  const market = marketOf([row], [entryDraft()]);
  const [listing] = market.listings;
  if (listing === undefined) throw new Error("the listing is not visible");
  return market.scheduleOf(listing);
}

const AMOUNT_CLAIMS = [
  amounts("", [["Every amount is exact.", ["api/rest/amounts.test.ts › are exact near 2^200"]]]),
  amounts("how-many-decimals-does-an-amount-have", [
    [
      'It has 18. Amounts are decimal strings in **base units**: one dollar is `"1000000000000000000"` (10^18)',
      () =>
        expect([BigInt("1000000000000000000"), formatAmount("1000000000000000000")]).toEqual([
          10n ** 18n,
          "1 USD-test",
        ]),
    ],
  ]),
  amounts("why-are-amounts-strings", [
    [
      "exact only up to 9007199254740991 (2^53 − 1), which is less than a cent here",
      () => {
        expect([BigInt(Number.MAX_SAFE_INTEGER), 2n ** 53n - 1n]).toEqual(Array(2).fill(9007199254740991n));
        expect(formatAmount("9007199254740991")).toBe("<0.01 USD-test");
      },
    ],
    ["Read amounts with a big-integer type", "advice"],
  ]),
  amounts("basis-points", [
    [
      "10000 is 100%, 100 is 1%",
      () => expect([formatRate(10_000), formatRate(100)]).toEqual(["100.00%", "1.00%"]),
    ],
    ["A rate of 1450 is 14.50% interest per year.", () => expect(formatRate(1450)).toBe("14.50%")],
  ]),
  amounts("how-is-interest-computed", [
    [
      "Simple interest on a year of 365 days.",
      [
        "api/market/schedule.test.ts › adds up, and the interest is the largest whole number that the coupon allows",
      ],
    ],
    [
      "80,000 dollars at 14.50% for 180 days earn 5,720.54 dollars, so 85,720.54 dollars are due at maturity.",
      () => {
        const { interest, total } = exampleSchedule();
        expect([interest, total].map((amount) => formatAmount(amount))).toEqual([
          "5,720.54 USD-test",
          "85,720.54 USD-test",
        ]);
      },
    ],
  ]),
  amounts("for-developers", [
    [
      "`interest = principal × couponRateBps × tenorDays / 3650000`, rounded down to the base unit.",
      () => expect(BigInt(exampleSchedule().interest)).toBe((80_000n * DOLLAR * 1450n * 180n) / 3_650_000n),
    ],
  ]),
  amounts("the-schedule", [
    [
      "`/v1/listings/{id}/schedule` has what is due and each payment; before the drawdown an estimate.",
      [
        "api/market/schedule.test.ts › is what was drawn, with every payment and the sums of all",
        "api/market/schedule.test.ts › is estimated from what is raised, due the tenor after the close",
        "api/market/schedule.test.ts › counts from now where there is no closing time",
      ],
    ],
  ]),
  amounts("what-if-it-is-paid-early-or-late", [
    [
      "Interest is for the whole term: paying early saves none, paying late adds none, and there is no penalty.",
      () => {
        const interestAt = (change: Partial<ListingRow>) => {
          const market = marketOf([listingRow({ ...DRAWN, ...change })], [entryDraft()]);
          const [listing] = market.listings;
          return listing && market.scheduleOf(listing).interest;
        };
        const early = {
          repaidPrincipal: DRAWN.drawnAmount / 2n,
          outstandingPrincipal: DRAWN.drawnAmount / 2n,
        };
        const late = { maturityAt: NOW - 200n * DAY };
        const { interest } = exampleSchedule();
        expect([interestAt(early), interestAt(late)]).toEqual([interest, interest]);
      },
    ],
    ["What a business pays on top goes to the holders.", ["contracts/EscrowLoan.sol#repay"]],
    [
      "The contract does not force it to pay interest: a raise ends once its principal is repaid.",
      ["test/contracts/loan.test.ts › lowers the principal by principal only, and settles itself at zero"],
    ],
  ]),
  amounts("readable-amounts", [
    ['"1,250.50 USD-test"', () => expect(formatAmount("1250500000000000000000")).toBe("1,250.50 USD-test")],
    [
      "are cut to whole cents, never rounded up.",
      ["api/market/amount.test.ts › is never more than the amount, and less by under a cent"],
    ],
  ]),
];

export const CLAIMS_ON_AMOUNTS: readonly Claim[] = AMOUNT_CLAIMS.flat();
