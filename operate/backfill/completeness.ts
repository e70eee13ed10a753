/**
 * Proves the final blocks with events that the tables have, behind the head: what was indexed block by block, and what a ledger from
 * elsewhere brought. It goes on where it was, and tells readers how far it has come: what follows is not final for them.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { blockRequest } from "../../chain/call.ts";
import { type ChainClient, createChainClient } from "../../chain/client.ts";
import { type FollowedContracts, firstBlockOf, followContracts } from "../../chain/contracts.ts";
import { blocksUpTo } from "../../chain/final-blocks.ts";
import type { Log } from "../../chain/logs.ts";
import { isBlock, type RawBlock } from "../../chain/pages.ts";
import type { ProvenLogs } from "../../chain/prover.ts";
import { COMPLETENESS_COLUMN, type Completeness } from "../../config/completeness.ts";
import { endToRestart } from "../../config/end-to-restart.ts";
import type { Settings } from "../../config/environment.ts";
import type { Lately } from "../../config/lately.ts";
import type { Logger } from "../../config/log.ts";
import { FINAL_COLUMN } from "../../config/table-names.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import type { ChainEvent } from "../../src/fold/events.ts";
import { addColumns } from "./columns.ts";
import { childrenIn } from "./comparison.ts";
import { noteGap } from "./gaps.ts";
import { checkpointTableOf, connectionOf, endOf, type PonderApp } from "./ponder.ts";
import { LEFT_OUT, provenIn, proverOf } from "./proofs.ts";
import type { NoteUnfit } from "./unfit.ts";

/** Most milliseconds between two looks, and between two while there is more to prove. */
const INTERVAL = 500;
const PAUSE = 100;
/** Milliseconds until a failure that lasts is worth a warning. */
const TOLD_AFTER = 300_000;
const UNPROVEN = "The ledger cannot be proven further: what follows does not become final";
/** Ponder's word for a final block that is in the tables. */
const FINALIZED = "Finalized block";
/** Blocks proven at once, and blocks whose headers are looked at. */
const AT_ONCE = 50;
const HEADERS_AT_ONCE = 1_000;

type App = Pick<PonderApp, "namespaceBuild" | "indexingBuild" | "database">;

export type ProvingParameters = {
  settings: Settings;
  log: Pick<Logger, "debug" | "info" | "warn" | "error">;
  /** hosts of endpoints */
  omissions: Lately<string>;
  noteUnfit: NoteUnfit;
};

/** Makes the column in which readers find what is proven. */
export async function prepareCompleteness(
  app: Pick<PonderApp, "namespaceBuild" | "database">,
): Promise<void> {
  await addColumns(app, { [COMPLETENESS_COLUMN]: "JSONB" });
}

/** Proves from now on, until events are found to be missing: the indexer then ends, to begin again without the gap. Never rejects. */
export async function keepProving(app: PonderApp, parameters: ProvingParameters): Promise<void> {
  const { log } = parameters;
  const prove = createProving(app, parameters);
  const untilDue = finalBlocks(app);
  const delays = tellDelays(log);
  while (!app.common.shutdown.isKilled) {
    let pause = INTERVAL;
    try {
      const outcome = await prove();
      if (outcome === "gap") {
        endToRestart();
        return;
      }
      if (outcome === "more") pause = PAUSE;
      delays.ended();
    } catch (error) {
      delays.lasts(error as Error);
    }
    await untilDue(pause);
  }
}

/** Logs when nothing could be proven for minutes, since rows that wait for a proof are not final, and when proving continues. */
export function tellDelays(log: Pick<Logger, "debug" | "info" | "warn">) {
  let since: number | null = null;
  let failure: string | null = null;
  let isTold = false;
  const seconds = () => Math.round((performance.now() - (since ?? 0)) / 1000);
  return {
    lasts(error: Error) {
      since ??= performance.now();
      // Usually short: an outage of the endpoints or the database, which is logged elsewhere.
      if (error.message !== failure) log.debug({ msg: "The ledger could not be proven further", error });
      failure = error.message;
      if (isTold || performance.now() - since < TOLD_AFTER) return;
      isTold = true;
      log.warn({ msg: UNPROVEN, seconds: seconds(), error });
    },
    ended() {
      if (isTold) log.info({ msg: "The ledger is proven again", seconds: seconds() });
      [since, failure, isTold] = [null, null, false];
    },
  };
}

/** Returns a function that resolves once there is a newer final block than at its last call, at the latest after `atMost` milliseconds. */
export function finalBlocks({
  common: { logger },
}: Pick<PonderApp, "common">): (atMost: number) => Promise<void> {
  let next = Promise.withResolvers<void>();
  const info = logger.info.bind(logger);
  logger.info = (options, ...rest) => {
    info(options, ...rest);
    if (options.msg === FINALIZED) next.resolve();
  };
  return async (atMost) => {
    await Promise.race([next.promise, sleep(atMost, undefined, { ref: false })]);
    next = Promise.withResolvers();
  };
}

/** A function that proves the next blocks, and notes the outcome. */
function createProving(
  app: App,
  { settings, log, omissions, noteUnfit }: ProvingParameters,
): () => Promise<"gap" | "more" | "done"> {
  const connection = connectionOf(app);
  const schema = `"${app.namespaceBuild.schema}"`;
  const table = checkpointTableOf(app);
  const { logsProven: mode, rpcUrls, chainId } = settings;
  const onPruned = (host: string) => noteUnfit(host, "pruned");
  const client = createChainClient({ urls: rpcUrls, concurrency: 2, onPruned });
  const prover = proverOf(settings, client, followContracts(settings));
  let isFirst = true;
  /** a block whose contracts may be announced by what is not saved yet: what follows is proven after that */
  let awaited = 0;

  /** @param before what the row has: an earlier write may have been lost with a database */
  const write = async (state: Completeness, before: Completeness | null) => {
    const next = { ...state, omitting: omissions.current() };
    if (isDeepStrictEqual(next, before)) return;
    const text = JSON.stringify(next);
    await connection.query(`UPDATE ${table} SET ${COMPLETENESS_COLUMN} = $1`, [text]);
  };

  /** The blocks with events after `from`, by number, and the last block that they are all of. */
  const blocksAfter = async (from: number, final: number) => {
    const { rows } = await connection.query(
      `SELECT number::text, hash FROM ${schema}.event_block WHERE number > $1 AND number <= $2 ORDER BY event_block.number LIMIT ${AT_ONCE}`,
      [from, final],
    );
    const known = new Map(rows.map(({ number, hash }) => [Number(number), String(hash)]));
    const last = rows.length === AT_ONCE ? Math.max(...known.keys()) : final;
    return { known, last };
  };

  return async () => {
    const { rows } = await connection.query(
      `SELECT LEAST(GREATEST(finalized_checkpoint, ${FINAL_COLUMN}), CASE WHEN is_ready THEN latest_checkpoint ELSE safe_checkpoint END) AS finalized,
        finalized_checkpoint AS irreversible, ${COMPLETENESS_COLUMN}::text AS completeness
      FROM ${table}, (SELECT (value ->> 'is_ready') = '1' AS is_ready FROM ${schema}._ponder_meta WHERE key = 'app') AS app`,
    );
    const [row] = rows;
    if (row === undefined) return "done";
    const before = JSON.parse(String(row.completeness ?? "null")) as Completeness | null;
    if (isFirst) for (const host of before?.omitting ?? []) omissions.note(host);
    isFirst = false;
    const state = provenIn(before, mode);
    // While blocks are caught up with, those up to the safe one alone are there.
    const irreversible = Number(blockOf(String(row.irreversible)).number);
    const finalized = Number(blockOf(String(row.finalized)).number);
    const final = awaited > irreversible ? Math.min(finalized, awaited - 1) : finalized;
    const from = state.upTo === null ? firstBlockOf(settings) - 1 : Number(blockOf(state.upTo).number);
    if (prover === undefined || from >= final) {
      await write(state, before);
      return "done";
    }
    const until = mode === "possible" ? Math.min(final, from + HEADERS_AT_ONCE) : final;
    const { known, last } = await blocksAfter(from, until);
    const blocks = await blocksOf(client, known, last);
    if (mode === "possible")
      for (const block of await prover.candidates(from + 1, last))
        if (isBlock(block)) blocks.set(Number(block.number), block);
    const proven = await prover.prove(blocks.values());
    const missing = await firstMissing(proven, blocks, irreversible);
    if (missing?.isOpen === true) {
      awaited = missing.block;
      return "more";
    }
    if (missing !== null) {
      const gap = missing.block;
      const hosts = rpcUrls.map((url) => new URL(url).host);
      // With several endpoints it is not known which one it was.
      if (hosts.length === 1) for (const host of hosts) omissions.note(host);
      await noteGap(app, gap);
      log.error({ msg: `${LEFT_OUT}: the tables are folded again`, block: gap, endpoint: hosts.join(", ") });
      await write(state, before);
      return "gap";
    }
    const count = [...known.keys()].filter((number) => proven.has(number)).length;
    const end = blocks.get(last) ?? (last === finalized ? null : await client.request(blockRequest(last)));
    if (end !== null && !isBlock(end)) return "done";
    const next = {
      ...state,
      upTo: last === finalized || end === null ? String(row.finalized) : await endOf(end, chainId),
      proven: `${Number(state.proven) + count}`,
      unproven: `${Number(state.unproven) + known.size - count}`,
    };
    await write(next, before);
    return last < final ? "more" : "done";
  };

  /**
   * The first block with an event, or the announcement of a contract, that the tables lack. It is open (`isOpen`) if it may concern a
   * contract announced after `irreversible`: Ponder saves announced contracts only from blocks that no reorg can revert.
   */
  async function firstMissing(
    proven: ProvenLogs,
    blocks: Map<number, RawBlock>,
    irreversible: number,
  ): Promise<{ block: number; isOpen: boolean } | null> {
    if (![...proven.values()].some((logs) => logs.length > 0)) return null;
    const { createEventReader } = await import("./events.ts");
    const contracts = contractsOf(settings);
    const eventsOf = createEventReader(contracts, chainId, () => {});
    const ofEscrows = new Set(contracts.escrow.events.map(({ topic }) => topic));
    const followed = await followedIn(app, settings);
    const { escrowChildren, tokenChildren } = followed;
    for (const number of [...proven.keys()].sort((a, b) => a - b)) {
      const isOpen = number > irreversible;
      const [escrows, tokens] = [escrowChildren.size, tokenChildren.size];
      const logs = proven.get(number) ?? [];
      for (const log of logs) followed.learn(log);
      const isUnknown = (log: Log) =>
        log.topic !== undefined && ofEscrows.has(log.topic) && !followed.counts(log);
      const isAnnounced = escrowChildren.size > escrows || (!isOpen && tokenChildren.size > tokens);
      if (isAnnounced || (isOpen && settings.escrowFactory !== null && logs.some(isUnknown)))
        return { block: number, isOpen };
      const page = { to: number, logs: logs.filter(followed.counts), blocks };
      const events = [...eventsOf({ ...page, proven: new Set<number>(), mended: new Set<number>() })];
      const expected = events.filter(({ source }) => source !== "token");
      const { rows } = await connection.query(
        `SELECT event_id FROM ${schema}.ledger WHERE event_id = ANY($1::text[])`,
        [expected.map(({ eventId }) => eventId)],
      );
      const found = new Set(rows.map(({ event_id }) => event_id));
      for (const event of expected)
        if (!found.has(event.eventId) && (event.source === "escrow" || (await isOfListing(event))))
          return { block: number, isOpen: false };
    }
    return null;
  }

  /** Whether an event of the desk is of a token that was a listing's by then: others are not recorded. */
  async function isOfListing(event: ChainEvent): Promise<boolean> {
    if (event.source !== "desk") return false;
    const { args } = event.event;
    const { rows } = await connection.query(
      `SELECT FROM ${schema}.listing_token JOIN ${schema}.ledger USING (escrow_address, onchain_id)
      WHERE token = COALESCE((SELECT token FROM ${schema}.offer WHERE desk = $1 AND offer_id = $2), $3)
        AND kind = 'listing_created' AND event_id < $4 LIMIT 1`,
      [args.desk, `${args.offerId}`, "token" in args ? args.token : null, event.eventId],
    );
    return rows.length > 0;
  }
}

/** The blocks with these hashes, as an endpoint that is not behind gives them now. */
async function blocksOf(
  client: ChainClient,
  known: ReadonlyMap<number, string>,
  upTo: number,
): Promise<Map<number, RawBlock>> {
  const answers = await blocksUpTo(client, { numbers: [...known.keys()], upTo });
  const blocks = answers.filter(isBlock).filter(({ number, hash }) => known.get(Number(number)) === hash);
  return new Map(blocks.map((block) => [Number(block.number), block]));
}

/** The contracts with all that Ponder knows to be announced. */
async function followedIn(app: App, settings: Settings): Promise<FollowedContracts> {
  const followed = followContracts(settings);
  const { escrowChildren, tokenChildren } = await childrenIn(app, Number.MAX_SAFE_INTEGER);
  followed.know(escrowChildren, tokenChildren);
  return followed;
}
