/**
 * What the thread that fetches and folds says to the thread that writes, and back.
 * @module
 */
import type { Hex } from "viem";
import type { RawBlock } from "./pages.ts";
import type { TableName } from "./ponder.ts";

export type FromReader =
  /** rows in the text form of `COPY` */
  | { kind: "rows"; table: TableName; text: Uint8Array<ArrayBuffer> }
  /** The history ends here; all rows came before. */
  | { kind: "done"; finalized: RawBlock; escrowChildren: Map<Hex, number>; tokenChildren: Map<Hex, number> }
  /** No block is final yet, or none that the contracts could have events in. */
  | { kind: "nothing" }
  /** `isPassing`: another try may succeed */
  | { kind: "failed"; message: string; isPassing: boolean };

export type ToReader =
  /** The schema is empty: rows are wanted. */
  | { kind: "begin" }
  /** so many bytes of rows are taken */
  | { kind: "taken"; bytes: number };
