/**
 * The daemon: checks everything, then runs the indexer until a stop request.
 *
 *     npm start [-- --check | --processes N | --help]
 * @module
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AuditorState, NO_AUDIT } from "../../api/health/audit.ts";
import { type IndexerMessage, type IndexProgress, RESTARTS_VARIABLE } from "../../api/health/supervisor.ts";
import { savedRegistryOf } from "../../api/updater/saved-files.ts";
import { type Environment, readSettings, type Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { createServiceLog } from "../../config/node-warnings.ts";
import { problemWith, reportProblems, SettingsError } from "../../config/problems.ts";
import { redactorOf } from "../../config/redact.ts";
import { contentHash, isStillOf, schemaNameOf, serviceKeyOf } from "../../config/schema-name.ts";
import { TENURE_VARIABLE, type Waiting } from "../../config/turn.ts";
import { noteChain } from "./chain-identity.ts";
import type { ChainEndpoint } from "./check-chain.ts";
import { checkDataDisk, dataDirectoryOf, openEmbedded, untilRoom } from "./check-database.ts";
import { loadSettingsFiles } from "./check-environment.ts";
import { checkFiles } from "./check-files.ts";
import { DataDirectoryError, lockDataDirectory } from "./data-lock.ts";
import { type EarlyIndexer, startEarly } from "./early-indexer.ts";
import { type Indexer, startIndexer } from "./indexer.ts";
import { watchHeartbeats } from "./keep-running.ts";
import type { Tenure } from "./lease.ts";
import { startCommand } from "./options.ts";
import { findObstacles, preflight } from "./preflight.ts";
import { dropUnused } from "./prune.ts";
import { keepReaders, type Readers } from "./readers.ts";
import { lastGoodOf, lastGoodPathOf } from "./registry-copy.ts";
import { sharedSettingsOf } from "./shared-settings.ts";
import { stopRequest } from "./stop-request.ts";
import { createProgress, type Run, supervise } from "./supervise.ts";
import { takeTurns, underTenure } from "./turns.ts";

/** Far longer than anything that an indexer does without a pause, as what it has not committed is lost with it. */
const STANDSTILL = { msg: "The indexer does not respond and is killed", silence: 120_000 };

async function main(): Promise<number> {
  const command = startCommand().parse();
  const options = command.opts();
  const files = loadSettingsFiles(options);
  const settings = await readSettingsAndFiles(process.env);
  if (options.processes !== undefined && settings.database.kind !== "postgres")
    command.error("error: --processes needs DATABASE_URL: the embedded database is inside the indexer");
  const log = createServiceLog(settings, redactorOf(settings));
  const stopping = stopRequest((cause) => log.info({ msg: "Stopping", cause }));
  const early = options.check ? null : startEarly(settings);
  try {
    return await checkAndRun(settings, { options, files, early }, log, stopping);
  } finally {
    early?.end();
  }
}

/** Processes started from these files would fill and read the tables of that release, while this start holds those of its own. */
const OVERWRITTEN =
  "The files of this release were replaced by those of one with other tables: this start ends, and the next one is the new release";

type Start = {
  options: { check?: true | undefined; processes?: number | undefined };
  /** from which the settings were read */
  files: readonly string[];
  early: EarlyIndexer | null;
};

async function checkAndRun(
  settings: Settings,
  { options, files, early }: Start,
  log: Logger,
  stopping: AbortSignal,
): Promise<number> {
  // A check is about the document itself, a start about what can be served.
  const fallsBack = options.check !== true;
  const lastGood = lastGoodOf(settings, log);
  const saved = options.check ? undefined : savedRegistryOf(settings, { writes: false, log });
  const checked = await Promise.race([
    preflight(settings, { log, env: process.env, files, lastGood, fallsBack, saved }),
    once(stopping, "abort"),
  ]);
  // An interrupted check counts as failed.
  if (Array.isArray(checked)) return options.check ? 1 : 0;
  const { problems, warnings, registry, node, hasWebSocket } = checked;
  for (const { variable, warning } of warnings) log.warn({ msg: `${variable} ${warning}` });
  // A start waits for space.
  const full = options.check ? checkDataDisk(settings) : [];
  if (problems.length > 0 || full.length > 0 || node === null) {
    reportProblems([...problems, ...full], settings.logFormat, { log });
    return 1;
  }
  if (options.check) {
    log.info({ msg: "All checks passed" });
    return 0;
  }
  try {
    const followed = hasWebSocket || settings.wsUrl === null ? settings : { ...settings, wsUrl: null };
    const { processes = 1 } = options;
    return await run({ settings: followed, processes, node, registry, early }, log, stopping);
  } catch (error) {
    if (stopping.aborted) return 0;
    const problems =
      error instanceof DataDirectoryError
        ? [problemWith("RAISEBOOK_DATA_DIR", error.message)]
        : error instanceof SettingsError && error.problems;
    if (!problems) throw error;
    reportProblems(problems, settings.logFormat, { log });
    return 1;
  }
}

/** Reads the settings. Invalid ones are reported together with the problems of the files they name. */
async function readSettingsAndFiles(env: Environment): Promise<Settings> {
  try {
    return readSettings(env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new SettingsError([...error.problems, ...(await checkFiles(env))]);
  }
}

type RunParameters = {
  settings: Settings;
  processes: number;
  node: ChainEndpoint;
  /** hash of the registry in use */
  registry: string | null;
  early: EarlyIndexer | null;
};

/**
 * @throws {DataDirectoryError} if the embedded database is unusable
 * @throws {SettingsError} if another start indexes into the same tables with other settings
 */
async function run(
  { settings, processes, node, registry, early }: RunParameters,
  log: Logger,
  stopping: AbortSignal,
): Promise<number> {
  await untilRoom(settings, log, stopping);
  if (stopping.aborted) return 0;
  const directory = dataDirectoryOf(settings);
  const lock = directory === null ? null : await lockDataDirectory(directory);
  const kept = lastGoodPathOf(settings);
  // With PostgreSQL the readers keep the copy there: a folder would be left by each process that is killed.
  const isInMemory = settings.database.kind !== "postgres" && kept === null;
  const folder = isInMemory ? await mkdtemp(join(tmpdir(), "raisebook-")) : null;
  const lastGood = folder === null ? (kept ?? undefined) : join(folder, "registry.json");
  const [schema, content] = [schemaNameOf(settings), contentHash(settings)];
  const ending = new AbortController();
  const replaced = new AbortController();
  const stopped = AbortSignal.any([stopping, replaced.signal]);
  const progress = createProgress();
  let readers: Readers | null = null;
  let isOverwritten = false;
  const endIfOverwritten = () => {
    if (isOverwritten || stopped.aborted || isStillOf(content, settings)) return isOverwritten;
    log.error({ msg: OVERWRITTEN, schema });
    replaced.abort();
    isOverwritten = true;
    return true;
  };
  let audit = NO_AUDIT;
  const tellAudit = (state: AuditorState) => {
    audit = state;
    readers?.tell({ kind: "audit", state });
  };
  try {
    await openEmbedded(settings);
    await noteChain(settings, node);
    if (settings.database.kind === "postgres") {
      readers = keepReaders({
        ...{ settings, processes, log },
        onMessage(message) {
          if (message.kind !== "audit" && message.kind !== "unfit") progress.onMessage(message);
        },
        onReplaced() {
          log.info({ msg: "Stopping", cause: "replaced by readers of another release" });
          replaced.abort();
        },
        restarts: () => !endIfOverwritten(),
        signal: AbortSignal.any([stopping, ending.signal]),
      });
    }
    const onIndexerMessage = (message: IndexerMessage) => {
      if (message.kind === "audit") tellAudit(message.state);
      else if (message.kind === "unfit") readers?.tell(message);
      // The indexer waits for space, and the API keeps answering.
      else if (message.kind === "live" || checkDataDisk(settings).length === 0) progress.onMessage(message);
    };
    const start = (env: Environment, more: { waits?: Waiting; polls?: boolean } = {}) =>
      startIndexer({
        ...more,
        settings: more.polls ? { ...settings, wsUrl: null } : settings,
        isServing: readers === null,
        env: { RAISEBOOK_LAST_GOOD_REGISTRY: lastGood, ...env },
        onMessage: onIndexerMessage,
      });
    const index = async (tenure: Tenure | null, spare: Indexer | null) => {
      const hold = tenure ?? lock;
      const signal = hold === null ? stopped : AbortSignal.any([stopped, hold.lost]);
      if (settings.ledger !== null) {
        const { takeFirstLedger } = await import("./first-ledger.ts");
        const problem = await takeFirstLedger(settings, log, signal);
        if (problem !== null) {
          reportProblems([problem], settings.logFormat, { log });
          return 1;
        }
      }
      let waiting = spare;
      const over = new AbortController();
      let dropping: Promise<void> | null = null;
      const onMessage = (run: Run) => (message: IndexProgress) => {
        run.onMessage(message);
        if (message.kind === "live")
          dropping ??= dropUnused(settings, log, AbortSignal.any([over.signal, signal]));
      };
      const code = await supervise({
        async start(run) {
          const { restarts, webSocketFailed } = run;
          readers?.tell({ kind: "restarts", restarts });
          if (restarts.count > 0) await openEmbedded(settings);
          const ready =
            waiting?.process.exitCode === null && waiting.process.signalCode === null ? waiting : null;
          waiting = null;
          const env = { [RESTARTS_VARIABLE]: JSON.stringify(restarts), [TENURE_VARIABLE]: tenure?.token };
          const indexer = ready ?? start(env, { polls: webSocketFailed });
          if (tenure !== null) ready?.begin(tenure.token);
          // The embedded database is inside it, and may take all of its time.
          if (readers !== null)
            watchHeartbeats(indexer.process, log, { ...STANDSTILL, since: performance.now() });
          if (indexer.process.pid !== undefined) lock?.include(indexer.process.pid);
          void indexer.exited.then(() => tellAudit({ ...audit, running: null }));
          progress.begin({ onMessage: onMessage(run) });
          return hold === null ? indexer : underTenure(indexer, hold);
        },
        // The embedded database is used by one process at a time, which may be of a later release.
        obstacles: async (code) =>
          readers !== null && endIfOverwritten() ? [] : findObstacles(settings, code),
        usesWebSocket: settings.wsUrl !== null,
        log,
        signal,
      });
      progress.end();
      tellAudit(NO_AUDIT);
      over.abort();
      await dropping;
      return code;
    };
    if (settings.database.kind !== "postgres") {
      const code = await index(null, null);
      lock?.lost.throwIfAborted();
      return code;
    }
    const code = await takeTurns({
      lease: {
        connectionString: settings.database.connectionString,
        schema,
        service: serviceKeyOf(settings),
        instance: randomBytes(4).toString("hex"),
        shared: sharedSettingsOf(settings, registry),
        log,
      },
      early: early?.take(settings, onIndexerMessage) ?? null,
      startSpare: () => start({}, { waits: "everything" }),
      ...{ index, log, signal: stopped },
    });
    return isOverwritten ? 1 : code;
  } finally {
    ending.abort();
    await readers?.ended;
    if (folder !== null) await rm(folder, { recursive: true, force: true });
    lock?.release();
  }
}

try {
  // Pending calls to nodes must not delay the end.
  process.exit(await main());
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  const hint = "npm start -- --help lists all variables.";
  reportProblems(error.problems, process.env.LOG_FORMAT, { hint });
  process.exit(1);
}
