/** @jsxImportSource hono/jsx */
/**
 * A table. On a phone each row becomes a card whose cells show their column's label. Explicit roles keep it a table for
 * assistive technology, despite `display: block`.
 * @module
 */
import type { Column, Table } from "../page.ts";
import type { Value } from "../value.ts";
import { RaiseCards } from "./cards.tsx";
import { Timeline } from "./timeline.tsx";
import { factAttributes, ValueText } from "./value.tsx";

/** Texts may come from third parties, at any length. */
function classOf({ align }: Column, { kind }: Value): string | undefined {
  if (kind === "amount" || kind === "part") return "end money";
  return align ?? (kind === "text" || kind === "link" ? "words" : undefined);
}

/** Tables with more columns become cards on tablets too. */
const MOST_NARROW = 6;

export function DataTable({ table }: { table: Table }) {
  const { caption, columns, rows, empty, look } = table;
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  if (look === "cards") return <RaiseCards table={table} />;
  if (look === "timeline") return <Timeline table={table} />;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: they are lost with the layout of cards
    <table class={`table table--${look ?? (columns.length > MOST_NARROW ? "wide" : "narrow")}`} role="table">
      <caption>{caption}</caption>
      {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
      <thead role="rowgroup">
        {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
        <tr role="row">
          {columns.map(({ label, align, sortHref, isSorted }) => (
            // biome-ignore lint/a11y/noRedundantRoles: as above
            <th scope="col" role="columnheader" class={align} aria-sort={isSorted ? "other" : undefined}>
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
              const value = cells[at] ?? { kind: "none" as const };
              const shared = {
                class: classOf(column, value),
                "data-label": column.label,
                ...factAttributes(column.key, value),
              };
              return at === 0 ? (
                // biome-ignore lint/a11y/noRedundantRoles: as above
                <th scope="row" role="rowheader" {...shared}>
                  <ValueText value={value} />
                </th>
              ) : (
                // biome-ignore lint/a11y/noRedundantRoles: as above
                <td role="cell" {...shared}>
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
