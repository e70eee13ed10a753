/** @jsxImportSource hono/jsx */
/**
 * A table of raises as cards that are read in two seconds: picture, title, business, bar, one line of terms.
 * @module
 */
import type { Column, Row, Table } from "../page.ts";
import { NONE, type Value } from "../value.ts";
import { ProgressBarView } from "./progress.tsx";
import { factAttributes, ValueText } from "./value.tsx";

export function RaiseCards({ table: { caption, columns, rows } }: { table: Table }) {
  return (
    <div data-table="">
      <p class="table-caption">{caption}</p>
      <ul class="raises">
        {rows.map((row) => (
          <RaiseCard row={row} columns={columns} />
        ))}
      </ul>
    </div>
  );
}

function RaiseCard({ row, columns }: { row: Row; columns: readonly Column[] }) {
  const cell = (key: string) => (
    <Cell at={columns.findIndex((column) => column.key === key)} {...{ row, columns }} />
  );
  return (
    <li class="raise" data-row={row.key}>
      {row.cover !== undefined && (
        <div class="raise-cover" aria-hidden="true">
          {row.cover}
        </div>
      )}
      <div class="raise-text">
        <h3>{cell("title")}</h3>
        <p class="raise-by">
          {cell("originatorGrade")} {cell("originator")}
        </p>
        <p class="raise-state">{cell("status")}</p>
        {row.progress !== undefined && <ProgressBarView progress={row.progress} />}
        <p class="raise-done">
          {cell("progress")} <strong>{cell("share")}</strong>
        </p>
        <p class="raise-terms">
          <span>
            <strong>{cell("couponRateBps")}</strong> a year
          </span>{" "}
          {cell("tenorDays")} {cell("timing")}
        </p>
      </div>
    </li>
  );
}

function Cell({ at, row, columns }: { at: number; row: Row; columns: readonly Column[] }) {
  const column = columns[at];
  const value: Value = row.cells[at] ?? NONE;
  if (column === undefined) return null;
  return (
    <span data-label={column.label} {...factAttributes(column.key, value)}>
      <ValueText value={value} />
    </span>
  );
}
