/** @module Dependencies of the REST face. */
import type { Logger } from "../../config/log.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import type { IsDeliverer } from "../database/deliverer.ts";
import type { AuditorState } from "../health/audit.ts";
import type { HealthMonitor } from "../health/health.ts";
import type { History } from "../history/as-of.ts";
import type { RequestMetrics } from "../http/request-metrics.ts";
import type { LedgerQueries } from "../ledger/read.ts";
import type { OnwardReader } from "../ledger/read-onward.ts";
import type { MarketSource } from "../market/snapshot.ts";
import type { BookRoots } from "../proof/book-root.ts";
import type { Proofs } from "../proof/proofs.ts";
import type { FullListsParameters } from "./full-list/index.ts";
import type { StreamLimits } from "./stream/tail.ts";

export type RestDependencies = {
  updater: MarketSource;
  history: History;
  /** the first indexed block */
  firstBlock: bigint;
  ledger: LedgerQueries;
  proofs: Proofs;
  bookRoots: BookRoots;
  onward: OnwardReader;
  /** ends all streams when the service is about to stop */
  closing: AbortSignal;
  /** recognises the service's webhook deliverer, which may exceed the limit of streams; by default it may not */
  isDeliverer?: IsDeliverer | undefined;
  streamLimits?: StreamLimits;
  /** folder for the temporary file of a long list; the system's by default */
  temporary?: string | undefined;
  listLimits?: FullListsParameters["limits"];
  requests?: Pick<RequestMetrics, "watchStreams"> | undefined;
  health: HealthMonitor;
  audit: { state(): AuditorState };
  /** whether events name the addresses of persons */
  exposeAccounts: boolean;
  publicSettings: PublicSettings;
  log: Logger;
};
