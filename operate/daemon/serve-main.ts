/**
 * A reader: serves the public read interface from PostgreSQL, on the indexer's machine or another one.
 *
 *     npm run serve [-- --processes N | --help]
 * @module
 */
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { collectDefaultMetrics } from "prom-client";
import { keepSnapshot } from "../../api/database/kept-snapshot.ts";
import { connectPostgres, listenForBlocks } from "../../api/database/postgres.ts";
import { listenAtPrimary } from "../../api/database/replica.ts";
import { watchInstances } from "../../api/health/instances.ts";
import {
  indexerMessage,
  listenToDaemon,
  notifyDaemon,
  type ReaderMessage,
  readerMessage,
} from "../../api/health/supervisor.ts";
import { createMetrics } from "../../api/metrics/metrics.ts";
import { createBookQueries } from "../../api/proof/read-book.ts";
import type { FirstCopy } from "../../api/registry/copy.ts";
import type { MarketKeeper } from "../../api/updater/market-keeper.ts";
import { savedMarketOf, savedRegistryOf } from "../../api/updater/saved-files.ts";
import { createTableQueries } from "../../api/updater/tables.ts";
import { contractsVariables } from "../../config/contracts-file.ts";
import { loadEnvFiles, readSettings, type Settings } from "../../config/environment.ts";
import { sendHeartbeats } from "../../config/heartbeat.ts";
import type { Logger } from "../../config/log.ts";
import { createServiceLog } from "../../config/node-warnings.ts";
import { problemWith, reportProblems, SettingsError } from "../../config/problems.ts";
import { redactorOf } from "../../config/redact.ts";
import { contentHash, isStillOf, schemaNameOf, serviceKeyOf } from "../../config/schema-name.ts";
import * as tables from "../../ponder.schema.ts";
import { checkStart } from "./check-files.ts";
import { checkMetricsPort, checkPublicPort } from "./check-port.ts";
import { joinGeneration } from "./generation.ts";
import { endOf, keepRunning, type ProcessEnd, watchHeartbeats } from "./keep-running.ts";
import { answerForMetrics, serveMetrics } from "./metrics-server.ts";
import { warnOfFewFiles } from "./open-files.ts";
import { serveCommand } from "./options.ts";
import { EXIT_REPLACED, IS_SUPERVISED } from "./readers.ts";
import { lastGoodOf } from "./registry-copy.ts";
import { revisionLogOf } from "./registry-log.ts";
import { createReleaseGate } from "./release-gate.ts";
import { createService, serveApp } from "./service.ts";
import { createServiceAuditor } from "./service-auditor.ts";
import { stopRequest } from "./stop-request.ts";
import { watchForMarket } from "./whole-market.ts";

/** The place of a process among several; the first one reports, to the daemon and to the others. */
const PLACE = "RAISEBOOK_PLACE";
const FIRST = "1";

const OVERWRITTEN =
  "A reader ended and is not started again: the files of this release were replaced by those of one with other tables";

/** A process that has ended is started again after a second. */
const DELAYS = { shortest: 1_000, longest: 1_000 };

async function main(): Promise<number> {
  const { processes = 1 } = serveCommand().parse().opts();
  loadEnvFiles();
  const settings = readSettings(process.env);
  if (settings.database.kind !== "postgres") {
    const problem =
      "is required: without it the database is inside the indexer, which serves by itself (npm start)";
    throw new SettingsError([problemWith("DATABASE_URL", problem)]);
  }
  const log = createServiceLog(settings, redactorOf(settings));
  const stopping = stopRequest((cause) => log.debug({ msg: "Stopping", cause }));
  sendHeartbeats();
  const isFirst = (process.env[PLACE] ?? FIRST) === FIRST;
  const serves = cluster.isWorker || processes === 1;
  const savedMarket = serves ? savedMarketOf(settings, { writes: isFirst, log }) : undefined;
  savedMarket?.prepare();
  let registry: FirstCopy | undefined;
  if (cluster.isPrimary) {
    const files = {
      lastGood: lastGoodOf(settings, log),
      saved: savedRegistryOf(settings, { writes: false, log }),
    };
    const started = IS_SUPERVISED
      ? null
      : await checkStart(settings, { ...files, isLoaded: processes === 1 });
    registry = started?.registry;
    // The daemon has checked the rest, and readers that it starts again are missed.
    const problems = [
      ...(await checkPublicPort(settings)),
      ...(started?.problems ?? []),
      ...(IS_SUPERVISED ? [] : await checkMetricsPort(settings)),
    ];
    if (problems.length > 0) throw new SettingsError(problems);
    if (processes > 1) {
      if (settings.metricsPort !== null) serveMetrics(settings.metricsPort, log);
      return keepWorkers(processes, settings, log, stopping);
    }
  }
  const takeRegistry = () => {
    const taken = registry;
    registry = undefined;
    return taken;
  };
  return serve({ settings, ...settings.database, log, isFirst, takeRegistry, savedMarket }, stopping);
}

type Serving = Pick<
  Extract<Settings["database"], { kind: "postgres" }>,
  "connectionString" | "noticesUrl"
> & {
  settings: Settings;
  log: Logger;
  /** whether it is the first process, or the only one */
  isFirst: boolean;
  /** if the check has loaded it */
  takeRegistry: () => FirstCopy | undefined;
  savedMarket: MarketKeeper | undefined;
};

/** Serves when it is its turn, until asked to stop or replaced by another release. */
async function serve(
  { settings, connectionString, noticesUrl, log, isFirst, takeRegistry, savedMarket }: Serving,
  stopping: AbortSignal,
): Promise<number> {
  const schema = schemaNameOf(settings);
  const kept = keepSnapshot({ connectionString, schema, log });
  const database = {
    forRequests: connectPostgres({
      ...{ connectionString, schema, log },
      ...{ connections: 10, timeout: 5_000, snapshot: kept.inUse },
    }),
    forItself: connectPostgres({
      ...{ connectionString, schema, connections: 2, timeout: 30_000, log },
      isPipelined: true,
    }),
  };
  const metrics = createMetrics();
  collectDefaultMetrics({ register: metrics.registry });
  if (cluster.isWorker) answerForMetrics(metrics.registry);
  else if (settings.metricsPort !== null) serveMetrics(settings.metricsPort, log, metrics.registry);
  const told = listenToDaemon();
  const isTold = IS_SUPERVISED || !isFirst;
  const { app, book, check, endStreams, isReady } = await createService({
    ...{ settings, database, tables, log, metrics, kept },
    onBlock: (indexed) =>
      noticesUrl === null
        ? listenForBlocks({ connectionString, schema, log }, indexed)
        : listenAtPrimary(
            { connectionString: noticesUrl, schema, log, replica: database.forItself },
            indexed,
          ),
    ...{ lastGoodRegistry: lastGoodOf(settings, log), takeRegistry },
    revisionLog: revisionLogOf(settings, log),
    savedMarket,
    isWriter: isFirst,
    restarts: told.restarts,
    instances: watchInstances(database.forItself, schema),
    endpoints: told.endpoints,
    auditor: isTold
      ? told.audit
      : createServiceAuditor({
          ...{ settings, database: database.forItself, tables, log, metrics },
          onChange: (state) => notifyDaemon({ kind: "audit", state }),
        }),
    notify: notifyDaemon,
  });
  process.on("SIGUSR2", () => void check());
  const generation = joinGeneration({
    ...{ connectionString, schema, log, hasMarket: watchForMarket(book), isReady },
    service: serviceKeyOf(settings),
    mayReplace: createReleaseGate({
      own: book,
      tablesOf: (other) => {
        const one = connectPostgres({
          connectionString,
          schema: other,
          connections: 1,
          timeout: 30_000,
          log,
        });
        const queries = createBookQueries({ database: one, tables });
        return { queries, position: createTableQueries(one, tables).position };
      },
      allowsDifferences: settings.allowDifferentBook,
      log,
    }),
  });
  const stopped = Promise.race([once(stopping, "abort"), ...parentGone()]).then(() => false);
  const mayListen = stopping.aborted
    ? false
    : await Promise.race([generation.mayListen.then(() => true), stopped]);
  if (!mayListen) return 0;
  warnOfFewFiles(settings.maxStreams, log);
  const server = serveApp(app, { settings, log, metrics, port: settings.port });
  const { address, port } = await server.listening;
  log.info({ msg: "Serving", address, port, pid: process.pid });
  const isReplaced = await Promise.race([generation.replaced.then(() => true), stopped]);
  // First: no other reader may leave to one that is about to end.
  generation.close();
  endStreams();
  await server.close();
  return isReplaced && (IS_SUPERVISED || cluster.isWorker) ? EXIT_REPLACED : 0;
}

/** Resolves when the parent dies; an orphan must stop itself. */
function parentGone(): Promise<unknown>[] {
  if (process.send === undefined) return [];
  // It may have been killed while this process was loading.
  return [process.connected ? once(process, "disconnect") : Promise.resolve()];
}

/**
 * Runs this many processes on one port. Each learns what another or the daemon reports about audits and restarts, later ones
 * included.
 */
async function keepWorkers(
  count: number,
  settings: Settings,
  log: Logger,
  stopping: AbortSignal,
): Promise<number> {
  const workers = new Map<string, Worker>();
  const told = new Map<ReaderMessage["kind"], ReaderMessage>();
  // One that has just been killed cannot be told, and is about to be started again.
  const ignore = () => {};
  const tell = (message: unknown) => {
    const { data } = readerMessage.safeParse(message);
    if (data === undefined) return;
    told.set(data.kind, data);
    for (const worker of workers.values()) if (worker.isConnected()) worker.send(data, ignore);
  };
  const ending = new AbortController();
  const content = contentHash(settings);
  let isReplaced = false;
  let isOverwritten = false;
  const start = (place: string) => {
    const worker = cluster.fork({ [PLACE]: place, ...contractsVariables(settings.contracts) });
    workers.set(place, worker);
    watchHeartbeats(worker.process, log);
    for (const message of told.values()) worker.send(message, ignore);
    worker.on("message", (message) => {
      // prom-client's answers come this way too.
      if (place !== FIRST || !indexerMessage.safeParse(message).success) return;
      process.send?.(message);
      tell(message);
    });
    return { exited: endOf(worker), stop: () => worker.process.kill("SIGTERM") };
  };
  const onEnd = ({ code, signal }: ProcessEnd, { delayMs }: { delayMs: number }) => {
    isReplaced ||= code === EXIT_REPLACED;
    if (isReplaced) {
      ending.abort();
      return false;
    }
    if (isStillOf(content, settings)) {
      log.warn({ msg: "A reader ended and will be started again", code, signal, delayMs });
      return true;
    }
    // It would wait for tables that nothing may fill. The others go on.
    log.error({ msg: OVERWRITTEN, code, signal });
    isOverwritten = true;
    return false;
  };
  process.on("message", tell);
  if (stopping.aborted) return 0;
  void Promise.race([once(stopping, "abort"), ...parentGone()]).then(() => ending.abort());
  const places = Array.from({ length: count }, (_, index) => String(index + 1));
  const kept = places.map((place) =>
    keepRunning({ start: () => start(place), onEnd, delays: DELAYS, signal: ending.signal }),
  );
  await Promise.all(kept);
  if (isReplaced && IS_SUPERVISED) return EXIT_REPLACED;
  return isOverwritten && !ending.signal.aborted ? 1 : 0;
}

try {
  process.exit(await main());
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  reportProblems(error.problems, process.env.LOG_FORMAT, { hint: "npm run serve -- --help says more." });
  process.exit(1);
}
