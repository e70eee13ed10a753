/** @module The condition that a row is of one of some raises. */
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { sql } from "ponder";
import type { StoredRow } from "../../src/fold/state.ts";

/** A table with rows of raises. */
export type Keyed = { escrowAddress: AnyPgColumn; onchainId: AnyPgColumn };

/** One parameter for any number of raises. */
export function inPairs(
  { escrowAddress, onchainId }: Keyed,
  pairs: readonly Pick<StoredRow, "escrowAddress" | "onchainId">[],
): SQL {
  const byEscrow = Map.groupBy(pairs, (pair) => pair.escrowAddress);
  const keys = JSON.stringify(
    Array.from(byEscrow, ([address, own]) => ({ address, ids: own.map((pair) => `${pair.onchainId}`) })),
  );
  return sql`(${escrowAddress}, ${onchainId}) IN (SELECT raises.address, unnest(raises.ids)
    FROM json_to_recordset(${keys}::json) AS raises (address text, ids numeric[]))`;
}
