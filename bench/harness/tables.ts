/** @module The tables as the indexer leaves them, without an indexer: Ponder's own statements from our schema, filled with rows. */
import pg from "pg";
import * as schema from "../../ponder.schema.ts";
import { rowsJson } from "../../test/harness/ledger-table.ts";
import { HEAD } from "../../test/harness/rows.ts";
import type { MadeMarket } from "./market.ts";

/** The schema of every database of a bench. */
export const SCHEMA = "bench";

/** The folder of Ponder's modules, some of which it does not export. */
const PONDER = new URL(".", import.meta.resolve("ponder"));
const ROWS_AT_A_TIME = 2_000;
/** of the last block with an event */
const HASH = `0x${"01".repeat(32)}`;

type Statements = { tables: { sql: string[] }; indexes: { sql: string[] } };
type PonderTable = (typeof schema)["listing"];

/** Creates the tables and fills them; the indexes come last, as they do after a backfill. */
export async function fillTables(connectionString: string, { rows }: MadeMarket, events = 0): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { tables, indexes } = await statements();
    await client.query(`CREATE SCHEMA ${SCHEMA}; SET search_path TO ${SCHEMA}`);
    for (const statement of tables.sql) await client.query(statement);
    for (const [table, ofTable] of Object.entries(rows)) await insert(client, table, ofTable);
    if (events > 0) await insertEvents(client, events, rows.listing);
    const families = ["listings", "repayments", "desk", "holders"].map((family) => ({
      ...{ family, events: 1, lastEventId: checkpoint(HEAD.number), lastBlockHash: HASH },
    }));
    await insert(client, "tally", families);
    await insert(client, "event_block", [{ number: HEAD.number, hash: HASH }]);
    await insert(client, "_ponder_meta", [{ key: "app", value: { is_ready: 1 } }]);
    const at = checkpoint(HEAD.number);
    await insert(client, "_ponder_checkpoint", [
      {
        ...{ chainName: "bench", chainId: 97, safeCheckpoint: at, latestCheckpoint: at },
        finalizedCheckpoint: checkpoint(HEAD.number - 30n),
      },
    ]);
    for (const statement of indexes.sql) await client.query(statement);
    await client.query("VACUUM ANALYZE");
  } finally {
    await client.end();
  }
}

/** A checkpoint as Ponder writes it. */
export function checkpoint(block: bigint, head = HEAD): string {
  const time = head.timestamp - (head.number - block);
  const parts: [bigint, number][] = [
    [time, 10],
    [97n, 16],
    [block, 16],
    [0n, 16],
    [5n, 1],
    [0n, 16],
  ];
  return parts.map(([part, digits]) => part.toString().padStart(digits, "0")).join("");
}

/** Ponder's statements, without the tables that keep what a reorg reverts. */
async function statements(): Promise<Statements> {
  const { getSql } = (await import(`${PONDER}drizzle/kit/index.js`)) as {
    getSql(schema: Record<string, unknown>): Statements;
  };
  const { getPonderMetaTable, getPonderCheckpointTable } = (await import(`${PONDER}database/index.js`)) as {
    [Name in "getPonderMetaTable" | "getPonderCheckpointTable"]: () => PonderTable;
  };
  const all = getSql({ ...schema, meta: getPonderMetaTable(), checkpoint: getPonderCheckpointTable() });
  return { ...all, tables: { sql: all.tables.sql.filter((text) => !text.includes("_reorg__")) } };
}

async function insert(client: pg.Client, table: string, rows: readonly object[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_A_TIME) {
    const json = rowsJson(rows.slice(from, from + ROWS_AT_A_TIME));
    await client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
      json,
    ]);
  }
}

/** The place of the n-th event in a ledger of this many: five a block, the last in the block before the head. */
export function placeOf(n: number, events: number): { blockNumber: bigint; logIndex: number } {
  const first = HEAD.number - BigInt(Math.ceil(events / 5));
  return { blockNumber: first + BigInt(Math.floor(n / 5)), logIndex: n % 5 };
}

/** Subscriptions, repayments and refunds of the listings in turn. */
async function insertEvents(
  client: pg.Client,
  events: number,
  listings: readonly { escrowAddress: string }[],
): Promise<void> {
  const first = placeOf(0, events).blockNumber;
  const backer = `0x${"b0".repeat(20)}`;
  const pad = (sql: string, digits: number) => `lpad((${sql})::text, ${digits}, '0')`;
  const time = `${HEAD.timestamp} - ${HEAD.number} + ${first} + n / 5`;
  const args = [
    { backer, payer: backer, amount: "1000", bidRateBps: 0, totalRaised: "5000" },
    { payer: backer, principal: "900", interest: "100", outstandingPrincipal: "4000" },
    { backer, reason: "post_raise", amount: "1000", totalRefunded: "1000" },
  ].map((one) => `'${JSON.stringify(one)}'`);
  await client.query(`
    INSERT INTO ledger (escrow_address, onchain_id, event_id, kind, block_number, block_time, tx_hash, log_index, part, args, committed)
    SELECT '${listings[0]?.escrowAddress}', 1 + n % ${listings.length},
      ${pad(time, 10)} || ${pad("97", 16)} || ${pad(`${first} + n / 5`, 16)} || ${pad("n % 5", 16)} || '5' || ${pad("n % 5", 16)},
      (ARRAY['subscribed', 'repaid', 'refunded'])[1 + n % 3], ${first} + n / 5, ${time},
      '0x' || repeat('7a', 28) || ${pad("to_hex(n)", 8)}, n % 5, 0, (ARRAY[${args.join(", ")}])[1 + n % 3]::json, 1000
    FROM generate_series(0, ${events - 1}) AS n`);
}
