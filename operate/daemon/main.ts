/**
 * The daemon: checks everything, then runs the indexer until a stop request.
 *
 *     npm start [-- --check | --processes N | --help]
 * @module
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RESTARTS_VARIABLE } from "../../api/health/supervisor.ts";
import { collectGarbage } from "../../config/collect-garbage.ts";
import { type Environment, loadEnvFiles, readSettings, type Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { createServiceLog } from "../../config/node-warnings.ts";
import { formatProblems, type Problem, problemWith, SettingsError } from "../../config/problems.ts";
import { redactorOf } from "../../config/redact.ts";
import { noteChain } from "./chain-identity.ts";
import type { ChainEndpoint } from "./check-chain.ts";
import { checkDataDisk, dataDirectoryOf, openEmbedded, untilRoom } from "./check-database.ts";
import { SYSTEMD_ENV_FILE } from "./check-environment.ts";
import { checkFiles } from "./check-files.ts";
import { DataDirectoryError, lockDataDirectory } from "./data-lock.ts";
import { startIndexer } from "./indexer.ts";
import { startCommand } from "./options.ts";
import { findObstacles, preflight } from "./preflight.ts";
import { dropUnused } from "./prune.ts";
import { keepReaders, type Readers } from "./readers.ts";
import { lastGoodOf, lastGoodPathOf } from "./registry-copy.ts";
import { stopRequest } from "./stop-request.ts";
import { type Run, supervise } from "./supervise.ts";

async function main(): Promise<number> {
  const command = startCommand().parse();
  const options = command.opts();
  const files = [...loadEnvFiles(), SYSTEMD_ENV_FILE];
  const settings = await readSettingsAndFiles(process.env);
  if (options.processes !== undefined && settings.database.kind !== "postgres")
    command.error("error: --processes needs DATABASE_URL: the embedded database is inside the indexer");
  const log = createServiceLog(settings, redactorOf(settings));
  const stopping = stopRequest((cause) => log.info({ msg: "Stopping", cause }));
  // A check is about the document itself, a start about what can be served.
  const lastGood = options.check ? undefined : lastGoodOf(settings, log);
  const checked = await Promise.race([
    preflight(settings, { log, env: process.env, files, lastGood }),
    once(stopping, "abort"),
  ]);
  // An interrupted check counts as failed.
  if (Array.isArray(checked)) return options.check ? 1 : 0;
  const { problems, warnings, node, hasWebSocket } = checked;
  for (const { variable, warning } of warnings) log.warn({ msg: `${variable} ${warning}` });
  // A start waits for space.
  const full = options.check ? checkDataDisk(settings) : [];
  if (problems.length > 0 || full.length > 0 || node === null) {
    report([...problems, ...full], settings, log);
    return 1;
  }
  if (options.check) {
    log.info({ msg: "All checks passed" });
    return 0;
  }
  try {
    const followed = hasWebSocket ? settings : { ...settings, wsUrl: null };
    return await run({ settings: followed, processes: options.processes ?? 1, node }, log, stopping);
  } catch (error) {
    if (stopping.aborted) return 0;
    if (!(error instanceof DataDirectoryError)) throw error;
    report([problemWith("RAISEBOOK_DATA_DIR", error.message)], settings, log);
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

type RunParameters = { settings: Settings; processes: number; node: ChainEndpoint };

/** @throws {DataDirectoryError} if the embedded database is unusable */
async function run(
  { settings, processes, node }: RunParameters,
  log: Logger,
  stopping: AbortSignal,
): Promise<number> {
  await untilRoom(settings, log, stopping);
  if (stopping.aborted) return 0;
  const directory = dataDirectoryOf(settings);
  const lock = directory === null ? null : await lockDataDirectory(directory);
  const folder = await mkdtemp(join(tmpdir(), "raisebook-"));
  const lastGood = lastGoodPathOf(settings) ?? join(folder, "registry.json");
  const ending = new AbortController();
  const replaced = new AbortController();
  let dropping: Promise<void> | null = null;
  let indexerRun: Run | null = null;
  let readers: Readers | null = null;
  try {
    await openEmbedded(settings);
    await noteChain(settings, node);
    if (settings.ledger !== null) {
      const { takeFirstLedger } = await import("./first-ledger.ts");
      const problem = await takeFirstLedger(settings, log, stopping);
      if (problem !== null) {
        report([problem], settings, log);
        return 1;
      }
    }
    if (settings.database.kind === "postgres") {
      readers = keepReaders({
        ...{ settings, processes, log },
        onMessage(message) {
          if (message.kind === "audit" || message.kind === "unfit") return;
          indexerRun?.onMessage(message);
          if (message.kind === "live") dropping ??= dropUnused(settings, log, ending.signal);
        },
        onReplaced() {
          log.info({ msg: "Stopping", cause: "readers of another release serve now" });
          replaced.abort();
        },
        signal: AbortSignal.any([stopping, ending.signal]),
      });
    }
    return await supervise({
      async start(run) {
        const { restarts, webSocketFailed, onMessage } = run;
        indexerRun = run;
        readers?.tell({ kind: "restarts", restarts });
        if (restarts.count > 0) await openEmbedded(settings);
        const indexer = startIndexer({
          settings: webSocketFailed ? { ...settings, wsUrl: null } : settings,
          isServing: readers === null,
          env: { RAISEBOOK_LAST_GOOD_REGISTRY: lastGood, [RESTARTS_VARIABLE]: JSON.stringify(restarts) },
          onMessage(message) {
            if (message.kind === "audit" || message.kind === "unfit") readers?.tell(message);
            // The indexer waits for space, and the API keeps answering.
            else if (message.kind === "live" || checkDataDisk(settings).length === 0) onMessage(message);
          },
        });
        if (indexer.process.pid !== undefined) lock?.include(indexer.process.pid);
        // From now on little is done here.
        collectGarbage();
        return indexer;
      },
      obstacles: (code) => findObstacles(settings, code),
      usesWebSocket: settings.wsUrl !== null,
      log,
      signal: AbortSignal.any([stopping, replaced.signal]),
    });
  } finally {
    ending.abort();
    await Promise.all([readers?.ended, dropping]);
    await rm(folder, { recursive: true, force: true });
    lock?.release();
  }
}

function report(problems: readonly Problem[], { logFormat }: Settings, log: Logger): void {
  if (logFormat === "pretty") process.stderr.write(`${formatProblems(problems)}\n`);
  else for (const problem of problems) log.error({ msg: "The configuration cannot be used", ...problem });
}

try {
  // Pending calls to nodes must not delay the end.
  process.exit(await main());
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\nnpm start -- --help lists all variables.\n`);
  process.exit(1);
}
