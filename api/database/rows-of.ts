/** @module Many rows of a table as `select` gives them, for less: each comes as one text, as the driver takes longer for fifty. */
import { type Column, getTableColumns, type InferSelectModel, type SQL, type Table } from "drizzle-orm";
import { type ReadonlyDrizzle, sql } from "ponder";

/** @param rest of the query, from its WHERE on */
export async function rowsOf<Of extends Table>(
  tx: ReadonlyDrizzle,
  table: Of,
  rest: SQL,
): Promise<InferSelectModel<Of>[]> {
  const columns = Object.entries(getTableColumns(table));
  const values = sql.join(
    columns.map(([, column]) => sql`${column}`),
    sql`, `,
  );
  const { rows } = await tx.execute<{ row: string }>(
    sql`SELECT ROW(${values})::text AS row FROM ${table} ${rest}`,
  );
  // V8 makes a hash table of an object whose members are added by name, and none of a copy.
  const empty: Record<string, unknown> = Object.fromEntries(columns.map(([name]) => [name, null]));
  const read = columns.map(([name, column]) => ({ name, valueIn: readerOf(column) }));
  return rows.map(({ row }) => {
    const texts = textsOf(row);
    const made = { ...empty };
    for (let at = 0; at < read.length; at++) {
      const text = texts[at];
      const { name, valueIn } = read[at] as (typeof read)[number];
      if (text != null) made[name] = valueIn(text);
    }
    return made as InferSelectModel<Of>;
  });
}

function readerOf(column: Column): (text: string) => unknown {
  if (column.dataType === "string") return (text) => text;
  if (column.dataType === "boolean") return (text) => text === "t";
  return (text) => column.mapFromDriverValue(text);
}

const QUOTED = /(?<=^|,)("(?:[^"\\]|\\.|"")*"|[^,]*)(?=,|$)/gs;

/** The values of a row as PostgreSQL writes it: null is nothing, and a text with special characters is quoted. */
export function textsOf(row: string): (string | null)[] {
  const inner = row.slice(1, -1);
  const isPlain = !inner.includes('"');
  const texts: (string | null)[] = isPlain ? inner.split(",") : (inner.match(QUOTED) ?? []);
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] as string;
    if (text === "") texts[at] = null;
    else if (!isPlain && text.startsWith('"')) texts[at] = text.slice(1, -1).replace(/""|\\(.)/gs, unescaped);
  }
  return texts;
}

function unescaped(_: string, character = '"'): string {
  return character;
}
