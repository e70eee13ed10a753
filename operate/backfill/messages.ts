/**
 * The messages between the thread that fetches and folds and the thread that writes.
 * @module
 */
import type { UnfitEndpoint } from "../../config/unfit-endpoints.ts";
import type { History } from "./history.ts";
import type { TableName } from "./ponder.ts";

export type FromWorker =
  /** rows in the text form of `COPY` */
  | { kind: "rows"; table: TableName; text: Uint8Array<ArrayBuffer> }
  /** The history ends here; all rows came before. */
  | ({ kind: "done" } & History)
  /** No block is final yet, or none that the contracts could have events in. */
  | { kind: "nothing" }
  /** An endpoint lacks what it was asked for. */
  | ({ kind: "unfit" } & UnfitEndpoint)
  /** `isPassing`: another try may succeed */
  | { kind: "failed"; message: string; isPassing: boolean };

export type ToWorker =
  /** It may ask the endpoints: the settings have been checked. For one that was started before. */
  | { kind: "turn" }
  /** The schema is empty: rows are wanted. */
  | { kind: "begin" }
  /** this many bytes of rows are taken */
  | { kind: "taken"; bytes: number };
