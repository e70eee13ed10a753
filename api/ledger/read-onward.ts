/** @module Reads the ledger oldest first, for streams. Hashes of blocks show the rows that a reorg has reverted. */
import type { SQL } from "drizzle-orm";
import { and, asc, desc, eq, inArray, lte, type ReadonlyDrizzle, sql } from "ponder";
import type { Hex } from "viem";
import { ORPHANS_TABLE, REFOLDS_TABLE } from "../../config/table-names.ts";
import type * as schema from "../../ponder.schema.ts";
import { type EventPosition, endOfBlock } from "../../src/fold/event-id.ts";
import type { LedgerRow, StoredRow } from "../../src/fold/state.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import {
  type Checkpoint,
  type Database,
  isTableMissing,
  ONE_SNAPSHOT,
  readCheckpoint,
} from "../database/checkpoint.ts";
import type { Pair } from "../registry/schema.ts";
import { placeInSql } from "./event-filter.ts";
import { encodeRowId, type RowId } from "./row-id.ts";

/** A row with the hash of its block. */
export type OnwardRow = LedgerRow & { blockHash: Hex };
/** A block with events, as the caller knows it. */
export type KnownBlock = { number: bigint; hash: Hex };

export type OnwardQuery = {
  /** null from the beginning */
  after: EventPosition | null;
  /** the last block */
  until: bigint;
  pair: Pair | null;
  kinds: ReadonlySet<EventKind> | null;
  limit: number;
};

/** The first of the known blocks that was reverted, and the rows after those that remain. */
export type Continuation = {
  progress: Checkpoint;
  /** the first known block that is no longer on the chain; null when all are */
  lost: bigint | null;
  rows: readonly OnwardRow[];
};

/** The place of an id: on the chain; on an abandoned fork, with the first block in which the forks can differ; nowhere. */
export type IdStatus = "on chain" | { lost: bigint } | "unknown";

export type OnwardReader = {
  /** A page of rows, oldest first. For final blocks only: others may be reverted between two pages. */
  page(query: OnwardQuery): Promise<readonly OnwardRow[]>;
  /**
   * Rows after `known`, in one snapshot; null before the first checkpoint.
   * @param known blocks with rows, oldest first; the first one is final
   * @param from rows of blocks up to this one are known
   */
  continue(
    known: readonly KnownBlock[],
    from: bigint,
    until: bigint,
    limit: number,
  ): Promise<Continuation | null>;
  place(id: RowId): Promise<IdStatus>;
  /** The last row up to this block, with its block and block time; null if there is none. */
  lastRow(until: bigint): Promise<{ id: string; block: KnownBlock; blockTime: bigint } | null>;
  /** The first block that got missing events after rows up to `until` may have been sent; null if none did. */
  refoldedFrom(until: bigint): Promise<bigint | null>;
  /** The first block with a row of one of these listings; null if there is none. */
  firstBlock(pairs: readonly Pair[]): Promise<bigint | null>;
};

type OnwardTables = Pick<typeof schema, "ledger" | "eventBlock">;

/** Rows in the order of the chain. */
export async function readOnward(
  tx: ReadonlyDrizzle,
  { ledger, eventBlock }: OnwardTables,
  { after, until, pair, kinds, limit }: OnwardQuery,
): Promise<(StoredRow & { blockHash: Hex })[]> {
  const rows = await tx
    .select({ row: ledger, blockHash: eventBlock.hash })
    .from(ledger)
    .innerJoin(eventBlock, eq(eventBlock.number, ledger.blockNumber))
    .where(
      and(
        after === null
          ? undefined
          : sql`(${ledger.blockNumber}, ${ledger.logIndex}, ${ledger.part}) > ${placeInSql(after)}`,
        lte(ledger.blockNumber, until),
        pair === null
          ? undefined
          : and(eq(ledger.escrowAddress, pair.escrowAddress), eq(ledger.onchainId, pair.onchainId)),
        kinds === null ? undefined : inArray(ledger.kind, [...kinds]),
      ),
    )
    .orderBy(asc(ledger.blockNumber), asc(ledger.logIndex), asc(ledger.part))
    .limit(limit);
  return rows.map(({ row, blockHash }) => ({ ...row, blockHash }));
}

export function createOnwardQueries({
  database,
  tables,
}: {
  database: Database;
  tables: OnwardTables;
}): OnwardReader {
  const { ledger, eventBlock } = tables;
  const inSnapshot = <Result>(read: (tx: ReadonlyDrizzle) => Promise<Result>) =>
    database.transaction(read, ONE_SNAPSHOT);

  /** The block in the only row, if there is one; null also while the indexer has not created the table. */
  const blockIn = async (name: string, query: SQL): Promise<bigint | null> => {
    const [row] = await database.statement<{ block: string | null }>(name, query).catch((error) => {
      if (isTableMissing(error)) return [];
      throw error;
    });
    return row?.block == null ? null : BigInt(row.block);
  };

  /** The first block in which the forks can differ since this one was lost; null if it was never lost. */
  const forkOf = ({ blockNumber, hash }: RowId): Promise<bigint | null> => {
    const orphans = sql.raw(ORPHANS_TABLE);
    return blockIn(
      "raisebook_fork",
      sql`SELECT min(number)::text AS block FROM ${orphans} WHERE revert >= (SELECT max(revert) FROM ${orphans}
        WHERE number = ${`${blockNumber}`}::numeric AND hash LIKE ${`0x${hash}%`})`,
    );
  };

  return {
    page: (query) => inSnapshot((tx) => readOnward(tx, tables, query)),
    continue: (known, from, until, limit) =>
      inSnapshot(async (tx) => {
        const progress = await readCheckpoint(tx);
        if (progress === null) return null;
        const numbers = known.map(({ number }) => number);
        const found =
          numbers.length === 0
            ? []
            : await tx.select().from(eventBlock).where(inArray(eventBlock.number, numbers));
        const hashes = new Map(found.map(({ number, hash }) => [number, hash]));
        const index = known.findIndex(({ number, hash }) => hashes.get(number) !== hash);
        const last = known.at(index === -1 ? -1 : index - 1);
        const left = index === 0 || last === undefined ? null : last.number;
        const start = left === null || left < from ? from : left;
        const after = endOfBlock(start);
        const rows = await readOnward(tx, tables, { after, until, pair: null, kinds: null, limit });
        return { progress, lost: known[index]?.number ?? null, rows };
      }),
    async place(id) {
      const found = await inSnapshot((tx) =>
        tx
          .select({ hash: eventBlock.hash, logIndex: ledger.logIndex })
          .from(eventBlock)
          .leftJoin(
            ledger,
            and(
              eq(ledger.blockNumber, eventBlock.number),
              eq(ledger.logIndex, id.logIndex),
              eq(ledger.part, id.part ?? 0),
            ),
          )
          .where(eq(eventBlock.number, id.blockNumber)),
      );
      const [block] = found;
      if (block?.hash.startsWith(`0x${id.hash}`)) return block.logIndex === null ? "unknown" : "on chain";
      const lost = await forkOf(id);
      return lost === null ? "unknown" : { lost };
    },
    async lastRow(until) {
      const [last] = await inSnapshot((tx) =>
        tx
          .select({
            blockNumber: ledger.blockNumber,
            logIndex: ledger.logIndex,
            part: ledger.part,
            hash: eventBlock.hash,
            blockTime: ledger.blockTime,
          })
          .from(ledger)
          .innerJoin(eventBlock, eq(eventBlock.number, ledger.blockNumber))
          .where(lte(ledger.blockNumber, until))
          .orderBy(desc(ledger.blockNumber), desc(ledger.logIndex), desc(ledger.part))
          .limit(1),
      );
      if (last === undefined) return null;
      const { blockNumber: number, hash, blockTime } = last;
      return { id: encodeRowId(last, hash), block: { number, hash }, blockTime };
    },
    refoldedFrom: (until) =>
      blockIn(
        "raisebook_refold",
        sql`SELECT min(from_block)::text AS block FROM ${sql.raw(REFOLDS_TABLE)}
          WHERE ${`${until}`}::numeric BETWEEN from_block AND until_block`,
      ),
    async firstBlock(pairs) {
      // One parameter for any number of listings, and one step into the primary key's index for each.
      const keys = JSON.stringify(
        pairs.map(({ escrowAddress, onchainId }) => [escrowAddress, `${onchainId}`]),
      );
      const number = await inSnapshot(async (tx) => {
        const { rows } = await tx.execute<{ number: string | null }>(sql`
          SELECT min(earliest.number)::text AS number
          FROM jsonb_array_elements(${keys}::jsonb) AS pair(key) CROSS JOIN LATERAL (
            SELECT ${ledger.blockNumber} AS number FROM ${ledger}
            WHERE ${ledger.escrowAddress} = pair.key->>0 AND ${ledger.onchainId} = (pair.key->>1)::numeric
            ORDER BY ${ledger.eventId} LIMIT 1) AS earliest`);
        return rows[0]?.number ?? null;
      });
      return number === null ? null : BigInt(number);
    },
  };
}
