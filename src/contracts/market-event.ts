/**
 * What a module's handler returned, to an event of the fold: every argument checked, amounts scaled to 18 decimals. The only place
 * where decimals are scaled.
 * @module
 */
import type { Hex } from "viem";
import { MAX_UINT256 } from "../fold/anomalies.ts";
import { type ArgumentDescriptor, EVENT_DESCRIPTORS, TERM_NAMES, type Unit } from "../fold/event-kinds.ts";
import type { DeskEvent, ListingEvent } from "../fold/events.ts";
import { DESK_EVENT_KINDS, EVENT_KINDS, type EventKind } from "../fold/vocabulary.ts";

/** The decimals of every amount in the tables. */
export const DECIMALS = 18;

/** A handler returned something other than a market event. The message says where and why. */
export class InvalidEventError extends Error {
  override readonly name = "InvalidEventError";
}

type Reader = (value: unknown, scale: bigint) => unknown;
type Field = { name: string; read: Reader; isOptional: boolean; isOmitted: boolean };
type Shape = { fields: readonly Field[]; hasTerms: boolean; names: ReadonlySet<string> };

const MAX_TIME = 2n ** 64n - 1n;
/** Rates and days as the contracts of the project carry them, at the most. */
export const MAX_NUMBER = 2 ** 32 - 1;

const invalid = (expected: string): never => {
  throw new InvalidEventError(expected);
};

function whole(value: unknown): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value !== "number" || !Number.isInteger(value)) return invalid("a whole number");
  return Number.isSafeInteger(value)
    ? BigInt(value)
    : invalid("a bigint, as no number is exact from 2^53 on");
}

function upTo(value: bigint, most: bigint): bigint {
  return value >= 0n && value <= most ? value : invalid("a whole number from 0 that the tables can hold");
}

const number: Reader = (value) => {
  const found = whole(value);
  return found >= 0n && found <= MAX_NUMBER
    ? Number(found)
    : invalid(`a whole number from 0 to ${MAX_NUMBER}`);
};
const integer: Reader = (value) => upTo(whole(value), MAX_UINT256);
const amount: Reader = (value, scale) => upTo(upTo(whole(value), MAX_UINT256) * scale, MAX_UINT256);
const time: Reader = (value) => upTo(whole(value), MAX_TIME);
const hex = (bytes: number): Reader => {
  const pattern = new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`);
  return (value) =>
    typeof value === "string" && pattern.test(value)
      ? (value.toLowerCase() as Hex)
      : invalid(`${bytes} bytes as 0x and hex`);
};
const text: Reader = (value) =>
  // PostgreSQL rejects NUL in text, and an event that cannot be saved would stop the indexer; half of a character it stores as another text.
  typeof value === "string" ? value.replaceAll("\0", "\ufffd").toWellFormed() : invalid("a text");

const READERS: Readonly<Record<Exclude<Unit, "word">, Reader>> = {
  dollars: amount,
  tokens: amount,
  id: integer,
  price: integer,
  rate: number,
  days: number,
  time,
  optionalTime: (value, scale) => (value === null || time(value, scale) === 0n ? null : time(value, scale)),
  flag: (value) => (typeof value === "boolean" ? value : invalid("true or false")),
  address: hex(20),
  person: hex(20),
  hash: hex(32),
  refnum: text,
  text,
};

function wordReader(words: readonly string[]): Reader {
  const known = new Set<unknown>(words);
  return (value) =>
    known.has(value) || (typeof value === "string" && /^unknown_\d{1,3}$/.test(value))
      ? value
      : invalid(`one of ${words.join(", ")}`);
}

const SHAPES: ReadonlyMap<string, Shape> = new Map(EVENT_KINDS.map((kind) => [kind, shapeOf(kind)]));
const TERM_FIELDS = Object.entries<ArgumentDescriptor>(EVENT_DESCRIPTORS.listing_created.args)
  .filter(([name]) => isTerm(name))
  .map(fieldOf);
const TERMS: Shape = { fields: TERM_FIELDS, hasTerms: false, names: new Set<string>(TERM_NAMES) };

function isTerm(name: string): boolean {
  return (TERM_NAMES as readonly string[]).includes(name);
}

function shapeOf(kind: EventKind): Shape {
  const args: Record<string, ArgumentDescriptor> = EVENT_DESCRIPTORS[kind].args;
  const hasTerms = "targetAmount" in args;
  const fields = Object.entries(args)
    .filter(([name]) => !hasTerms || !isTerm(name))
    .map(fieldOf);
  const names = new Set(["kind", ...fields.map(({ name }) => name), ...(hasTerms ? ["terms"] : [])]);
  return { fields, hasTerms, names };
}

function fieldOf([name, { unit, words = [], optional, omitted }]: [string, ArgumentDescriptor]): Field {
  const read = unit === "word" ? wordReader(words) : READERS[unit];
  const isOptional = optional === true || unit === "optionalTime";
  return { name, read, isOptional, isOmitted: omitted === true };
}

/** The values of arguments that a module leaves out. */
const DEFAULTS: { readonly [Kind in EventKind]?: (input: Readonly<Record<string, unknown>>) => object } = {
  subscribed: ({ backer }) => ({ payer: backer, bidRateBps: 0 }),
  listing_closed: () => ({ reason: "manual" }),
  drawn_down: () => ({ fee: 0n }),
};

/** The factor from base units with these decimals to those of the tables. */
export function scaleOf(decimals: number): bigint {
  return 10n ** BigInt(DECIMALS - decimals);
}

/** @throws {InvalidEventError} */
export function toListingEvent(input: unknown, scale: bigint): ListingEvent {
  const { kind, args } = eventOf(input, scale, null);
  if (kind === "unmapped" || isDeskKind(kind))
    throw new InvalidEventError(`kind: ${kind} is no event of a raise`);
  if (kind === "repaid") requireOneForm(args);
  return { kind, args } as ListingEvent;
}

/** @throws {InvalidEventError} */
export function toDeskEvent(input: unknown, scale: bigint, desk: Hex): DeskEvent {
  const { kind, args } = eventOf(input, scale, { desk });
  if (!isDeskKind(kind)) throw new InvalidEventError(`kind: ${kind} is no event of a desk`);
  return { kind, args } as DeskEvent;
}

function isDeskKind(kind: EventKind): boolean {
  return (DESK_EVENT_KINDS as readonly EventKind[]).includes(kind);
}

function eventOf(
  input: unknown,
  scale: bigint,
  implied: object | null,
): { kind: EventKind; args: Record<string, unknown> } {
  if (typeof input !== "object" || input === null)
    throw new InvalidEventError("expected an object with a kind, a list of them, or null");
  const { kind } = input as { kind?: unknown };
  const shape = typeof kind === "string" ? SHAPES.get(kind) : undefined;
  if (shape === undefined) {
    const allowed = EVENT_KINDS.filter((one) => one !== "unmapped").join(", ");
    throw new InvalidEventError(`kind: expected one of ${allowed}`);
  }
  const known = kind as EventKind;
  const said = input as Readonly<Record<string, unknown>>;
  const given = implied === null ? said : { ...said, ...implied };
  const defaults = (DEFAULTS[known]?.(given) ?? {}) as Record<string, unknown>;
  const args = read(shape, given, scale, (name) => defaults[name]);
  if (shape.hasTerms) args.terms = termsOf(given.terms, scale, known === "listing_terms_updated");
  return { kind: known, args };
}

function termsOf(terms: unknown, scale: bigint, isRequired: boolean): Record<string, unknown> {
  if (terms === undefined || terms === null) {
    if (isRequired) throw new InvalidEventError("terms: missing");
    return {};
  }
  if (typeof terms !== "object") throw new InvalidEventError("terms: expected an object");
  const given = terms as Record<string, unknown>;
  const found: Record<string, unknown> = {};
  try {
    for (const [name, value] of Object.entries(read(TERMS, given, scale, () => undefined))) {
      // Missing: unchanged, or the registry's. Null is a value for the closing time alone.
      if (given[name] !== undefined && (value !== null || name === "closeAt")) found[name] = value;
    }
  } catch (error) {
    throw error instanceof InvalidEventError ? new InvalidEventError(`terms.${error.message}`) : error;
  }
  return found;
}

function read(
  { fields, names }: Shape,
  given: Readonly<Record<string, unknown>>,
  scale: bigint,
  defaultOf: (name: string) => unknown,
): Record<string, unknown> {
  for (const name in given) {
    if (!names.has(name)) throw new InvalidEventError(`${name}: unknown; there are ${[...names].join(", ")}`);
  }
  const args: Record<string, unknown> = {};
  for (const { name, read, isOptional, isOmitted } of fields) {
    const value = given[name] ?? defaultOf(name);
    if (value === undefined || value === null) {
      if (!isOptional) throw new InvalidEventError(`${name}: missing`);
      if (!isOmitted) args[name] = null;
      continue;
    }
    try {
      args[name] = read(value, scale);
    } catch (error) {
      if (!(error instanceof InvalidEventError)) throw error;
      throw new InvalidEventError(`${name}: expected ${error.message}`);
    }
  }
  return args;
}

/** A payment is given as principal and interest, or as one amount. */
function requireOneForm({ principal, interest, amount }: Record<string, unknown>): void {
  const isSplit = principal !== null && interest !== null && amount === undefined;
  const isWhole = principal === null && interest === null && amount !== undefined;
  if (!isSplit && !isWhole)
    throw new InvalidEventError("a payment has principal and interest, or amount alone");
}
