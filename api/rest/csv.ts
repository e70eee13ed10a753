/** @module CSV, RFC 4180: raw units, a header row, empty cells for null; on request with columns that a spreadsheet can add up. */
import { getOpenApiMetadata } from "@asteasolutions/zod-to-openapi";
import type { z } from "@hono/zod-openapi";
import { stringify } from "csv-stringify/sync";
import { type Body, createBody } from "../http/etagged-body.ts";
import { ONE } from "../market/amount.ts";
import { wordField } from "../market/query-field.ts";
import { type Listing, listingSchema } from "../market/schema.ts";
import { parameter } from "./parameters.ts";

export const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/** The beginning of a cell that a spreadsheet would run, or of one that is already guarded: the guard must be reversible. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

export type CsvRow = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Text that a spreadsheet would run as a formula gets a leading apostrophe, which a reader removes before such text. */
export function csvBody(columns: readonly string[], rows: readonly CsvRow[]): Body {
  return createBody(CSV_TYPE, Buffer.from(csvText(columns, rows)));
}

function csvText(columns: readonly string[], rows: readonly CsvRow[], header = true): string {
  return stringify(
    rows.map((row) => columns.map((column) => row[column] ?? null)),
    {
      header,
      columns: [...columns],
      record_delimiter: "windows",
      // A lone CR or LF in a cell does not end our rows, but it may end the reader's.
      quote_record_delimiter: true,
      cast: {
        boolean: String,
        string: (cell, { header }) => (!header && FORMULA.test(cell) ? `'${cell}` : cell),
      },
    },
  );
}

/** First character of a file for spreadsheets, which otherwise do not read it as UTF-8. */
const BYTE_ORDER_MARK = "\ufeff";
/** Digits of a number that spreadsheets keep. */
const KEPT_DIGITS = 15;

/** For a route of a file. */
export const EXCEL = {
  excel: parameter(
    wordField(["1"], {
      description:
        "`1`: for spreadsheets. It begins with a byte order mark, and after each amount comes a column with its whole dollars, rounded down: as text where a spreadsheet would lose digits",
    }),
  ),
};

/**
 * @param amounts the columns of dollars in base units
 * @param isDollars whether such a column has dollars in this row
 */
export function spreadsheetBody<Row extends CsvRow>(
  columns: readonly string[],
  rows: readonly Row[],
  amounts: ReadonlySet<string>,
  isDollars?: (row: Row, column: string) => boolean,
): Body {
  const { bytes } = csvBody(...withDollars(columns, rows, amounts, isDollars));
  return createBody(CSV_TYPE, Buffer.concat([Buffer.from(BYTE_ORDER_MARK), bytes]));
}

function withDollars<Row extends CsvRow>(
  columns: readonly string[],
  rows: readonly Row[],
  amounts: ReadonlySet<string>,
  isDollars: (row: Row, column: string) => boolean = () => true,
): [columns: readonly string[], rows: readonly CsvRow[]] {
  const all = columns.flatMap((name) => (amounts.has(name) ? [name, dollarsOf(name)] : [name]));
  const filled = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(
      [...amounts].map((name) => [
        dollarsOf(name),
        isDollars(row, name) ? wholeDollars((row as CsvRow)[name]) : null,
      ]),
    ),
  }));
  return [all, filled];
}

const dollarsOf = (name: string) => `${name}Dollars`;

/** With an apostrophe, which makes it text, if the number has more digits than a spreadsheet keeps. */
function wholeDollars(baseUnits: CsvRow[string]): string | null {
  if (typeof baseUnits !== "string") return null;
  const digits = (BigInt(baseUnits) / ONE).toString();
  return digits.length > KEPT_DIGITS ? `'${digits}` : digits;
}

const LISTING_COLUMNS = Object.keys(listingSchema.shape);
const LISTING_AMOUNTS = amountsOf(listingSchema);

/** The fields whose description says that they are in base units. */
function amountsOf({ shape }: z.ZodObject): ReadonlySet<string> {
  const isAmount = (field: z.ZodType) => /Base units/.test(getOpenApiMetadata(field).description ?? "");
  return new Set(Object.keys(shape).filter((name) => isAmount(shape[name] as z.ZodType)));
}

/** A file whose rows have the fields of a schema. @returns what makes it of its rows */
export function fileOf(columns: readonly string[], schema: z.ZodObject) {
  const amounts = amountsOf(schema);
  return (rows: readonly CsvRow[], isExcel = false): Body =>
    isExcel ? spreadsheetBody(columns, rows, amounts) : csvBody(columns, rows);
}

export const listingsCsv: (listings: readonly Listing[], isExcel?: boolean) => Body = fileOf(
  LISTING_COLUMNS,
  listingSchema,
);

/** A part of the same file. @param isFirst whether it begins the file */
export function listingsCsvPart(
  listings: readonly Listing[],
  isExcel: boolean,
  isFirst: boolean,
): Buffer<ArrayBuffer> {
  const table = isExcel ? withDollars(LISTING_COLUMNS, listings, LISTING_AMOUNTS) : null;
  const [columns, rows] = table ?? [LISTING_COLUMNS, listings];
  return Buffer.from((isFirst && isExcel ? BYTE_ORDER_MARK : "") + csvText(columns, rows, isFirst));
}
