import type { Hono } from "hono";
import { type AppDependencies, createApp } from "../../api/app.ts";
import { createGraphql } from "../../api/graphql/index.ts";
import { LIMITS } from "../../api/graphql/limits.ts";
import type { Auditor } from "../../api/health/audit.ts";
import { createHealthMonitor, type HealthSources } from "../../api/health/health.ts";
import { NO_RESTARTS } from "../../api/health/supervisor.ts";
import { createSlots } from "../../api/http/slots.ts";
import { type Knowledge, loadKnowledge } from "../../api/knowledge/load.ts";
import { createSearch, type Search } from "../../api/knowledge/search.ts";
import type { Snapshot } from "../../api/market/snapshot.ts";
import { TOOL_CATALOG } from "../../api/mcp/catalog.ts";
import { describeApi } from "../../api/openapi/describe.ts";
import { type BookRoots, createBookRoots } from "../../api/proof/book-root.ts";
import type { Proofs } from "../../api/proof/proofs.ts";
import type { RegistryState } from "../../api/registry/store.ts";
import { loadBrand } from "../../api/site/brand/brand.ts";
import type { SiteDependencies } from "../../api/site/dependencies.ts";
import { DEFAULT_SITE_ACCENT, DEFAULT_SITE_NAME } from "../../config/defaults.ts";
import { whenAsked } from "../../config/when-asked.ts";
import { describeContracts } from "../../src/contracts/describe.ts";
import type { Block } from "../../src/fold/events.ts";
import { type Ask, asking } from "./asking.ts";
import { emptyOnward, fixedLedger } from "./fixed-ledger.ts";
import { memoryBookQueries } from "./memory-book.ts";
import { FINALIZED, HEAD } from "./rows.ts";
import { REGISTRY_STATE, recordedLog, SITE, snapshotOf, tablesOf } from "./snapshot.ts";

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

/** Proofs of nothing that have the form of some: of an event, and of a listing without events. */
const MADE_UP_PROOFS: Proofs = {
  ofEvent: async ({ blockNumber, blockTime, escrowAddress }) => ({
    block: { number: blockNumber, hash: HASH, timestamp: blockTime },
    ...{ header: "0xc0", transactionIndex: 0, path: ["0xc0"], receipt: "0xc0", logInReceipt: 0 },
    log: { address: escrowAddress, topics: [HASH], data: "0x" },
    ...{ abi: { type: "event", name: "Happened", inputs: [] }, mapping: null },
  }),
  ofListing: async () => ({
    stored: null,
    asOf: { number: FINALIZED.number, hash: HASH },
    totals: {
      ...{ raisedAmount: NO_TOTAL, refundedAmount: NO_TOTAL, reserveBalance: NO_TOTAL },
      ...{ outstandingPrincipal: NO_TOTAL, claimedAmount: NO_TOTAL, repaidAmount: NO_TOTAL },
    },
  }),
};
const NO_TOTAL = {
  value: 0n,
  source: null,
  field: null,
  parts: [],
  ...{ unexplained: null, inclusion: null, view: null },
};
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
  const app = await appIn({ overrides: { ...overrides, updater: { current: () => snapshot } } });
  return {
    app,
    show(next: Snapshot | null) {
      snapshot = next;
    },
  };
}

/** The parts of an existing app that a situation can change. */
const CHANGING = ["updater", "health", "history", "ledger", "audit"] as const;
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

/** The dependencies of such an app. */
export async function dependenciesIn(situation: Situation = {}): Promise<AppDependencies & OperatorAudit> {
  const { upstreamHead = HEAD, secondsSinceSeen = 1, secondsSinceRead = 1 } = situation;
  const { publicUrl = SITE.publicUrl, overrides = {} } = situation;
  const snapshot = situation.snapshot === undefined ? await snapshotOf(tablesOf()) : situation.snapshot;
  const { hash } = snapshot?.registry ?? REGISTRY_STATE;
  const sources: HealthSources & OperatorAudit & { bookRoots: BookRoots } = {
    updater: { current: () => snapshot },
    database: { secondsSinceRead: () => secondsSinceRead },
    blockNotices: () => "database",
    upstream: { head: () => upstreamHead, secondsSinceSeen: () => secondsSinceSeen },
    stall: { stalled: () => false },
    restarts: () => NO_RESTARTS,
    instances: () => null,
    endpoints: { current: () => [] },
    registry: { state: () => ({ ...REGISTRY_STATE, hash, ...situation.registry }) },
    audit: { start: () => {}, state: () => ({ running: null, last: null }) },
    bookRoots: createBookRoots({
      queries: memoryBookQueries(() => ({ ledger: [], listings: tablesOf().rows.listings })),
      pastListings: async () => [],
      pause: async () => {},
      log: recordedLog().log,
    }),
    contracts: describeContracts({ contracts: null }),
    chainId: SITE.chainId,
    version: "0.1.0",
    ...overrides,
  };
  return {
    updater: sources.updater,
    health: createHealthMonitor(sources),
    history: { at: async ({ market }) => market },
    ledger: fixedLedger(),
    proofs: MADE_UP_PROOFS,
    bookRoots: sources.bookRoots,
    onward: emptyOnward(),
    closing: new AbortController().signal,
    audit: sources.audit,
    ...(await knowledgeAt(publicUrl)),
    exposeAccounts: false,
    contracts: sources.contracts,
    publicSettings: { ...SITE, publicUrl },
    brand: BRAND,
    firstBlock: HEAD.number - INDEXED_BLOCKS,
    version: sources.version,
    log: recordedLog().log,
    ...overrides,
  };
}

/** The parts of the site of such an app. */
export async function siteDependenciesIn(situation: Situation = {}): Promise<SiteDependencies> {
  const deps = await dependenciesIn(situation);
  return {
    ...deps,
    toolServer: TOOL_CATALOG,
    queryLimits: LIMITS,
    graphql: createGraphql({ ...deps, slots: createSlots() }),
    description: whenAsked(() => describeApi(deps.publicSettings, deps.contracts)),
    isKnowledgeInLlms: true,
  };
}
