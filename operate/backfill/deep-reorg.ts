/**
 * Reorgs of final blocks: Ponder cannot revert those rows. It notices such a reorg only while following the chain, and then stops;
 * after a restart it would continue with wrong rows. So the indexer exits, and refuses to start on them until the operator has
 * deleted them (docs/decisions/0024-deep-reorgs.md), or all endpoints that answer have that final block after all.
 * @module
 */
import { blockRequest } from "../../chain/call.ts";
import { createChainClient } from "../../chain/client.ts";
import { isBlock } from "../../chain/pages.ts";
import { endToRestart } from "../../config/end-to-restart.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { readDeepReorg } from "../../config/postgres-client.ts";
import { DEEP_REORG_TABLE } from "../../config/table-names.ts";
import { type Connection, connectionOf, type LogOptions, loadErrors, type PonderApp } from "./ponder.ts";

/** The message with which Ponder reports one. */
const UNRECOVERABLE = "Encountered unrecoverable reorg";
/** Milliseconds for an endpoint to answer the only question that is asked of the chain. */
const PATIENCE = 20_000;

const CONTRADICTED =
  "An endpoint of RPC_URLS has another block than the tables, and than another endpoint, which is believed";

/** Part of the error with which Ponder ends if the chain's head is older than the final block of the tables. */
const BACKWARDS = "cannot move backwards";

/**
 * Makes Ponder's refusal to start on a chain whose head is older than the final block of the tables an error after which the daemon
 * starts the indexer again, since endpoints that are behind catch up. Returns any other error unchanged.
 */
export async function retryBackwards(error: unknown, settings: Settings): Promise<unknown> {
  if (!(error instanceof Error && error.message.includes(BACKWARDS))) return error;
  const { RetryableError } = await loadErrors();
  const retried = new RetryableError(
    "The chain's head is older than what is indexed as final: the endpoints of RPC_URLS are behind, or the chain was " +
      `reorganised beyond what is taken for final. If it was: ${wayBack(settings)}, and start again`,
  );
  retried.stack = undefined;
  return retried;
}

/** Once Ponder has met a deep reorg, notes it in the schema and ends the process in order. */
export function watchForDeepReorgs(app: PonderApp, log: Logger): void {
  const { logger } = app.common;
  const warn = logger.warn.bind(logger);
  logger.warn = (options, ...rest) => {
    warn(options, ...rest);
    if (options.msg === UNRECOVERABLE) void end(app, options, log);
  };
}

async function end(app: PonderApp, reorg: LogOptions, log: Logger): Promise<void> {
  const table = tableOf(app);
  const connection = connectionOf(app);
  try {
    await connection.query(`CREATE TABLE IF NOT EXISTS ${table} (finalized_block BIGINT)`);
    await connection.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS finalized_hash TEXT`);
    await connection.query(`INSERT INTO ${table} VALUES ($1, $2)`, [
      reorg.finalized_block,
      reorg.finalized_hash,
    ]);
  } catch (error) {
    log.error({ msg: "A deep reorganisation could not be noted in the database", error });
  }
  endToRestart();
}

/**
 * Refuses rows of blocks that are gone: Ponder has met a deep reorganisation that an endpoint confirms or none denies, or no endpoint that
 * answers has the newest block with an event any more. Where no endpoint answers, Ponder says so itself.
 *
 * @throws Ponder's `NonRetryableUserError`, which ends the process for good
 */
export async function requireSameChain(app: PonderApp, settings: Settings, log: Logger): Promise<void> {
  const found = (await noted(app, settings, log)) ?? (await lostBlock(app, settings, log));
  if (found === null) return;
  const { NonRetryableUserError } = await loadErrors();
  throw new NonRetryableUserError(
    `${found}: ${wayBack(settings)}, and start again: everything is read from the chain again`,
  );
}

async function noted(app: PonderApp, settings: Settings, log: Logger): Promise<string | null> {
  const table = tableOf(app);
  const connection = connectionOf(app);
  const note = await readDeepReorg(connection, table);
  if (note === null) return null;
  if (note === "started over")
    return "Another schema of this chain was started over, and the announced contracts of this one were forgotten with it";
  const { block } = note;
  const answers = await Promise.all(settings.rpcUrls.map((url) => hashAt(url, block)));
  const hashes = new Set(answers.filter((hash) => hash !== null));
  if (hashes.size !== 1 || !hashes.has(note.hash ?? "")) return lost(`below block ${block}`);
  log.warn({
    msg: "An endpoint seemed to lack the final block, but all that answer have it: indexing continues",
    block,
  });
  await connection.query(`DROP TABLE ${table}`);
  return null;
}

const lost = (what: string) =>
  `The chain was reorganised beyond what is taken for final: ${what}. What is indexed is of blocks that are gone`;

async function lostBlock(app: PonderApp, settings: Settings, log: Logger): Promise<string | null> {
  const block = await newestEventBlock(connectionOf(app), app.namespaceBuild.schema);
  if (block === null) return null;
  const number = Number(block.number);
  const answers = settings.rpcUrls.map(async (url) => ({ url, hash: await hashAt(url, number) }));
  const others = Promise.all(answers).then((all) =>
    all.filter(({ hash }) => hash !== null && hash !== block.hash),
  );
  const findSame = async (answer: (typeof answers)[number]) => {
    if ((await answer).hash !== block.hash) throw new Error("not the same");
    return true;
  };
  // The first one that has it is enough, as others may be silent.
  if (await Promise.any(answers.map(findSame)).catch(() => false)) {
    void others.then((found) => {
      for (const { url, hash } of found)
        log.warn({ msg: CONTRADICTED, endpoint: new URL(url).host, block: number, hash });
    });
    return null;
  }
  const [other] = await others;
  return other === undefined ? null : lost(`block ${number} was ${block.hash}, and is ${other.hash}`);
}

/** The hash of the block at this endpoint; null if it does not answer, is behind, or has dropped its old blocks. */
async function hashAt(url: string, block: number): Promise<string | null> {
  const client = createChainClient({ urls: [url], concurrency: 1, patience: PATIENCE, timeout: PATIENCE });
  const found = await client.request(blockRequest(block)).catch(() => null);
  return isBlock(found) ? found.hash : null;
}

/** The newest block with an event that is left after Ponder has reverted everything that was not final. */
async function newestEventBlock(connection: Connection, schema: string) {
  const { rows } = await connection.query(
    `SELECT number::text, hash FROM "${schema}".event_block ORDER BY event_block.number DESC LIMIT 1`,
  );
  const [row] = rows;
  return row === undefined ? null : { number: BigInt(String(row.number)), hash: String(row.hash) };
}

function tableOf({ namespaceBuild }: PonderApp): string {
  return `"${namespaceBuild.schema}"."${DEEP_REORG_TABLE}"`;
}

function wayBack({ database }: Settings): string {
  return database.kind === "postgres"
    ? "delete the index with `npm run db:prune -- --start-over`"
    : `move ${database.dataDirectory} away`;
}
