/**
 * Final blocks of which the tables lack an event that an endpoint left out. They are noted, the indexer ends, and the next one folds
 * the tables again: from the ledger up to the block before, and from the chain, whose pages are proven (docs/decisions/0046-complete-logs.md).
 * @module
 */
import { tableExists } from "../../config/postgres-client.ts";
import { GAPS_TABLE, ORPHANS_TABLE, REFOLDS_TABLE } from "../../config/table-names.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import { type Connection, connectionOf, type PonderApp } from "./ponder.ts";
import type { Query } from "./schema-ledger.ts";

type App = Pick<PonderApp, "namespaceBuild" | "database">;

const tableOf = ({ namespaceBuild }: App) => `"${namespaceBuild.schema}"."${GAPS_TABLE}"`;

/** Notes that events of a block are missing. */
export async function noteGap(app: App, block: number): Promise<void> {
  const connection = connectionOf(app);
  await connection.query(`CREATE TABLE IF NOT EXISTS ${tableOf(app)} (block BIGINT NOT NULL)`);
  await connection.query(`INSERT INTO ${tableOf(app)} VALUES ($1)`, [block]);
}

/** The first block with a gap; null where none is known. */
export async function gapIn(app: App): Promise<number | null> {
  const connection = connectionOf(app);
  if (!(await tableExists(connection, tableOf(app)))) return null;
  const { rows } = await connection.query(`SELECT min(block)::text AS block FROM ${tableOf(app)}`);
  const block = rows[0]?.block;
  return typeof block === "string" ? Number(block) : null;
}

/** The first block with a gap in any of these schemas; null without one. @param schemas escaped */
export async function firstGap(query: Query, schemas: readonly string[]): Promise<number | null> {
  const blocks: number[] = [];
  for (const schema of schemas) {
    const table = `${schema}.${GAPS_TABLE}`;
    const [found] = await query("SELECT to_regclass($1) IS NOT NULL AS exists", [table]);
    if (found?.exists !== true) continue;
    const [row] = await query(`SELECT min(block)::text AS block FROM ${table}`);
    if (typeof row?.block === "string") blocks.push(Number(row.block));
  }
  return blocks.length === 0 ? null : Math.min(...blocks);
}

/** Leaves tables with a gap as those of a new schema, within the transaction that fills them again. Notes what is filled again. */
export async function emptyTables(connection: Connection, schema: string): Promise<void> {
  const { rows } = await connection.query(
    `SELECT jsonb_array_elements_text(value -> 'table_names') AS name FROM "${schema}"._ponder_meta WHERE key = 'app'`,
  );
  // Not the last block of the tables: what is not final was taken back, at this start or an earlier one, and clients may have it.
  const { rows: last } = await connection.query(
    `SELECT latest_checkpoint AS latest, (SELECT max(number) FROM "${schema}"."${ORPHANS_TABLE}")::text AS gone FROM "${schema}"._ponder_checkpoint`,
  );
  const [latest, gone] = [blockOf(String(last[0]?.latest)).number, BigInt(String(last[0]?.gone ?? 0))];
  const until = gone > latest ? gone : latest;
  await connection.query(
    `INSERT INTO "${schema}"."${REFOLDS_TABLE}" SELECT min(block), $1 FROM "${schema}"."${GAPS_TABLE}" HAVING min(block) <= $1`,
    [`${until}`],
  );
  // Not TRUNCATE, for which readers would have to wait.
  for (const { name } of rows) await connection.query(`DELETE FROM "${schema}"."${name}"`);
  // Not DROP: the reader has these tables open as an earlier ledger, until its rows are taken.
  await connection.query(`DELETE FROM "${schema}"."${GAPS_TABLE}"`);
}
