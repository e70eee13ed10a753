/**
 * The health of the book: debt by the state of its repayment. Bad news is not hidden.
 * @module
 */
import { DOLLAR, formatAmount } from "../../market/amount.ts";
import type { Market } from "../../market/market.ts";
import { OWED_REPAYMENTS } from "../../market/schema.ts";
import { fact, section } from "../blocks.ts";
import type { Section } from "../page.ts";
import { OWED_LOOKS } from "../standing.ts";
import { amount, counted, NONE, repaymentWord, shortRate } from "../value.ts";

export function healthSection({ stats }: Pick<Market, "stats">): Section {
  const { outstanding, writtenOff, byStatus, outstandingByRepayment } = stats;
  const open = byStatus.listed + byStatus.funding;
  const lost =
    writtenOff === "0"
      ? "Nothing has been lost so far."
      : `${formatAmount(writtenOff, { unit: null })} lost so far.`;
  return section("health", null, [
    {
      kind: "shares",
      shares: {
        label: "Owed by the state of repayment",
        whole: fact("outstanding", `owed to backers, in ${DOLLAR}`, amount(outstanding, null)),
        parts: OWED_REPAYMENTS.map((repayment) => {
          const { amount: owed, shareBps, listings } = outstandingByRepayment[repayment];
          return {
            fact: fact(
              `outstandingByRepayment.${repayment}.shareBps`,
              repaymentWord(repayment),
              shareBps === null ? NONE : shortRate(shareBps),
              `${formatAmount(owed, { unit: null })} in ${counted(listings, "raises")}`,
            ),
            weight: owed,
            ...OWED_LOOKS[repayment],
          };
        }),
        text: `${counted(open, "raises")} ${open === 1 ? "is" : "are"} open. ${lost}`,
      },
    },
  ]);
}
