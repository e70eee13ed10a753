/**
 * What the client takes: the media type and the content coding of an answer.
 * @module
 */
import type { Encoding } from "../feed/body.ts";

type Range = { value: string; q: number };

/** RFC 9110 section 12.4.2. */
const WEIGHT = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

/**
 * Whether an `Accept` header allows JSON. The most specific range decides and `q=0` excludes. A header that is
 * absent or cannot be read allows everything.
 */
export function acceptsJson(accept: string | undefined): boolean {
  const ranges = parseHeader(accept).filter(({ value }) => /^[\w.+*-]+\/[\w.+*-]+$/.test(value));
  if (ranges.length === 0) return true;
  for (const value of ["application/json", "application/*", "*/*"]) {
    const range = ranges.find((candidate) => candidate.value === value);
    if (range !== undefined) return range.q > 0;
  }
  return false;
}

/**
 * The coding to answer with: the client's favourite, br before gzip at a tie. The bytes as they are when neither is
 * named, when the client says that it likes them more, and when it excludes everything.
 */
export function preferredEncoding(acceptEncoding: string | undefined): Encoding {
  const ranges = parseHeader(acceptEncoding);
  const qOf = (encoding: string) =>
    (ranges.find(({ value }) => value === encoding) ?? ranges.find(({ value }) => value === "*"))?.q ?? 0;
  const br = qOf("br");
  const gzip = qOf("gzip");
  const identity = ranges.find(({ value }) => value === "identity")?.q ?? 0;
  if (Math.max(br, gzip) === 0 || identity > Math.max(br, gzip)) return "identity";
  return br >= gzip ? "br" : "gzip";
}

function parseHeader(header: string | undefined): Range[] {
  return (header ?? "").split(",").flatMap((part) => {
    const [value = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    if (value === "") return [];
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    // A weight that cannot be read does not count; an empty one is not a zero.
    return [{ value, q: weight !== undefined && WEIGHT.test(weight) ? Number(weight) : 1 }];
  });
}
