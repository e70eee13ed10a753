/**
 * Decodes a log into an event of the contracts' interface, and into the fields of the read interface.
 * @module
 */
import { decodeEventLog, type Hex, toEventSelector } from "viem";
import { EVENTS, type EventField } from "./events.ts";
import { must } from "./refusal.ts";

/** An event that a contract emitted. */
export type Emitted = {
  /** in the read interface */
  kind: string;
  /** in the contract's interface */
  name: string;
  /** lowercase */
  address: Hex;
  args: Readonly<Record<string, unknown>>;
  fields: readonly EventField[];
};

const BY_SELECTOR = new Map(EVENTS.map((event) => [toEventSelector(event.abi), event]));
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);
const LAST_SECOND = 253_402_300_799n;

/** @throws {Refusal} if it is not an event of the contracts */
export function decodeLog({
  address,
  topics,
  data,
}: {
  address: Hex;
  topics: readonly Hex[];
  data: Hex;
}): Emitted {
  const event = BY_SELECTOR.get(topics[0] ?? "0x");
  must(event !== undefined, "the log is no event of an escrow or a desk");
  const { kind, abi, fields } = event;
  try {
    const { args } = decodeEventLog({ abi: [abi], data, topics: topics as [Hex, ...Hex[]] });
    return { kind, name: abi.name, address, args: { ...(args as unknown as Emitted["args"]) }, fields };
  } catch {
    must(false, `the log is no ${abi.name}`);
  }
}

/** The fields of the event, by name, in the form of the read interface. */
export function fieldsOf({
  address,
  args,
  fields,
}: Emitted): Map<string, { value: unknown; isPerson: boolean }> {
  const flat: Record<string, unknown> = { ...args, ...(args.terms as object | undefined), desk: address };
  return new Map(
    fields.map((field) => [
      field.name,
      { value: shown(flat[field.argument], field), isPerson: field.unit === "person" },
    ]),
  );
}

function shown(value: unknown, { unit, words = [] }: EventField): unknown {
  if (unit === "word") return words[Number(value)] ?? `unknown_${value}`;
  if (unit === "price") return Number(BigInt(`${value}`) < LARGEST ? value : LARGEST);
  if (unit === "optionalTime" && value === 0n) return null;
  if (unit === "time" || unit === "optionalTime") return isoTime(BigInt(`${value}`));
  if (typeof value === "bigint") return value.toString();
  return unit === "address" || unit === "person" ? `${value}`.toLowerCase() : value;
}

/** A time after the year 9999 is shown as that year's last second. */
export function isoTime(seconds: bigint): string {
  const within = seconds > LAST_SECOND ? LAST_SECOND : seconds;
  return new Date(Number(within) * 1000).toISOString().replace(".000Z", "Z");
}
