/**
 * The app over made-up rows: no chain, no database, no socket.
 * @module
 */
import { setImmediate } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Hono } from "hono";
import { type AppDependencies, createApp } from "../../api/app.ts";
import { startFeed } from "../../api/feed/feed.ts";
import type { TableSnapshot } from "../../api/feed/tables.ts";
import { LIMITS } from "../../api/graphql/limits.ts";
import type { Auditor } from "../../api/health/audit.ts";
import { createHealthMonitor, type HealthSources } from "../../api/health/health.ts";
import { NO_RESTARTS } from "../../api/health/supervisor.ts";
import { type Knowledge, loadKnowledge } from "../../api/knowledge/load.ts";
import { createSearch, type Search } from "../../api/knowledge/search.ts";
import type { ListingBids } from "../../api/ledger/bids.ts";
import type {
  AnomalyPage,
  AnomalyQuery,
  LedgerPage,
  LedgerQuery,
  LedgerReader,
  NoPage,
} from "../../api/ledger/read.ts";
import type { OnwardReader } from "../../api/ledger/read-onward.ts";
import type { ListingSeries, SeriesQuery } from "../../api/ledger/series.ts";
import type { LedgerSums } from "../../api/ledger/sums.ts";
import type { ChainRows } from "../../api/market/project.ts";
import type { Snapshot } from "../../api/market/snapshot.ts";
import { TOOL_CATALOG } from "../../api/mcp/catalog.ts";
import { describeApi } from "../../api/openapi/describe.ts";
import type { Proofs } from "../../api/proof/proofs.ts";
import type { Registry } from "../../api/registry/schema.ts";
import type { RegistryState, RegistryStore } from "../../api/registry/store.ts";
import { loadBrand } from "../../api/site/brand/brand.ts";
import type { SiteDependencies } from "../../api/site/dependencies.ts";
import { createLog, type Log } from "../../config/log.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import { DEFAULT_SITE_ACCENT, DEFAULT_SITE_NAME } from "../../config/variables.ts";
import type { Block } from "../../src/fold/events.ts";
import { everyState, FINALIZED, HEAD } from "./rows.ts";
import type { ReadAnswer } from "./validate.ts";

export const SITE: PublicSettings = {
  publicUrl: "https://raises.example",
  appUrl: "https://app.example",
  explorer: null,
  chainId: 97,
  desk: null,
  registrySigner: null,
  rateLimit: null,
  followsHolders: () => true,
};
const KNOWLEDGE = new URL("../../knowledge", import.meta.url).pathname;
const loaded = new Map<string, Promise<{ knowledge: Knowledge; search: Search }>>();

/** The pages of the project, read and indexed once for each site. */
function knowledgeAt(publicUrl: string) {
  const known =
    loaded.get(publicUrl) ??
    loadKnowledge(KNOWLEDGE, publicUrl).then((knowledge) => ({
      knowledge,
      search: createSearch(knowledge, { ...SITE, publicUrl }),
    }));
  loaded.set(publicUrl, known);
  return known;
}

/** The brand when nothing is configured. */
export const BRAND = await loadBrand({
  siteName: DEFAULT_SITE_NAME,
  siteLogo: null,
  siteAccent: DEFAULT_SITE_ACCENT,
});

export const REGISTRY_STATE: RegistryState = {
  status: "ok",
  version: "9f86d081884c7d65",
  hash: `0x${"9f".repeat(32)}`,
  revision: null,
  signer: null,
  originators: 2,
  listings: 8,
  problem: null,
  images: 0,
  imageProblem: null,
};

/** A log whose lines a test reads. */
export function recordedLog(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ format: "json", level: "debug", write: (line) => lines.push(JSON.parse(line)) });
  return { log, lines };
}

/** A store that never looks anywhere; `current` can be replaced. */
export function fixedRegistry(
  registry: Registry,
  state = REGISTRY_STATE,
): RegistryStore & { use(next: Registry): void } {
  let current = registry;
  return {
    current: () => current,
    state: () => state,
    activity: () => ({ accepted: 1, refused: 0, secondsSinceConfirmed: 0 }),
    use: (next) => {
      current = next;
    },
    refresh: async () => {},
    stop: () => {},
  };
}

export type TableDraft = Partial<Omit<TableSnapshot, "rows"> & ChainRows>;

/** What the tables would say at `HEAD`. */
export function tablesOf(draft: TableDraft = {}): TableSnapshot {
  const { listings = everyState().rows, repayments = [], offers = [], trades = [], ...rest } = draft;
  const { holders = new Map(), ...overrides } = rest;
  return {
    head: HEAD,
    finalized: FINALIZED,
    irreversible: FINALIZED,
    disputed: null,
    backfilled: true,
    isReverted: false,
    reverts: 0,
    revisions: { listings: "1/a" },
    lastEvent: null,
    isWhole: true,
    rows: { listings, repayments, offers, trades, holders },
    anomalies: {},
    ...overrides,
  };
}

/** The snapshot that the feed makes of the tables. */
export async function snapshotOf(
  tables: TableSnapshot,
  registry = everyState().registry,
  publicSettings = SITE,
): Promise<Snapshot> {
  const { log } = recordedLog();
  const feed = startFeed({
    tables: { position: async () => tables, read: async () => tables },
    registry: fixedRegistry(registry),
    publicSettings,
    log,
  });
  let snapshot = feed.current();
  for (let turn = 0; snapshot === null && turn < 100; turn++) {
    await setImmediate();
    snapshot = feed.current();
  }
  feed.stop();
  if (snapshot === null) throw new Error("the feed made nothing of the tables");
  return snapshot;
}

/** A reader that finds the same page whatever it is asked for; without one, nothing. */
export function fixedLedger(
  found: {
    events?: Partial<LedgerPage> | NoPage;
    anomalies?: Partial<AnomalyPage> | NoPage;
    series?: Partial<ListingSeries> | NoPage;
    bids?: Partial<ListingBids> | NoPage;
    sums?: Partial<LedgerSums> | NoPage;
  } = {},
): LedgerReader {
  const empty = { progress: tablesOf(), rows: [], next: null };
  const { events = {}, anomalies = {}, series = {}, bids = {}, sums = {} } = found;
  const page = async () => (typeof events === "string" ? events : { ...empty, ...events });
  return {
    ofListing: page,
    ofListings: page,
    anomalies: async () =>
      typeof anomalies === "string" ? anomalies : { ...empty, byKind: {}, ...anomalies },
    seriesOfListing: async () =>
      typeof series === "string" ? series : { progress: empty.progress, buckets: [], ...series },
    bidsOfListing: async () =>
      typeof bids === "string" ? bids : { progress: empty.progress, events: [], ...bids },
    sums: async () =>
      typeof sums === "string" ? sums : { progress: empty.progress, rows: [], cutAt: null, ...sums },
  };
}

/** A reader of a ledger without a row. */
export function emptyOnward(): OnwardReader {
  return {
    page: async () => [],
    continue: async () => ({ progress: tablesOf(), lost: null, rows: [] }),
    place: async () => "unknown",
    lastRow: async () => null,
    firstBlock: async () => null,
  };
}

/** A reader that keeps what it was asked for. */
export function recordedLedger() {
  const asked: {
    events: LedgerQuery[];
    anomalies: AnomalyQuery[];
    pairs: string[][];
    series: SeriesQuery[];
    bids: { block: bigint }[];
  } = { events: [], anomalies: [], pairs: [], series: [], bids: [] };
  const found = fixedLedger();
  const reader: LedgerReader = {
    ofListing(pair, query) {
      asked.events.push(query);
      asked.pairs.push([`${pair.onchainId}`]);
      return found.ofListing(pair, query);
    },
    ofListings(listings, query) {
      asked.events.push(query);
      asked.pairs.push(listings.pairs().map(({ onchainId }) => `${onchainId}`));
      return found.ofListings(listings, query);
    },
    anomalies(query) {
      asked.anomalies.push(query);
      return found.anomalies(query);
    },
    seriesOfListing(pair, query) {
      asked.series.push(query);
      asked.pairs.push([`${pair.onchainId}`]);
      return found.seriesOfListing(pair, query);
    },
    bidsOfListing(pair, until) {
      asked.bids.push(until);
      asked.pairs.push([`${pair.onchainId}`]);
      return found.bidsOfListing(pair, until);
    },
    sums: found.sums,
  };
  return { asked, reader };
}

/** Proofs of nothing that have the form of some: of an event, and of a listing without events. */
const MADE_UP_PROOFS: Proofs = {
  ofEvent: async ({ blockNumber, blockTime, escrowAddress }) => ({
    block: { number: blockNumber, hash: HASH, timestamp: blockTime },
    ...{ header: "0xc0", transactionIndex: 0, path: ["0xc0"], receipt: "0xc0", logInReceipt: 0 },
    log: { address: escrowAddress, topics: [HASH], data: "0x" },
  }),
  ofListing: async () => ({
    asOf: { number: FINALIZED.number, hash: HASH },
    totals: {
      ...{ raisedAmount: NO_TOTAL, refundedAmount: NO_TOTAL, reserveBalance: NO_TOTAL },
      ...{ outstandingPrincipal: NO_TOTAL, claimedAmount: NO_TOTAL, repaidAmount: NO_TOTAL },
    },
  }),
};
const NO_TOTAL = { value: 0n, source: null, field: null, parts: [], inclusion: null };
const HASH = `0x${"4a".repeat(32)}` as const;

export type Situation = {
  snapshot?: Snapshot | null;
  upstreamHead?: Block | null;
  secondsSinceSeen?: number;
  secondsSinceRead?: number;
  registry?: Partial<RegistryState>;
  publicUrl?: string;
  overrides?: Partial<AppDependencies & Omit<HealthSources, "audit"> & OperatorAudit>;
};

/** How many blocks before the made-up head the made-up index begins. */
const INDEXED_BLOCKS = 1_000n;

/**
 * An app that is at the head of the chain and well, but for what `situation` says. One that is made only of its public
 * URL is made once for all tests of a worker.
 */
export async function appIn(situation: Situation = {}): Promise<Hono> {
  const { publicUrl = SITE.publicUrl, ...rest } = situation;
  if (Object.keys(rest).length > 0) return createApp(await dependenciesIn(situation));
  const app = wellApps.get(publicUrl) ?? dependenciesIn({ publicUrl }).then(createApp);
  wellApps.set(publicUrl, app);
  return app;
}

const wellApps = new Map<string, Promise<Hono>>();

/** An app for many markets in turn: making an app takes longer than asking it. */
export async function appShowing(overrides: Situation["overrides"] = {}) {
  let snapshot: Snapshot | null = null;
  const app = await appIn({ overrides: { ...overrides, feed: { current: () => snapshot } } });
  return {
    app,
    show(next: Snapshot | null) {
      snapshot = next;
    },
  };
}

/** What a situation can change of an app that is made already. */
const CHANGING = ["feed", "health", "history", "ledger", "audit"] as const;
let shared: Promise<{ app: Hono; become(deps: AppDependencies): void }> | undefined;

/**
 * Asks one app that is in this situation while it is asked: for many situations in which one request each is made, one
 * after another. The situation changes neither URL nor brand.
 */
export async function askIn(situation: Situation): Promise<Ask> {
  const deps = await dependenciesIn(situation);
  shared ??= dependenciesIn().then((initial) => {
    let current: AppDependencies = initial;
    const changing = CHANGING.map((name) => [
      name,
      new Proxy({}, { get: (_, property) => Reflect.get(current[name], property) }),
    ]);
    return {
      app: createApp({ ...initial, ...Object.fromEntries(changing) }),
      become: (next) => {
        current = next;
      },
    };
  });
  const { app, become } = await shared;
  const ask = asking(app);
  return (path, init) => {
    become(deps);
    return ask(path, init);
  };
}

/** The service's auditor, which the operator's app starts. */
type OperatorAudit = { audit: Auditor };

/** What such an app is made of. */
export async function dependenciesIn(situation: Situation = {}): Promise<AppDependencies & OperatorAudit> {
  const { upstreamHead = HEAD, secondsSinceSeen = 1, secondsSinceRead = 1 } = situation;
  const { publicUrl = SITE.publicUrl, overrides = {} } = situation;
  const snapshot = situation.snapshot === undefined ? await snapshotOf(tablesOf()) : situation.snapshot;
  const { hash } = snapshot?.registry ?? REGISTRY_STATE;
  const sources: HealthSources & OperatorAudit = {
    feed: { current: () => snapshot },
    database: { secondsSinceRead: () => secondsSinceRead },
    upstream: { head: () => upstreamHead, secondsSinceSeen: () => secondsSinceSeen },
    stall: { stalled: () => false },
    restarts: () => NO_RESTARTS,
    registry: { state: () => ({ ...REGISTRY_STATE, hash, ...situation.registry }) },
    audit: { start: () => {}, state: () => ({ running: null, last: null }) },
    chainId: SITE.chainId,
    version: "0.1.0",
    ...overrides,
  };
  return {
    feed: sources.feed,
    health: createHealthMonitor(sources),
    history: { at: async ({ market }) => market },
    ledger: fixedLedger(),
    proofs: MADE_UP_PROOFS,
    onward: emptyOnward(),
    closing: new AbortController().signal,
    audit: sources.audit,
    ...(await knowledgeAt(publicUrl)),
    exposeAccounts: false,
    publicSettings: { ...SITE, publicUrl },
    brand: BRAND,
    firstBlock: HEAD.number - INDEXED_BLOCKS,
    version: sources.version,
    log: recordedLog().log,
    ...overrides,
  };
}

/** What the site of such an app is made of. */
export async function siteDependenciesIn(situation: Situation = {}): Promise<SiteDependencies> {
  const deps = await dependenciesIn(situation);
  return {
    ...deps,
    toolServer: TOOL_CATALOG,
    queryLimits: LIMITS,
    description: describeApi(deps.publicSettings.publicUrl),
    isKnowledgeInLlms: true,
  };
}

const DECODE: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

export type Ask = (path: string, init?: RequestInit) => Promise<ReadAnswer>;

/** The bytes of an answer; of a stream, which does not end by itself, the first piece. */
export async function bodyOf(response: Response): Promise<Buffer> {
  if (response.headers.get("content-type") !== "text/event-stream")
    return Buffer.from(await response.arrayBuffer());
  const reader = response.body?.getReader();
  const piece = await reader?.read();
  await reader?.cancel();
  return Buffer.from(piece?.value ?? "");
}

/** Asks the app and reads the whole answer; decodes it, as `fetch` does. Of a stream it reads the first piece. */
export function asking(app: Hono): Ask {
  return async (path, init) => {
    const response = await app.request(`http://raises.example${path}`, init);
    // First: the HTTP adapter's Response forgets what was set on its headers once its body is read.
    const { status, headers } = response;
    const bytes = await bodyOf(response);
    const decode = DECODE[headers.get("content-encoding") ?? ""];
    const text = (bytes.length === 0 || decode === undefined ? bytes : decode(bytes)).toString("utf8");
    return { status, headers, text };
  };
}
