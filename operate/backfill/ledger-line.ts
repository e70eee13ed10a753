/**
 * Converts an event to a line of a ledger file and back.
 *
 * A line omits what is in the event's id: block number, block time and log index.
 * @module
 */
import type { Hex } from "viem";
import { z } from "zod";
import { quote } from "../../config/format/untrusted-text.ts";
import { blockOf, EVENT_ID_PATTERN, logIndexOf, partOf } from "../../src/fold/event-id.ts";
import { type ArgumentDescriptor, EVENT_DESCRIPTORS, type Unit } from "../../src/fold/event-kinds.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import { EVENT_KINDS, type EventKind } from "../../src/fold/vocabulary.ts";

/** A row of the ledger, and the hash of its block. */
export type FiledEvent = { row: LedgerRow; blockHash: Hex };

/** The file cannot be used; the message gives the reason. */
export class LedgerFileError extends Error {
  override readonly name = "LedgerFileError";
}

/** Lowercase hex of the given number of bytes. */
export const hexOf = (bytes: number) => {
  const pattern = new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`);
  return z.custom<Hex>((value) => typeof value === "string" && pattern.test(value), {
    error: `expected ${bytes} bytes as 0x and lowercase hex`,
  });
};

const address = hexOf(20);
const hash = hexOf(32);
/** NUMERIC(78), the column of every amount. */
const bigInteger = z.string().regex(/^(?:0|[1-9]\d{0,77})$/, "expected a whole number as decimal text");
/** PostgreSQL has no NUL in text. */
const text = z.string().refine((value) => !value.includes("\0"), "has a NUL");

const SCHEMAS: Record<Exclude<Unit, "word">, z.ZodType> = {
  ...{ dollars: bigInteger, tokens: bigInteger, id: bigInteger, price: bigInteger, time: bigInteger },
  ...{ optionalTime: bigInteger.nullable(), rate: z.int().min(0), days: z.int().min(0), flag: z.boolean() },
  ...{ address, person: address, hash, refnum: text, text },
};

/** The fields of the ledger's `terms` argument: everything in an update of the terms except the metadata hash. */
const { metadataHash: _, ...TERMS } = EVENT_DESCRIPTORS.listing_terms_updated.args;

const KINDS: ReadonlyMap<string, z.ZodType> = new Map(EVENT_KINDS.map((kind) => [kind, argsSchemaOf(kind)]));

const lineSchema = z.strictObject({
  eventId: z.string().regex(new RegExp(`^${EVENT_ID_PATTERN}$`), "expected an event's id"),
  blockHash: hash,
  txHash: hash,
  escrowAddress: address,
  onchainId: bigInteger,
  kind: z.enum(EVENT_KINDS),
  args: z.record(z.string(), z.unknown()),
});

function argsSchemaOf(kind: EventKind): z.ZodType {
  const descriptors: Record<string, ArgumentDescriptor> = EVENT_DESCRIPTORS[kind].args;
  if (!("targetAmount" in descriptors)) return z.strictObject(shapeOf(descriptors));
  const own = Object.entries(descriptors).filter(([name]) => !(name in TERMS));
  return z.strictObject({
    ...shapeOf(Object.fromEntries(own)),
    terms: z.strictObject(shapeOf(TERMS)).partial(),
  });
}

function shapeOf(descriptors: Record<string, ArgumentDescriptor>): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(descriptors).map(([name, one]) => {
      const schema = one.optional === true ? schemaOf(one).nullable() : schemaOf(one);
      return [name, one.omitted === true ? schema.optional() : schema];
    }),
  );
}

function schemaOf({ unit, words = [] }: ArgumentDescriptor): z.ZodType {
  if (unit !== "word") return SCHEMAS[unit];
  return z
    .string()
    .regex(new RegExp(`^(?:${words.join("|")}|unknown_\\d{1,3})$`), "expected one of its words");
}

/** Without a line feed at its end. The arguments keep their order, as they are text in the table. */
export function toLine({ row, blockHash }: FiledEvent): string {
  const { eventId, txHash, escrowAddress, onchainId, kind, args } = row;
  return JSON.stringify({
    ...{ eventId, blockHash, txHash, escrowAddress },
    ...{ onchainId: onchainId.toString(), kind, args },
  });
}

/** @throws {LedgerFileError} if it is not an event */
export function fromLine(line: string): FiledEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new LedgerFileError(`it is no JSON: ${quote(line)}`);
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) throw new LedgerFileError(problemIn(parsed.error));
  const { eventId, blockHash, txHash, escrowAddress, onchainId, kind, args } = parsed.data;
  const problem = KINDS.get(kind)?.safeParse(args).error;
  if (problem !== undefined) throw new LedgerFileError(`${kind}: ${problemIn(problem)}`);
  const { number: blockNumber, timestamp: blockTime } = blockOf(eventId);
  const place = {
    eventId,
    blockNumber,
    blockTime,
    txHash,
    logIndex: logIndexOf(eventId),
    part: partOf(eventId),
  };
  return { row: { escrowAddress, onchainId: BigInt(onchainId), ...place, kind, args }, blockHash };
}

/** The first problem that zod found. */
export function problemIn({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join(".") ?? "";
  return path === "" ? `${issue?.message}` : `${quote(path)}: ${issue?.message}`;
}
