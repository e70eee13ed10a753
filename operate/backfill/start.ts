/**
 * Starts Ponder, and fills the tables of a new schema with the finalised history before Ponder begins to index.
 *
 * Ponder then resumes from there as after a crash. If the history cannot be written in bulk, ordinary indexing takes over: it gives
 * the same tables, more slowly.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createChainClient } from "../../chain/client.ts";
import { readSettings, type Settings } from "../../config/environment.ts";
import { fenceTables } from "../../config/fence.ts";
import { rememberLately } from "../../config/lately.ts";
import { createLogger, type Logger } from "../../config/log.ts";
import { logNodeWarnings } from "../../config/node-warnings.ts";
import { packageFolder } from "../../config/packages.ts";
import { TENURE_VARIABLE, untilTurn, WAITS_VARIABLE } from "../../config/turn.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import { compareEndpoints, prepareAgreement } from "./agreement.ts";
import { requireCompleteLogs } from "./complete-logs.ts";
import { keepProving, prepareCompleteness } from "./completeness.ts";
import { requireSameChain, retryBackwards, watchForDeepReorgs } from "./deep-reorg.ts";
import { followFinality } from "./finality.ts";
import { keepHeads, shareHeads } from "./heads.ts";
import { blockAt, settledBlock } from "./history.ts";
import { noteHolder, releaseBeforeStart } from "./holder.ts";
import { followOneFork } from "./one-fork.ts";
import { leaveOrphans } from "./orphans.ts";
import { checkpointTableOf, connectionOf, loadStart, type PonderApp } from "./ponder.ts";
import type { BackfillWorker } from "./reader-thread.ts";
import { noteReverts } from "./reverts.ts";
import { writeWithRoom } from "./room.ts";
import { requireSoundLogs } from "./sound-logs.ts";
import { makeTransactionsReal } from "./transactions.ts";
import { createUnfitNotes } from "./unfit.ts";

/**
 * @param args Ponder's command line, `start` first
 * @param reader the thread that fetches: `first` has been started already, so that its modules load at the same time as Ponder's
 * @param loadApi loads what Ponder's server will serve, where there is time for it
 */
export async function startPonder(
  args: string[],
  reader: { first: BackfillWorker | null; start(): BackfillWorker },
  loadApi: () => Promise<unknown>,
): Promise<void> {
  const settings = readSettings(process.env);
  const log = createLogger({ format: settings.logFormat, level: settings.logLevel });
  logNodeWarnings(log);
  const packageFile = join(packageFolder("ponder"), "package.json");
  const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };
  const options = optionsOf(args);
  const turn = process.env[WAITS_VARIABLE] === undefined ? null : listenForTurn(loadApi, log);
  // An indexer that takes over finds filled tables.
  const first = settings.fastForward && turn === null ? (reader.first ?? reader.start()) : null;
  // Before the modules load: during that time answers are read too late, and Ponder would wait for the mark to expire.
  const releaseTables = () => release(settings, options.schema, log);
  if (turn === null) await releaseTables();
  const untilItsTurn = turn === null ? undefined : () => turn().then(releaseTables);
  const [{ start }, { filled }] = await Promise.all([loadStart(), import("./fill.ts")]);
  const omissions = rememberLately((host: string) => host);
  const noteUnfit = createUnfitNotes(log);
  // Not awaited: Ponder handles rejections itself once it has started.
  void start({
    cliOptions: { ...options, version, untilItsTurn },
    async onBuild(app) {
      makeTransactionsReal(app, log);
      const untilRoom = writeWithRoom(app, settings, log);
      await noteHolder(app, settings);
      await noteReverts(app);
      await prepareAgreement(app, settings);
      await prepareCompleteness(app);
      watchForDeepReorgs(app, log);
      followOneFork(app);
      leaveOrphans(app);
      shareHeads(app);
      requireSoundLogs(app);
      requireCompleteLogs(app, settings, { omissions, noteUnfit, log });
      if (app.database.driver.dialect === "postgres" && process.env[TENURE_VARIABLE] !== undefined)
        await fenceTables(app.database.driver.user, app.namespaceBuild.schema);
      if (app.crashRecoveryCheckpoint !== undefined) await requireSameChain(app, settings, log);
      const isNew = settings.fastForward && turn !== null && app.crashRecoveryCheckpoint === undefined;
      const from = { given: isNew ? reader.start() : first, startReader: reader.start };
      const next = await filled(await settled(app, settings), from, {
        ...{ settings, log, untilRoom, noteUnfit },
      });
      keepHeads(next);
      followFinality(next, settings, log);
      void compareEndpoints(next, { settings, log, noteUnfit });
      void keepProving(next, { settings, log, omissions, noteUnfit });
      return next;
    },
  }).catch(async (error: unknown) => {
    throw await retryBackwards(error, settings);
  });
}

/** Takes note of the tenure when the daemon says that the tables are its own, even while everything else still loads. */
function listenForTurn(loadApi: () => Promise<unknown>, log: Logger): () => Promise<void> {
  const turn = untilTurn();
  return async () => {
    await loadApi();
    log.info({ msg: "The indexer is loaded, and waits for its turn" });
    // Nothing else keeps the process alive.
    process.channel?.ref();
    process.env[TENURE_VARIABLE] = await turn;
    process.channel?.unref();
    // A reader that is started from now on has no turn to wait for.
    delete process.env[WAITS_VARIABLE];
  };
}

/** Ponder's app with the block up to which it fetches before it follows the chain: never below that of its tables. */
async function settled(app: PonderApp, settings: Settings): Promise<PonderApp> {
  const client = createChainClient({ urls: settings.rpcUrls, concurrency: 2 });
  const { rows } = await connectionOf(app).query(
    `SELECT finalized_checkpoint AS finalized FROM ${checkpointTableOf(app)}`,
  );
  const before = Number(rows[0] === undefined ? 0n : blockOf(String(rows[0].finalized)).number);
  const block = await settledBlock(settings, client);
  const finalizedBlocks = [Number(block.number) >= before ? block : await blockAt(client, before)];
  return { ...app, indexingBuild: { ...app.indexingBuild, finalizedBlocks } };
}

/** Releases a schema in PostgreSQL that a killed indexer has left marked as in use. */
async function release({ database }: Settings, schema: string | undefined, log: Logger): Promise<void> {
  if (database.kind !== "postgres" || schema === undefined) return;
  if (await releaseBeforeStart(database.connectionString, schema))
    log.info({
      msg: "The indexer before this one did not end in order: its tables are taken over",
      schema,
    });
}

/** Ponder's own names and defaults. */
function optionsOf(args: string[]) {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { root: text, schema: text, hostname: text, "log-level": text, "log-format": text },
  });
  const { root, schema, hostname, "log-level": logLevel, "log-format": logFormat } = values;
  const [command] = positionals;
  return { command, config: "ponder.config.ts", root, schema, hostname, logLevel, logFormat };
}
