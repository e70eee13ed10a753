/** @module The activity of some raises in each day, week, month or quarter, for the tool that lists businesses. */

import { counted } from "../../../config/format/counted.ts";
import type { BlockOrTime } from "../../../config/format/time.ts";
import { formatAmount } from "../../market/amount.ts";
import type { Market } from "../../market/market.ts";
import type { SeriesPeriod } from "../../market/periods.ts";
import type { SeriesPoint } from "../../market/series-schema.ts";

/** Periods of an answer, unless the caller says how long a page may be, and at most. */
const SHOWN = { byDefault: 12, most: 200 } as const;

/** One period in few figures, with its amounts as people read them. */
type PeriodFacts = ReturnType<typeof periodOf>;

export type Periods = { periods: readonly PeriodFacts[]; earlierPeriods: number };

/** The periods of a span, oldest first; only the newest of many. @param originators null for all businesses */
export function periodsOf(
  { overTime }: Market,
  span: { by: SeriesPeriod; since: BlockOrTime | undefined; until: BlockOrTime | undefined },
  originators: ReadonlySet<string> | null,
  isLong: boolean,
): Periods | { advice: string } {
  if (overTime === null)
    return { advice: "The indexer is still reading the past: leave out by, or ask again later." };
  const { since, until } = span;
  if ((since && "block" in since) || (until && "block" in until))
    return { advice: "With by, since and until must be times or dates: periods are of the calendar." };
  const query = { by: span.by, from: since?.time, to: until?.time };
  const series = overTime.series({ ...query, originators: originators ?? undefined });
  if ("reason" in series)
    return { advice: "The past is still being read: leave out by, or ask again later." };
  if ("detail" in series) {
    const word = WORDS[series.parameter];
    return {
      advice:
        word === undefined
          ? `${series.detail} Name fewer businesses.`
          : `${series.detail.replace(/^It\b/, word)} Change ${word}.`,
    };
  }
  const { points } = series;
  const shown = points.slice(-(isLong ? SHOWN.most : SHOWN.byDefault));
  return { periods: shown.map(periodOf), earlierPeriods: points.length - shown.length };
}

/** The tool's names of the parameters. */
const WORDS: Readonly<Record<string, string>> = { from: "since", to: "until" };

function periodOf(point: SeriesPoint) {
  const amounts = {
    committed: point.committed,
    withdrawn: point.withdrawn,
    lent: point.lent,
    repaid: `${BigInt(point.repaidPrincipal) + BigInt(point.repaidInterest)}`,
    writtenOff: point.writtenOff,
    outstanding: point.outstanding,
  };
  const { period, isOver, opened, closed, reachedMinimum } = point;
  const some = Object.entries(amounts).filter(([, amount]) => amount !== "0");
  const display = Object.fromEntries(some.map(([name, amount]) => [name, formatAmount(amount)]));
  return { period, isOver, opened, closed, reachedMinimum, ...amounts, display };
}

export function periodLines({ periods, earlierPeriods }: Periods): string[] {
  const advice =
    periods.length < SHOWN.most
      ? "With limit there are more."
      : "Give an earlier until for them, or a longer by.";
  return [
    ...(earlierPeriods === 0 ? [] : [`Left out: ${counted(earlierPeriods, "earlier periods")}. ${advice}`]),
    ...periods.map(({ period, isOver, opened, closed, reachedMinimum, display }) => {
      const amounts = Object.entries(display).map(([name, amount]) => `${WORDS_OF[name] ?? name} ${amount}`);
      const raises = `${counted(opened, "raises")} opened, ${closed} closed (${reachedMinimum} with their minimum)`;
      return `- ${period}${isOver ? "" : " so far"}: ${[raises, ...amounts].join("; ")}`;
    }),
  ];
}

const WORDS_OF: Readonly<Record<string, string>> = {
  writtenOff: "written off",
  outstanding: "owed at its end",
};
