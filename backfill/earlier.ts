/**
 * An earlier schema of the same database, whose ledger has the history already: a new version folds it from there, and asks
 * upstream only for what came later.
 *
 * It must have recorded the same events of the same contracts. That is known from a key in the schema's own mark, made of
 * the contracts and of the code that decides which events are recorded, and how; the fold of an event into the other tables
 * may differ. Transfers have no ledger rows, so with holders there is no earlier schema.
 * @module
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Hex } from "viem";
import type { Settings } from "../config/environment.ts";
import { FAST_FORWARD_TABLE, PROJECT_ROOT } from "../config/schema-name.ts";
import { blockOf } from "../src/fold/event-id.ts";
import { type LedgerColumns, toLedgerRow } from "../src/fold/ledger.ts";
import type { LedgerRow } from "../src/fold/state.ts";

export type Earlier = {
  schema: string;
  /** the last block whose events it has for good */
  last: number;
  /** the factory's escrows, by the block of their announcement */
  escrowChildren: ReadonlyMap<Hex, number>;
  /** of the last block with an event; null without any: whether it is the same chain */
  lastEventBlock: { number: number; hash: string } | null;
  /** Every event up to that block, in the order of the chain, with the hash of its block. */
  rows(): AsyncGenerator<{ row: LedgerRow; blockHash: Hex }>;
  close(): Promise<void>;
};

/** What decides on the rows of the ledger, beside the contracts: `lifecycle.ts`, as it binds tokens, and so the desk's events. */
const RECORDING = [
  "config/sources.ts",
  "src/handlers.ts",
  "src/record.ts",
  ...["events", "event-id", "event-kinds", "ledger", "lifecycle", "vocabulary"].map(
    (name) => `src/fold/${name}.ts`,
  ),
];
const ROWS_AT_ONCE = 5_000;

/** The same for two schemas whose ledgers have the same rows; null where the ledger does not have all events. */
export function ledgerKey({ chainId, escrows, escrowFactory, desk, holders }: Settings): string | null {
  if (holders) return null;
  const hash = createHash("sha256").update(JSON.stringify({ chainId, escrows, escrowFactory, desk }));
  const abis = readdirSync(join(PROJECT_ROOT, "abis")).map((file) => `abis/${file}`);
  for (const file of [...abis.sort(), ...RECORDING]) {
    hash.update(`\n${file}\n`).update(readFileSync(join(PROJECT_ROOT, file)));
  }
  return hash.digest("hex");
}

/** The earlier schema that has come furthest; null where there is none. On PostgreSQL alone. */
export async function findEarlier(settings: Settings): Promise<Earlier | null> {
  const key = ledgerKey(settings);
  if (key === null || settings.database.kind !== "postgres") return null;
  const client = new pg.Client({ connectionString: settings.database.connectionString });
  await client.connect();
  const query = async (text: string, values: unknown[] = []) =>
    (await client.query<Record<string, string>>(text, values)).rows;
  try {
    // One snapshot: the earlier version may still be running.
    await query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    let found: { schema: string; last: number; mark: number; checkpoint: string } | null = null;
    for (const { schema } of await query(
      "SELECT table_schema AS schema FROM information_schema.tables WHERE table_name = $1",
      [FAST_FORWARD_TABLE],
    )) {
      const name = pg.escapeIdentifier(schema ?? "");
      const [mark] = await query(
        `SELECT last_block, finalized_checkpoint FROM ${name}.${FAST_FORWARD_TABLE}, ${name}._ponder_checkpoint
        WHERE ledger_key = $1`,
        [key],
      );
      if (mark?.finalized_checkpoint === undefined) continue;
      const checkpoint = mark.finalized_checkpoint;
      const last = Number(blockOf(checkpoint).number);
      if (found === null || last > found.last) {
        found = { schema: name, last, mark: Number(mark.last_block), checkpoint };
      }
    }
    if (found === null) {
      await client.end();
      return null;
    }
    const { schema, last, mark, checkpoint } = found;
    const [block] = await query(
      `SELECT number, hash FROM ${schema}.event_block WHERE number <= $1 ORDER BY number DESC LIMIT 1`,
      [last],
    );
    return {
      schema,
      last,
      escrowChildren: await childrenIn(query, settings, mark, last),
      lastEventBlock: block === undefined ? null : { number: Number(block.number), hash: `${block.hash}` },
      rows: () => ledgerRows(query, schema, checkpoint),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** Ponder keeps them by the block after which the earlier schema's contracts began. */
async function childrenIn(
  query: Query,
  { escrowFactory, chainId }: Settings,
  mark: number,
  last: number,
): Promise<ReadonlyMap<Hex, number>> {
  if (escrowFactory === null) return new Map();
  const from = Math.max(escrowFactory.startBlock, mark + 1);
  const rows = await query(
    `SELECT address, min(block_number) AS block
    FROM ponder_sync.factory_addresses JOIN ponder_sync.factories ON factories.id = factory_id
    WHERE factory ->> 'address' = $1 AND factory ->> 'fromBlock' = $2 AND chain_id = $3 AND block_number <= $4
    GROUP BY address`,
    [escrowFactory.address, String(from), chainId, last],
  );
  return new Map(rows.map(({ address, block }) => [address as Hex, Number(block)]));
}

async function* ledgerRows(
  query: Query,
  schema: string,
  checkpoint: string,
): AsyncGenerator<{ row: LedgerRow; blockHash: Hex }> {
  await query(
    `DECLARE events NO SCROLL CURSOR FOR SELECT ledger.*, event_block.hash
    FROM ${schema}.ledger JOIN ${schema}.event_block ON event_block.number = block_number
    WHERE event_id <= '${checkpoint}' ORDER BY event_id`,
  );
  for (;;) {
    const rows = await query(`FETCH ${ROWS_AT_ONCE} FROM events`);
    for (const row of rows) yield { row: toLedgerRow(row as LedgerColumns), blockHash: row.hash as Hex };
    if (rows.length < ROWS_AT_ONCE) return;
  }
}
