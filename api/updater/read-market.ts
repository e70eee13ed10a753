/** @module Reads the tables into a market: all rows in parts, or what changed since a position. */
import type { Block } from "../../src/fold/events.ts";
import { type ChainRows, NO_ROWS } from "../market/chain-rows.ts";
import type { Market } from "../market/market.ts";
import { createProjection } from "../market/project.ts";
import type { Projection, ProjectionParameters } from "../market/project-form.ts";
import { headOf } from "./places.ts";
import type { TableQueries, TableSnapshot } from "./tables.ts";

/** Since when, and of which raises everything is needed. */
export type Place = [
  since?: Parameters<TableQueries["read"]>[0],
  restarted?: Parameters<TableQueries["read"]>[1],
];

type MadeMarket = {
  found: TableSnapshot;
  /** a new one, which has taken the parts of all rows; what changed since a position is not for it */
  projection(): Projection;
  /** the rows that it has not taken */
  rest(): ChainRows;
  /** Has it take them. */
  market(): Market;
};

type ReadMarketParameters = Pick<
  ProjectionParameters,
  "registry" | "publicSettings" | "contracts" | "archive"
> & {
  /** Called at each part of the rows: all of a large market take minutes. */
  onAnswer?: () => void;
};

export async function readMarket(
  read: TableQueries["read"],
  { onAnswer, ...of }: ReadMarketParameters,
  ...[since = null, restarted = []]: Place
): Promise<MadeMarket | null> {
  let projection: Projection | null = null;
  let readAt: Block | null = null;
  const at = (head: Block) => {
    // A read that the database aborts is tried again, with another head object.
    if (projection === null || head !== readAt) projection = createProjection({ ...of, start: head });
    readAt = head;
    return projection;
  };
  const found = await read(since, restarted, (position, rows) => {
    onAnswer?.();
    at(position.head).advance(rows, headOf(position), position.finalized.number);
  });
  onAnswer?.();
  if (found === null) return null;
  let { rows } = found;
  return {
    found,
    projection: () => at(found.head),
    rest: () => rows,
    market() {
      const taken = at(found.head).advance(rows, headOf(found), found.finalized.number);
      rows = NO_ROWS;
      return taken;
    },
  };
}
