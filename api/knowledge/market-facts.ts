/** @module Questions that a few figures answer: totals, failures by grade, the chain. */
import type { PublicSettings } from "../../config/public-settings.ts";
import { formatAmount } from "../market/amount.ts";
import type { Market } from "../market/market.ts";
import { countMarket } from "../market/market-query.ts";
import { GRADES, REPAYMENTS } from "../market/schema.ts";
import type { Hit } from "./hit.ts";
import { type Scope, WHOLE_MARKET } from "./market-scope.ts";
import { countWithoutPaidOff } from "./paid-off.ts";

type Fact = {
  /** lower case */
  asks(text: string): boolean;
  /** whether its figures are of that part of the market too */
  isOf(scope: Scope): boolean;
  answer(
    market: Market,
    settings: Pick<PublicSettings, "chainId" | "publicNode">,
  ): { title: string; note: string; path: string };
};

/** The states of a loan that was drawn. */
const LENT = REPAYMENTS.filter((state) => state !== "not_drawn");
/** Words of questions about a visitor's own money, or about rules. */
const PERSONAL = /\b(?:can|could|may|might|my|i|if)\b/;

const MONTHS =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
/** Words of questions about a span of time; "may" is no month among these. */
const TIME = new RegExp(
  `\\b(?:(?:day|week|month|quarter|year)s?|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|yesterday|tomorrow|last|ago|20\\d\\d(?! (?:usd|dollars?)\\b)|q[1-4]|${MONTHS})\\b`,
);

/** Spans that today is in, and units of a rate. */
const NO_OTHER_TIME =
  /\b(?:this (?:week|month|quarter|year)|(?:a|per|each|every) (?:week|month|quarter|year)|annual(?:ly)?|yearly|monthly)\b/g;
const IN_MAY = /\b(?:in|of|during|since|until|last|next) may\b/;

/** Whether a question is about another time than that of the market: no figure of today answers it. */
export function isOfAnotherTime(text: string): boolean {
  return TIME.test(text.replaceAll(NO_OTHER_TIME, "")) || IN_MAY.test(text);
}

function asksForTotals(text: string): boolean {
  return (
    /\b(?:total|altogether|overall)\b|\bin all$/.test(text) &&
    !PERSONAL.test(text) &&
    /\b(?:lent|loaned|lend|repaid|loss(?:es)?|lost)\b/.test(text)
  );
}

const FACTS: readonly Fact[] = [
  {
    asks: (text) => asksForTotals(text) && TIME.test(text),
    isOf: isOfWholeMarket,
    answer: () => ({
      title: "The statistics have what was lent, repaid and lost in each month and quarter",
      note: "By day and week they are in the API.",
      path: "/statistics#flows",
    }),
  },
  {
    asks: asksForTotals,
    isOf: isOfWholeMarket,
    answer: ({ stats, head }) => ({
      title: `${formatAmount(stats.lent)} lent, ${formatAmount(stats.repaid)} repaid, ${formatAmount(stats.writtenOff)} of principal lost`,
      note: `All raises shown here, by the events up to block ${head.number}.`,
      path: "/statistics",
    }),
  },
  {
    asks: (text) =>
      /\bgrades?\b/.test(text) &&
      /\b(?:default|failure|loss) (?:rates?|shares?|statistics|history)\b/.test(text) &&
      !isOfAnotherTime(text),
    isOf: isOfAllBusinesses,
    answer: (market) => {
      const parts = GRADES.flatMap((grade) => {
        const its = countMarket(market, { grade: [grade], repayment: LENT });
        const { count: failed } = countWithoutPaidOff(market, {
          grade: [grade],
          repayment: ["default", "written_off"],
        });
        return its === 0 ? [] : [`${grade} ${failed} of ${its}`];
      });
      return {
        title:
          parts.length === 0
            ? "No business has drawn a loan yet."
            : `Loans in default or ended with a loss, by today's grade: ${parts.join(", ")}`,
        note: "A default itself lowers the grade, and small numbers prove little.",
        path: "/statistics#by-grade",
      };
    },
  },
  {
    asks: (text) => /\bchain ?id\b|\brpc\b/.test(text),
    isOf: () => true,
    answer: (_, { chainId, publicNode }) => ({
      title: `The chain ID is ${chainId}, a test network`,
      note:
        publicNode === null
          ? "For RPC take any node of this chain; this site names none."
          : `A node that the operator offers for RPC: ${publicNode}`,
      path: "/system",
    }),
  },
];

function isOfAllBusinesses({ countries, business, isUnclear }: Scope): boolean {
  return countries.length === 0 && business === null && !isUnclear;
}

function isOfWholeMarket(scope: Scope): boolean {
  return isOfAllBusinesses(scope) && scope.grades.length === 0;
}

/**
 * The answer to a question about totals, grades or the chain; null for any other, and for one about a part of the market.
 * @param text in lower case
 */
export function factsFor(
  text: string,
  market: Market,
  settings: Pick<PublicSettings, "publicUrl" | "chainId" | "publicNode">,
  scope: Scope = WHOLE_MARKET,
): Hit | null {
  const fact = FACTS.find(({ asks, isOf }) => asks(text) && isOf(scope));
  if (fact === undefined) return null;
  const { title, note, path } = fact.answer(market, settings);
  const url = `${settings.publicUrl}${path}`;
  return {
    kind: "market",
    title,
    excerpt: note,
    url,
    heading: null,
    marks: [],
    isQuoted: false,
    section: null,
  };
}
