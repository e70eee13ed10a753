/**
 * Puts the API together inside Ponder's process: the only file that imports `ponder:api`, so that everything
 * else runs without Ponder.
 * @module
 */
import { db } from "ponder:api";
import * as tables from "ponder:schema";
import { createPublicClient, fallback, http } from "viem";
import { audit } from "../audit/audit.ts";
import { createAuditor } from "../audit/auditor.ts";
import { readBook } from "../audit/book.ts";
import { readSettings } from "../config/environment.ts";
import { createLog } from "../config/log.ts";
import { firstBlock, followsHolders } from "../config/sources.ts";
import { createApp } from "./app.ts";
import type { Database } from "./feed/checkpoint.ts";
import { startFeed } from "./feed/feed.ts";
import { readTables } from "./feed/tables.ts";
import { followUpstream } from "./feed/upstream.ts";
import { createBlockTimes } from "./history/block-times.ts";
import { createHistory } from "./history/history.ts";
import { readPastRows } from "./history/read-ledger.ts";
import { loadKnowledge } from "./knowledge/load.ts";
import { createLedgerReader } from "./ledger/read.ts";
import type { Site } from "./market/listing.ts";
import { createRegistryStore } from "./registry/store.ts";
import { loadBrand } from "./site/brand/brand.ts";
import { VERSION } from "./version.ts";

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
const upstream = followUpstream({ rpcUrls, log });
// Ponder's type leaves out `transaction`, which its read-only database has.
const database = db as unknown as Database;
const feed = startFeed({ read: (previous) => readTables(database, tables, previous), registry, site, log });
const history = createHistory({
  read: (until) => readPastRows(database, tables, until),
  blockTimes: createBlockTimes({ rpcUrls }),
  firstBlock: firstBlock(settings),
  site,
});

const ledger = createLedgerReader({ database, tables });
const { exposeAccounts } = settings;

const client = createPublicClient({ transport: fallback(rpcUrls.map((url) => http(url))) });
const auditor = createAuditor({
  audit: (onProgress) =>
    audit({
      readBook: () => readBook(database, tables),
      client,
      escrows: settings.escrows.map(({ address }) => address),
      followsHolders: site.followsHolders,
      onProgress,
    }),
  every: settings.auditEvery,
  log,
});

export default createApp({
  feed,
  upstream,
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
});
