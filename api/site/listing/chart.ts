/**
 * The chart of a raise: which span of time it covers, and the drawing of it.
 * @module
 */

import { parseTime } from "../../../config/format/time.ts";
import { cumulative, type ListingSeries, type SeriesQuery } from "../../ledger/series.ts";
import type { Listing } from "../../market/schema.ts";
import { hasFailed } from "../../market/status.ts";
import { moneyOverTime } from "../charts/money-over-time.tsx";
import type { Chart } from "../page.ts";

/** The number of buckets that are distinct at a phone's width. */
const POINTS = 60;

const MINUTE = 60n;
const HOUR = 3_600n;
const DAY = 86_400n;

/** The times of the listing's opening and last change in ISO 8601, and the head's in unix seconds. */
export type Moments = { openedAt: string; changedAt: string; now: bigint };

/**
 * The span from the opening to the last change of a raise that is over, else to the head. The head's time is rounded down to a
 * whole minute, hour or day, so that the chart, and with it the page's entity tag, does not change with every block.
 */
export function spanOf(
  { status }: Listing,
  { openedAt, changedAt, now }: Moments,
): Omit<SeriesQuery, "until"> {
  const from = parseTime(openedAt) ?? now;
  const changed = parseTime(changedAt) ?? now;
  // Only refunds and claims can follow, and each of them is a change.
  if (status === "matured" || hasFailed({ status })) return { from, to: changed, points: POINTS };
  const seconds = now - from;
  const step = seconds > 100n * DAY ? DAY : seconds > 100n * HOUR ? HOUR : MINUTE;
  const whole = now - (now % step);
  return { from, to: whole > changed ? whole : changed, points: POINTS };
}

export function chartOf(listing: Listing, { buckets }: Pick<ListingSeries, "buckets">): Chart {
  return moneyOverTime({ id: "money-over-time", listing, points: cumulative(buckets) });
}
