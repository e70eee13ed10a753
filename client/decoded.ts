/**
 * Decodes a log by the event that its proof carries, and tells the fields of the read interface from its arguments.
 * @module
 */
import { decodeEventLog, type Hex } from "viem";
import { type CarriedAbi, eventOf } from "./abi.ts";
import { EVENTS, type EventField } from "./events.ts";
import { must } from "./refusal.ts";
import type { ContractAbi } from "./verdict.ts";

/** A log, decoded. */
export type Decoded = {
  /** of the event, in the contract's interface */
  name: string;
  /** lowercase */
  address: Hex;
  /** by name, or by place where an argument has no name */
  args: Readonly<Record<string, unknown>>;
  /** the project's own event with this signature, which says what each argument is; null for an event of other contracts */
  known: (typeof EVENTS)[number] | null;
};

const FIELDS = new Map(EVENTS.map(({ kind, fields }) => [kind, fields]));
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);
const LAST_SECOND = 253_402_300_799n;

/** @throws {Refusal} if the log is not of this event */
export function decodeLog(
  { address, topics, data }: { address: Hex; topics: readonly Hex[]; data: Hex },
  carried: CarriedAbi,
  own: ContractAbi | null,
): Decoded {
  const { abi, known } = eventOf(topics, carried, own);
  try {
    const { args } = decodeEventLog({ abi: [abi], data, topics: topics as [Hex, ...Hex[]] });
    return { name: abi.name, address, args: { ...(args as unknown as Decoded["args"]) }, known };
  } catch {
    must(false, `the log is no ${abi.name}`);
  }
}

/** The fields of an event in the read interface, by its kind there; null for a kind that there is not. */
export function fieldsOf(kind: string): readonly EventField[] | null {
  return FIELDS.get(kind) ?? null;
}

/** A value as the read interface shows it in this field. Amounts in 18 decimals. */
export function shown(value: unknown, { unit, words = [] }: EventField): unknown {
  if (unit === "word") return words[Number(value)] ?? `unknown_${value}`;
  if (unit === "price") return Number(BigInt(`${value}`) < LARGEST ? value : LARGEST);
  if (unit === "optionalTime" && `${value}` === "0") return null;
  if (unit === "time" || unit === "optionalTime") return isoTime(BigInt(`${value}`));
  if (unit === "rate" || unit === "days") return Number(value);
  if (typeof value === "bigint") return value.toString();
  return unit === "address" || unit === "person" ? `${value}`.toLowerCase() : value;
}

/** A time after the year 9999 is shown as that year's last second. */
export function isoTime(seconds: bigint): string {
  const within = seconds > LAST_SECOND ? LAST_SECOND : seconds;
  return new Date(Number(within) * 1000).toISOString().replace(".000Z", "Z");
}
