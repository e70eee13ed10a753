/**
 * Several endpoints watch one another: what each says of a range of blocks, once it cannot be reorganised any more, is compared
 * with what the others say, and only what they agree on is served as final (docs/decisions/0028-endpoints-that-disagree.md).
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import {
  AGREED_COLUMN,
  DISPUTED_COLUMN,
  FAST_FORWARD_TABLE,
  FINAL_COLUMN,
  FINALITY_COLUMN,
} from "../../config/table-names.ts";
import { addColumns } from "./columns.ts";
import { type ComparisonParameters, createComparison } from "./comparison.ts";
import { ledgerKey } from "./earlier.ts";
import { type Connection, checkpointTableOf, connectionOf, type PonderApp } from "./ponder.ts";

/** Milliseconds between two looks at what has become final, and between two at what is disputed. */
const INTERVAL = 250;
const DISPUTED_INTERVAL = 10_000;
/** Milliseconds that readers have to become ready as well, once the tables are. */
const SETTLING = 5_000;
/** Before every block. */
const NOTHING = "0".repeat(75);

/**
 * Adds our columns about finality. Those about the agreement begin with nothing final, and are null with one endpoint.
 */
export async function prepareAgreement(
  app: Pick<PonderApp, "namespaceBuild" | "database">,
  settings: Settings,
): Promise<void> {
  const connection = connectionOf(app);
  const table = checkpointTableOf(app);
  await addColumns(app, {
    [FINAL_COLUMN]: "TEXT",
    [FINALITY_COLUMN]: "TEXT",
    [AGREED_COLUMN]: "TEXT",
    [DISPUTED_COLUMN]: "BIGINT",
  });
  const isCompared = settings.rpcUrls.length > 1;
  const first = isCompared ? `'${await agreedEarlier(connection, settings)}'` : "NULL";
  // The defaults are for the first row. Once it is there, altering the table would only keep readers from it.
  if ((await connection.query(`SELECT 1 FROM ${table}`)).rows.length === 0)
    await connection.query(`ALTER TABLE ${table} ALTER COLUMN ${AGREED_COLUMN} SET DEFAULT ${first}`);
  await connection.query(
    isCompared
      ? `UPDATE ${table} SET ${AGREED_COLUMN} = ${first} WHERE ${AGREED_COLUMN} IS NULL`
      : `UPDATE ${table} SET ${AGREED_COLUMN} = NULL, ${DISPUTED_COLUMN} = NULL`,
  );
}

/** The block agreed on in an earlier schema of the same contracts: a new release need not start over. */
async function agreedEarlier(connection: Connection, settings: Settings): Promise<string> {
  const key = ledgerKey(settings);
  const { rows: schemas } = await connection.query(
    `SELECT quote_ident(marks.table_schema) AS name FROM information_schema.tables AS marks
    JOIN information_schema.columns USING (table_schema) WHERE marks.table_name = $1 AND column_name = $2`,
    [FAST_FORWARD_TABLE, AGREED_COLUMN],
  );
  let agreed = NOTHING;
  for (const { name } of schemas) {
    const { rows } = await connection.query(
      `SELECT ${AGREED_COLUMN} AS agreed FROM ${name}._ponder_checkpoint, ${name}.${FAST_FORWARD_TABLE}
      WHERE ledger_key = $1 AND ${AGREED_COLUMN} > $2`,
      [key, agreed],
    );
    agreed = String(rows[0]?.agreed ?? agreed);
  }
  return agreed;
}

/**
 * Compares once the tables are ready, which takes all the time there is; never rejects. With one endpoint there is nothing to
 * compare.
 */
export async function compareEndpoints(
  app: PonderApp,
  parameters: Pick<ComparisonParameters, "settings" | "noteUnfit"> & { log: Logger },
): Promise<void> {
  const { settings, log } = parameters;
  if (settings.rpcUrls.length < 2) return;
  const compare = createComparison({ app, ...parameters });
  let failure: string | null = null;
  while (!(await isReady(app).catch(() => false))) await sleep(INTERVAL, undefined, { ref: false });
  await sleep(SETTLING, undefined, { ref: false });
  for (;;) {
    let pause = INTERVAL;
    try {
      const outcome = await compare();
      if (outcome === "disputed" || outcome === "unanswered") pause = DISPUTED_INTERVAL;
      if (outcome === "more") pause = 0;
      failure = null;
    } catch (error) {
      // Probably a database outage, which is logged elsewhere.
      const { message } = error as Error;
      if (message !== failure) log.debug({ msg: "What the endpoints say could not be compared", error });
      failure = message;
    }
    await sleep(pause, undefined, { ref: false });
  }
}

/** Whether Ponder has indexed up to the head once. */
async function isReady(app: PonderApp): Promise<boolean> {
  const { rows } = await connectionOf(app).query(
    `SELECT (value ->> 'is_ready') = '1' AS ready FROM "${app.namespaceBuild.schema}"._ponder_meta WHERE key = 'app'`,
  );
  return rows[0]?.ready === true;
}
