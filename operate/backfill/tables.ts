/**
 * Writes the folded history into Ponder's tables, together with its checkpoint: everything in one transaction, or nothing.
 * @module
 */
import type { Hex } from "viem";
import { COMPLETENESS_COLUMN } from "../../config/completeness.ts";
import { REVERTS_COLUMN } from "../../config/table-names.ts";
import { PASSING } from "./corrections.mjs";
import { emptyTables } from "./gaps.ts";
import type { FromWorker } from "./messages.ts";
import {
  type Connection,
  checkpointTableOf,
  endOf,
  type Factory,
  loadCopy,
  type PonderApp,
} from "./ponder.ts";
import { factoriesOf, resumedAfter, writeMark } from "./resume.ts";

type Rows = Extract<FromWorker, { kind: "rows" }>;
type End = Extract<FromWorker, { kind: "done" }>;
/** Rows from the reader, then the end; null if there is no history. */
export type RowStream = AsyncGenerator<Rows, End | null>;

/** Bytes of rows before the transaction begins, so that a small history needs only a short one. */
const BYTES_AT_ONCE = 4_000_000;

/** A transient failure, which ordinary indexing would hit too: the daemon restarts the indexer, which starts over. */
export class PassingFailure extends Error {
  override readonly name = "PassingFailure";
}

/**
 * @returns Ponder's state to continue with: after the history, or from the beginning if there is none
 * @throws {PassingFailure} where another try may succeed, as if the connection is lost: it may be unknown whether the transaction was committed
 */
export async function writeTables(app: PonderApp, source: RowStream): Promise<PonderApp> {
  const { driver } = app.database;
  // The embedded database has one connection, so that readers wait until a transaction ends.
  const most = driver.dialect === "pglite" ? Number.POSITIVE_INFINITY : BYTES_AT_ONCE;
  const rows = await collect(source, most);
  if (driver.dialect === "pglite") {
    const written = driver.instance.transaction((tx) => writeAll(app, tx, rows));
    return written.catch((error) => Promise.reject(failureOf(error)));
  }

  const connection = await driver.user.connect();
  try {
    await connection.query("BEGIN");
    const resumed = await writeAll(app, connection, rows);
    await connection.query("COMMIT").catch((error: Error) => {
      throw new PassingFailure(`the connection was lost while the history was committed: ${error.message}`);
    });
    connection.release();
    return resumed;
  } catch (error) {
    // One that still answers has mostly refused the rows themselves, which ordinary indexing may write.
    const isLost = await connection.query("ROLLBACK").then(
      () => false,
      () => true,
    );
    connection.release(true);
    throw failureOf(error, isLost);
  }
}

/** The error; a passing failure in its place where another try may succeed, as once there is room on a full disk. */
function failureOf(error: unknown, isLost = false): unknown {
  const { code, message } = error as Error & { code?: string };
  const isPassing = isLost || PASSING.test(code ?? "");
  if (!isPassing || error instanceof PassingFailure) return error;
  return new PassingFailure(
    `${isLost ? "the connection was lost" : "the database failed"} while the history was written: ${message}`,
  );
}

/** Waits for this many bytes of rows, or for all rows. */
async function collect(source: RowStream, most: number): Promise<RowStream> {
  const first: Rows[] = [];
  let bytes = 0;
  while (bytes < most) {
    const next = await source.next();
    if (next.done) return concatenated(first, null, next.value);
    first.push(next.value);
    bytes += next.value.text.length;
  }
  return concatenated(first, source, null);
}

async function* concatenated(first: Rows[], source: RowStream | null, end: End | null): RowStream {
  for (let rows = first.shift(); rows !== undefined; rows = first.shift()) yield rows;
  return source === null ? end : yield* source;
}

async function writeAll(app: PonderApp, connection: Connection, source: RowStream): Promise<PonderApp> {
  const { schemaBuild, indexingBuild, namespaceBuild, database } = app;
  const [chain] = indexingBuild.chains;
  if (chain === undefined) return app;
  const { getCopyHelper } = await loadCopy();
  const copy = getCopyHelper({ $dialect: database.driver.dialect, $client: connection });
  let next = await source.next();
  // Readers keep the rows from before until all of the new ones are there.
  const isAgain = app.crashRecoveryCheckpoint !== undefined && !(next.done && next.value === null);
  if (isAgain) await emptyTables(connection, app.namespaceBuild.schema);
  // Rows come in the order of the chain, so that nearly all of them are added at the end of an index, on PostgreSQL's core, while the rest
  // is still fetched and folded.
  // In tables that are filled again they would contain all rows that were just deleted.
  if (!isAgain && !next.done && database.driver.dialect === "postgres")
    for (const statement of schemaBuild.statements.indexes.sql) await connection.query(statement);
  for (; !next.done; next = await source.next()) {
    const { table, text } = next.value;
    await copy(schemaBuild.schema[table], text);
    // Frees the memory now: text that waits for V8 makes it collect this thread's garbage several times a second.
    text.buffer.transfer(0);
  }
  const end = next.value;
  if (end === null) return app;

  const checkpoint = await endOf(end.finalized, chain.id);
  const { schema } = namespaceBuild;
  await connection.query(
    `INSERT INTO ${checkpointTableOf(app)} AS own
      (chain_name, chain_id, safe_checkpoint, latest_checkpoint, finalized_checkpoint, ${COMPLETENESS_COLUMN})
      VALUES ($1, $2, $3, $3, $3, $4) ON CONFLICT (chain_name) DO UPDATE SET safe_checkpoint = $3, latest_checkpoint = $3,
        finalized_checkpoint = $3, ${COMPLETENESS_COLUMN} = $4, ${REVERTS_COLUMN} = own.${REVERTS_COLUMN} + 1`,
    [chain.name, chain.id, checkpoint, JSON.stringify(end.completeness)],
  );
  const last = Number(end.finalized.number);
  await writeMark(connection, schema, { last, ledgerKey: end.ledgerKey });
  const resumed = resumedAfter(app, last);
  for (const { factory, isOfTokens } of factoriesOf(resumed))
    await writeChildren(connection, factory, isOfTokens ? end.tokenChildren : end.escrowChildren);
  return {
    ...resumed,
    indexingBuild: { ...resumed.indexingBuild, finalizedBlocks: [end.finalized] },
    crashRecoveryCheckpoint: [{ chainId: chain.id, checkpoint }],
  };
}

/** The contracts announced by a factory, stored where Ponder looks for them. */
async function writeChildren(
  connection: Connection,
  { id, sourceId, ...factory }: Factory,
  children: ReadonlyMap<Hex, number>,
): Promise<void> {
  if (children.size === 0) return;
  await connection.query(
    `WITH factory AS (
      INSERT INTO ponder_sync.factories (factory) VALUES ($1::jsonb)
      ON CONFLICT (factory) DO UPDATE SET factory = excluded.factory RETURNING id
    )
    INSERT INTO ponder_sync.factory_addresses (factory_id, chain_id, block_number, address)
    SELECT factory.id, $2::bigint, child.block_number, child.address
    FROM factory, unnest($3::bigint[], $4::text[]) AS child (block_number, address)`,
    [JSON.stringify(factory), factory.chainId, [...children.values()], [...children.keys()]],
  );
}
