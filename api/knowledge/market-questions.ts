/**
 * Questions about the market itself, such as "who is late": answered with a sentence and the raises it is about. Questions
 * about rules ("after how many days is a raise late") are left to the knowledge base.
 * @module
 */
import type { PublicSettings } from "../../config/public-settings.ts";
import { formatAmount, formatRate } from "../market/amount.ts";
import type { Market } from "../market/market.ts";
import { daysOverdue } from "../market/schedule.ts";
import { GRADES, type Listing, type Repayment } from "../market/schema.ts";
import { acceptsMoney } from "../market/status.ts";
import type { Hit } from "./hit.ts";
import { factsFor } from "./market-facts.ts";

const RAISES = /\b(?:raises?|loans?|deals?|listings?|projects?|offers? to lend)\b/;
const WHO = /\b(?:business(?:es)?|compan(?:y|ies)|borrowers?|who|anyone|anybody)\b/;
const ASKS =
  /\b(?:who(?:['’]?s)?|which|list|show|any|anyone|anybody|find|how many|what (?:raises|loans|deals|closes))\b/;
const NOW_WORDS = /\b(?:now|currently|today|at the moment|this week|soon)\b/;
/** Words of questions about rules, whatever else they contain. */
const RULES =
  /\b(?:means?|meaning|differen(?:ce|t)|days|when|why|how (?:does|do|is|are|can|long|much)|if|who (?:pays?|holds?|can|could|may|writes?|owns?|keeps?|decides?|gets?|signs?|covers?|bears?)|raises? count|status(?:es)?|field|api|endpoint)\b/;

type Question = {
  /** lower case */
  asks(text: string): boolean;
  matches(listing: Listing): boolean;
  order(a: Listing, b: Listing): number;
  /** how the raises are called after a number: one, and several */
  called: readonly [one: string, several: string];
  none: string;
  /** a caution under the answer */
  note?: string;
  /** of the board that shows them */
  path: string;
};

const isAbout = (text: string, words: RegExp) =>
  words.test(text) &&
  (ASKS.test(text) || NOW_WORDS.test(text) || (RAISES.test(text) && text.split(" ").length < 4));
const repaymentIs =
  (...states: readonly Repayment[]) =>
  (listing: Listing) =>
    states.includes(listing.repayment);
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byTime = (time: (listing: Listing) => string | null) => (a: Listing, b: Listing) =>
  byText(time(a) ?? "9", time(b) ?? "9");
const isOpen = ({ status }: Listing) => acceptsMoney(status);
const gradePlace = ({ originatorGrade }: Listing) => GRADES.indexOf(originatorGrade);
const SAFEST = /\b(?:safest|least risky|lowest risk|low risk|best (?:grades?|rated))\b/;
const DEAREST =
  /\b(?:best paying|(?:best|highest|most) (?:rates?|interest|paying|yields?|returns?)|pays? (?:the )?(?:most|best))\b/;

const QUESTIONS: readonly Question[] = [
  {
    asks: (text) => isAbout(text, /\b(?:late|overdue|delayed|behind (?:on|with|schedule)|arrears)\b/),
    matches: repaymentIs("late", "default"),
    order: byTime(({ maturityAt }) => maturityAt),
    called: ["raise is late or in default", "raises are late or in default"],
    none: "No raise is late or in default.",
    path: "/?repayment=late,default",
  },
  {
    // Of a failure to repay in the past as well: loans in default and those that ended with a loss.
    asks: (text) =>
      isAbout(text, /\bfailed to (?:re)?pay\b|\b(?:ever|already) defaulted\b|\bnever (?:re)?paid\b/),
    matches: repaymentIs("default", "written_off"),
    order: byTime(({ maturityAt }) => maturityAt),
    called: ["raise is in default or ended with a loss", "raises are in default or ended with a loss"],
    none: "No raise is in default or has ended with a loss.",
    path: "/?repayment=default,written_off",
  },
  {
    asks: (text) => isAbout(text, /\bdefault(?:s|ed|ing|ers?)?\b|\bnot (?:pay|paid|paying)/),
    matches: repaymentIs("default"),
    order: byTime(({ maturityAt }) => maturityAt),
    called: ["raise is in default", "raises are in default"],
    none: "No raise is in default.",
    path: "/?repayment=default",
  },
  {
    asks: (text) =>
      isAbout(text, /\b(?:lost|loss(?:es)?|written off)\b/) && (RAISES.test(text) || WHO.test(text)),
    matches: repaymentIs("written_off"),
    order: (a, b) => (BigInt(b.writtenOffAmount) > BigInt(a.writtenOffAmount) ? 1 : -1),
    called: ["raise ended with a loss", "raises ended with a loss"],
    none: "No raise has ended with a loss.",
    path: "/?repayment=written_off",
  },
  {
    asks: (text) => isAbout(text, /\bclos(?:es?|ing)\b/) && NOW_WORDS.test(text),
    matches: (listing) => isOpen(listing) && listing.closeAt !== null,
    order: byTime(({ closeAt }) => closeAt),
    called: [
      "open raise has a closing time, the next one first",
      "open raises have a closing time, the next one first",
    ],
    none: "No open raise has a closing time.",
    path: "/?sort=closing_soon",
  },
  {
    asks: (text) => RAISES.test(text) && SAFEST.test(text),
    matches: isOpen,
    order: (a, b) => gradePlace(a) - gradePlace(b),
    called: ["raise is open", "raises are open, the best grade first"],
    none: "No raise is open now.",
    note: "A grade is about the past: no loan is free of risk.",
    path: "/?sort=best_grade",
  },
  {
    asks: (text) => RAISES.test(text) && DEAREST.test(text),
    matches: isOpen,
    order: (a, b) => (b.couponRateBps ?? 0) - (a.couponRateBps ?? 0),
    called: ["raise is open", "raises are open, the highest interest first"],
    none: "No raise is open now.",
    note: "More interest often means more risk: look at the grade.",
    path: "/?sort=highest_coupon",
  },
  {
    asks: (text) =>
      RAISES.test(text) &&
      isAbout(
        text,
        /\b(?:open|new|available)\b|\bcan i (?:back|lend|invest|fund|join|support|put)|\baccept\w* money\b|\btak\w+ money\b/,
      ),
    matches: isOpen,
    order: byTime(({ closeAt }) => closeAt),
    called: ["raise is open", "raises are open"],
    none: "No raise is open now.",
    path: "/",
  },
];

/** The raises of the country that the question names, when it asks for raises. */
function countryQuestion(text: string, { originators, listings }: Market): Question | null {
  if (!RAISES.test(text)) return null;
  const names = new Intl.DisplayNames(["en"], { type: "region" });
  const codes = new Set(originators.map(({ jurisdiction }) => jurisdiction));
  const code = [...codes].find((one) => ` ${text} `.includes(` ${(names.of(one) ?? one).toLowerCase()} `));
  if (code === undefined || !/\b(?:in|from|of)\b/.test(text)) return null;
  const country = names.of(code) ?? code;
  const its = new Set(
    originators.filter(({ jurisdiction }) => jurisdiction === code).map(({ publicId }) => publicId),
  );
  const places = new Map(listings.map((listing, at) => [listing, at]));
  return {
    asks: () => true,
    matches: ({ originator }) => its.has(originator),
    order: (a, b) => Number(isOpen(b)) - Number(isOpen(a)) || (places.get(a) ?? 0) - (places.get(b) ?? 0),
    called: [`raise is of a business in ${country}`, `raises are of businesses in ${country}`],
    none: `No raise is of a business in ${country}.`,
    path: `/?show=all&country=${code}`,
  };
}

/** A sentence of ours, then the raises if it is about some; empty for a question about anything else. */
export function answerFromMarket(
  query: string,
  market: Market,
  publicSettings: Pick<PublicSettings, "publicUrl" | "chainId" | "publicNode">,
): Hit[] {
  const { publicUrl } = publicSettings;
  const text = query
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'’]+/gu, " ")
    .trim();
  const facts = factsFor(text, market, publicSettings);
  if (facts !== null) return [facts];
  if (RULES.test(text)) return [];
  const question = QUESTIONS.find(({ asks }) => asks(text)) ?? countryQuestion(text, market);
  if (question === null) return [];
  const found = market.listings.filter(question.matches).sort(question.order);
  const [one, several] = question.called;
  const answer = found.length === 0 ? question.none : `${found.length} ${found.length === 1 ? one : several}`;
  const note =
    found.length === 0
      ? "The board shows every raise."
      : (question.note ?? `On the board, with ${found.length === 1 ? "its" : "their"} figures.`);
  const common = { heading: null, marks: [], isQuoted: false, section: null };
  return [
    { ...common, kind: "market", title: answer, excerpt: note, url: `${publicUrl}${question.path}` },
    ...found.map((listing): Hit => {
      const { title, refnum, url } = listing;
      const shown = title.trim() === "" ? refnum : title;
      return { ...common, kind: "listing", title: shown, excerpt: standingOf(listing, market), url };
    }),
  ];
}

/** Where a raise stands, in a line without anybody else's words. */
function standingOf(listing: Listing, { head }: Market): string {
  const { repayment, outstandingPrincipal, writtenOffAmount, drawnAmount, closeAt, couponRateBps } = listing;
  const { tenorDays, originatorGrade } = listing;
  if (repayment === "late" || repayment === "default") {
    const state = repayment === "late" ? "Late" : "In default";
    const days = daysOverdue(listing, head.timestamp) ?? 0;
    return `${state}, ${days} days overdue: ${formatAmount(outstandingPrincipal)} of principal is owed.`;
  }
  if (repayment === "written_off")
    return `Ended with a loss: ${formatAmount(writtenOffAmount)} of ${formatAmount(drawnAmount)} lent was lost.`;
  if (isOpen(listing)) {
    const rate =
      couponRateBps === null
        ? ""
        : `, ${listing.couponIsMaximum ? "at most " : ""}${formatRate(couponRateBps)} a year`;
    const term = tenorDays === null ? "" : ` for ${tenorDays} days`;
    return `Open${closeAt === null ? "" : ` until ${closeAt.slice(0, 10)}`}${rate}${term}, grade ${originatorGrade}.`;
  }
  return repayment === "not_drawn"
    ? "Not open: closed, and not drawn down."
    : "Not open: its money was lent.";
}
