/** @module The track record of a business: each loan as a bar over time, and what became of it in words. */

import { counted, countedDays } from "../../../config/format/counted.ts";
import { isoTime } from "../../../config/format/time.ts";
import { DOLLAR, formatAmount, formatRate, shareBps } from "../../market/amount.ts";
import { type Loan, realisedBps } from "../../market/loan.ts";
import type { Market } from "../../market/market.ts";
import type { Originator } from "../../market/originator.ts";
import { isPastDue, owesInterestAlone } from "../../market/schedule.ts";
import type { Listing } from "../../market/schema.ts";
import { paragraph, section, tableOf } from "../blocks.ts";
import { loansOverTime } from "../charts/loans-over-time.tsx";
import { shareAboveZero } from "../grade.ts";
import type { Section } from "../page.ts";
import { raiseLink, raiseTitle } from "../paths.ts";
import { missingTone } from "../standing.ts";
import { formatDate } from "../times.ts";
import { amount, capitalised, NONE, REPAYMENT_WORDS, rate, type Tone, time, word } from "../value.ts";

/** Bars shown, those drawn last; a page has at most 50 raises as well. */
const SHOWN_LOANS = 30;

export type BusinessLoan = { listing: Listing; loan: Loan };

/** The drawn raises of a business, the latest drawdown first. */
export function loansOf({ listings }: Pick<Originator, "listings">, market: Market): BusinessLoan[] {
  return listings
    .where(({ repayment }) => repayment !== "not_drawn")
    .flatMap((listing) => {
      const loan = market.loanOf(listing);
      return loan === null ? [] : [{ listing, loan }];
    })
    .sort((a, b) => Number(b.loan.drawnAt - a.loan.drawnAt));
}

/** The outcome of a loan, in a few words. */
function courseOf({ listing, loan }: BusinessLoan): { words: string; tone: Tone } {
  const { endedAt, maturityAt, daysLate, lost, principal, fromReserve } = loan;
  const late = countedDays(daysLate);
  if (lost > 0n) return { words: `Lost ${shareAboveZero(shareBps(lost, principal))}`, tone: "bad" };
  if (endedAt === null) {
    if (!isPastDue(listing)) return { words: `Due ${formatDate(isoTime(maturityAt))}`, tone: "busy" };
    const tone = missingTone(listing) ?? "warn";
    return { words: `${REPAYMENT_WORDS[listing.repayment]}, ${late} overdue`, tone };
  }
  const how = fromReserve > 0n ? "Repaid with the reserve" : "Repaid";
  const { outstandingPrincipal: owed } = listing;
  const missing = owesInterestAlone(listing) ? "interest" : formatAmount(owed, { unit: null });
  const rest = missing === "0" ? "" : `, but for ${missing}`;
  if (endedAt <= maturityAt)
    return { words: `${fromReserve > 0n ? how : `${how} on time`}${rest}`, tone: "good" };
  return { words: `${how}, ${late} late${rest}`, tone: "good" };
}

/** Null before the first drawdown. */
export function recordSection(loans: readonly BusinessLoan[], market: Market): Section | null {
  const [newest] = loans;
  if (newest === undefined) return null;
  const shown = loans.slice(0, SHOWN_LOANS);
  const table = tableOf({
    caption: `${shown.length < loans.length ? `The last ${SHOWN_LOANS} of ${counted(loans.length, "loans")}` : counted(loans.length, "loans")}, the latest first; amounts in ${DOLLAR}`,
    items: shown,
    keyOf: ({ listing }) => listing.publicId,
    columns: [
      ["title", "Raise", ({ listing }) => raiseLink(listing)],
      ["drawnAmount", "Lent", ({ listing }) => amount(listing.drawnAmount, null), "end"],
      ["drawnDownAt", "Drawn", ({ listing }) => time(listing.drawnDownAt)],
      ["maturityAt", "Due", ({ listing }) => time(listing.maturityAt)],
      ["endedAt", "Ended", ({ loan }) => (loan.endedAt === null ? NONE : time(isoTime(loan.endedAt)))],
      [
        "course",
        "What became of it",
        (one) => {
          const { words, tone } = courseOf(one);
          return word(words, one.listing.repayment, tone);
        },
      ],
      ["realisedBps", "Backers earned a year", ({ loan }) => rate(realisedBps([loan])), "end"],
    ],
    empty: "",
  });
  return section("record", "Track record", [
    paragraph(summaryOf(loans)),
    {
      kind: "chart",
      chart: {
        ...loansOverTime({
          id: "loans-over-time",
          loans: shown.map((one) => ({ ...one.loan, ...courseOf(one), title: raiseTitle(one.listing) })),
          now: market.head.timestamp,
        }),
        table,
      },
    },
  ]);
}

function summaryOf(loans: readonly BusinessLoan[]): string {
  const ended = loans.filter(({ loan }) => loan.endedAt !== null);
  const realised = realisedBps(ended.map(({ loan }) => loan));
  const bars = "Each bar begins when the money was drawn; the notch is the due date.";
  const owed = owedWords(loans.filter(({ loan }) => loan.endedAt === null));
  if (ended.length === 0) return `No loan has ended yet. ${owed}${bars}`;
  const own =
    ended.length === 1
      ? "its one loan that has ended"
      : `its ${counted(ended.length, "loans")} that have ended`;
  if (realised === null)
    return `${capitalised(own)} ${ended.length === 1 ? "was" : "were"} too short for a yearly rate. ${owed}${bars}`;
  const result =
    realised < 0
      ? `backers lost ${formatRate(-realised)} a year`
      : `backers earned ${formatRate(realised)} a year`;
  return `On ${own}, ${result} on the money while it was lent, after losses. ${owed}${bars}`;
}

/** Such as "3 loans are still owed: 2 on time, 1 in default. "; empty for none. */
function owedWords(loans: readonly BusinessLoan[]): string {
  if (loans.length === 0) return "";
  const states = Map.groupBy(loans, ({ listing }) => listing.repayment);
  const words = [...states].map(
    ([repayment, own]) => `${own.length} ${REPAYMENT_WORDS[repayment].toLowerCase()}`,
  );
  const [only] = loans;
  if (loans.length === 1 && only !== undefined)
    return `1 loan is still owed, ${REPAYMENT_WORDS[only.listing.repayment].toLowerCase()}. `;
  return `${counted(loans.length, "loans")} are still owed: ${words.join(", ")}. `;
}
