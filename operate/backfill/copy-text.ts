/**
 * Writes rows directly as the bytes of PostgreSQL's `COPY` text: the same as Ponder's `getCopyText`, without its strings.
 * @module
 */
import { getTableColumns } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { TableName, Tables } from "./ponder.ts";

/** Writes any value but null and undefined. */
type Write = (value: unknown, field: Field) => void;
/** A column, and the last number of it with its digits: rows in succession have the number and the time of their block in common. */
type Field = { key: string; column: PgColumn; write: Write; last: unknown; digits: string };

const [TAB, NEWLINE, BACKSLASH, N] = [0x09, 0x0a, 0x5c, 0x4e];
const ESCAPED = /[\\\b\f\n\r\t\v]/g;

/** Bits of the bytes that cannot be written as they are: in a text column, and in a hexadecimal one. */
const [IN_TEXT, IN_HEX] = [1, 2];
const UNFIT = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return (/[\0\\\b\f\n\r\t\v]/.test(character) ? IN_TEXT : 0) | (/[^0-9a-fx]/.test(character) ? IN_HEX : 0);
});

export function createCopyText(tables: Tables) {
  let [bytes, at] = [Buffer.alloc(65_536), 0];

  /** Makes room for this many bytes, a null and a tab. */
  const makeRoom = (length: number) => {
    const end = at + length + 3;
    if (end > bytes.length) bytes = Buffer.concat([bytes.subarray(0, at)], 2 * end);
  };

  const writeNull = () => {
    bytes[at] = BACKSLASH;
    bytes[at + 1] = N;
    at += 2;
  };

  /** @returns false, with nothing written, if a byte has one of the bits */
  const writeFit = (text: string, bits: number): boolean => {
    makeRoom(3 * text.length);
    const into = bytes;
    const end = at + into.write(text, at);
    let found = 0;
    for (let index = at; index < end; index += 1) found |= UNFIT[into[index] as number] as number;
    if ((found & bits) !== 0) return false;
    at = end;
    return true;
  };

  /** Writes any value of any column. */
  const writeMapped: Write = (value, { column }) => {
    const mapped = column.mapToDriverValue(value);
    if (mapped === null || mapped === undefined) return writeNull();
    const text = Buffer.isBuffer(mapped) ? `\\x${mapped.toString("hex")}` : String(mapped);
    if (writeFit(text, IN_TEXT)) return;
    // There is room: an escaped character has two bytes, any other at most three.
    at += bytes.write(text.replace(ESCAPED, "\\$&"), at);
  };

  const writeText: Write = (value, field) => {
    if (typeof value !== "string" || !writeFit(value, IN_TEXT)) writeMapped(value, field);
  };
  const writeHex: Write = (value, field) => {
    if (typeof value !== "string" || value.length % 2 === 1 || !writeFit(value, IN_HEX))
      writeMapped(value, field);
  };
  const writeNumber: Write = (value, field) => {
    if (typeof value !== "bigint" && typeof value !== "number") return writeMapped(value, field);
    if (value !== field.last) {
      field.last = value;
      field.digits = String(value);
    }
    const { digits } = field;
    const { length } = digits;
    makeRoom(length);
    const [into, start] = [bytes, at];
    for (let index = 0; index < length; index += 1) into[start + index] = digits.charCodeAt(index);
    at += length;
  };

  /** Writers for the kinds of columns whose mapping is known. */
  const writers: Readonly<Record<string, Write>> = {
    ...{ PgText: writeText, PgHex: writeHex },
    ...{ PgEvmBigint: writeNumber, PgInteger: writeNumber, PgBigInt53: writeNumber },
  };
  const planOf = (table: object): Field[] =>
    Object.entries(getTableColumns(table as PgTable)).map(([key, column]) => {
      return { key, column, write: writers[column.columnType] ?? writeMapped, last: null, digits: "" };
    });
  const plans = Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [name, planOf(table)]),
  ) as Readonly<Record<TableName, Field[]>>;

  return {
    /** @returns the number of bytes not yet taken */
    add(table: TableName, row: object): number {
      for (const field of plans[table]) {
        const value = (row as Readonly<Record<string, unknown>>)[field.key];
        makeRoom(0);
        if (value === null || value === undefined) writeNull();
        else field.write(value, field);
        bytes[at] = TAB;
        at += 1;
      }
      bytes[at - 1] = NEWLINE;
      return at;
    },
    /** The bytes since the last call, in their own memory. */
    take(): Uint8Array<ArrayBuffer> {
      const taken = new Uint8Array(bytes.subarray(0, at));
      at = 0;
      return taken;
    },
  };
}
