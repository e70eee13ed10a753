/** Schemas that are dropped, or not, at a moment when something else is at work in the database. */
import pg from "pg";
import { expect, it } from "vitest";
import { dropSchema } from "../../operate/daemon/prune.ts";
import { startPostgres } from "../harness/postgres.ts";

const [READ, UNUSED] = ["raisebook_0000000001", "raisebook_0000000002"];

it("keeps a schema that a backup reads, says so, and can drop another one", async () => {
  const { connectionString, query } = await startPostgres();
  const app = JSON.stringify({ table_names: ["listing", "ledger"], is_locked: 0, heartbeat_at: 0 });
  for (const schema of [READ, UNUSED])
    await query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.listing (); CREATE TABLE ${schema}.ledger ();
      CREATE TABLE ${schema}._ponder_meta AS SELECT 'app' AS key, '${app}'::jsonb AS value`);
  const [backup, pruner] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  await Promise.all([backup.connect(), pruner.connect()]);
  try {
    await backup.query(`BEGIN; SELECT FROM ${READ}.ledger`);
    expect(await dropSchema(pruner, READ)).toMatch(/^in use: something reads its tables/);
    expect(await dropSchema(pruner, UNUSED)).toBe(null);
    await backup.query("COMMIT");
    expect(await dropSchema(pruner, READ)).toBe(null);
  } finally {
    await Promise.all([backup.end(), pruner.end()]);
  }
});
