/**
 * The market at one head, and where the current one comes from.
 * @module
 */
import type { Block } from "../../src/fold/events.ts";
import type { AnomalyKind } from "../../src/fold/vocabulary.ts";
import type { Registry } from "../registry/schema.ts";
import type { Market } from "./project.ts";

/** The market at the last indexed block, with what it was projected from. */
export type Snapshot = {
  market: Market;
  /** the off-chain facts that it was projected with */
  registry: Registry;
  /** whether the backfill is over; not yet that the head of the chain is reached */
  backfilled: boolean;
  /** up to this block no reorg changes anything any more */
  finalized: Block;
  /** anomalies so far, by kind */
  anomalies: Readonly<Partial<Record<AnomalyKind, number>>>;
};

/** Where the faces get the current market. */
export type MarketSource = {
  /** null before the first indexed block */
  current(): Snapshot | null;
};
