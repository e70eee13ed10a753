/** @jsxImportSource hono/jsx */
/**
 * A table, as cards of raises, as a history by days, or as a grid that is cards on a phone. Explicit roles keep the
 * grid a table for assistive technology, despite `display: block`.
 * @module
 */
import type { Column, Row, Table } from "../page.ts";
import { PLAINLY_OPEN } from "../standing.ts";
import { formatDate } from "../times.ts";
import { NONE, textOf, type Value } from "../value.ts";
import { RaiseChoice } from "./choose.tsx";
import { ProgressBarView } from "./progress.tsx";
import { factAttributes, ValueText } from "./value.tsx";

/** Texts may come from third parties, at any length. */
function classOf({ align }: Column, { kind }: Value): string | undefined {
  if (kind === "amount" || kind === "part") return "end money";
  return align ?? (kind === "text" || kind === "link" ? "words" : undefined);
}

/** Tables with more columns become cards on tablets too. */
const MOST_NARROW = 6;

export function DataTable({ table }: { table: Table }) {
  const { caption, columns, rows, empty, look, isOfRaises, isSteady } = table;
  const steady = isSteady ? { "data-steady": "" } : {};
  if (rows.length === 0) {
    return (
      <p class="empty" {...steady}>
        {empty}
      </p>
    );
  }
  if (look === "cards") return <RaiseCards table={table} />;
  if (look === "timeline") return <Timeline table={table} />;
  const own = `table table--${look ?? (columns.length > MOST_NARROW ? "wide" : "narrow")}`;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: they are lost with the layout of cards
    <table class={own} role="table" {...steady}>
      <caption>{caption}</caption>
      {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
      <thead role="rowgroup">
        {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
        <tr role="row">
          {columns.map(({ key, label, align, sortHref, sorted }) => (
            // biome-ignore lint/a11y/noRedundantRoles: as above
            <th scope="col" role="columnheader" class={align} aria-sort={sorted} data-column={key}>
              {sortHref === undefined ? label : <a href={sortHref}>{label}</a>}
            </th>
          ))}
        </tr>
      </thead>
      {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
      <tbody role="rowgroup">
        {rows.map(({ key, cells }) => (
          // biome-ignore lint/a11y/noRedundantRoles: as above
          <tr role="row" data-row={key}>
            {columns.map((column, at) => {
              const value = cells[at] ?? NONE;
              const shared = {
                class: classOf(column, value),
                "data-label": column.label,
                // A row of one line may cut a text short.
                title: look === "dense" && value.kind !== "none" ? textOf(value) : undefined,
                ...factAttributes(column.key, value),
              };
              return at === 0 ? (
                // biome-ignore lint/a11y/noRedundantRoles: as above
                <th scope="row" role="rowheader" {...shared}>
                  <ValueText value={value} />
                  {isOfRaises && <RaiseChoice id={key} title={textOf(value)} />}
                </th>
              ) : (
                // biome-ignore lint/a11y/noRedundantRoles: as above
                <td role="cell" {...shared}>
                  {column.hasBar && "basisPoints" in value && <ShareBar {...value} />}
                  <ValueText value={value} />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ShareBar({ basisPoints }: { basisPoints: number }) {
  return (
    <svg class="bar-small" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-whole" width="100" height="6" />
      <rect class="bar-part" width={Math.min(100, Math.floor(basisPoints / 100))} height="6" />
    </svg>
  );
}

function RaiseCards({ table: { caption, columns, rows, isOfRaises, isSteady } }: { table: Table }) {
  return (
    <div data-table="" data-steady={isSteady ? "" : undefined}>
      <p class="table-caption">{caption}</p>
      <ul class="raises">
        {rows.map((row) => (
          <RaiseCard row={row} columns={columns} isOfRaises={isOfRaises} />
        ))}
      </ul>
    </div>
  );
}

type RaiseCardParameters = { row: Row; columns: readonly Column[]; isOfRaises: boolean | undefined };

function RaiseCard({ row, columns, isOfRaises }: RaiseCardParameters) {
  const cell = (key: string) => (
    <Cell at={columns.findIndex((column) => column.key === key)} {...{ row, columns }} />
  );
  const cellValue = (key: string) => row.cells[columns.findIndex((column) => column.key === key)] ?? NONE;
  const has = (key: string) => columns.some((column) => column.key === key);
  const isWarned = cellValue("warnings").kind !== "none";
  // That a raise is simply open goes without saying on the board, except to assistive technology.
  const isPlain = textOf(cellValue("status")) === PLAINLY_OPEN;
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
          <span>
            <span class="visually-hidden">Grade </span>
            {cell("originatorGrade")}
          </span>{" "}
          {cell("originator")}
          {has("jurisdiction") && <span> · {cell("jurisdiction")}</span>}
        </p>
        <p class={isPlain && !isWarned ? "raise-state raise-state--quiet" : "raise-state"}>
          <span class={isPlain ? "visually-hidden" : undefined}>{cell("status")}</span>
          {has("warnings") && <span class={isWarned ? undefined : "absent"}> {cell("warnings")}</span>}
        </p>
        {row.progress !== undefined && <ProgressBarView progress={row.progress} />}
        <p class="raise-done">
          <strong>{cell("share")}</strong> {cell("progress")}
        </p>
        <p class="raise-terms">
          <span>
            <strong>{cell("couponRateBps")}</strong> a year
          </span>{" "}
          {cell("tenorDays")} {cell("timing")}
        </p>
        {isOfRaises && <RaiseChoice id={row.key} title={textOf(cellValue("title"))} />}
      </div>
    </li>
  );
}

function Cell({ at, row, columns }: { at: number; row: Row; columns: readonly Column[] }) {
  const column = columns[at];
  const value = row.cells[at] ?? NONE;
  if (column === undefined) return null;
  return (
    <span data-label={column.label} {...factAttributes(column.key, value)}>
      <ValueText value={value} />
    </span>
  );
}

const SHOWN = 10;

function Timeline({ table: { caption, columns, rows } }: { table: Table }) {
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
  const cells = columns.map((_, at) => <Cell {...{ at, row, columns }} />);
  const [time, words, ...more] = cells;
  return (
    <>
      <div class="timeline-time">{time}</div>
      <div class="timeline-words">{words}</div>
      <div class="timeline-more">{more.map((cell) => [cell, " "])}</div>
    </>
  );
}
