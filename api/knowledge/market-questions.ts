/**
 * Questions about the market itself, such as "who is late": answered with a sentence and the raises it is about. Questions
 * about rules ("after how many days is a raise late") are left to the knowledge base.
 * @module
 */
import { counted, countedDays } from "../../config/format/counted.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import { formatAmount, formatRate } from "../market/amount.ts";
import type { Sort } from "../market/listings-order.ts";
import type { ListingsQuery } from "../market/listings-query.ts";
import type { Market } from "../market/market.ts";
import { queryMarket } from "../market/market-query.ts";
import { daysOverdue } from "../market/schedule.ts";
import { type Listing, STATUSES } from "../market/schema.ts";
import { acceptsMoney } from "../market/status.ts";
import type { Hit } from "./hit.ts";
import { factsFor, isOfAnotherTime } from "./market-facts.ts";
import {
  boardParametersOf,
  businessWords,
  filterOf,
  plainWords,
  type Scope,
  scopeOf,
  withCountryNames,
  withoutPart,
} from "./market-scope.ts";
import { idsIn, type MatchedText } from "./market-texts.ts";
import { countWithoutPaidOff, EVER, withoutPaidOff } from "./paid-off.ts";

const RAISES = /\b(?:raises?|loans?|deals?|listings?|projects?|offers? to lend)\b/;
const WHO = /\b(?:business(?:es)?|compan(?:y|ies)|borrowers?|who|anyone|anybody)\b/;
const ASKS =
  /\b(?:who(?:['’]?s)?|which|list|show|any|anyone|anybody|find|how many|what (?:raises|loans|deals|closes))\b/;
const NOW_WORDS = /\b(?:now|currently|today|at the moment|this week|soon)\b/;
/** A near time after "close": the answer has each closing time, soonest first. */
const CLOSING_SOON =
  /(?<=\bclos(?:es?|ing) )(?:tomorrow|(?:(?:with)?in )?the next (?:(?:\d+|few) )?(?:hours?|days?))\b/;
/** Words of questions about rules, whatever else they contain. */
const RULES =
  /\b(?:means?|meaning|differen(?:ce|t)|days|when|why|how (?:does|do|is|are|can|long|much)|if|who (?:pays?|holds?|can|could|may|writes?|owns?|keeps?|decides?|gets?|signs?|covers?|bears?)|raises? count|status(?:es)?|field|api|endpoint)\b/;
/** Such as "not late" and "never in default": what is asked for are the others. */
const NEGATED =
  /(?:\b(?:not|never|neither|nor|no|without)|n['’]t) (?:(?:yet|been|be|being|is|are|ever|currently|now|any|a|have|had|in|(?:re)?pa(?:y|id)) )*(?:late|overdue|delayed|behind|arrears|default\w*|lost|loss(?:es)?|written off|open|clos\w+|new|available)\b/;

type Question = {
  /** lower case */
  asks(text: string): boolean;
  /** the raises that it is about */
  filter: ListingsQuery;
  sort: Sort;
  /** other raises of the filter that come first, in the order of `sort` */
  first?: ListingsQuery | undefined;
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
const OPEN = { status: STATUSES.filter(acceptsMoney) };
/** More are never shown. */
const MOST_RAISES = 50;
const SAFEST = /\b(?:safest|least risky|lowest risk|low risk|best (?:grades?|rated))\b/;
const DEAREST =
  /\b(?:best paying|(?:best|highest|most) (?:rates?|interest|paying|yields?|returns?)|pays? (?:the )?(?:most|best))\b/;

const QUESTIONS: readonly Question[] = [
  {
    asks: (text) => isAbout(text, /\b(?:late|overdue|delayed|behind (?:on|with|schedule)|arrears)\b/),
    ...{ filter: { repayment: ["late", "default"] }, sort: "due_soon" },
    called: ["raise is late or in default", "raises are late or in default"],
    none: "No raise is late or in default.",
    path: "/?repayment=late,default",
  },
  {
    // Failures to repay, past ones included: loans in default and those that ended with a loss.
    asks: (text) =>
      isAbout(text, /\bfailed to (?:re)?pay\b|\b(?:ever|already) defaulted\b|\bnever (?:re)?paid\b/),
    ...{ filter: { repayment: ["default", "written_off"] }, sort: "due_soon" },
    called: ["raise is in default or ended with a loss", "raises are in default or ended with a loss"],
    none: "No raise is in default or has ended with a loss.",
    path: "/?repayment=default,written_off",
  },
  {
    asks: (text) => isAbout(text, /\bdefault(?:s|ed|ing|ers?)?\b|\bnot (?:pay|paid|paying)/),
    ...{ filter: { repayment: ["default"] }, sort: "due_soon" },
    called: ["raise is in default", "raises are in default"],
    none: "No raise is in default.",
    path: "/?repayment=default",
  },
  {
    asks: (text) =>
      isAbout(text, /\b(?:lost|loss(?:es)?|written off)\b/) && (RAISES.test(text) || WHO.test(text)),
    ...{ filter: { repayment: ["written_off"] }, sort: "due_late" },
    called: ["raise ended with a loss", "raises ended with a loss"],
    none: "No raise has ended with a loss.",
    path: "/?repayment=written_off",
  },
  {
    asks: (text) => isAbout(text, /\bclos(?:es?|ing)\b/) && NOW_WORDS.test(text),
    ...{ filter: { ...OPEN, closingBefore: EVER }, sort: "closing_soon" },
    called: [
      "open raise has a closing time, the next one first",
      "open raises have a closing time, the next one first",
    ],
    none: "No open raise has a closing time.",
    path: "/?sort=closing_soon",
  },
  {
    asks: (text) => RAISES.test(text) && SAFEST.test(text),
    ...{ filter: OPEN, sort: "best_grade" },
    called: ["raise is open", "raises are open, the best grade first"],
    none: "No raise is open now.",
    note: "A grade is about the past: no loan is free of risk.",
    path: "/?sort=best_grade",
  },
  {
    asks: (text) => RAISES.test(text) && DEAREST.test(text),
    ...{ filter: OPEN, sort: "highest_coupon" },
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
    ...{ filter: OPEN, sort: "closing_soon" },
    called: ["raise is open", "raises are open"],
    none: "No raise is open now.",
    path: "/",
  },
];

/** The raises of the countries that the question names, when it asks for raises, and any is of a business there. */
function countryQuestion(text: string, scope: Scope, { originators }: Market): Question | null {
  const isHere = scope.countries.some(({ code }) =>
    originators.some(({ jurisdiction }) => jurisdiction === code),
  );
  if (!RAISES.test(text) || !isHere) return null;
  return {
    asks: () => true,
    filter: {},
    first: OPEN,
    sort: "newest",
    called: [
      `raise is ${businessWords(scope, "a business")}`,
      `raises are ${businessWords(scope, "businesses")}`,
    ],
    none: `No raise is ${businessWords(scope, "a business")}.`,
    path: "/?show=all",
  };
}

/** The question about a part of the market, which its sentences name unless they do already. */
function within(scope: Scope, { filter, first, called, none, path, ...question }: Question): Question {
  const parameters = boardParametersOf(scope);
  if (parameters.length === 0) return { filter, first, called, none, path, ...question };
  const words = businessWords(scope, "businesses");
  const named = (sentence: string) =>
    sentence.replace(/^(?:No )?(?:open )?raises?\b(?! (?:is|are) of)/, (raises) => `${raises} ${words}`);
  // A business has all its raises on the board, unless the open ones are asked for.
  const isOpen = scope.business !== null && filter.status === OPEN.status;
  const all = [...parameters, ...(isOpen ? ["show=open"] : [])].join("&");
  const its = filterOf(scope);
  return {
    ...question,
    filter: { ...filter, ...its },
    first: first && { ...first, ...its },
    called: [named(called[0]), named(called[1])],
    none: named(none),
    path: `${path}${path.includes("?") ? "&" : "?"}${all}`,
  };
}

/**
 * A sentence of ours, then the raises if it is about some; empty for a question about anything else.
 * @param named the raises and businesses that the query names
 */
export function answerFromMarket(
  query: string,
  market: Market,
  publicSettings: Pick<PublicSettings, "publicUrl" | "chainId" | "publicNode">,
  named: readonly MatchedText[] = [],
): Hit[] {
  const { publicUrl } = publicSettings;
  // The search finds the raise that a query names, if there is one.
  if (idsIn(query).some((id) => !id.toLowerCase().startsWith("org_"))) return [];
  const text = plainWords(withCountryNames(query, market)).replace(CLOSING_SOON, "soon");
  const scope = scopeOf(text, market, named);
  const facts = factsFor(text, market, publicSettings, scope);
  if (facts !== null) return [facts];
  const name = named.find(({ text: { publicId } }) => publicId === scope.business)?.text.title ?? "";
  const ofName = new Set(plainWords(name).split(" "));
  const unnamed = text.split(" ").filter((word) => !ofName.has(word));
  if (RULES.test(text) || NEGATED.test(text) || isOfAnotherTime(unnamed.join(" ")) || scope.isUnclear)
    return [];
  const bare = withoutPart(text, scope);
  const asked = QUESTIONS.find(({ asks }) => asks(bare)) ?? countryQuestion(text, scope, market);
  if (asked === null) return [];
  const question = within(scope, asked);
  const { filter, first, sort } = question;
  const { count, paidOff } = countWithoutPaidOff(market, filter);
  const page = (query: ListingsQuery) => queryMarket(market, { ...query, sort, limit: MOST_RAISES }).listings;
  const found = new Set([...(first === undefined ? [] : [first]), ...withoutPaidOff(filter)].flatMap(page));
  const [one, several] = question.called;
  const answer = count === 0 ? question.none : `${count} ${count === 1 ? one : several}`;
  const common = { heading: null, marks: [], isQuoted: false, section: null };
  return [
    {
      ...common,
      kind: "market",
      title: answer,
      excerpt: noteOn(question, count, paidOff),
      url: `${publicUrl}${question.path}`,
    },
    ...[...found].slice(0, MOST_RAISES).map((listing): Hit => {
      const { title, refnum, url } = listing;
      const shown = title.trim() === "" ? refnum : title;
      return { ...common, kind: "listing", title: shown, excerpt: standingOf(listing, market), url };
    }),
  ];
}

/** The line under an answer. @param paidOff overdue by their dates, so that the board has them among the late ones */
function noteOn({ note }: Pick<Question, "note">, count: number, paidOff: number): string {
  if (paidOff > 0) return `The board has ${paidOff} more, whose principal is paid off.`;
  if (count === 0) return "The board shows every raise.";
  return note ?? `On the board, with ${count === 1 ? "its" : "their"} figures.`;
}

/** The state of a raise in a line, without third-party text. */
function standingOf(listing: Listing, { head }: Market): string {
  const { repayment, outstandingPrincipal, writtenOffAmount, drawnAmount, closeAt, couponRateBps } = listing;
  const { tenorDays, originatorGrade } = listing;
  if (repayment === "late" || repayment === "default") {
    const state = repayment === "late" ? "Late" : "In default";
    const days = countedDays(daysOverdue(listing, head.timestamp) ?? 0);
    return `${state}, ${days} overdue: ${formatAmount(outstandingPrincipal)} of principal is owed.`;
  }
  if (repayment === "written_off")
    return `Ended with a loss: ${formatAmount(writtenOffAmount)} of ${formatAmount(drawnAmount)} lent was lost.`;
  if (listing.acceptsMoney) {
    const rate =
      couponRateBps === null
        ? ""
        : `, ${listing.couponIsMaximum ? "at most " : ""}${formatRate(couponRateBps)} a year`;
    const term = tenorDays === null ? "" : ` for ${counted(tenorDays, "days")}`;
    return `Open${closeAt === null ? "" : ` until ${closeAt.slice(0, 16).replace("T", " ")} UTC`}${rate}${term}, grade ${originatorGrade}.`;
  }
  if (listing.status === "cancelled") return "Not open: called off.";
  return repayment === "not_drawn"
    ? "Not open: closed, and not drawn down."
    : "Not open: its money was lent.";
}
