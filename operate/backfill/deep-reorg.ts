/**
 * Reorgs of final blocks: Ponder cannot revert those rows. It notices such a reorg only while following the chain, and then stops;
 * after a restart it would continue with wrong rows. So the indexer exits, and refuses to start on them until the operator has
 * deleted them (docs/decisions/0024-deep-reorgs.md).
 * @module
 */
import { blockRequest } from "../../chain/call.ts";
import { createChainClient, EndpointsSilentError } from "../../chain/client.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { tableExists } from "../../config/postgres-client.ts";
import { DEEP_REORG_TABLE } from "../../config/schema-name.ts";
import { type Connection, connectionOf, loadErrors, type PonderApp } from "./ponder.ts";

/** Ponder's word for one. */
const UNRECOVERABLE = "Encountered unrecoverable reorg";
/** Milliseconds for the only question that is asked of the chain. */
const PATIENCE = 20_000;

/** Ponder's word for what it ends with where the chain's head is older than the final block of the tables. */
const BACKWARDS = "cannot move backwards";

/**
 * What Ponder's refusal to start becomes where the chain's head is older than the final block of the tables: an error after which
 * the daemon starts it again, since endpoints that are behind catch up. Any other error stays what it is.
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

/** Ends the process in order once Ponder has met one, and notes it in the schema. */
export function watchForDeepReorgs(app: PonderApp, log: Logger): void {
  const { logger } = app.common;
  const warn = logger.warn.bind(logger);
  logger.warn = (options, ...rest) => {
    warn(options, ...rest);
    if (options.msg === UNRECOVERABLE) void end(app, Number(options.finalized_block), log);
  };
}

async function end(app: PonderApp, block: number, log: Logger): Promise<void> {
  const table = tableOf(app);
  const connection = connectionOf(app);
  try {
    await connection.query(`CREATE TABLE IF NOT EXISTS ${table} (finalized_block BIGINT NOT NULL)`);
    await connection.query(`INSERT INTO ${table} VALUES ($1)`, [block]);
  } catch (error) {
    log.error({ msg: "A deep reorganisation could not be noted in the database", error });
  }
  process.kill(process.pid, "SIGINT");
}

/**
 * Refuses rows of blocks that are gone: Ponder has met a deep reorganisation, or the newest block with an event is not the chain's
 * any more. Where no endpoint answers, Ponder says so itself.
 *
 * @throws Ponder's `NonRetryableUserError`, which ends the process for good
 */
export async function requireSameChain(app: PonderApp, settings: Settings): Promise<void> {
  const found = (await noted(app)) ?? (await lostBlock(app, settings));
  if (found === null) return;
  const { NonRetryableUserError } = await loadErrors();
  throw new NonRetryableUserError(
    `${found}: ${wayBack(settings)}, and start again: everything is read from the chain again`,
  );
}

async function noted(app: PonderApp): Promise<string | null> {
  const table = tableOf(app);
  const connection = connectionOf(app);
  if (!(await tableExists(connection, table))) return null;
  const { rows } = await connection.query(`SELECT max(finalized_block)::text AS block FROM ${table}`);
  const block = rows[0]?.block;
  return typeof block === "string"
    ? lost(`below block ${block}`)
    : "Another schema of this chain was started over, and the announced contracts of this one were forgotten with it";
}

const lost = (what: string) =>
  `The chain was reorganised beyond what is taken for final: ${what}. What is indexed is of blocks that are gone`;

async function lostBlock(app: PonderApp, settings: Settings): Promise<string | null> {
  const block = await newestEventBlock(connectionOf(app), app.namespaceBuild.schema);
  if (block === null) return null;
  const client = createChainClient({ urls: settings.rpcUrls, concurrency: 1, patience: PATIENCE });
  try {
    const now = (await client.request(blockRequest(Number(block.number)))) as { hash?: string } | null;
    // An endpoint that is behind, or has dropped its old blocks, cannot tell.
    if (typeof now?.hash !== "string" || now.hash === block.hash) return null;
    return lost(`block ${block.number} was ${block.hash}, and is ${now.hash}`);
  } catch (error) {
    if (error instanceof EndpointsSilentError) return null;
    throw error;
  }
}

/** What is left after Ponder has taken back all that was not final. */
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
    ? "throw it away (npm run db:prune -- --start-over)"
    : `move ${database.dataDirectory} away`;
}
