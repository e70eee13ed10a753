/**
 * The tables of a service on PostgreSQL, for a command beside it. It only reads: the role's rights and each
 * transaction see to that.
 * @module
 */
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Database } from "../api/database/checkpoint.ts";

export type TableConnection = { database: Database; end(): Promise<void> };

/** Connects to the schema that the indexer writes to. Rejects when there is no such database or no such schema. */
export async function connectTables(connectionString: string, schema: string): Promise<TableConnection> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  const { rows } = await client.query("SELECT 1 FROM information_schema.schemata WHERE schema_name = $1", [
    schema,
  ]);
  if (rows.length === 0) {
    await client.end();
    throw new Error(`the database has no schema ${JSON.stringify(schema)}: nothing was indexed into it yet`);
  }
  await client.query(`SET search_path TO ${client.escapeIdentifier(schema)}`);
  await client.query("SET default_transaction_read_only TO on");
  // Ponder's own reader is of the same kind, over another build of the same library.
  return { database: drizzle(client) as unknown as Database, end: () => client.end() };
}
