/**
 * The service over a filled database, without an indexer, in a process of its own.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { connectPostgres } from "../../api/database/postgres.ts";
import { NO_RESTARTS } from "../../api/health/supervisor.ts";
import { startServer } from "../../api/http/server.ts";
import { createService } from "../../api/service.ts";
import { readSettings } from "../../config/environment.ts";
import { createLog } from "../../config/log.ts";
import * as tables from "../../ponder.schema.ts";
import { answerOwner } from "./worker.ts";

/** Between questions whether it is ready. Milliseconds. */
const INTERVAL = 10;

/** Takes an environment, and answers with the port once the service is ready. */
answerOwner(async (env: Record<string, string>) => {
  const settings = readSettings(env);
  const { database } = settings;
  if (database.kind !== "postgres") throw new Error("a reader has a PostgreSQL");
  const log = createLog({ format: "pretty", level: "warn" });
  const connect = (connections: number, timeout: number) =>
    connectPostgres({
      ...{ connectionString: database.connectionString, schema: settings.databaseSchema ?? "" },
      ...{ connections, timeout, log },
    });
  const { app } = await createService({
    ...{ settings, tables, log, restarts: NO_RESTARTS, notify: () => {} },
    database: { forRequests: connect(10, 5_000), forItself: connect(2, 30_000) },
  });
  const { port } = await startServer({ app, hostname: "127.0.0.1", port: 0, log }).listening;
  while ((await fetch(`http://127.0.0.1:${port}/v1/ready`)).status !== 200) await sleep(INTERVAL);
  return port;
});
