/**
 * Checks the fields of an event against its log: by the interface of the project's contracts, or by what the proof says of
 * other contracts.
 * @module
 */
import { isHex } from "viem";
import { type Decoded, fieldsOf, shown } from "./decoded.ts";
import type { EventField } from "./events.ts";
import { must } from "./refusal.ts";
import type { components } from "./schema.ts";

type EventProof = components["schemas"]["EventProof"];
type Mapping = NonNullable<EventProof["mapping"]>;

/** An event whose fields are those of its log. */
export type Emitted = Decoded & {
  /** in the read interface; every amount in it is the log's */
  event: Readonly<Record<string, unknown>> & { kind: string };
  /** null where no argument says it */
  onchainId: string | null;
  /** The meaning of the event according to the service alone; null for the project's contracts, whose interface defines it. */
  meaning: string | null;
};

const NUMBERS = new Set(["dollars", "tokens", "id", "price", "rate", "days", "time", "optionalTime"]);
const AMOUNTS = new Set(["dollars", "tokens"]);
/** Fields that must be the log's: money, and whose it is. */
const PROVEN = new Set([...AMOUNTS, "person", "address"]);
export const DECIMALS = 18;

/** @throws {Refusal} unless the fields of the event follow from the log */
export function checkFields(event: EventProof["event"], decoded: Decoded, mapping: Mapping | null): Emitted {
  const fields = event as unknown as Emitted["event"];
  const { onchainId, meaning } =
    mapping === null ? byInterface(fields, decoded) : byMapping(fields, decoded, mapping);
  return { ...decoded, event: fields, onchainId, meaning };
}

type Reading = Pick<Emitted, "onchainId" | "meaning">;

function byInterface(event: Emitted["event"], { known, name, args, address }: Decoded): Reading {
  must(
    known !== null,
    `${name} is no event of the project's contracts, and the proof does not say what it means`,
  );
  must(event.kind === known.kind, `the log is ${name}, and the event says ${event.kind}`);
  const flat: Record<string, unknown> = { ...args, ...(args.terms as object | undefined), desk: address };
  for (const field of known.fields) {
    // Services may leave out the addresses of persons; the log has them.
    if (field.unit === "person" && !(field.name in event)) continue;
    compare(event, field, shown(flat[field.argument], field), "the log");
  }
  return { onchainId: args.onchainId === undefined ? null : `${args.onchainId}`, meaning: null };
}

function byMapping(event: Emitted["event"], decoded: Decoded, mapping: Mapping): Reading {
  const { name, args, address, known } = decoded;
  const { decimals } = mapping;
  must(Number.isInteger(decimals) && decimals >= 0 && decimals <= DECIMALS, "the proof has no such decimals");
  const isUnmapped = event.kind === "unmapped" && event.logName === name;
  const fields = isUnmapped ? [] : fieldsOf(event.kind);
  must(fields !== null, "the event is of no kind that there is");
  const said: string[] = [];
  const unsaid: string[] = [];
  for (const field of fields) {
    const value = event[field.name] ?? null;
    if (value === null) continue;
    if (field.argument === "desk") {
      compare(event, field, address, "the log is of");
      continue;
    }
    const parts = Object.hasOwn(mapping.fields, field.name) ? (mapping.fields[field.name] ?? []) : [];
    if (parts.length === 0) {
      must(isFree(event.kind, field, value), `no argument of ${name} is the event's ${field.name}`);
      unsaid.push(`${field.name} ${JSON.stringify(value)}`);
      continue;
    }
    const isByInterface = known === null || known.kind !== event.kind || parts.join() === field.argument;
    must(isByInterface, `the contracts' interface has another argument of ${name} as ${field.name}`);
    compare(event, field, amountOf(args, parts, field, decimals), `${name} in ${parts.join(" + ")}`);
    said.push(`${field.name} is ${parts.join(" + ").replaceAll("+ -", "- ")}`);
  }
  const meaning = `${name} is ${event.kind}${[...said, ...unsaid].map((one) => `, ${one}`).join("")}`;
  const onchainId = mapping.onchainId === null ? null : `${argumentAt(args, mapping.onchainId)}`;
  return { onchainId, meaning };
}

/** Whether a field may be what no argument says: anything but money and its owners, and a fee that is not there. */
function isFree(kind: string, { name, unit }: EventField, value: unknown): boolean {
  return !PROVEN.has(unit) || (kind === "drawn_down" && name === "fee" && value === "0");
}

function compare(event: Emitted["event"], { name }: EventField, value: unknown, by: string): void {
  must(event[name] === value, `the event's ${name} is ${event[name]}, and ${by} says ${value}`);
}

/** The sum of arguments, or one that is no number. */
function amountOf(
  args: Decoded["args"],
  parts: readonly string[],
  field: EventField,
  decimals: number,
): unknown {
  if (!NUMBERS.has(field.unit)) {
    must(parts.length === 1, `${field.name} is no number, and made of several arguments`);
    return shown(argumentAt(args, parts[0] ?? ""), field);
  }
  const scale = AMOUNTS.has(field.unit) ? 10n ** BigInt(DECIMALS - decimals) : 1n;
  const sum = parts.reduce((total, part) => {
    const isLess = part.startsWith("-");
    const value = argumentAt(args, isLess ? part.slice(1) : part);
    must(typeof value === "bigint" || typeof value === "number", `the argument ${part} is no number`);
    return isLess ? total - BigInt(value) : total + BigInt(value);
  }, 0n);
  return shown(sum * scale, field);
}

function argumentAt(args: Decoded["args"], path: string): unknown {
  let found: unknown = args;
  for (const name of path.split(".")) {
    const isThere = typeof found === "object" && found !== null && Object.hasOwn(found, name);
    must(isThere, `the log has no argument ${path}`);
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

const LONGEST = 80;

/** The log as a call, for people: `Deposited(raiseId 1, investor 0x…, amount 3)`. */
export function textOf({ name, args }: Decoded): string {
  const texts = Object.entries(args).map(([label, value]) => `${label} ${shorten(value)}`);
  return `${name}(${texts.join(", ")})`;
}

function shorten(value: unknown): string {
  const plain = (_: string, inner: unknown) => (typeof inner === "bigint" ? `${inner}` : inner);
  const isPlain = typeof value !== "object" && !(typeof value === "string" && !isHex(value));
  const text = isPlain ? `${value}` : (JSON.stringify(value, plain) ?? "");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
