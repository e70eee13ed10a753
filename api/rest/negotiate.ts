/**
 * What the client takes: the media type and the content coding of an answer.
 * @module
 */
import type { Encoding } from "../feed/body.ts";

type Range = { value: string; q: number };

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

/** The coding to answer with: the client's favourite of br and gzip, br at a tie; else the bytes as they are. */
export function preferredEncoding(acceptEncoding: string | undefined): Encoding {
  const ranges = parseHeader(acceptEncoding);
  const qOf = (encoding: string) =>
    (ranges.find(({ value }) => value === encoding) ?? ranges.find(({ value }) => value === "*"))?.q ?? 0;
  const br = qOf("br");
  const gzip = qOf("gzip");
  if (br === 0 && gzip === 0) return "identity";
  return br >= gzip ? "br" : "gzip";
}

function parseHeader(header: string | undefined): Range[] {
  return (header ?? "").split(",").flatMap((part) => {
    const [value = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    if (value === "") return [];
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const q = weight === undefined ? 1 : Number(weight);
    return [{ value, q: q >= 0 && q <= 1 ? q : 1 }];
  });
}
