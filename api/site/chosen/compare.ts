/** @module The page that compares raises, `/compare?ids=`. http.md, "Pages". */
import { isolated } from "../../../config/format/untrusted-text.ts";
import { DOLLAR, formatAmount, formatRate, ONE, shareBps } from "../../market/amount.ts";
import { realisedBps } from "../../market/loan.ts";
import type { Market } from "../../market/market.ts";
import type { Originator } from "../../market/originator.ts";
import { canLose, projectionOf } from "../../market/projection.ts";
import type { Listing } from "../../market/schema.ts";
import { recordOf } from "../../market/stats.ts";
import { links, linkTo, notice, paragraph, section, tableOf } from "../blocks.ts";
import { gradeReason, leftRemainders } from "../grade.ts";
import { loansOf } from "../originators/loans.ts";
import { overdueValue, stagesText } from "../originators/record.ts";
import type { PageRequest, PageResult, Section } from "../page.ts";
import { businessLink, raiseLink, SITE_PATHS } from "../paths.ts";
import { doneOf, doneShare, doneValue, stateValue, timingOf, warningMarks } from "../standing.ts";
import {
  amount,
  capitalised,
  count,
  country,
  coupon,
  grade,
  kyb,
  NONE,
  pricing,
  rate,
  text,
  time,
  type Value,
  word,
} from "../value.ts";
import { chosenForm, chosenPage, chosenPath, readChosen, unknownWords } from "./ids.ts";

/** Columns that fit next to each other. */
const MOST_COMPARED = 4;

const HEAD = {
  path: SITE_PATHS.compare,
  title: "Compare raises",
  description: "Up to four raises side by side: terms, progress, risk and the record of each business.",
};

export function comparePage({ snapshot, query }: PageRequest): PageResult {
  if (snapshot === null) return { kind: "not_indexed_yet" };
  const { market } = snapshot;
  const { raises, unknown } = readChosen(query, market);
  const shown = raises.slice(0, MOST_COMPARED);
  const problems = [
    ...(unknown.length === 0 ? [] : [unknownWords(unknown)]),
    ...(raises.length > MOST_COMPARED
      ? [
          `You chose ${raises.length} raises. At most ${MOST_COMPARED} can be compared; the first ${MOST_COMPARED} are shown.`,
        ]
      : []),
  ];
  const sections = [chosenSection(shown, problems), ...sideBySide(shown, market)];
  return { kind: problems.length > 0 ? "refused" : "page", page: chosenPage(HEAD, sections, shown, market) };
}

function chosenSection(shown: readonly Listing[], problems: readonly string[]): Section {
  const without = shown.map((raise) => {
    const others = shown.filter((one) => one !== raise);
    return linkTo(`Remove ${isolated(raise.refnum)}`, chosenPath(SITE_PATHS.compare, others));
  });
  return section("chosen", null, [
    ...problems.map((problem) => notice("error", problem)),
    shown.length === 0
      ? paragraph(
          "No raise is chosen. Tick up to four raises on the board and press Compare there, or enter their reference numbers here.",
        )
      : null,
    shown.length < 2
      ? null
      : { kind: "links", look: "chips", label: "Take one out of the comparison", links: without },
    {
      kind: "form",
      form: chosenForm(
        { action: SITE_PATHS.compare, label: "Compare raises", submit: "Compare" },
        shown,
        MOST_COMPARED,
      ),
    },
    links([linkTo("Choose on the board", SITE_PATHS.board)]),
  ]);
}

type Line = {
  key: string;
  label: string;
  show(raise: Listing, business: Originator): Value;
  /** left out when no raise has a value */
  isOptional?: boolean;
};

function sideBySide(shown: readonly Listing[], market: Market): Section[] {
  if (shown.length === 0) return [];
  const now = market.head.timestamp;
  const titles = {
    terms: "Terms",
    standing: "Where it stands",
    risk: "Risk",
    business: "The business",
  } as const;
  return Object.entries(linesOf(market, now)).map(([id, lines]) =>
    section(id, titles[id as keyof typeof titles], [
      { kind: "table", table: tableFor(id, lines, shown, market) },
    ]),
  );
}

function tableFor(id: string, lines: readonly Line[], shown: readonly Listing[], market: Market) {
  const valueIn = ({ show }: Line, raise: Listing): Value => {
    const business = market.originatorByPublicId.get(raise.originator);
    return business === undefined ? NONE : show(raise, business);
  };
  return tableOf({
    caption: `Amounts in ${DOLLAR}`,
    look: "compared",
    items: lines.filter(
      (line) => !line.isOptional || shown.some((raise) => valueIn(line, raise).kind !== "none"),
    ),
    keyOf: ({ key }) => `${id}-${key}`,
    columns: [
      ["field", "Raise", ({ label }: Line) => text(label)],
      ...shown.map(
        (raise) => [raise.publicId, isolated(raise.refnum), (line: Line) => valueIn(line, raise)] as const,
      ),
    ],
    empty: "",
  });
}

function linesOf(
  market: Market,
  now: bigint,
): Record<"terms" | "standing" | "risk" | "business", readonly Line[]> {
  return {
    terms: [
      line("title", "Title", raiseLink),
      line("originator", "Business", (_, business) => businessLink(business)),
      line("warnings", "Check first", warningMarks, true),
      line("couponRateBps", "Interest a year", (raise) => coupon(raise, { isShort: true })),
      line("tenorDays", "Term", ({ tenorDays }) => count(tenorDays, "days")),
      line("pricingMode", "Pricing", ({ pricingMode }) => pricing(pricingMode)),
      line("targetAmount", "Target", ({ targetAmount }) => amount(targetAmount, null)),
      line("minRaise", "Minimum", ({ minRaise }) => (minRaise === "0" ? NONE : amount(minRaise, null)), true),
    ],
    standing: [
      line("status", "State", (raise) => stateValue(raise, now)),
      line("progress", "Progress", (raise) => doneValue(doneOf(raise))),
      line("share", "Done", (raise) => doneShare(doneOf(raise))),
      line("timing", "Next", (raise) => text(capitalised(timingOf(raise, now)))),
      line("subscriberCount", "Backers", ({ subscriberCount }) => count(subscriberCount)),
      line("openedAt", "Opened", (raise) => time(market.openedAt(raise))),
      line("closeAt", "Closing time", ({ closeAt }) => time(closeAt), true),
      line("maturityAt", "Due", ({ maturityAt }) => time(maturityAt), true),
      line("outstandingPrincipal", "Principal owed", owedOrNone, true),
    ],
    risk: [
      line("originatorGrade", "Grade", ({ originatorGrade }) => grade(originatorGrade)),
      line("reason", "Reason for the grade", (_, business) =>
        text(gradeReason(business, leftRemainders(business))),
      ),
      line("reserveBalance", "Reserve held", ({ reserveBalance }) => amount(reserveBalance, null)),
      line("insuranceBps", "Reserve required, of the target", ({ insuranceBps }) => rate(insuranceBps)),
      line("cover", "If nothing more is repaid", coverWords, true),
    ],
    business: [
      line("ratingN", "Finished raises", (_, { rating }) => count(rating.n)),
      line("lent", "Lent in all", (_, business) => amount(recordOf(business).lent, null)),
      line("overdue", "Overdue now", (_, business) => overdueValue(recordOf(business))),
      line("writtenOff", "Lost by backers", (_, business) => lostValue(recordOf(business).writtenOff)),
      line("realisedBps", "Backers earned a year", (_, business) =>
        rate(realisedBps(loansOf(business, market).map(({ loan }) => loan))),
      ),
      line("stages", "Its raises", (_, business) => text(stagesText(recordOf(business)))),
      line("kybStatus", "Identity check", (_, { kybStatus }) => kyb(kybStatus)),
      line("jurisdiction", "Country", (_, { jurisdiction }) => country(jurisdiction)),
    ],
  };
}

function line(key: string, label: string, show: Line["show"], isOptional = false): Line {
  return { key, label, show, isOptional };
}

function owedOrNone({ outstandingPrincipal }: Listing): Value {
  return outstandingPrincipal === "0" ? NONE : amount(outstandingPrincipal, null);
}

function lostValue(lost: string): Value {
  return lost === "0" ? amount(lost, null) : word(formatAmount(lost, { unit: null }), lost, "bad");
}

/**
 * The amount that comes back of a hundred, as a share of any amount: from the reserve that is held, and from repayments so far. Before the
 * drawdown also from the reserve that is required for it.
 */
function coverWords(raise: Listing): Value {
  if (!canLose(raise)) return NONE;
  const hundred = 100n * ONE;
  const bpsOf = ({ returned }: { returned: bigint }) => shareBps(returned, hundred) ?? 0;
  const { reserveHeld, reserveRequired } = projectionOf(raise, hundred);
  const [held, required] = [bpsOf(reserveHeld), bpsOf(reserveRequired)];
  const rate = formatRate(held);
  if (raise.repayment !== "not_drawn") return word(`${rate} in all, with the reserve`, `${held}`);
  const words =
    required > held ? `${rate} as posted so far, ${formatRate(required)} once it is complete` : rate;
  return word(`The reserve pays back ${words}`, `${held}`);
}
