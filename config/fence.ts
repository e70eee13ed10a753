/**
 * Keeps an indexer that has lost its tables to another one from writing them: `operate/daemon/lease.ts` decides which one has them.
 *
 * A tenure is the time for which one start has the tables, named by a token. Each session of its indexer carries the token
 * (`operate/backfill/corrections.mjs`), and each statement that writes a table compares it with that of the lease, by a trigger in
 * the database. The lock in the trigger is held until the transaction ends, so that a tenure ends between transactions, never
 * within one. Sessions without a token are an operator's.
 * @module
 */
import pg from "pg";

/** The database's answer to a statement of a tenure that is over. */
export const FENCED = "another indexer has taken over these tables";

/** The name of every table's trigger. */
const TRIGGER = "fence";

/** The expression for the key of the lock that a writing transaction shares, and that a new tenure takes alone. */
export const fenceKey = (schema: string) => `hashtextextended(${schema}, 61)`;

/** The tables of the lease and of the starts that stand by; in their own schema, as the service's tables do not exist before the first start. */
export const LEASES = {
  schema: "raisebook_indexing",
  lease: "raisebook_indexing.lease",
  standby: "raisebook_indexing.standby",
} as const;

type Connection = { query(text: string): Promise<unknown> };

/** Adds the trigger to the tables of the schema that lack it; does nothing if there is no such schema. */
export async function fenceTables(connection: Connection, schema: string): Promise<void> {
  const [name, text] = [pg.escapeIdentifier(schema), pg.escapeLiteral(schema)];
  await connection.query(`DO $do$ DECLARE one REGCLASS; BEGIN
    IF to_regnamespace(${pg.escapeLiteral(name)}) IS NULL THEN RETURN; END IF;
    CREATE OR REPLACE FUNCTION ${name}._fence() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE own TEXT := current_setting('raisebook.tenure', true);
    BEGIN
      IF coalesce(own, '') = '' THEN RETURN NULL; END IF;
      PERFORM pg_advisory_xact_lock_shared(${fenceKey(text)});
      IF own IS DISTINCT FROM (SELECT tenure FROM ${LEASES.lease} WHERE tables = ${text}) THEN
        RAISE EXCEPTION '${FENCED}';
      END IF;
      RETURN NULL;
    END $$;
    FOR one IN SELECT oid FROM pg_class c WHERE relnamespace = to_regnamespace(${pg.escapeLiteral(name)}) AND relkind = 'r'
      AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid AND tgname = '${TRIGGER}')
    LOOP
      EXECUTE format('CREATE TRIGGER ${TRIGGER} BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s FOR EACH STATEMENT
        EXECUTE FUNCTION %s._fence()', one, ${pg.escapeLiteral(name)});
    END LOOP;
  END $do$`);
}
