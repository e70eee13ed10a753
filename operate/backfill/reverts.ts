/**
 * Reorganisations in the tables: Ponder takes the rows of lost blocks back at once, and notes the new head with the next block only.
 * In between `_ponder_checkpoint` names a block that the rows are not of, so it says there that it is reverted. It counts too: between
 * two positions of the same count rows were only added. The blocks that were lost are kept with their hashes: who has followed the
 * chain up to one of them can be told where to go back to. Triggers do it, in the same transaction, as Ponder has no hook for it.
 * @module
 */
import { ORPHANS_TABLE, REVERTED_COLUMN, REVERTS_COLUMN } from "../../config/schema-name.ts";
import { connectionOf, type PonderApp } from "./ponder.ts";

/** At every start: what is there already stays as it is. */
export async function noteReverts(app: PonderApp): Promise<void> {
  const connection = connectionOf(app);
  const inSchema = (name: string) => `"${app.namespaceBuild.schema}"."${name}"`;
  const checkpoint = inSchema("_ponder_checkpoint");
  const undone = inSchema("_reorg__tally");
  const undoneBlocks = inSchema("_reorg__event_block");
  const orphans = inSchema(ORPHANS_TABLE);
  for (const statement of [
    `ALTER TABLE ${checkpoint} ADD COLUMN IF NOT EXISTS ${REVERTED_COLUMN} BOOLEAN NOT NULL DEFAULT false`,
    `ALTER TABLE ${checkpoint} ADD COLUMN IF NOT EXISTS ${REVERTS_COLUMN} INTEGER NOT NULL DEFAULT 0`,
    // Rows of final blocks are deleted here too, once nothing can revert them.
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
    `CREATE OR REPLACE FUNCTION ${inSchema("_note_orphans")}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO ${orphans} SELECT gone.number, gone.hash, (SELECT coalesce(max(revert), 0) + 1 FROM ${orphans})
       FROM gone, ${checkpoint} WHERE gone.checkpoint > finalized_checkpoint ON CONFLICT DO NOTHING;
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
