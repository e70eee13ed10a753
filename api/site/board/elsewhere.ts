/** @module The board's filter elsewhere: for programs, spreadsheets, feed readers, calendars and followers. */
import { HOUR, isoTime } from "../../../config/format/time.ts";
import { PATHS } from "../../http/links.ts";
import { FILTERS } from "../../market/listings-filters.ts";
import type { ListingsQuery } from "../../market/listings-query.ts";
import { linkTo } from "../blocks.ts";
import type { Block } from "../page.ts";
import { STREAM_PATH } from "../paths.ts";
import type { BoardQuery } from "./query.ts";

/** "This view as". */
export function sameElsewhere({ query }: Pick<BoardQuery, "query">): Block {
  const filter = filterQuery(query);
  const ordered = new URLSearchParams(filter);
  if (query.sort !== undefined) ordered.set("sort", query.sort);
  return {
    kind: "links",
    look: "row",
    label: "This view as",
    links: [
      linkTo("API", withQuery(PATHS.listings, ordered)),
      linkTo("CSV", withQuery(`${PATHS.listings}.csv`, ordered)),
      linkTo("Excel", withQuery(`${PATHS.listings}.csv`, new URLSearchParams([...ordered, ["excel", "1"]]))),
      linkTo("Feed", withQuery(PATHS.feed, filter)),
      linkTo("Calendar", withQuery(PATHS.calendar, filter)),
      linkTo("Stream", withQuery(STREAM_PATH, filter)),
    ],
  };
}

/** The filter as the parameters of `/v1/listings`. A limit of time is the next full hour, so that a link lasts as long. */
function filterQuery(query: ListingsQuery): URLSearchParams {
  const values: Readonly<Record<string, unknown>> = query;
  return new URLSearchParams(
    Object.keys(FILTERS).flatMap((name) => {
      const value = values[name];
      if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
      return [[name, typeof value === "bigint" ? isoTime(nextHour(value)) : `${value}`]];
    }),
  );
}

function nextHour(time: bigint): bigint {
  return ((time + HOUR - 1n) / HOUR) * HOUR;
}

function withQuery(path: string, query: URLSearchParams): string {
  const text = `${query}`.replaceAll("%2C", ",").replaceAll("%3A", ":");
  return text === "" ? path : `${path}?${text}`;
}
