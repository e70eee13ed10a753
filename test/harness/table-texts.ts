/**
 * The rows of every table as text, to compare two ways of writing them byte for byte.
 */

import { getTableName, isTable } from "drizzle-orm";
import { drizzle } from "drizzle-orm/pglite";
import * as schema from "../../ponder.schema.ts";

type Query = (text: string) => Promise<Record<string, unknown>[]>;

/** By table, sorted. Read in one statement, so that a service may go on writing. */
export async function tableTexts(query: Query, schemaName: string): Promise<Record<string, string[]>> {
  const names = Object.values(schema)
    .filter((value) => isTable(value))
    .map(getTableName);
  const rows = await query(
    names
      .map((name) => `SELECT '${name}' AS name, t::text AS row FROM "${schemaName}"."${name}" AS t`)
      .join(" UNION ALL "),
  );
  return Object.fromEntries(
    names.map((name) => [
      name,
      rows
        .filter((row) => row.name === name)
        .map((row) => String(row.row))
        .sort(),
    ]),
  );
}

/** The same of an embedded database whose service is stopped. */
export async function embeddedTableTexts(
  directory: string,
  schemaName: string,
): Promise<Record<string, string[]>> {
  const { $client } = drizzle(directory);
  try {
    return await tableTexts(
      async (text) => (await $client.query<Record<string, unknown>>(text)).rows,
      schemaName,
    );
  } finally {
    await $client.close();
  }
}
