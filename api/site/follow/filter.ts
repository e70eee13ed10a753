/** @module The filter of a feed or a calendar of the market: that of `/v1/listings`. */
import { quote } from "../../../config/format/untrusted-text.ts";
import { ProblemError } from "../../http/problem.ts";
import { readListingsText } from "../../market/listings-text.ts";
import type { Subject } from "../subject.ts";

/** The market, narrowed to what a query asks for. Without a query it is whole, as another subject always is. */
export function narrowed(subject: Subject, query: URLSearchParams): Subject {
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
  const words = [...given].map(([name, text]) => `${name}: ${text.replaceAll(",", ", ")}`);
  return {
    ...subject,
    name: `Raises (${words.join("; ")})`,
    query: `${given}`.replaceAll("%2C", ",").replaceAll("%3A", ":"),
    filter,
  };
}

const MOST_ERRORS = 20;
