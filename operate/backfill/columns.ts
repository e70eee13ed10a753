/** @module Our columns of Ponder's table of checkpoints. */
import { checkpointTableOf, connectionOf, type PonderApp } from "./ponder.ts";

/**
 * Adds the columns that the table lacks. `ALTER TABLE` waits for every transaction that has read the table, even if it changes nothing,
 * and readers wait behind it: a restart during a dump would keep all of them from the table until the dump ends.
 * @param types by the names of the columns
 */
export async function addColumns(
  app: Pick<PonderApp, "namespaceBuild" | "database">,
  types: Readonly<Record<string, string>>,
): Promise<void> {
  const connection = connectionOf(app);
  const table = checkpointTableOf(app);
  const { rows } = await connection.query(
    "SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND NOT attisdropped",
    [table],
  );
  const known = new Set(rows.map(({ attname }) => attname));
  const added = Object.entries(types).filter(([name]) => !known.has(name));
  if (added.length === 0) return;
  const clauses = added.map(([name, type]) => `ADD COLUMN ${name} ${type}`);
  await connection.query(`ALTER TABLE ${table} ${clauses.join(", ")}`);
}
