/**
 * Puts the API together inside Ponder's process, and serves it on a server of its own: the only file that imports
 * `ponder:api`, so that everything else runs without Ponder. Ponder's server, on the operator's port, gets the rest.
 * @module
 */
import { fileURLToPath } from "node:url";
import { db } from "ponder:api";
import * as tables from "ponder:schema";
import { createPublicClient, fallback, http } from "viem";
import { audit } from "../audit/audit.ts";
import { createAuditor } from "../audit/auditor.ts";
import { readBook } from "../audit/book.ts";
import { readSettings } from "../config/environment.ts";
import { createLog } from "../config/log.ts";
import { firstBlock, followsHolders } from "../config/sources.ts";
import { schemaName } from "../config/schema-name.ts";
import { createApp } from "./app.ts";
import type { AppDependencies } from "./dependencies.ts";
import type { Database } from "./database/checkpoint.ts";
import { startFeed } from "./feed/feed.ts";
import { connectPostgres } from "./database/postgres.ts";
import { watchForStall } from "./health/stall.ts";
import { readTables } from "./feed/tables.ts";
import { followUpstream } from "./health/upstream.ts";
import { createBlockTimes } from "./history/block-times.ts";
import { createHistory } from "./history/history.ts";
import { createPastReader } from "./history/read-ledger.ts";
import { startServer } from "./http/server.ts";
import { loadKnowledge } from "./knowledge/load.ts";
import { createLedgerReader } from "./ledger/read.ts";
import type { Site } from "./market/listing.ts";
import { createOperatorApp } from "./operator.ts";
import { createRegistryStore } from "./registry/store.ts";
import { loadBrand } from "./site/brand/brand.ts";
import { readRestarts, tellDaemon } from "./health/supervisor.ts";
import { VERSION } from "./version.ts";

const PROJECT_ROOT = fileURLToPath(new URL("..", import.meta.url));

const settings = readSettings(process.env);
const log = createLog({ format: settings.logFormat, level: settings.logLevel });
const { publicUrl, appUrl, chainId, rpcUrls } = settings;
const site: Site = {
  publicUrl,
  appUrl,
  chainId,
  desk: settings.desk?.address ?? null,
  followsHolders: (escrowAddress) => followsHolders(settings, escrowAddress),
};

// The daemon names this file, so that a restart of its own making survives a registry that is bad just then.
const lastGood = process.env.RAISEBOOK_LAST_GOOD_REGISTRY;
const registry = await createRegistryStore({ source: settings.registry, log, lastGood });
// Ponder's type leaves out `transaction`, which its read-only database has.
const { forRequests, forItself, onBlock } = databases(db as unknown as Database);
const feed = startFeed({
  read: (previous) => readTables(forItself, tables, previous),
  registry,
  site,
  log,
  onBlock,
});
const upstream = followUpstream({ rpcUrls, indexed: () => feed.current()?.market.head ?? null, log });
// Seconds, for tests alone.
const stallAfter = process.env.RAISEBOOK_STALL_AFTER;
const stall = watchForStall({
  feed,
  upstream,
  log,
  tell: tellDaemon,
  after: stallAfter === undefined ? undefined : Number(stallAfter) * 1000,
});
const history = createHistory({
  reader: createPastReader({ database: forRequests, tables }),
  blockTimes: createBlockTimes({ rpcUrls }),
  firstBlock: firstBlock(settings),
  site,
});

const ledger = createLedgerReader({ database: forRequests, tables });
const { exposeAccounts } = settings;

const client = createPublicClient({ transport: fallback(rpcUrls.map((url) => http(url))) });
const auditor = createAuditor({
  audit: (onProgress) =>
    audit({
      readBook: () => readBook(forItself, tables),
      client,
      escrows: settings.escrows.map(({ address }) => address),
      followsHolders: site.followsHolders,
      onProgress,
    }),
  every: settings.auditEvery,
  log,
});

const deps: AppDependencies = {
  feed,
  database: feed,
  upstream,
  stall,
  restarts: readRestarts(process.env),
  registry,
  history,
  ledger,
  knowledge: await loadKnowledge(settings.knowledge, publicUrl),
  exposeAccounts,
  audit: auditor,
  site,
  brand: await loadBrand(settings),
  firstBlock: firstBlock(settings),
  version: VERSION,
  log,
};

// PORT is Ponder's own here: `daemon/indexer.ts` says why.
const port = Number(process.env.RAISEBOOK_PUBLIC_PORT ?? settings.operatorPort);
const server = startServer({ app: createApp(deps), hostname: settings.host, port, log });
// Not caught: Ponder then ends in order, with the code after which the daemon starts it again.
void server.listening.then(({ address }) => log.info({ msg: "Serving", address, port }));
process.once("SIGINT", () => void server.close());

export default createOperatorApp(deps);

type Listener = { listen(channel: string, heard: () => void): Promise<unknown> };

/** The tables, for what requests ask and for what the service asks by itself: neither waits for the other. */
function databases(embedded: Database): {
  forRequests: Database;
  forItself: Database;
  onBlock?: (indexed: () => void) => void;
} {
  const schema = schemaName(settings, PROJECT_ROOT);
  if (settings.database.kind === "postgres") {
    const { connectionString } = settings.database;
    const connect = (connections: number, timeout: number) =>
      connectPostgres({ connectionString, schema, connections, timeout, log });
    return { forRequests: connect(10, 5_000), forItself: connect(2, 30_000) };
  }
  const { $client } = db as unknown as { $client: Listener };
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
