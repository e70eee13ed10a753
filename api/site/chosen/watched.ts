/**
 * The page of the watch list. The list is kept by the browser alone (`assets/watched.js`), which asks for its raises by their ids;
 * such an address is also how a list is shared, and works without a script. http.md, "Pages".
 * @module
 */
import { DOLLAR } from "../../market/amount.ts";
import type { Market } from "../../market/market.ts";
import { isPastDue, owesInterestAlone } from "../../market/schedule.ts";
import type { Listing } from "../../market/schema.ts";
import { links, linkTo, notice, paragraph, section, snippet, tableOf } from "../blocks.ts";
import type { PageRequest, PageResult, Section } from "../page.ts";
import { raiseLink, SITE_PATHS } from "../paths.ts";
import { doneOf, doneValue, stateValue } from "../standing.ts";
import { formatDate } from "../times.ts";
import { coupon, grade, NONE, type Value, word } from "../value.ts";
import { chosenForm, chosenPage, chosenPath, readChosen, unknownWords } from "./ids.ts";

/** As many as `assets/watched.js` keeps. */
const MOST_WATCHED = 50;

const HEAD = {
  path: SITE_PATHS.watched,
  title: "Watch list",
  description: "The raises that you have starred, and what has changed since you last looked.",
};

export function watchedPage({ snapshot, query }: PageRequest, publicUrl: string): PageResult {
  if (snapshot === null) return { kind: "not_indexed_yet" };
  const { market } = snapshot;
  const { raises, unknown } = readChosen(query, market);
  const isTooMany = raises.length > MOST_WATCHED;
  const shown = raises.slice(0, MOST_WATCHED);
  const sections = [
    listSection(shown, market, [
      // Neither a raise that is published no more nor one too many must spoil the list.
      ...(unknown.length === 0
        ? []
        : [notice("warning", `${unknownWords(unknown)} It may have been withdrawn.`)]),
      ...(isTooMany
        ? [
            notice(
              "warning",
              `You chose ${raises.length} raises. At most ${MOST_WATCHED} can be watched; the first ${MOST_WATCHED} are shown.`,
            ),
          ]
        : []),
    ]),
    ...(shown.length === 0 ? [] : [keepSection(shown, publicUrl)]),
    aboutSection(shown),
  ];
  return { kind: "page", page: chosenPage(HEAD, sections, shown, market) };
}

function listSection(
  shown: readonly Listing[],
  market: Market,
  notices: readonly ReturnType<typeof notice>[],
): Section {
  const now = market.head.timestamp;
  const table = tableOf({
    caption: `Amounts in ${DOLLAR}`,
    items: shown,
    keyOf: ({ publicId }) => publicId,
    columns: [
      ["title", "Raise", raiseLink],
      ["status", "State", (raise) => stateValue(raise, now)],
      ["progress", "Progress", (raise) => doneValue(doneOf(raise)), "end"],
      ["originatorGrade", "Grade", (raise) => grade(raise.originatorGrade)],
      ["couponRateBps", "Interest", (raise) => coupon(raise, { isShort: true }), "end"],
      ["date", "Closes / due", dateOf],
    ],
    empty:
      "There is nothing here yet. Press the star on a raise to watch it: the list is kept in your browser, without an account.",
  });
  return section("watched", null, [
    ...notices,
    { kind: "table", table: { ...table, isOfRaises: true } },
    shown.length === 0 ? null : { kind: "compare" },
    links([linkTo("All raises", SITE_PATHS.board)]),
  ]);
}

/** The date that comes next, or of the end. */
function dateOf(listing: Listing): Value {
  const { acceptsMoney, status, outstandingPrincipal, closeAt, maturityAt, statusSince } = listing;
  const at = (label: string, iso: string | null) =>
    iso === null ? NONE : word(`${label} ${formatDate(iso)}`, iso);
  if (acceptsMoney) return at("Closes", closeAt);
  if (status !== "live") return at("Ended", statusSince);
  const isPaid = outstandingPrincipal === "0" && !owesInterestAlone(listing);
  return at(isPaid || isPastDue(listing) ? "Was due" : "Due", maturityAt);
}

function keepSection(shown: readonly Listing[], publicUrl: string): Section {
  return section("keep", "Keep or share this list", [
    snippet({
      label: "This list as a link, for another browser or another person",
      language: "text",
      text: publicUrl + chosenPath(SITE_PATHS.watched, shown),
    }),
  ]);
}

function aboutSection(shown: readonly Listing[]): Section {
  return section("about-the-list", "How the list works", [
    paragraph(
      "The list is kept in this browser alone: there is no account, and this site learns of it only the ids in the request for this page. Stars need JavaScript; a link with the raises of a list does not.",
    ),
    {
      kind: "form",
      form: chosenForm(
        { action: SITE_PATHS.watched, label: "Show raises", submit: "Show" },
        shown,
        MOST_WATCHED,
      ),
    },
  ]);
}
