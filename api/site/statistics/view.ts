/** @module The shared input of all sections of the statistics: the market, its periods, and the addresses of the same figures for programs. */

import type { Market } from "../../market/market.ts";
import type { Cohort, CohortsBy, OverTime, SeriesPoint } from "../../market/series-schema.ts";
import type { tableOf } from "../blocks.ts";
import type { Block } from "../page.ts";
import { SITE_PATHS } from "../paths.ts";

export const BY = ["month", "quarter"] as const;
export type By = (typeof BY)[number];

export type View = {
  market: Market;
  overTime: OverTime;
  cohorts: ShownCohorts;
  by: By;
  /** as the address has it; null for the head */
  asOf: string | null;
};

type ShownCohorts = ReadonlyMap<CohortsBy, readonly Cohort[]>;

/** The period of the cohorts beside such a series. */
export function vintageOf(by: By): "quarter" | "year" {
  return by === "month" ? "quarter" : "year";
}

/** Null while there are none to show. */
export function cohortsOf(overTime: OverTime, some: readonly CohortsBy[]): ShownCohorts | null {
  const found = new Map<CohortsBy, readonly Cohort[]>();
  for (const by of some) {
    const cohorts = overTime.cohorts({ by });
    if (!("cohorts" in cohorts)) return null;
    found.set(by, cohorts.cohorts);
  }
  return found;
}

/** Periods shown, the last ones. A program gets up to 1,000. */
const SHOWN_PERIODS = 24;

/** The last periods, oldest first. */
export function pointsOf({ overTime, by }: View): readonly SeriesPoint[] {
  const series = overTime.series({ by });
  return "points" in series ? series.points.slice(-SHOWN_PERIODS) : [];
}

export function statisticsPath({ by, asOf }: Pick<View, "by" | "asOf">): string {
  return SITE_PATHS.statistics + queryText({ by: by === "month" ? null : by, asOf });
}

/** The same figures for programs. @param path below `/v1/stats/` */
export function dataLinks({ asOf }: Pick<View, "asOf">, path: "series" | "cohorts", by: string): Block {
  const query = queryText({ by, asOf });
  const links = [
    { text: "CSV", href: `/v1/stats/${path}.csv${query}` },
    { text: "JSON", href: `/v1/stats/${path}${query}` },
  ];
  if (path === "cohorts") links.splice(1, 0, { text: "Curves as CSV", href: `/v1/stats/curves.csv${query}` });
  return { kind: "links", look: "row", label: "These figures as", links };
}

function queryText(parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

export type Columns<Item> = Parameters<typeof tableOf<Item>>[0]["columns"];
