/** @module Reads of the tables for streams: one at a time, and the same for all that ask for the same. */
import { placeInBlock } from "../../../src/fold/event-id.ts";
import { createOnce } from "../../ledger/once.ts";
import type { OnwardReader } from "../../ledger/read-onward.ts";
import { encodeRowId } from "../../ledger/row-id.ts";
import { pairKey } from "../../registry/schema.ts";

/** The same reader, each of whose reads goes through `take`. */
export function inLine(
  reader: OnwardReader,
  take: <Result>(work: () => Promise<Result>) => Promise<Result>,
): OnwardReader {
  return {
    page: (query) => take(() => reader.page(query)),
    continue: (...asked) => take(() => reader.continue(...asked)),
    place: (id) => take(() => reader.place(id)),
    lastRow: (until) => take(() => reader.lastRow(until)),
    refoldedFrom: (until) => take(() => reader.refoldedFrom(until)),
    firstBlock: (pairs) => take(() => reader.firstBlock(pairs)),
  };
}

/** The same reader, in which followers that ask for the same at the same time share one read. */
export function shared(reader: OnwardReader, of: object): Omit<OnwardReader, "continue"> {
  const pages = createOnce<Awaited<ReturnType<OnwardReader["page"]>>>();
  const places = createOnce<Awaited<ReturnType<OnwardReader["place"]>>>();
  const lastRows = createOnce<Awaited<ReturnType<OnwardReader["lastRow"]>>>();
  const refolds = createOnce<Awaited<ReturnType<OnwardReader["refoldedFrom"]>>>();
  const firstBlocks = createOnce<Awaited<ReturnType<OnwardReader["firstBlock"]>>>();
  return {
    page(query) {
      const { after, until, pair, kinds, limit } = query;
      const place = after === null ? "" : `${after.blockNumber}-${placeInBlock(after)}`;
      const key = [place, until, pair && pairKey(pair), kinds && [...kinds].sort(), limit].join(" ");
      return pages(of, key, () => reader.page(query));
    },
    place: (id) => places(of, encodeRowId(id, id.hash), () => reader.place(id)),
    lastRow: (until) => lastRows(of, `${until}`, () => reader.lastRow(until)),
    refoldedFrom: (until) => refolds(of, `${until}`, () => reader.refoldedFrom(until)),
    firstBlock: (pairs) => firstBlocks(of, pairs.map(pairKey).join(" "), () => reader.firstBlock(pairs)),
  };
}
