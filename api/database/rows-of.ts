/** @module Many rows of a table as `select` gives them, for less: the driver makes them of one shape, and values are read in place. */
import { getTableColumns, type InferSelectModel, type SQL, type Table } from "drizzle-orm";
import { type ReadonlyDrizzle, sql } from "ponder";

/** @param rest of the query, from its WHERE on */
export async function rowsOf<Of extends Table>(
  tx: ReadonlyDrizzle,
  table: Of,
  rest: SQL,
): Promise<InferSelectModel<Of>[]> {
  const columns = Object.entries(getTableColumns(table));
  const named = columns.map(([name, column]) => sql`${column} AS ${sql.identifier(name)}`);
  const { rows } = await tx.execute(sql`SELECT ${sql.join(named, sql`, `)} FROM ${table} ${rest}`);
  const read = columns.filter(([, { dataType }]) => dataType !== "string" && dataType !== "boolean");
  for (const row of rows)
    for (const [name, column] of read)
      if (row[name] !== null) row[name] = column.mapFromDriverValue(row[name]);
  return rows as InferSelectModel<Of>[];
}
