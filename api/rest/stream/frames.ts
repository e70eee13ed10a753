/** @module Frames of the stream (Server-Sent Events), each encoded once for all followers. */
import type { Hex } from "viem";
import { isoTime } from "../../../config/format/time.ts";
import type { EventPosition } from "../../../src/fold/event-id.ts";
import type { Block } from "../../../src/fold/events.ts";
import { pieceOf } from "../../http/open-ended.ts";
import { toEvent } from "../../ledger/event.ts";
import type { OnwardRow } from "../../ledger/read-onward.ts";
import { encodeRowId, momentOf } from "../../ledger/row-id.ts";
import type { Head, Market } from "../../market/market.ts";
import type { Finality, Listing } from "../../market/schema.ts";
import { pairKey } from "../../registry/schema.ts";

const encoder = new TextEncoder();

/** A keep-alive comment, which readers ignore. */
export const HEARTBEAT = pieceOf([encoder.encode(":\n\n")]);

/** A comment with what a follower may add to the ids of the rows after it. @param finalized the final block */
export function momentFrame(finalized: Block): Uint8Array {
  return encoder.encode(`: ${momentOf(finalized)}\n\n`);
}

/** A row of a visible listing, with the fields that filters compare. */
export type RowFrame = EventPosition & {
  /** `pairKey` of its listing */
  pair: string;
  kind: OnwardRow["kind"];
  /** the listing as it is shown with the row, and as it was before where that is known */
  states: readonly Listing[];
  /** the frame to send while the row has this finality */
  frame(finality: Finality): Uint8Array;
};

/** Null for a row of a listing that is not visible. @param before the market without the row, where it is known */
export function rowFrameOf(
  row: OnwardRow,
  market: Market,
  exposeAccounts: boolean,
  before?: Market,
): RowFrame | null {
  const pair = pairKey(row);
  const listing = market.listingByPair.get(pair);
  if (listing === undefined) return null;
  const { publicId, refnum } = listing;
  const earlier = before?.listingByPair.get(pair);
  const states = earlier === undefined || earlier === listing ? [listing] : [listing, earlier];
  const { blockNumber, logIndex, part, kind } = row;
  const id = encodeRowId(row, row.blockHash);
  const known = new Map<Finality, Uint8Array>();
  return {
    ...{ blockNumber, logIndex, part, pair, kind, states },
    frame(finality) {
      const bytes =
        known.get(finality) ??
        frameOf("ledger", toEvent(row, { publicId, refnum, finality, exposeAccounts }), id);
      known.set(finality, bytes);
      return bytes;
    },
  };
}

/** @param lastRow id of the last row sent to anyone; filtered followers resume here */
export function headFrame({ number, timestamp }: Head, lastRow: string): Uint8Array {
  return frameOf("head", { blockNumber: `${number}`, blockTime: isoTime(timestamp) }, lastRow);
}

/** @param root of the book as of that block; null while it is not known */
export function finalFrame(through: bigint, root: Hex | null): Uint8Array {
  return frameOf("final", { through: `${through}`, root });
}

/** @param lastRow the last row that is left; followers disconnected here resume from it */
export function reorgFrame(from: bigint, lastRow: string): Uint8Array {
  return frameOf("reorg", { from: `${from}` }, lastRow);
}

function frameOf(event: string, data: object, id?: string): Uint8Array {
  const line = id === undefined ? "" : `id: ${id}\n`;
  return encoder.encode(`event: ${event}\n${line}data: ${JSON.stringify(data)}\n\n`);
}
