/**
 * The service inside Ponder's process. The app has its own server; Ponder's server, on the operator's port, gets the rest. With
 * PostgreSQL the app runs in readers (`operate/daemon/serve-main.ts`), and only the audit is here.
 * @module
 */
import type { Hono } from "hono";
import type { Database } from "../../api/database/checkpoint.ts";
import { type EmbeddedClient, readEmbedded } from "../../api/database/embedded.ts";
import { connectPostgres, POLLED } from "../../api/database/postgres.ts";
import { listenToDaemon, notifyDaemon } from "../../api/health/supervisor.ts";
import { collectAudits, createMetrics } from "../../api/metrics/metrics.ts";
import { createOperatorApp } from "../../api/operator.ts";
import { lastGoodFile } from "../../api/registry/copy.ts";
import { readSettings, type Settings } from "../../config/environment.ts";
import { createLogger, type Logger } from "../../config/log.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { warnOfFewFiles } from "./open-files.ts";
import { revisionLogBeside } from "./registry-log.ts";
import type { ServiceParameters } from "./service.ts";
import { createServiceAuditor } from "./service-auditor.ts";

/** From `ponder:api` and `ponder:schema`, which only Ponder can import. */
type Inside = { db: object; tables: ServiceParameters["tables"] };

/** Serves the app on its own port, unless readers do. @returns the additional routes of Ponder's server */
export async function serveInPonder({ db, tables }: Inside): Promise<Hono> {
  const settings = readSettings(process.env);
  const log = createLogger({ format: settings.logFormat, level: settings.logLevel });
  const { onBlock, ...database } = databases({ db, tables }, settings, log);
  const metrics = createMetrics();
  const auditor = createServiceAuditor({
    ...{ metrics, settings, database: database.forItself, tables, log },
    onChange: (state) => notifyDaemon({ kind: "audit", state }),
  });
  // Set to empty by the daemon if separate readers serve. PORT is Ponder's port here: `operate/daemon/indexer.ts` explains why.
  const port = process.env.RAISEBOOK_PUBLIC_PORT ?? String(settings.operatorPort);
  if (port === "") collectAudits(metrics.registry, auditor);
  else await serve({ settings, database, tables, log, metrics, onBlock, auditor }, Number(port));
  return createOperatorApp(auditor, metrics.registry);
}

type Served = Omit<
  ServiceParameters,
  | "kept"
  | "isWriter"
  | "lastGoodRegistry"
  | "revisionLog"
  | "stallAfter"
  | "restarts"
  | "instances"
  | "endpoints"
  | "notify"
>;

async function serve(parameters: Served, port: number): Promise<void> {
  const { log } = parameters;
  // If readers serve, the modules of the service are not loaded here.
  const { createService, serveApp } = await import("./service.ts");
  const { restarts, endpoints } = listenToDaemon();
  // Seconds, only for tests.
  const stallAfter = process.env.RAISEBOOK_STALL_AFTER;
  // The path comes from the daemon.
  const lastGood = process.env.RAISEBOOK_LAST_GOOD_REGISTRY;
  const { app, check, endStreams } = await createService({
    ...parameters,
    lastGoodRegistry: lastGood === undefined ? undefined : lastGoodFile(lastGood),
    revisionLog: lastGood === undefined ? undefined : revisionLogBeside(lastGood),
    stallAfter: stallAfter === undefined ? undefined : Number(stallAfter) * 1000,
    ...{ restarts, endpoints, instances: () => null },
    isWriter: true,
    notify: notifyDaemon,
  });
  warnOfFewFiles(parameters.settings.maxStreams, log);
  const server = serveApp(app, { ...parameters, port });
  // Not caught: Ponder then ends in order, with the exit code after which the daemon restarts it.
  void server.listening.then(({ address, port }) =>
    log.info({ msg: "Serving", address, port, pid: process.pid }),
  );
  process.once("SIGINT", () => {
    endStreams();
    void server.close();
  });
  process.on("SIGUSR2", () => void check());
}

/** The tables, for requests and for the service itself: neither waits for the other. */
function databases(
  { db, tables }: Inside,
  settings: Settings,
  log: Logger,
): { forRequests: Database; forItself: Database; onBlock?: ServiceParameters["onBlock"] } {
  const schema = schemaNameOf(settings);
  if (settings.database.kind === "postgres") {
    const { connectionString } = settings.database;
    const common = { connectionString, schema, log };
    return {
      forRequests: connectPostgres({ ...common, connections: 10, timeout: 5_000 }),
      forItself: connectPostgres({ ...common, connections: 2, timeout: 30_000, isPipelined: true }),
    };
  }
  const { $client } = db as { $client: EmbeddedClient };
  const embedded = readEmbedded($client, tables);
  return {
    forRequests: embedded,
    forItself: embedded,
    // Ponder's notification of each indexed block.
    onBlock: (indexed) => {
      let isListening = false;
      $client.listen(`${schema}_live_query`, indexed).then(
        () => {
          isListening = true;
        },
        (error) => log.warn({ msg: POLLED, error }),
      );
      return () => isListening;
    },
  };
}
