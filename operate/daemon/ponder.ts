/**
 * The service inside Ponder's process. The app has a server of its own; Ponder's, on the operator's port, gets the rest. Over
 * PostgreSQL the daemon has readers for the app (`operate/daemon/serve-main.ts`), and only the audit is here.
 * @module
 */
import type { Hono } from "hono";
import type { Database } from "../../api/database/checkpoint.ts";
import { type EmbeddedClient, readEmbedded } from "../../api/database/embedded.ts";
import { connectPostgres } from "../../api/database/postgres.ts";
import { notifyDaemon, readRestarts } from "../../api/health/supervisor.ts";
import { commonHeaders } from "../../api/http/common-headers.ts";
import { rateLimitOf } from "../../api/http/rate-limit.ts";
import { startServer } from "../../api/http/server.ts";
import { collectAudits, createMetrics } from "../../api/metrics/metrics.ts";
import { createOperatorApp } from "../../api/operator.ts";
import { lastGoodFile } from "../../api/registry/copy.ts";
import { readSettings, type Settings } from "../../config/environment.ts";
import { createLog, type Log } from "../../config/log.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { createService, createServiceAuditor, type ServiceParameters } from "./service.ts";

/** Of `ponder:api` and `ponder:schema`, which only Ponder can import. */
type Inside = { db: object; tables: ServiceParameters["tables"] };

/** Serves the app on its own port, unless readers do. @returns what Ponder's server answers beside Ponder's own routes */
export async function serveInPonder({ db, tables }: Inside): Promise<Hono> {
  const settings = readSettings(process.env);
  const log = createLog({ format: settings.logFormat, level: settings.logLevel });
  const { onBlock, ...database } = databases({ db, tables }, settings, log);
  const metrics = createMetrics();
  const auditor = createServiceAuditor({
    metrics,
    settings,
    database: database.forItself,
    tables,
    log,
    onChange: (state) => notifyDaemon({ kind: "audit", state }),
  });
  // The daemon sets it empty where readers of their own serve. PORT is Ponder's own here: `operate/daemon/indexer.ts` says why.
  const port = process.env.RAISEBOOK_PUBLIC_PORT ?? String(settings.operatorPort);
  if (port === "") collectAudits(metrics.registry, auditor);
  else await serve({ settings, database, tables, log, metrics, onBlock, auditor }, Number(port));
  return createOperatorApp(auditor, metrics.registry);
}

type Served = Pick<
  ServiceParameters,
  "settings" | "database" | "tables" | "log" | "metrics" | "onBlock" | "auditor"
>;

async function serve(parameters: Served, port: number): Promise<void> {
  const { settings, log } = parameters;
  const restarts = readRestarts(process.env);
  // Seconds, for tests alone.
  const stallAfter = process.env.RAISEBOOK_STALL_AFTER;
  // The daemon names this file.
  const lastGood = process.env.RAISEBOOK_LAST_GOOD_REGISTRY;
  const { app, check, endStreams } = await createService({
    ...parameters,
    lastGoodRegistry: lastGood === undefined ? undefined : lastGoodFile(lastGood),
    stallAfter: stallAfter === undefined ? undefined : Number(stallAfter) * 1000,
    restarts: () => restarts,
    notify: notifyDaemon,
  });
  const server = startServer({
    app,
    hostname: settings.host,
    port,
    commonHeaders: commonHeaders(settings.publicUrl),
    log,
    rateLimit: rateLimitOf(settings),
    requests: parameters.metrics.requests,
  });
  // Not caught: Ponder then ends in order, with the code after which the daemon starts it again.
  void server.listening.then(({ address, port }) =>
    log.info({ msg: "Serving", address, port, pid: process.pid }),
  );
  process.once("SIGINT", () => {
    endStreams();
    void server.close();
  });
  process.on("SIGUSR2", () => void check());
}

/** The tables, for what requests ask and for what the service asks by itself: neither waits for the other. */
function databases(
  { db, tables }: Inside,
  settings: Settings,
  log: Log,
): { forRequests: Database; forItself: Database; onBlock?: ServiceParameters["onBlock"] } {
  const schema = schemaNameOf(settings);
  if (settings.database.kind === "postgres") {
    const { connectionString } = settings.database;
    const connect = (connections: number, timeout: number) =>
      connectPostgres({ connectionString, schema, connections, timeout, log });
    return { forRequests: connect(10, 5_000), forItself: connect(2, 30_000) };
  }
  const { $client } = db as { $client: EmbeddedClient };
  const embedded = readEmbedded($client, tables);
  return {
    forRequests: embedded,
    forItself: embedded,
    // Ponder's own notice of each block that it has indexed.
    onBlock: (indexed) => {
      let isListening = false;
      $client.listen(`${schema}_live_query`, indexed).then(
        () => {
          isListening = true;
        },
        (error) =>
          log.warn({ msg: "The database does not announce blocks, and is asked all the time", error }),
      );
      return () => isListening;
    },
  };
}
