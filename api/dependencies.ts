/**
 * What the faces need: the market, the chain's head, the registry's state. Tests inject their own.
 * @module
 */
import type { Auditor } from "../audit/auditor.ts";
import type { Log } from "../config/log.ts";
import type { Feed } from "./feed/feed.ts";
import type { StallWatch } from "./health/stall.ts";
import type { Upstream } from "./health/upstream.ts";
import type { History } from "./history/history.ts";
import type { Knowledge } from "./knowledge/load.ts";
import type { LedgerReader } from "./ledger/read.ts";
import type { Site } from "./market/listing.ts";
import type { RegistryStore } from "./registry/store.ts";
import type { Brand } from "./site/brand/brand.ts";
import type { Restarts } from "./health/supervisor.ts";

export type AppDependencies = {
  feed: Pick<Feed, "current">;
  database: Pick<Feed, "secondsSinceRead">;
  upstream: Pick<Upstream, "head" | "secondsSinceSeen">;
  stall: Pick<StallWatch, "stalled">;
  restarts: Restarts;
  registry: Pick<RegistryStore, "state">;
  history: History;
  ledger: LedgerReader;
  knowledge: Knowledge;
  /** whether events name the addresses of persons */
  exposeAccounts: boolean;
  audit: Pick<Auditor, "start" | "state">;
  site: Site;
  /** name, logo and accent of the public pages */
  brand: Brand;
  /** the first block that is followed: where progress begins */
  firstBlock: bigint;
  /** version of the service */
  version: string;
  log: Log;
};
