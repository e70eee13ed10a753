/**
 * Ticks of a time axis, labelled to suit its length. UTC.
 * @module
 */
import { scaleUtc } from "d3-scale";

const DAY = 86_400_000;
const LAST_SECOND = 253_402_300_799n;

/** Made once: making one takes longer than all labels of an axis. */
const formOf = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
const YEAR = formOf({ year: "numeric" });
const MONTH = formOf({ month: "short", year: "numeric" });
const DAY_OF_YEAR = formOf({ day: "numeric", month: "short", year: "numeric" });
const DAY_OF_MONTH = formOf({ day: "numeric", month: "short" });
const HOUR = formOf({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

export type TimeTick = {
  /** unix seconds */
  at: bigint;
  label: string;
};

/** Round times from `from` to `to` (unix seconds), about `count` of them. */
export function timeTicks(from: bigint, to: bigint, count: number): TimeTick[] {
  const moments = scaleUtc([dateOf(from), dateOf(to)], [0, 1]).ticks(count);
  const [first, second] = moments;
  if (first === undefined) return [];
  const step = second === undefined ? DAY : second.getTime() - first.getTime();
  return moments.map((moment, index) => ({
    at: BigInt(Math.floor(moment.getTime() / 1000)),
    label: labelOf(moment, step, index === 0),
  }));
}

/** The first tick has the year where the others omit it. */
function labelOf(moment: Date, step: number, isFirst: boolean): string {
  if (step >= 360 * DAY) return YEAR.format(moment);
  if (step >= 27 * DAY) return MONTH.format(moment);
  if (isFirst) return DAY_OF_YEAR.format(moment);
  if (step >= DAY || moment.getTime() % DAY === 0) return DAY_OF_MONTH.format(moment);
  return HOUR.format(moment);
}

function dateOf(seconds: bigint): Date {
  const within = seconds > LAST_SECOND ? LAST_SECOND : seconds;
  return new Date(Number(within) * 1000);
}
