/** @module Rows of the ledger as the events that are answered. */
import { isUtf8 } from "node:buffer";
import { isoTime } from "../../config/format/time.ts";
import { oneLine } from "../../config/format/untrusted-text.ts";
import type { EVENT_DESCRIPTORS } from "../../src/fold/event-kinds.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import { formatAmount } from "../market/amount.ts";
import type { Finality } from "../market/schema.ts";
import { toBps } from "../market/yield.ts";
import { type EventField, fieldsOf, type LedgerEvent } from "./schema.ts";

export type EventContext = {
  /** from the visible listing that the row belongs to */
  publicId: string;
  refnum: string;
  finality: Finality;
  exposeAccounts: boolean;
};

/** The event of a row: amounts and ids decimal strings, rates and prices integers, times ISO 8601. */
export function toEvent(row: LedgerRow, context: EventContext): LedgerEvent {
  const { publicId, refnum, finality, exposeAccounts } = context;
  const event: Record<string, unknown> = {
    kind: row.kind,
    publicId,
    refnum,
    blockNumber: row.blockNumber.toString(),
    blockTime: isoTime(row.blockTime),
    logIndex: row.logIndex,
    ...(row.part === 0 ? {} : { part: row.part }),
    txHash: row.txHash,
    finality,
  };
  const args: Record<string, unknown> = Object.assign({}, row.args, row.args.terms);
  for (const { argument, name, unit, isOmitted } of fieldsOf(row.kind)) {
    const kept = args[argument] ?? null;
    if (isOmitted && kept === null) continue;
    if (exposeAccounts || unit !== "person") event[name] = kept === null ? null : toJson(kept, unit);
  }
  // The row keeps what the fold wrote for an event of this kind; to the compiler it is a JSON column.
  return event as LedgerEvent;
}

/** A kept argument as it is answered: the ledger keeps big integers as decimal strings and other values unchanged. */
function toJson(kept: unknown, unit: EventField["unit"]): unknown {
  if (unit === "price") return toBps(BigInt(`${kept}`));
  if (unit === "time" || unit === "optionalTime") return isoTime(BigInt(`${kept}`));
  return kept;
}

type AmountNames<Args, Found> = {
  [Name in keyof Args]: Args[Name] extends { unit: "dollars" | "tokens" } & Found ? Name : never;
}[keyof Args];
type AmountsIn<Args> = Record<
  Exclude<AmountNames<Args, unknown>, AmountNames<Args, { optional: true }>>,
  string
> &
  Partial<Record<AmountNames<Args, { optional: true }>, string>>;
export type ReadableAmounts<Kind extends EventKind> = AmountsIn<(typeof EVENT_DESCRIPTORS)[Kind]["args"]>;

/** The amounts of an event as people read them, by field; without those that the contract did not give. @param tokenName of the listing's token */
export function readableAmounts<Kind extends EventKind>(
  event: LedgerEvent<Kind>,
  tokenName: string,
): ReadableAmounts<Kind> {
  const values: Readonly<Record<string, unknown>> = event;
  const amounts = fieldsOf(event.kind).flatMap(({ name, unit }) => {
    if (unit !== "dollars" && unit !== "tokens") return [];
    const value = values[name] ?? null;
    return value === null
      ? []
      : [[name, formatAmount(`${value}`, unit === "dollars" ? {} : { unit: tokenName })]];
  });
  return Object.fromEntries(amounts);
}

/** The operator's words for a reason, where the contract's code spells a line of text; null for any other reason. Untrusted text. */
export function reasonWords(reason: string | null): string | null {
  if (!reason?.startsWith("0x")) return null;
  const bytes = Buffer.from(reason.slice(2).replace(/(?:00)+$/, ""), "hex");
  const words = bytes.toString();
  const isText = isUtf8(bytes) && /\p{L}/u.test(words);
  return isText && oneLine(words, words.length) === words ? words : null;
}
