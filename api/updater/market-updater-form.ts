/** @module The parameters of the market updater, and its result. */
import type { Logger } from "../../config/log.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import type { KeptSnapshot } from "../database/kept-snapshot.ts";
import type { MarketContracts } from "../market/refolds.ts";
import type { MarketSource } from "../market/snapshot.ts";
import type { RegistryStore } from "../registry/store.ts";
import type { MarketKeeper } from "./market-keeper.ts";
import type { TableQueries } from "./tables.ts";

export type MarketUpdater = MarketSource & {
  /** seconds since the last successful read of the tables, or of a part of them, by a monotonic clock */
  secondsSinceRead(): number;
  /** seconds since the last look at the block that they have, which waits while all rows are read */
  secondsSinceLook(): number;
  /** the block that they had at that look, which may not be shown yet; null before the first */
  reached(): bigint | null;
  /** whether the indexer was started again and has not caught up with the market yet */
  isRestarting(): boolean;
  /** the process that indexed at the last look; null where it is not known, as where it is this one */
  indexer(): string | null;
  /** whether indexed blocks are announced now; otherwise the tables are read at every interval */
  isTold(): boolean;
  /** A market that differs from all rows is replaced and logged. @returns the parts that differ; null when new blocks interfered */
  check(): Promise<MarketCheck | null>;
  stop(): void;
};

type MarketCheck = { block: string; listings: number; differences: readonly string[] };

export type MarketUpdaterParameters = {
  tables: TableQueries;
  registry: RegistryStore;
  publicSettings: PublicSettings;
  contracts?: MarketContracts | undefined;
  log: Logger;
  /** Keeps the rows of the market readable after a restarted indexer has reverted them. */
  kept?: (Pick<KeptSnapshot, "renew" | "use"> & Pick<TableQueries, "read">) | undefined;
  /** Saves the market from time to time, and has it at the start. */
  saved?: MarketKeeper | undefined;
  /** Calls back whenever a block is indexed, in place of reads at every interval. @returns whether notices arrive now */
  onBlock?(indexed: () => void): () => boolean;
  /** Records the seconds that each new market took. */
  onUpdate?: ((seconds: number) => void) | undefined;
  /** milliseconds between polls of the indexed head */
  interval?: number;
};
