/** @module Content negotiation: the media type and the content coding of an answer. */
import { LRUCache } from "lru-cache";
import type { Encoding } from "./etagged-body.ts";

const MOST_REMEMBERED = 100;
const LONGEST_REMEMBERED = 1_024;

type Range = { value: string; q: number };

/** RFC 9110 section 12.4.2. */
const WEIGHT = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

/** Every type that is offered anywhere by `Accept`. */
export const MEDIA_TYPES = [
  "application/json",
  "application/graphql-response+json",
  "application/problem+json",
  "text/csv",
  "text/html",
  "text/markdown",
  "text/plain",
] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** `place` is that of the range in the header: at equal weights the first one wins. */
type Weight = { q: number; place: number };

/** Null when the ranges exclude the type. */
function weightOf(type: MediaType, ranges: readonly Range[]): Weight | null {
  const names = [type, type.replace(/\/.*/, "/*"), "*/*"];
  const name = names.find((range) => ranges.some(({ value }) => value === range));
  const place = ranges.findIndex(({ value }) => value === name);
  const q = ranges[place]?.q ?? 0;
  return q === 0 ? null : { q, place };
}

const compareWeights = (one: Weight, other: Weight) => other.q - one.q || one.place - other.place;

function parseAccept(accept: string | undefined): Range[] {
  return parseHeader(accept).filter(({ value }) => /^[\w.+*-]+\/[\w.+*-]+$/.test(value));
}

/**
 * The offered type that an `Accept` header prefers; null when it excludes all of them. The most specific range decides for
 * each type and `q=0` excludes it; at equal weights the range named first wins, then the type offered first. A header that is
 * absent or malformed accepts everything.
 */
export function preferredType<const Type extends MediaType>(
  accept: string | undefined,
  offered: readonly Type[],
): Type | null {
  const ranges = parseAccept(accept);
  if (ranges.length === 0) return offered[0] ?? null;
  let best: { type: Type; weight: Weight } | null = null;
  for (const type of offered) {
    const weight = weightOf(type, ranges);
    if (weight === null) continue;
    if (best === null || compareWeights(weight, best.weight) < 0) best = { type, weight };
  }
  return best?.type ?? null;
}

/**
 * An `Accept` header's ranks of `MEDIA_TYPES`, `-` for an excluded one. Equal for two headers for which
 * `preferredType` returns the same type, whatever is offered. Short, however long the header is.
 */
export const acceptedRanks = remembered((accept) => {
  const ranges = parseAccept(accept);
  const weights = MEDIA_TYPES.map((type) =>
    ranges.length === 0 ? { q: 1, place: 0 } : weightOf(type, ranges),
  );
  const sorted = weights.filter((weight) => weight !== null).sort(compareWeights);
  const rankOf = (weight: Weight) => sorted.findIndex((one) => compareWeights(one, weight) === 0);
  return weights.map((weight) => (weight === null ? "-" : rankOf(weight))).join("");
});

type Preference = {
  coding: Encoding;
  /** whether the client takes gzip and identity as well */
  acceptsOthers: boolean;
};

/** The preferred coding, br before gzip at a tie; identity when the client names neither, prefers it, or excludes all. */
export const preferredCoding = remembered(parsePreference);

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

/** Parses a header value once: clients send a handful of different ones. */
function remembered<Parsed extends object | string>(parse: (header: string) => Parsed) {
  const known = new LRUCache<string, Parsed>({ max: MOST_REMEMBERED, memoMethod: parse });
  return (header = ""): Parsed => (header.length > LONGEST_REMEMBERED ? parse(header) : known.memo(header));
}
