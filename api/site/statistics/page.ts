/** @module The market over time, `/statistics`: flows, what is owed, how loans of the same time did, losses and returns. */

import { BLOCK_OR_TIME_FORM, isoTime, parseBlockOrTime } from "../../../config/format/time.ts";
import { quote } from "../../../config/format/untrusted-text.ts";
import type { AsOf, History } from "../../history/as-of.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { links, linkTo, notice, section } from "../blocks.ts";
import type { Block, Page, PageRequest, PageResult, Section } from "../page.ts";
import { CRUMBS, SITE_PATHS, streamPath } from "../paths.ts";
import { formatTime, marketUpdated } from "../times.ts";
import { flowsSection, owedSection, timeToFundSection, totals } from "./flows.ts";
import { concentrationSections, gradesSection, vintagesSection } from "./loans.ts";
import { BY, type By, cohortsOf, statisticsPath, type View, vintageOf } from "./view.ts";

/** @param history for `?asOf=` */
export async function statisticsPage(
  { snapshot, query }: PageRequest,
  history: History,
): Promise<PageResult> {
  if (snapshot === null) return { kind: "not_indexed_yet" };
  const asked = readQuery(query);
  if ("problem" in asked) return refused(snapshot, asked.problem);
  const market = asked.asOf === null ? snapshot.market : await history.at(snapshot, asked.asOf.moment);
  if ("reason" in market) {
    if (market.reason === "out_of_range") return refused(snapshot, market.detail);
    return { kind: "busy", detail: market.detail };
  }
  const { overTime } = market;
  if (overTime === null)
    return { kind: "busy", detail: "The history is still being read. This page reloads automatically." };
  const cohorts = cohortsOf(overTime, [vintageOf(asked.by), "grade", "originator", "country"]);
  if (cohorts === null)
    return { kind: "busy", detail: "The loans are still being counted. This page reloads automatically." };
  const view: View = { market, overTime, cohorts, by: asked.by, asOf: asked.asOf?.text ?? null };
  const sections = [
    flowsSection(view),
    owedSection(view),
    vintagesSection(view),
    gradesSection(view),
    ...concentrationSections(view),
    timeToFundSection(view),
    section("open-data", "All of the data", [
      links([
        linkTo(
          "Open data",
          SITE_PATHS.data,
          "every event and cohort as files, to work these figures out yourself",
        ),
      ]),
    ]),
  ];
  return {
    kind: "page",
    page: pageWith(
      [section("view", null, [choices(view), pastNotice(view), totals(view)]), ...sections],
      view,
    ),
  };
}

type Asked = { by: By; asOf: { text: string; moment: AsOf } | null };

function readQuery(query: URLSearchParams): Asked | { problem: string } {
  const by = BY.find((known) => known === (query.get("by") ?? "month"));
  if (by === undefined)
    return {
      problem: `There are no figures by ${quote(query.get("by") ?? "")}: the periods are ${BY.join(" and ")}.`,
    };
  const text = query.get("asOf") ?? "";
  if (text === "" || text === "head") return { by, asOf: null };
  const moment = parseBlockOrTime(text);
  if (moment === null) return { problem: `${quote(text)} is no moment: it is ${BLOCK_OR_TIME_FORM}.` };
  return { by, asOf: { text, moment } };
}

function refused({ market }: Snapshot, problem: string): PageResult {
  const page = pageWith([section("problem", null, [notice("error", problem)])], { market, asOf: null });
  return { kind: "refused", page };
}

function pageWith(sections: readonly Section[], { market, asOf }: Pick<View, "market" | "asOf">): Page {
  return {
    path: SITE_PATHS.statistics,
    title: "Statistics",
    description: "What was lent, repaid and lost over time, and how loans did by age, grade and business.",
    updated: marketUpdated(market),
    crumbs: [CRUMBS.board],
    sections,
    isUnlisted: asOf !== null,
    isLive: asOf === null,
    isPast: asOf !== null,
    ...(asOf === null ? { stream: streamPath() } : {}),
  };
}

function choices(view: View): Block {
  const names: Record<By, string> = { month: "By month", quarter: "By quarter" };
  return {
    kind: "links",
    look: "choices",
    label: "Period",
    links: BY.map((by) => ({
      text: names[by],
      href: statisticsPath({ ...view, by }),
      isCurrent: by === view.by,
    })),
  };
}

function pastNotice({ market, asOf }: View): Block | null {
  if (asOf === null) return null;
  const { number, timestamp } = market.head;
  // For a time, the head's number is not the block of that time.
  const block = /^\d+$/.test(asOf) ? `block ${number}, ` : "";
  return notice("info", `As of ${block}${formatTime(isoTime(timestamp))}.`, "The past:");
}
