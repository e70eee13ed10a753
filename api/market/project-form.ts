/** @module The input and the output of a projection. */
import type { PublicSettings } from "../../config/public-settings.ts";
import type { Block } from "../../src/fold/events.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import type { Registry } from "../registry/schema.ts";
import type { SavedArchive } from "./archive/archive.ts";
import type { KeeperParameters } from "./archive/keeper.ts";
import type { SavedRecords } from "./businesses.ts";
import type { ChainRows } from "./chain-rows.ts";
import type { Head, Market } from "./market.ts";
import type { MarketContracts } from "./refolds.ts";
import type { SavedSums } from "./shown.ts";

export type Projection = {
  /**
   * Applies the rows that changed up to `head`, whose time is not before the last head's. Returns the market there, which later calls
   * do not change. Never throws for a bad row.
   * @param finalized the last block that no reorg can revert
   */
  advance(changed: ChainRows, head: Head, finalized: bigint): Market;
  /**
   * Takes another registry for the next `advance`, if only what entries say of their raises differs. False, and without effect, if
   * anything else does: then everything has to be projected again.
   */
  useEntries(next: Registry): boolean;
  /** A snapshot for the next process; null for a market whose state is more than its rows. */
  save(): SavedProjection | null;
  /** Raises with other terms: the next `advance` needs all their events. */
  toRestart(): readonly Pick<ListingRow, "escrowAddress" | "onchainId">[];
};

/** A projection for a snapshot, of which `rows` must be the first that the next one takes, at the same head. */
export type SavedProjection = SavedSums & {
  archive: SavedArchive;
  records: SavedRecords;
  /** of the raises that are not in the archive */
  rows: ChainRows;
};

export type ProjectionParameters = {
  registry: Registry;
  publicSettings: PublicSettings;
  contracts?: MarketContracts | undefined;
  /** the first block; later ones are not before its time */
  start: Block;
  /** whether the sums of days are kept up to date, for a market that is asked again and again */
  keepsDays?: boolean;
  /** of the archive of raises that have ended (`archive/keeper.ts`) */
  archive?: Pick<KeeperParameters, "atOnce" | "block" | "blocksIn"> | undefined;
  /** by a projection with the same other parameters */
  saved?: SavedProjection | null;
};
