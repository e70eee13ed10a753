/** @module The market at one head, and the source of the current one. */

import type { Completeness } from "../../config/completeness.ts";
import type { FinalitySource } from "../../config/table-names.ts";
import type { Block } from "../../src/fold/events.ts";
import type { AnomalyKind } from "../../src/fold/vocabulary.ts";
import type { Registry } from "../registry/schema.ts";
import type { Market } from "./market.ts";

/** The market at the last indexed block, with its inputs. */
export type Snapshot = {
  market: Market;
  registry: Registry;
  /** the first block that this process served with these facts */
  registrySince: Block;
  /** whether the backfill is over; not yet that the head of the chain is reached */
  backfilled: boolean;
  /** the last block whose events are final */
  finalized: Block;
  /** where it comes from; null until the indexer says */
  finality: FinalitySource | null;
  /** the first block that the RPC endpoints disagree on; null while they do not */
  disputed: bigint | null;
  /** what is proven of the logs; null where the indexer has not said so yet */
  completeness: Completeness | null;
  /** changes with every change to the ledger */
  ledgerRevision: string;
  /** changes with every added or removed anomaly; undefined before the first */
  anomalyRevision: string | undefined;
  /** number of reverts; null where they are not counted */
  reverts: number | null;
  /** the block of the last event that changed a row; block 0 in empty tables */
  lastChanged: Block;
  /** anomalies so far, by kind */
  anomalies: Readonly<Partial<Record<AnomalyKind, number>>>;
};

export type MarketSource = {
  /** null before the first indexed block */
  current(): Snapshot | null;
};
