/**
 * Several endpoints watch one another: what each says of a range of blocks, once it cannot be reorganised any more, is compared
 * with what the others say, and only what they agree on is served as final (docs/decisions/0028-endpoints-that-disagree.md).
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { firstDispute, type StatementQuery, statementOf } from "../../chain/agreement.ts";
import { type ChainClient, createChainClient } from "../../chain/client.ts";
import { type FollowedContracts, firstBlockOf, followContracts } from "../../chain/contracts.ts";
import { COMPARED_AT_ONCE } from "../../chain/finality.ts";
import { createRanges, type Ranges } from "../../chain/limits.ts";
import { InconsistentChainError } from "../../chain/logs.ts";
import type { RawBlock } from "../../chain/pages.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import {
  AGREED_COLUMN,
  DISPUTED_COLUMN,
  FAST_FORWARD_TABLE,
  FINAL_COLUMN,
  FINALITY_COLUMN,
} from "../../config/schema-name.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import { ledgerKey } from "./earlier.ts";
import { type Connection, connectionOf, loadCheckpoints, type PonderApp } from "./ponder.ts";
import { factoriesOf } from "./resume.ts";
import { UNTIL_REPLICATED } from "./transactions.ts";
import type { NoteUnfit } from "./unfit.ts";

/** Milliseconds between two looks at what has become final, and between two at what is disputed. */
const INTERVAL = 250;
const DISPUTED_INTERVAL = 10_000;
/** Milliseconds. */
const PATIENCE = 20_000;
const MISSING_AFTER = 300_000;
/** Blocks compared at once: so much is asked for again after a kill. */
const STEP = 20_000;
const INCONSISTENT = "An endpoint of RPC_URLS contradicts itself: it is left out of the comparison";
/** Before every block. */
const NOTHING = "0".repeat(75);

type Endpoint = {
  /** without credentials, path and query */
  readonly host: string;
  readonly client: ChainClient;
  readonly ranges: Ranges;
  /** `performance.now()` at its first failure since its last answer */
  missingSince: number | null;
};

/**
 * Makes our columns of what is final. In those of what is agreed on nothing is final yet; with one endpoint they say nothing.
 */
export async function prepareAgreement(
  app: Pick<PonderApp, "namespaceBuild" | "database">,
  settings: Settings,
): Promise<void> {
  const connection = connectionOf(app);
  const table = tableOf(app);
  const added = [
    `${FINAL_COLUMN} TEXT`,
    `${FINALITY_COLUMN} TEXT`,
    `${AGREED_COLUMN} TEXT`,
    `${DISPUTED_COLUMN} BIGINT`,
  ];
  const columns = added.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`);
  await connection.query(`ALTER TABLE ${table} ${columns.join(", ")}`);
  const isCompared = urlsOf(settings).length > 1;
  const first = isCompared ? `'${await agreedEarlier(connection, settings)}'` : "NULL";
  await connection.query(`ALTER TABLE ${table} ALTER COLUMN ${AGREED_COLUMN} SET DEFAULT ${first}`);
  await connection.query(
    isCompared
      ? `UPDATE ${table} SET ${AGREED_COLUMN} = ${first} WHERE ${AGREED_COLUMN} IS NULL`
      : `UPDATE ${table} SET ${AGREED_COLUMN} = NULL, ${DISPUTED_COLUMN} = NULL`,
  );
}

/** What was agreed on in an earlier schema of the same contracts: a new release need not begin anew. */
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

/** Compares from now on; never rejects. With one endpoint there is nothing to compare. */
export async function compareEndpoints(
  app: PonderApp,
  parameters: Pick<ComparisonParameters, "settings" | "noteUnfit"> & { log: Logger },
): Promise<void> {
  const { settings, log } = parameters;
  if (urlsOf(settings).length < 2) return;
  const compare = createComparison({ app, ...parameters });
  let failure: string | null = null;
  for (;;) {
    let pause = INTERVAL;
    try {
      const outcome = await compare();
      if (outcome === "disputed" || outcome === "unanswered") pause = DISPUTED_INTERVAL;
      if (outcome === "more") pause = 0;
      failure = null;
    } catch (error) {
      // The database is away, most likely, of which others tell.
      const { message } = error as Error;
      if (message !== failure) log.debug({ msg: "What the endpoints say could not be compared", error });
      failure = message;
    }
    await sleep(pause, undefined, { ref: false });
  }
}

type Outcome = "disputed" | "unanswered" | "more" | "done";

export type ComparisonParameters = {
  app: Pick<PonderApp, "namespaceBuild" | "indexingBuild" | "database">;
  settings: Settings;
  log: Pick<Logger, "info" | "warn" | "error">;
  noteUnfit: NoteUnfit;
  /** milliseconds for an answer, and after which an endpoint without one is not waited for */
  patience?: number;
  missingAfter?: number;
};

/** A function that compares the next range, and notes what comes of it. */
export function createComparison(parameters: ComparisonParameters): () => Promise<Outcome> {
  const { app, settings, log, noteUnfit, patience = PATIENCE, missingAfter = MISSING_AFTER } = parameters;
  const onPruned = (host: string) => noteUnfit(host, "pruned");
  const endpoints = urlsOf(settings).map(
    (url): Endpoint => ({
      host: new URL(url).host,
      client: createChainClient({ urls: [url], concurrency: 2, timeout: patience, patience, onPruned }),
      ranges: createRanges(settings.logsRange),
      missingSince: null,
    }),
  );
  const connection = connectionOf(app);
  const table = tableOf(app);
  const eventBlocks = `"${app.namespaceBuild.schema}".event_block`;
  const start = firstBlockOf(settings);
  let known: Pick<FollowedContracts, "escrowChildren" | "tokenChildren"> | null = null;
  /** The first disputed block, also of a process before this one; and the one that this one has named. */
  let disputed: number | null = null;
  let named: number | null = null;
  let isAlone = false;

  const noteAgreed = async (block: RawBlock) => {
    const { encodeCheckpoint, blockToCheckpoint } = await loadCheckpoints();
    const checkpoint = encodeCheckpoint(blockToCheckpoint(block, settings.chainId, "up"));
    const columns = `${AGREED_COLUMN} = $1, ${DISPUTED_COLUMN} = $2`;
    await connection.query(`UPDATE ${table} SET ${columns} WHERE ${UNTIL_REPLICATED} <> ''`, [
      checkpoint,
      disputed,
    ]);
  };
  const noteDisputed = (block: number) =>
    connection.query(`UPDATE ${table} SET ${DISPUTED_COLUMN} = $1`, [block]);

  const compare = async (from: number, to: number): Promise<Outcome> => {
    known ??= await childrenIn(app, from);
    const { escrowChildren, tokenChildren } = known;
    const stated = await Promise.all(
      endpoints.map(async (endpoint) => {
        const followed = followContracts(settings);
        followed.know(escrowChildren, tokenChildren);
        const query = { followed, from: Math.max(from, start), to };
        return { endpoint, followed, statement: await statedBy(endpoint, query, { log, noteUnfit }) };
      }),
    );
    const answers = stated.flatMap(({ endpoint, followed, statement }) =>
      statement === null ? [] : { endpoint, followed, ...statement },
    );
    const [first] = answers;
    if (first === undefined) return "unanswered";
    const dispute = firstDispute(answers, to);
    if (dispute !== null) {
      const { block, sides } = dispute;
      if (block !== named) {
        const hosts = sides.map((side) => side.map((place) => answers[place]?.endpoint.host).join(", "));
        const msg =
          "The endpoints of RPC_URLS disagree: from this block on nothing is served as final until they agree";
        log.error({ msg, block, sides: hosts.join(" | ") });
        named = block;
      }
      disputed = block;
      await noteDisputed(block);
      return block > from ? compare(from, block - 1) : "disputed";
    }
    const missing = endpoints.filter(({ missingSince }) => missingSince !== null);
    if (answers.length < 2) {
      const since = Math.max(...missing.map(({ missingSince }) => missingSince ?? 0));
      // A dispute is not over because one side is silent.
      if (disputed !== null || performance.now() - since < missingAfter) return "unanswered";
      if (!isAlone) {
        const msg = "One endpoint alone answers: what it says is served as final, compared with no other";
        log.warn({ msg, endpoint: first.endpoint.host });
      }
    } else if (isAlone) {
      log.info({ msg: "The endpoints are compared again" });
    }
    isAlone = answers.length < 2;
    if (disputed !== null && to >= disputed) {
      log.info({ msg: "The endpoints of RPC_URLS agree again", block: disputed });
      disputed = named = null;
    }
    known = first.followed;
    await noteAgreed(first.last);
    return disputed === null ? "more" : "disputed";
  };

  const hasEvents = async (from: number, to: number) => {
    const { rows } = await connection.query(
      `SELECT FROM ${eventBlocks} WHERE number BETWEEN $1 AND $2 LIMIT 1`,
      [from, to],
    );
    return rows.length > 0;
  };

  return async () => {
    const { rows } = await connection.query(
      `SELECT GREATEST(finalized_checkpoint, ${FINAL_COLUMN}) AS finalized, ${AGREED_COLUMN} AS agreed,
      ${DISPUTED_COLUMN}::text AS disputed FROM ${table}`,
    );
    const [row] = rows;
    if (row === undefined) return "done";
    disputed = row.disputed === null ? null : Number(row.disputed);
    const last = Number(blockOf(String(row.finalized)).number);
    const from = Number(blockOf(String(row.agreed)).number) + 1;
    if (from > last) return "done";
    const isShort = disputed === null && last - from + 1 < COMPARED_AT_ONCE;
    if (isShort && !(await hasEvents(from, last))) return "done";
    // Where no contract is followed yet there is nothing to compare but the last block.
    return compare(from, Math.min(last, Math.max(from, start) + STEP - 1));
  };
}

/** What an endpoint says of a range now; null where it does not say. */
async function statedBy(
  endpoint: Endpoint,
  query: Omit<StatementQuery, "ranges">,
  { log, noteUnfit }: { log: Pick<Logger, "warn">; noteUnfit: NoteUnfit },
): Promise<Awaited<ReturnType<typeof statementOf>> | null> {
  try {
    const statement = await statementOf(endpoint.client, { ...query, ranges: endpoint.ranges });
    endpoint.missingSince = null;
    return statement;
  } catch (error) {
    if (error instanceof InconsistentChainError) {
      noteUnfit(endpoint.host, "unusable_logs");
      if (endpoint.missingSince === null)
        log.warn({ msg: INCONSISTENT, endpoint: endpoint.host, error: error.message });
    }
    endpoint.missingSince ??= performance.now();
    return null;
  }
}

/** The contracts that were announced before a block, as Ponder knows them. */
export async function childrenIn(
  app: ComparisonParameters["app"],
  block: number,
): Promise<Pick<FollowedContracts, "escrowChildren" | "tokenChildren">> {
  const children = { escrowChildren: new Map<Hex, number>(), tokenChildren: new Map<Hex, number>() };
  for (const { factory, isOfTokens } of factoriesOf(app)) {
    const { id, sourceId, ...rest } = factory;
    const { rows } = await connectionOf(app).query(
      `SELECT address, block_number::text AS block FROM ponder_sync.factory_addresses
      JOIN ponder_sync.factories ON factories.id = factory_id
      WHERE factory = $1::jsonb AND block_number < $2`,
      [JSON.stringify(rest), block],
    );
    const kind = isOfTokens ? children.tokenChildren : children.escrowChildren;
    for (const row of rows) kind.set(String(row.address) as Hex, Number(row.block));
  }
  return children;
}

function urlsOf({ rpcUrls }: Settings): string[] {
  return [...new Set(rpcUrls)];
}

function tableOf({ namespaceBuild }: Pick<PonderApp, "namespaceBuild">): string {
  return `"${namespaceBuild.schema}"._ponder_checkpoint`;
}
