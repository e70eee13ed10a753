/** @module The series and cohorts of a market: which raises they are of, and from which sums they are made. */
import { cohortsOf } from "./cohorts.ts";
import { type DayBook, dayBookOf, type RunningDays } from "./day-book.ts";
import { matcherOf } from "./listings-query.ts";
import type { Market } from "./market.ts";
import type { Listing } from "./schema.ts";
import { seriesOf } from "./series.ts";
import { SCOPE } from "./series-query.ts";
import type { Cohorts, OverTime, Scope, SeriesQuery } from "./series-schema.ts";
import type { Visible } from "./visible.ts";

type OverTimeParameters = Pick<Market, "listings" | "head" | "originatorByPublicId"> & {
  visible(listing: Listing): Visible;
  gradeAtDrawdown(listing: Listing): string;
  /** the sums of this market, as long as they have not changed since; null where none are kept */
  running: RunningDays | null;
};

/**
 * The history of one market. Its series are made of the kept sums while these are its own, else of its raises; cohorts of all loans are
 * made once.
 */
export function createOverTime({ running, ...market }: OverTimeParameters): OverTime {
  const { listings, originatorByPublicId, head, visible } = market;
  const version = running?.version();
  const cohorts = new Map<string, Cohorts>();
  let whole: DayBook | null = null;

  const matching = (scope: Scope) => {
    const { originator } = scope;
    const among = originator === undefined ? listings : originatorByPublicId.get(originator)?.listings;
    return among?.where(matcherOf(scope, originatorByPublicId, SCOPE)) ?? [];
  };

  /** The sums of a scope that are kept; null for one without. */
  const keptBooks = ({ originator, originators, grade = [], jurisdiction = [] }: SeriesQuery) => {
    if (running == null || running.version() !== version) return null;
    if (originator !== undefined || originators !== undefined) return null;
    if (grade.length > 0 && jurisdiction.length > 0) return null;
    if (grade.length > 0) return [...new Set(grade)].map((one) => running.book(`grade ${one}`));
    if (jurisdiction.length > 0)
      return [...new Set(jurisdiction)].map((one) => running.book(`country ${one}`));
    return [running.book("market")];
  };

  const ownBook = ({ originators, ...query }: SeriesQuery): DayBook => {
    const own = matching(query);
    const named = originators ? own.filter(({ originator }) => originators.has(originator)) : own;
    if (named.length < listings.length) return dayBookOf(named.map(visible));
    whole ??= dayBookOf(listings.map(visible));
    return whole;
  };

  return {
    series({ by = "month", from, to, ...scope }) {
      const points = seriesOf(keptBooks(scope) ?? [ownBook(scope)], { by, from, to }, head.timestamp);
      return "detail" in points ? points : { by, points };
    },
    cohorts({ by = "quarter", ...scope }) {
      const own = matching(scope);
      const known = own.length === listings.length ? cohorts.get(by) : undefined;
      if (known !== undefined) return known;
      const loans = own
        .filter(({ drawnDownAt }) => drawnDownAt !== null)
        .map((listing) => ({
          raise: visible(listing),
          grade: by === "grade" ? market.gradeAtDrawdown(listing) : "",
        }));
      const found = { by, cohorts: cohortsOf(loans, by, head.timestamp) };
      if (own.length === listings.length) cohorts.set(by, found);
      return found;
    },
  };
}
