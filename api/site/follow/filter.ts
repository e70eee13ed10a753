/** The filter of a feed or a calendar of the market: that of `/v1/listings`. @module */
import { quote } from "../../../config/format/untrusted-text.ts";
import { ProblemError } from "../../http/problem.ts";
import { Listings } from "../../market/listings.ts";
import { matcherOf } from "../../market/listings-query.ts";
import { readListingsText } from "../../market/listings-text.ts";
import type { Market } from "../../market/market.ts";
import type { Subject } from "../subject.ts";

/** The market's raises that a query asks for. Without a query they are all, as another subject's always are. */
export function narrowed(subject: Subject, query: URLSearchParams, market: Market): Subject {
  if (subject.kind !== "market" || query.size === 0) return subject;
  const { filter, given, refused } = readListingsText(query);
  if (refused.length > 0) {
    const errors = refused.map(({ name, detail, allowed }) => ({
      parameter: quote(name).slice(1, -1),
      detail: `${detail}.`,
      allowed: [...allowed],
    }));
    const detail = errors
      .slice(0, 5)
      .map((one) => `"${one.parameter}": ${one.detail}`)
      .join(" ");
    throw new ProblemError({ code: "invalid_parameter", detail, errors: errors.slice(0, MOST_ERRORS) });
  }
  const isMatch = matcherOf(filter, market.originatorByPublicId);
  const words = [...given].map(([name, text]) => `${name}: ${text.replaceAll(",", ", ")}`);
  return {
    ...subject,
    name: `Raises (${words.join("; ")})`,
    query: `${given}`.replaceAll("%2C", ",").replaceAll("%3A", ":"),
    listings: Listings.of(subject.listings).where(isMatch),
  };
}

const MOST_ERRORS = 20;
