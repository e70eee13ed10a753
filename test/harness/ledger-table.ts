/** @module The table of the ledger without an indexer, as Ponder makes it, for rows of a test's own on a real database. */

type BlockPlace = { time: bigint | number; block: bigint | number };

const digits = (value: bigint | number, count: number) => `${value}`.padStart(count, "0");
const idOfBlock = ({ time, block }: BlockPlace) => digits(time, 10) + digits(97, 16) + digits(block, 16);

/** The id of an event, as Ponder writes it: time, chain, block, transaction, the type of logs, log. */
export function eventIdAt({
  transaction = 0,
  log = 0,
  ...of
}: BlockPlace & { transaction?: number; log?: number }): string {
  return `${idOfBlock(of)}${digits(transaction, 16)}5${digits(log, 16)}`;
}

/** Ponder's checkpoint before all events of a block, or behind them. */
export function checkpointAt(of: BlockPlace, rest: "0" | "9" = "0"): string {
  return idOfBlock(of) + rest.repeat(33);
}

const HEAD = checkpointAt({ time: 1_800_000_000, block: 99_999 });
export const LEDGER_INDEXES = [
  "CREATE INDEX by_place ON ledger (block_number, log_index, part)",
  "CREATE INDEX by_event ON ledger (event_id)",
];
/** Statements that make it, at a head far ahead of all rows. */
export const LEDGER_TABLE = [
  "CREATE TABLE _ponder_checkpoint (latest_checkpoint text, safe_checkpoint text, finalized_checkpoint text, final_checkpoint text)",
  "CREATE TABLE tally (family text PRIMARY KEY, events integer, last_event_id text, last_block_hash text)",
  "CREATE TABLE _ponder_meta (key text, value jsonb)",
  `INSERT INTO _ponder_checkpoint VALUES ('${HEAD}', '${HEAD}', '${HEAD}')`,
  `INSERT INTO _ponder_meta VALUES ('app', '{"is_ready": 1}')`,
  `CREATE TABLE ledger (
    escrow_address text NOT NULL, onchain_id numeric(78) NOT NULL, event_id text NOT NULL, kind text NOT NULL,
    block_number numeric(78) NOT NULL, block_time numeric(78) NOT NULL, tx_hash text NOT NULL,
    log_index integer NOT NULL, part integer NOT NULL, args json NOT NULL, committed numeric(78), refunded numeric(78),
    repaid_principal numeric(78), repaid_interest numeric(78), outstanding numeric(78), PRIMARY KEY (escrow_address, onchain_id, event_id))`,
  ...LEDGER_INDEXES,
];
/** Puts in the rows of one parameter: `rowsJson`. */
export const INSERT_LEDGER = `INSERT INTO ledger SELECT * FROM json_to_recordset($1::json) AS row (
  escrow_address text, onchain_id numeric, event_id text, kind text, block_number numeric, block_time numeric,
  tx_hash text, log_index integer, part integer, args json, committed numeric, refunded numeric, repaid_principal numeric,
  repaid_interest numeric, outstanding numeric)`;

/** Rows as the JSON of which PostgreSQL makes a record set. */
export function rowsJson(rows: readonly object[]): string {
  const column = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [column(name), value]))),
    (_, value) => (typeof value === "bigint" ? `${value}` : value),
  );
}
