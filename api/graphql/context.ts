/** @module The context of one request: what its resolvers share. One snapshot, so that all of an answer is as of one block. */
import type { Logger } from "../../config/log.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import type { HealthMonitor } from "../health/health.ts";
import type { LedgerQueries } from "../ledger/read.ts";
import type { MarketSource, Snapshot } from "../market/snapshot.ts";
import { notIndexedYet } from "./errors.ts";
import type { EventLoader } from "./event-loader.ts";
import type { Work } from "./work.ts";

export type GraphqlDependencies = {
  updater: MarketSource;
  ledger: LedgerQueries;
  health: HealthMonitor;
  /** whether events name the addresses of persons */
  exposeAccounts: boolean;
  publicSettings: Pick<PublicSettings, "publicUrl">;
  log: Logger;
};

export type GraphqlContext = {
  deps: GraphqlDependencies;
  /** null before the first indexed block */
  snapshot: Snapshot | null;
  events: EventLoader;
  /** used by `onePage` */
  pages: WeakMap<object, Map<string, unknown>>;
  work: Work;
  requestId: string;
  /** known once the request is executed; a separate object, because yoga copies the context */
  result: { hasErrors: boolean };
};

/** The snapshot of the request; a `NOT_INDEXED_YET` before there is any. */
export function snapshotOf({ snapshot }: GraphqlContext): Snapshot {
  if (snapshot === null) throw notIndexedYet();
  return snapshot;
}

/**
 * The page of a source with these arguments, made once for a request: an answer can have the same source many times.
 * @param args with the field's name, where a source has several fields
 */
export function onePage<Page>(
  { pages }: GraphqlContext,
  source: object,
  args: object,
  create: () => Page,
): Page {
  const ofSource = pages.get(source) ?? new Map<string, unknown>();
  pages.set(source, ofSource);
  const key = JSON.stringify(args);
  if (!ofSource.has(key)) ofSource.set(key, create());
  return ofSource.get(key) as Page;
}
