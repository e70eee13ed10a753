/**
 * Content negotiation: the media type and the content coding of an answer.
 * @module
 */
import type { Encoding } from "./body.ts";

type Range = { value: string; q: number };

/** RFC 9110 section 12.4.2. */
const WEIGHT = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

/**
 * The offered type that an `Accept` header prefers; null when it excludes all of them. The most specific range decides for
 * each type and `q=0` excludes it; at equal weights the range named first wins, then the type offered first. A header that is
 * absent or malformed accepts everything.
 */
export function preferredType<const Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Type | null {
  const ranges = parseHeader(accept).filter(({ value }) => /^[\w.+*-]+\/[\w.+*-]+$/.test(value));
  if (ranges.length === 0) return offered[0] ?? null;
  let best: { type: Type; q: number; place: number } | null = null;
  for (const type of offered) {
    const names = [type, type.replace(/\/.*/, "/*"), "*/*"];
    const name = names.find((range) => ranges.some(({ value }) => value === range));
    const place = ranges.findIndex(({ value }) => value === name);
    const q = ranges[place]?.q ?? 0;
    if (q === 0) continue;
    if (best === null || q > best.q || (q === best.q && place < best.place)) best = { type, q, place };
  }
  return best?.type ?? null;
}

type Preference = {
  coding: Encoding;
  /** whether the client takes gzip and identity as well */
  acceptsOthers: boolean;
};

/** Of the values that have been sent: clients send a handful of them. */
const preferences = new Map<string, Preference>();
const MOST_PREFERENCES = 100;

/**
 * The coding that the client prefers, br before gzip at a tie. Identity when it names neither, prefers identity, or excludes
 * everything.
 */
export function preferredCoding(acceptEncoding = ""): Preference {
  const known = preferences.get(acceptEncoding);
  if (known !== undefined) return known;
  const preference = parsePreference(acceptEncoding);
  if (preferences.size === MOST_PREFERENCES) preferences.clear();
  preferences.set(acceptEncoding, preference);
  return preference;
}

function parsePreference(acceptEncoding: string): Preference {
  const ranges = parseHeader(acceptEncoding);
  const qOf = (encoding: string) =>
    (ranges.find(({ value }) => value === encoding) ?? ranges.find(({ value }) => value === "*"))?.q;
  const br = qOf("br") ?? 0;
  const gzip = qOf("gzip") ?? 0;
  const identity = ranges.find(({ value }) => value === "identity")?.q ?? 0;
  const acceptsOthers = gzip > 0 && qOf("identity") !== 0;
  if (Math.max(br, gzip) === 0 || identity > Math.max(br, gzip)) return { coding: "identity", acceptsOthers };
  return { coding: br >= gzip ? "br" : "gzip", acceptsOthers };
}

function parseHeader(header: string | undefined): Range[] {
  return (header ?? "").split(",").flatMap((part) => {
    const [value = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    if (value === "") return [];
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    // A malformed weight does not count; an empty one is not a zero.
    return [{ value, q: weight !== undefined && WEIGHT.test(weight) ? Number(weight) : 1 }];
  });
}
