/** @module CSV, RFC 4180: raw units, a header row, empty cells for null. */
import { stringify } from "csv-stringify/sync";
import { type Body, createBody } from "../http/etagged-body.ts";
import { type Listing, listingSchema } from "../market/schema.ts";

const TYPE = "text/csv; charset=utf-8; header=present";

/** The beginning of a cell that a spreadsheet would run, or of one that is already guarded: the guard must be reversible. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

export type CsvRow = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Text that a spreadsheet would run as a formula gets a leading apostrophe, which a reader removes before such text. */
export function csvBody(columns: readonly string[], rows: readonly CsvRow[]): Body {
  const text = stringify(
    rows.map((row) => columns.map((column) => row[column] ?? null)),
    {
      header: true,
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
  return createBody(TYPE, Buffer.from(text));
}

const LISTING_COLUMNS = Object.keys(listingSchema.shape);

export function listingsCsv(listings: readonly Listing[]): Body {
  return csvBody(LISTING_COLUMNS, listings);
}
