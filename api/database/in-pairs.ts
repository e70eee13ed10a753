/** @module The condition that a row is of one of some raises. */
import type { SQL } from "drizzle-orm";
import { sql } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import type { StoredRow } from "../../src/fold/state.ts";

/** One parameter for any number of raises. */
export function inPairs(
  { escrowAddress, onchainId }: typeof schema.ledger,
  pairs: readonly Pick<StoredRow, "escrowAddress" | "onchainId">[],
): SQL {
  const keys = JSON.stringify(
    pairs.map((pair) => ({ address: pair.escrowAddress, id: `${pair.onchainId}` })),
  );
  return sql`(${escrowAddress}, ${onchainId}) IN (SELECT pair.address, pair.id
    FROM json_to_recordset(${keys}::json) AS pair (address text, id numeric))`;
}
