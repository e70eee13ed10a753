/**
 * The service's home inside Ponder's process: the only file that imports `ponder:api`, so that everything else runs without
 * Ponder. The app has a server of its own; Ponder's, on the operator's port, gets the rest.
 * @module
 */
import { db } from "ponder:api";
import * as tables from "ponder:schema";
import { readSettings } from "../config/environment.ts";
import { createLog } from "../config/log.ts";
import { schemaNameOf } from "../config/schema-name.ts";
import type { Database } from "./database/checkpoint.ts";
import { type EmbeddedClient, readEmbedded } from "./database/embedded.ts";
import { connectPostgres } from "./database/postgres.ts";
import { notifyDaemon, readRestarts } from "./health/supervisor.ts";
import { commonHeaders } from "./http/common-headers.ts";
import { startServer } from "./http/server.ts";
import { createService } from "./service.ts";

const settings = readSettings(process.env);
const log = createLog({ format: settings.logFormat, level: settings.logLevel });
// Seconds, for tests alone.
const stallAfter = process.env.RAISEBOOK_STALL_AFTER;
const { onBlock, ...database } = databases();
const { app, operator } = await createService({
  settings,
  database,
  tables,
  log,
  onBlock,
  // The daemon names this file, so that a restart of its own making survives a registry that is bad just then.
  lastGoodRegistry: process.env.RAISEBOOK_LAST_GOOD_REGISTRY,
  stallAfter: stallAfter === undefined ? undefined : Number(stallAfter) * 1000,
  restarts: readRestarts(process.env),
  notify: notifyDaemon,
});

// PORT is Ponder's own here: `daemon/indexer.ts` says why.
const port = Number(process.env.RAISEBOOK_PUBLIC_PORT ?? settings.operatorPort);
const server = startServer({
  app,
  hostname: settings.host,
  port,
  commonHeaders: commonHeaders(settings.publicUrl),
  log,
});
// Not caught: Ponder then ends in order, with the code after which the daemon starts it again.
void server.listening.then(({ address }) => log.info({ msg: "Serving", address, port }));
process.once("SIGINT", () => void server.close());

export default operator;

/** The tables, for what requests ask and for what the service asks by itself: neither waits for the other. */
function databases(): {
  forRequests: Database;
  forItself: Database;
  onBlock?: (indexed: () => void) => void;
} {
  const schema = schemaNameOf(settings);
  if (settings.database.kind === "postgres") {
    const { connectionString } = settings.database;
    const connect = (connections: number, timeout: number) =>
      connectPostgres({ connectionString, schema, connections, timeout, log });
    return { forRequests: connect(10, 5_000), forItself: connect(2, 30_000) };
  }
  const { $client } = db as unknown as { $client: EmbeddedClient };
  const embedded = readEmbedded($client, tables);
  return {
    forRequests: embedded,
    forItself: embedded,
    // Ponder's own notice of each block that it has indexed.
    onBlock: (indexed) => {
      $client.listen(`${schema}_live_query`, indexed).catch((error) => {
        log.warn({ msg: "New blocks are seen later: the database does not announce them", error });
      });
    },
  };
}
