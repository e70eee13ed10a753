/**
 * Wires the service once: from the tables, wherever they are, to the two apps that answer from them. A home (`ponder.ts`)
 * supplies the database and serves the apps.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Hono } from "hono";
import { createApp } from "../../api/app.ts";
import { openFolder } from "../../api/data/folder.ts";
import { keepData } from "../../api/data/keep.ts";
import { dataSourceOf } from "../../api/data/source.ts";
import type { Database } from "../../api/database/checkpoint.ts";
import { createDelivererCheck } from "../../api/database/deliverer.ts";
import type { KeptSnapshot } from "../../api/database/kept-snapshot.ts";
import type { AuditorState } from "../../api/health/audit.ts";
import { createHealthMonitor } from "../../api/health/health.ts";
import type { Instances } from "../../api/health/instances.ts";
import { watchForStall } from "../../api/health/stall.ts";
import type { IndexProgress, Restarts, Told } from "../../api/health/supervisor.ts";
import { watchHead } from "../../api/health/upstream.ts";
import { createHistory } from "../../api/history/as-of.ts";
import { createBlockTimes } from "../../api/history/block-times.ts";
import { createPause } from "../../api/history/fold.ts";
import { createPastQueries } from "../../api/history/read-ledger.ts";
import { commonHeaders } from "../../api/http/common-headers.ts";
import { rateLimitOf } from "../../api/http/rate-limit.ts";
import { startServer } from "../../api/http/server.ts";
import { loadKnowledge } from "../../api/knowledge/load.ts";
import { createSearch } from "../../api/knowledge/search.ts";
import { createLedgerQueries } from "../../api/ledger/read.ts";
import { createOnwardQueries } from "../../api/ledger/read-onward.ts";
import type { MarketSource, Snapshot } from "../../api/market/snapshot.ts";
import { collectAudits, collectService, type Metrics } from "../../api/metrics/metrics.ts";
import { createProvableBlocks } from "../../api/proof/blocks.ts";
import { type BookRoots, createBookRoots } from "../../api/proof/book-root.ts";
import { createProofs } from "../../api/proof/proofs.ts";
import { createProofQueries } from "../../api/proof/read.ts";
import { type BookQueries, createBookQueries } from "../../api/proof/read-book.ts";
import type { FirstCopy, LastGood } from "../../api/registry/copy.ts";
import { createRevisions, type RevisionLog } from "../../api/registry/revisions.ts";
import { requiredSigner } from "../../api/registry/signature.ts";
import { createRegistryStore } from "../../api/registry/store.ts";
import { STREAM_LIMITS } from "../../api/rest/stream/tail.ts";
import { loadBrand } from "../../api/site/brand/brand.ts";
import type { MarketKeeper } from "../../api/updater/market-keeper.ts";
import { startMarketUpdater } from "../../api/updater/market-updater.ts";
import type { MarketUpdaterParameters } from "../../api/updater/market-updater-form.ts";
import { savedRegistryOf } from "../../api/updater/saved-files.ts";
import { createTableQueries } from "../../api/updater/tables.ts";
import { VERSION } from "../../api/version.ts";
import { MEMORY, type Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { publicSettingsOf } from "../../config/public-settings.ts";
import { firstBlock, followsEscrow } from "../../config/sources.ts";
import type * as schema from "../../ponder.schema.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { describeContracts } from "../../src/contracts/describe.ts";

/** Milliseconds between checks for troubles. */
const TROUBLES_EVERY = 1_000;
/** Milliseconds between looks for a new registry to log. */
const REVISIONS_EVERY = 200;
/** Milliseconds between looks for blocks that became final, for the root of the book. */
const ROOT_EVERY = 200;

export type ServiceParameters = {
  settings: Settings;
  /** for requests, and for the service itself: neither waits for the other */
  database: { forRequests: Database; forItself: Database };
  tables: typeof schema;
  log: Logger;
  /** of this process */
  metrics: Metrics;
  /** Lets `forRequests` keep reading the market's rows while a restarted indexer has taken them back. */
  kept?: Pick<KeptSnapshot, "renew" | "use">;
  /** Reports each indexed block. Without it the tables are polled. */
  onBlock?: MarketUpdaterParameters["onBlock"] | undefined;
  /** stores the copy of the registry that is used if the registry itself is refused at the start */
  lastGoodRegistry?: LastGood | undefined;
  /** Hands over the registry if the check before the start has loaded it: an old copy must not stay in memory. */
  takeRegistry?: (() => FirstCopy | undefined) | undefined;
  /** Loads the market of the previous process, and saves this one's. */
  savedMarket?: MarketKeeper | undefined;
  /** Undefined: answers about the past have today's titles. */
  revisionLog?: RevisionLog | undefined;
  /** milliseconds behind an advancing head after which the index counts as stalled */
  stallAfter?: number | undefined;
  /** whether this process writes the open data, where there is a directory for them, and saves the registry */
  isWriter: boolean;
  restarts(): Restarts;
  /** null where there is only one */
  instances(): Instances | null;
  /** the unfit ones, as the indexer says */
  endpoints: Told["endpoints"];
  /** performs audits, or knows those of another process */
  auditor: { state(): AuditorState };
  /** reports the indexer's state to the supervisor of this process */
  notify(message: IndexProgress): void;
};

/** The book of a release. */
export type ReleaseBook = {
  roots: BookRoots;
  queries: BookQueries;
  current(): Snapshot | null;
  /** whether its settings follow this escrow */
  follows(escrowAddress: string): boolean;
};

export type Service = {
  /** the public app */
  app: Hono;
  /** Ends the streams, which do not end by themselves, before the server closes. */
  endStreams(): void;
  /** the book that it answers from */
  book: ReleaseBook;
  /** whether the backfill is over and the head of the chain is close */
  isReady(): boolean;
  /** Compares the market with one rebuilt from all rows, and logs the result. */
  check(): Promise<void>;
};

/** Starts following the tables, and builds the app. @throws if the registry, the knowledge base or the logo cannot be read */
export async function createService(parameters: ServiceParameters): Promise<Service> {
  const { settings, tables, log, metrics, kept, onBlock, lastGoodRegistry } = parameters;
  const { stallAfter, restarts, instances, endpoints, auditor, notify, revisionLog } = parameters;
  const { forRequests, forItself } = parameters.database;
  const { publicUrl, chainId, rpcUrls, exposeAccounts } = settings;
  const publicSettings = publicSettingsOf(settings);
  const { lifecycle } = contractsOf(settings);
  const contracts = { lifecycle, follows: (escrow: string) => followsEscrow(settings, escrow) };
  const wanted = { lifecycle, hasHolders: settings.desk !== null && settings.holders };
  const use = { writes: parameters.isWriter, log };
  const registry = await createRegistryStore({
    ...{ source: settings.registry, signer: requiredSigner(settings), log, lastGood: lastGoodRegistry },
    ...{ saved: savedRegistryOf(settings, use), first: parameters.takeRegistry?.() },
  });
  const updater = startMarketUpdater({
    tables: createTableQueries(forItself, tables, wanted),
    registry,
    ...{ publicSettings, contracts },
    log,
    kept: kept && { ...kept, ...createTableQueries(forRequests, tables, wanted) },
    saved: parameters.savedMarket,
    onBlock,
    onUpdate: metrics.marketUpdated,
  });
  const revisions = createRevisions(revisionLog, { signer: settings.registrySigner, log });
  const recordRevision = () => {
    const used = updater.current();
    if (used !== null) void revisions.record(used);
  };
  setInterval(recordRevision, REVISIONS_EVERY).unref();
  const { http, requests } = metrics;
  const indexed = () => updater.current()?.market.head ?? null;
  const upstream = watchHead({ rpcUrls, http, log, indexed });
  const stall = watchForStall({ updater, upstream, log, notify, after: stallAfter });
  const source =
    settings.database.kind === "postgres" && settings.database.noticesUrl ? "primary" : "database";
  const blockNotices = () => (updater.isTold() ? source : "none");
  const watched = {
    updater,
    database: updater,
    upstream,
    blockNotices,
    restarts,
    instances,
    endpoints,
    registry,
  };
  const followed = describeContracts(settings);
  const identity = { contracts: followed, chainId, version: VERSION };
  const blockTimes = createBlockTimes({ rpcUrls, http });
  const history = createHistory({
    reader: createPastQueries({ database: forRequests, tables }),
    blockTimes,
    firstBlock: firstBlock(settings),
    ...{ publicSettings, contracts },
    registryAt: revisions.registryAt,
  });
  const bookQueries = createBookQueries({ database: forRequests, tables });
  const bookRoots = createBookRoots({
    queries: bookQueries,
    pastListings: history.listingsAt,
    pause: createPause(),
    log,
  });
  void keepUp(bookRoots, updater);
  const dataFolder = settings.dataDir === null ? null : openFolder(settings.dataDir);
  if (dataFolder !== null && parameters.isWriter) {
    const source = dataSourceOf({ settings, updater, history, roots: bookRoots, queries: bookQueries });
    void keepData({ folder: dataFolder, source, updater, log });
  }
  const health = createHealthMonitor({ ...watched, stall, audit: auditor, bookRoots, ...identity });
  // So that the start time of a trouble does not depend on requests.
  setInterval(health.troubles, TROUBLES_EVERY).unref();
  collectService(metrics.registry, { ...watched, health });
  collectAudits(metrics.registry, auditor);
  const knowledge = await loadKnowledge(settings.knowledge, publicUrl);
  const closing = new AbortController();
  const app = createApp({
    updater,
    onward: createOnwardQueries({ database: forRequests, tables }),
    closing: closing.signal,
    temporary:
      settings.database.kind === "pglite" && settings.database.dataDirectory !== MEMORY
        ? settings.database.dataDirectory
        : undefined,
    isDeliverer: createDelivererCheck(settings, forRequests),
    streamLimits: { ...STREAM_LIMITS, followers: settings.maxStreams },
    history,
    ledger: createLedgerQueries({ database: forRequests, tables, blockTimes }),
    proofs: createProofs({
      contracts: contractsOf(settings),
      reader: createProofQueries({ database: forRequests, tables }),
      blocks: createProvableBlocks({
        ...{ rpcUrls, http },
        budget: { burst: 2 * settings.proofCalls, perSecond: settings.proofCalls / 60 },
      }),
    }),
    bookRoots,
    data: dataFolder,
    knowledge,
    search: createSearch(knowledge, publicSettings),
    health,
    requests,
    audit: auditor,
    exposeAccounts,
    contracts: followed,
    publicSettings,
    brand: await loadBrand(settings),
    firstBlock: firstBlock(settings),
    version: VERSION,
    log,
  });
  return {
    app,
    book: { roots: bookRoots, queries: bookQueries, current: updater.current, follows: contracts.follows },
    endStreams: () => closing.abort(),
    isReady: health.isReady,
    async check() {
      const found = await updater.check().catch((error) => {
        log.warn({ msg: "The market could not be checked", error });
      });
      if (found === undefined) return;
      if (found === null) log.warn({ msg: "The market could not be checked: the chain moved on too fast" });
      else log.info({ msg: "The market was checked against all rows", ...found });
    },
  };
}

/** Keeps the root of the book at the last final block. While the database fails, which health reports, it stands still. */
async function keepUp(bookRoots: BookRoots, updater: MarketSource): Promise<never> {
  for (;;) {
    const snapshot = updater.current();
    if (snapshot !== null) await bookRoots.follow(snapshot).catch(() => {});
    await sleep(ROOT_EVERY, undefined, { ref: false });
  }
}

/** Listens for requests to the app, at once. */
export function serveApp(
  app: Hono,
  {
    settings,
    log,
    metrics,
    port,
  }: Pick<ServiceParameters, "settings" | "log" | "metrics"> & { port: number },
): ReturnType<typeof startServer> {
  const { host: hostname, publicUrl, maxStreams } = settings;
  const common = { commonHeaders: commonHeaders(publicUrl), rateLimit: rateLimitOf(settings) };
  const limits = { streams: maxStreams };
  return startServer({ app, hostname, port, ...common, log, limits, requests: metrics.requests });
}
