/** @jsxImportSource hono/jsx */
/**
 * A table of events as a history by days. The first column is the time, the second says what happened; the others are
 * below it.
 * @module
 */
import type { Column, Row, Table } from "../page.ts";
import { formatDate } from "../times.ts";
import { NONE } from "../value.ts";
import { factAttributes, ValueText } from "./value.tsx";

/** Entries visible without opening the rest. */
const SHOWN = 10;

export function Timeline({ table: { caption, columns, rows } }: { table: Table }) {
  const rest = rows.slice(SHOWN);
  return (
    <div data-table="">
      <p class="table-caption">{caption}</p>
      <Days rows={rows.slice(0, SHOWN)} columns={columns} />
      {rest.length > 0 && (
        <details class="more">
          <summary data-markdown-ignore="">{`Show ${rest.length} more`}</summary>
          <Days rows={rest} columns={columns} />
        </details>
      )}
    </div>
  );
}

function Days({ rows, columns }: { rows: readonly Row[]; columns: readonly Column[] }) {
  return (
    <ol class="timeline">
      {byDay(rows).map(({ day, entries }) => (
        <li class="timeline-day">
          <h3 data-markdown-ignore="">{day}</h3>
          <ol>
            {entries.map((row) => (
              <li class="timeline-entry" data-row={row.key}>
                <Cells row={row} columns={columns} />
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

function byDay(rows: readonly Row[]): { day: string; entries: Row[] }[] {
  const days: { day: string; entries: Row[] }[] = [];
  for (const row of rows) {
    const [first] = row.cells;
    const day = first?.kind === "time" ? formatDate(first.iso) : "";
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(row);
    else days.push({ day, entries: [row] });
  }
  return days;
}

function Cells({ row, columns }: { row: Row; columns: readonly Column[] }) {
  const cells = columns.map(({ key, label }, at) => {
    const value = row.cells[at] ?? NONE;
    return (
      <span data-label={label} {...factAttributes(key, value)}>
        <ValueText value={value} />
      </span>
    );
  });
  const [time, words, ...more] = cells;
  return (
    <>
      <div class="timeline-time">{time}</div>
      <div class="timeline-words">{words}</div>
      <div class="timeline-more">{more.map((cell) => [cell, " "])}</div>
    </>
  );
}
