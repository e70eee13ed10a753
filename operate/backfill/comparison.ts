/**
 * The comparison of what several endpoints say of ranges of blocks that cannot be reorganised any more.
 * @module
 */
import type { Hex } from "viem";
import { firstDispute, type StatementQuery, statementOf } from "../../chain/agreement.ts";
import { type ChainClient, createChainClient } from "../../chain/client.ts";
import { type FollowedContracts, firstBlockOf, followContracts } from "../../chain/contracts.ts";
import { COMPARED_AT_ONCE } from "../../chain/finality.ts";
import { inTurns } from "../../chain/in-turns.ts";
import { createRanges, type Ranges } from "../../chain/limits.ts";
import { InconsistentChainError } from "../../chain/logs.ts";
import type { RawBlock } from "../../chain/pages.ts";
import { type Stretch, stretchesOf } from "../../chain/stretches.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { AGREED_COLUMN, DISPUTED_COLUMN, FINAL_COLUMN } from "../../config/table-names.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import { checkpointTableOf, connectionOf, endOf, type PonderApp } from "./ponder.ts";
import { factoriesOf } from "./resume.ts";
import type { NoteUnfit } from "./unfit.ts";

/** Milliseconds. */
const PATIENCE = 20_000;
const MISSING_AFTER = 300_000;
/** Blocks compared at once while the chain is followed: so much is asked for again after a kill. */
const STEP = 2_000;
/** Endpoints asked at the same time for more than `COMPARED_AT_ONCE` blocks: each has pages of logs in memory meanwhile. */
const ENDPOINTS_AT_ONCE = 4;
const INCONSISTENT = "An endpoint of RPC_URLS contradicts itself: it is left out of the comparison";
type Endpoint = {
  /** without credentials, path and query */
  readonly host: string;
  readonly client: ChainClient;
  readonly ranges: Ranges;
  /** `performance.now()` at its first failure since its last answer */
  missingSince: number | null;
};

type Outcome = "disputed" | "unanswered" | "more" | "done";

export type ComparisonParameters = {
  app: Pick<PonderApp, "namespaceBuild" | "indexingBuild" | "database">;
  settings: Settings;
  log: Pick<Logger, "info" | "warn" | "error">;
  noteUnfit: NoteUnfit;
  /** milliseconds for an answer, and after which an endpoint without one is not waited for */
  patience?: number;
  missingAfter?: number;
  /** blocks of a long range that all endpoints together are asked about (`stretchesOf`) */
  answers?: number;
};

/** A function that compares the next range, and notes the outcome. */
export function createComparison(parameters: ComparisonParameters): () => Promise<Outcome> {
  const {
    app,
    settings,
    log,
    noteUnfit,
    patience = PATIENCE,
    missingAfter = MISSING_AFTER,
    answers,
  } = parameters;
  const onPruned = (host: string) => noteUnfit(host, "pruned");
  const endpoints = settings.rpcUrls.map(
    (url): Endpoint => ({
      host: new URL(url).host,
      client: createChainClient({ urls: [url], concurrency: 2, timeout: patience, patience, onPruned }),
      ranges: createRanges(settings.logsRange),
      missingSince: null,
    }),
  );
  const connection = connectionOf(app);
  const table = checkpointTableOf(app);
  const eventBlocks = `"${app.namespaceBuild.schema}".event_block`;
  const start = firstBlockOf(settings);
  /** The contracts that logs before a block have announced, as this process has seen them. */
  let known: Children & { before: number } = {
    before: -1,
    escrowChildren: new Map(),
    tokenChildren: new Map(),
  };
  /** Up to here the blocks were final when this process began to compare: of a long range of them only some are compared. */
  let caughtUpTo: number | null = null;
  /** The first disputed block, also of a process before this one; and the one that this one has named. */
  let disputed: number | null = null;
  let named: number | null = null;
  let isAlone = false;

  const noteAgreed = async (block: RawBlock) => {
    const columns = `${AGREED_COLUMN} = $1, ${DISPUTED_COLUMN} = $2`;
    const checkpoint = await endOf(block, settings.chainId);
    await connection.query(`UPDATE ${table} SET ${columns}`, [checkpoint, disputed]);
  };
  const noteDisputed = (block: number) =>
    connection.query(`UPDATE ${table} SET ${DISPUTED_COLUMN} = $1`, [block]);

  /** The statements about these blocks of the endpoints that answer; `endpoints` has the others. */
  const statementsOf = async ({ from, to }: Stretch) => {
    // Ponder may have saved some since that were announced in a block which an earlier process has compared.
    const saved = await childrenIn(app, from);
    const atOnce = to - from < COMPARED_AT_ONCE ? endpoints.length : ENDPOINTS_AT_ONCE;
    const stated = await inTurns(endpoints, atOnce, async (endpoint) => {
      const followed = followContracts(settings);
      followed.know(saved.escrowChildren, saved.tokenChildren);
      if (known.before === from) followed.know(known.escrowChildren, known.tokenChildren);
      const query = { followed, from: Math.max(from, start), to };
      return { endpoint, followed, statement: await statedBy(endpoint, query, { log, noteUnfit }) };
    });
    return stated.flatMap(({ endpoint, followed, statement }) =>
      statement === null ? [] : { endpoint, followed, ...statement },
    );
  };

  /** The last of these blocks if all of them are agreed on; the block that is disputed; null as long as too few answer. */
  const agreedOn = async (stretch: Stretch): Promise<RawBlock | number | null> => {
    const answers = await statementsOf(stretch);
    const [first] = answers;
    if (first === undefined) return null;
    const dispute = firstDispute(answers, stretch.to);
    if (dispute !== null) {
      const { block, sides } = dispute;
      if (block !== named) {
        const hosts = sides.map((side) => side.map((place) => answers[place]?.endpoint.host).join(", "));
        const msg =
          "The endpoints of RPC_URLS disagree: from this block on nothing is served as final until they agree";
        log.error({ msg, block, sides: hosts.join(" | ") });
        named = block;
      }
      return block;
    }
    if (answers.length < 2) {
      const since = Math.max(...endpoints.map(({ missingSince }) => missingSince ?? 0));
      // A dispute is not over because one side is silent.
      if (disputed !== null || performance.now() - since < missingAfter) return null;
      if (!isAlone) {
        const msg = "One endpoint alone answers: what it says is served as final, compared with no other";
        log.warn({ msg, endpoint: first.endpoint.host });
      }
    } else if (isAlone) {
      log.info({ msg: "The endpoints are compared again" });
    }
    isAlone = answers.length < 2;
    const { escrowChildren, tokenChildren } = first.followed;
    known = { before: stretch.to + 1, escrowChildren, tokenChildren };
    return first.last;
  };

  const compare = async (from: number, to: number): Promise<Outcome> => {
    const isLong = caughtUpTo !== null && to <= caughtUpTo;
    const stretches = isLong
      ? stretchesOf({ from, to }, { endpoints: endpoints.length, answers })
      : [{ from, to }];
    let last: RawBlock | null = null;
    for (const stretch of stretches) {
      const agreed = await agreedOn(stretch);
      if (agreed === null) return "unanswered";
      if (typeof agreed === "number") {
        disputed = agreed;
        await noteDisputed(agreed);
        return agreed > from ? compare(from, agreed - 1) : "disputed";
      }
      last = agreed;
    }
    if (last === null) return "done";
    if (disputed !== null && to >= disputed) {
      log.info({ msg: "The endpoints of RPC_URLS agree again", block: disputed });
      disputed = named = null;
    }
    await noteAgreed(last);
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
    caughtUpTo ??= last;
    // A disputed block is compared again whatever the range.
    if (disputed !== null && disputed > from && disputed <= last) return compare(from, disputed);
    if (from <= caughtUpTo) return compare(from, caughtUpTo);
    // As long as no contract is followed, only the last block can be compared.
    return compare(from, Math.min(last, Math.max(from, start) + STEP - 1));
  };
}

/** The statement of an endpoint about a range now; null if it gives none. */
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

type Children = Pick<FollowedContracts, "escrowChildren" | "tokenChildren">;

/** The contracts that were announced before a block, as Ponder knows them, each by its first announcement. */
export async function childrenIn(app: ComparisonParameters["app"], block: number): Promise<Children> {
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
    for (const row of rows) {
      const [child, announced] = [String(row.address) as Hex, Number(row.block)];
      kind.set(child, Math.min(announced, kind.get(child) ?? announced));
    }
  }
  return children;
}
