/**
 * The ledger in the tables of a schema, up to a block that is final: on both databases, by the least that both have.
 * @module
 */
import type { Hex } from "viem";
import type { Settings } from "../../config/environment.ts";
import { type LedgerColumns, toLedgerRow } from "../../src/fold/ledger.ts";
import type { FiledEvent } from "./ledger-line.ts";

/** In one transaction and snapshot. */
export type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

export type SchemaLedger = {
  /** the factory's escrows, by the block of their announcement */
  escrowChildren: ReadonlyMap<Hex, number>;
  /** the last block with an event; null without any */
  lastEventBlock: { number: number; hash: string } | null;
  /** Every event up to the last block, in the order of the chain, with the hash of its block; once. */
  rows(): AsyncGenerator<FiledEvent>;
};

type SchemaLedgerParameters = {
  query: Query;
  settings: Pick<Settings, "escrowFactory" | "chainId">;
  /** escaped */
  schema: string;
  /** the last block of its fast-forward; null where it had none */
  mark: number | null;
  /** the last block that is wanted */
  last: number;
};

const ROWS_AT_ONCE = 5_000;

export async function readSchemaLedger(parameters: SchemaLedgerParameters): Promise<SchemaLedger> {
  const { query, schema, last } = parameters;
  const [block] = await query(
    `SELECT number, hash FROM ${schema}.event_block WHERE number <= $1 ORDER BY number DESC LIMIT 1`,
    [last],
  );
  return {
    escrowChildren: await childrenIn(parameters),
    lastEventBlock: block === undefined ? null : { number: Number(block.number), hash: `${block.hash}` },
    rows: () => ledgerRows(query, schema, last),
  };
}

/** Ponder keeps them by the block after which the schema's contracts began. */
async function childrenIn(parameters: SchemaLedgerParameters): Promise<ReadonlyMap<Hex, number>> {
  const { query, mark, last } = parameters;
  const { escrowFactory, chainId } = parameters.settings;
  if (escrowFactory === null) return new Map();
  const from = Math.max(escrowFactory.startBlock, mark === null ? 0 : mark + 1);
  const rows = await query(
    `SELECT address, min(block_number) AS block
    FROM ponder_sync.factory_addresses JOIN ponder_sync.factories ON factories.id = factory_id
    WHERE factory ->> 'address' = $1 AND factory ->> 'fromBlock' = $2 AND chain_id = $3 AND block_number <= $4
    GROUP BY address ORDER BY block, address`,
    [escrowFactory.address, String(from), chainId, last],
  );
  return new Map(rows.map(({ address, block }) => [address as Hex, Number(block)]));
}

async function* ledgerRows(query: Query, schema: string, last: number): AsyncGenerator<FiledEvent> {
  await query(
    `DECLARE events NO SCROLL CURSOR FOR SELECT ledger.*, event_block.hash
    FROM ${schema}.ledger JOIN ${schema}.event_block ON event_block.number = block_number
    WHERE block_number <= ${last} ORDER BY event_id`,
  );
  for (;;) {
    const rows = await query(`FETCH ${ROWS_AT_ONCE} FROM events`);
    for (const row of rows) yield { row: toLedgerRow(row as LedgerColumns), blockHash: row.hash as Hex };
    if (rows.length < ROWS_AT_ONCE) return;
  }
}
