/**
 * Records reorgs in the tables. Ponder reverts the rows of lost blocks at once, but records the new head only with the next block.
 * In between, the block named in `_ponder_checkpoint` does not match the rows, so the row is marked as reverted. It also has a
 * counter: between two positions with the same count, rows were only added. Lost blocks are kept with their hashes, so that a client
 * that has followed the chain up to one can be told where to resume. Triggers do this in the same transaction, as Ponder has no hook.
 * @module
 */
import { ORPHANS_TABLE, REFOLDS_TABLE, REVERTED_COLUMN, REVERTS_COLUMN } from "../../config/table-names.ts";
import { addColumns } from "./columns.ts";
import { checkpointTableOf, connectionOf, type PonderApp } from "./ponder.ts";

/** Runs at every start; existing columns and triggers stay as they are. */
export async function noteReverts(app: PonderApp): Promise<void> {
  const connection = connectionOf(app);
  const inSchema = (name: string) => `"${app.namespaceBuild.schema}"."${name}"`;
  const checkpoint = checkpointTableOf(app);
  const undone = inSchema("_reorg__tally");
  const undoneBlocks = inSchema("_reorg__event_block");
  const orphans = inSchema(ORPHANS_TABLE);
  await addColumns(app, {
    [REVERTED_COLUMN]: "BOOLEAN NOT NULL DEFAULT false",
    [REVERTS_COLUMN]: "INTEGER NOT NULL DEFAULT 0",
  });
  for (const statement of [
    // Rows of final blocks are also deleted, once nothing can revert them.
    `CREATE OR REPLACE FUNCTION ${inSchema("_note_revert")}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       UPDATE ${checkpoint} SET ${REVERTED_COLUMN} = true, ${REVERTS_COLUMN} = ${REVERTS_COLUMN} + 1
       WHERE EXISTS (SELECT FROM gone WHERE gone.checkpoint > finalized_checkpoint);
       RETURN NULL;
     END $$`,
    `CREATE OR REPLACE FUNCTION ${inSchema("_note_head")}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       NEW.${REVERTED_COLUMN} := false;
       RETURN NEW;
     END $$`,
    `CREATE TABLE IF NOT EXISTS ${orphans}
       (number NUMERIC(78) NOT NULL, hash TEXT NOT NULL, revert INTEGER NOT NULL, PRIMARY KEY (number, hash, revert))`,
    // Made before it is needed (`gaps.ts`): readers look into it for each client that resumes.
    `CREATE TABLE IF NOT EXISTS ${inSchema(REFOLDS_TABLE)} (from_block BIGINT NOT NULL, until_block BIGINT NOT NULL)`,
    // The row without a hash is the first block in which the forks can differ: the new one may have events before the lost ones.
    `CREATE OR REPLACE FUNCTION ${inSchema("_note_orphans")}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       WITH lost AS (SELECT gone.number, gone.hash, substring(finalized_checkpoint, 27, 16)::numeric AS finalized
         FROM gone, ${checkpoint} WHERE gone.checkpoint > finalized_checkpoint)
       INSERT INTO ${orphans} SELECT number, hash, (SELECT coalesce(max(revert), 0) + 1 FROM ${orphans}) FROM (
         SELECT number, hash FROM lost UNION ALL
         SELECT DISTINCT 1 + greatest(finalized, (SELECT max(number) FROM ${inSchema("event_block")}
           WHERE number < (SELECT min(number) FROM lost))), '' FROM lost) AS noted
       ON CONFLICT DO NOTHING;
       RETURN NULL;
     END $$`,
    `CREATE OR REPLACE TRIGGER note_orphans AFTER DELETE ON ${undoneBlocks} REFERENCING OLD TABLE AS gone
       FOR EACH STATEMENT EXECUTE FUNCTION ${inSchema("_note_orphans")}()`,
    `CREATE OR REPLACE TRIGGER note_revert AFTER DELETE ON ${undone} REFERENCING OLD TABLE AS gone
       FOR EACH STATEMENT EXECUTE FUNCTION ${inSchema("_note_revert")}()`,
    `CREATE OR REPLACE TRIGGER note_head BEFORE UPDATE OF latest_checkpoint ON ${checkpoint}
       FOR EACH ROW EXECUTE FUNCTION ${inSchema("_note_head")}()`,
  ]) {
    await connection.query(statement);
  }
}
