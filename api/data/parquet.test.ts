import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, it, vi } from "vitest";
import { openDuck } from "../../test/harness/duckdb.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { type Column, type ColumnType, DATA_VERSION, TABLES, type TableName } from "./columns.ts";
import { openFolder } from "./folder.ts";
import { openParquet } from "./parquet.ts";
import type { Cell } from "./rows.ts";

const TYPES: readonly ColumnType[] = ["block", "integer", "index", "time", "amount", "hash", "flag", "text"];
const COLUMNS: readonly Column[] = [true, false].flatMap((isNullable) =>
  TYPES.map((type) => ({
    name: `${type}_${isNullable ? "or_null" : "always"}`,
    ...{ type, unit: null, isNullable, description: "", since: 1 },
  })),
);
const ROWS = 3_000;

/** The values of a row by its number, in a way that a reader can follow. */
function cellsOf(row: number): readonly Cell[] {
  const always: Cell[] = [
    48_000_000n + BigInt(row),
    row * 1_000_003,
    row % 7,
    1_772_366_400n + BigInt(row),
    BigInt(row - 1_500) * 10n ** 34n + BigInt(row),
    `0x${row.toString(16).padStart(64, "a")}`,
    row % 3 === 0,
    row % 2 === 0 ? "subscribed" : `🥐 "${row}"\n`,
  ];
  return [...(row % 5 === 0 ? always.map(() => null) : always), ...always];
}

const folder = temporaryFolder();

it("writes every type of column, with the same bytes on every machine", async () => {
  const path = join(folder, "types.parquet");
  const file = await openParquet(path, COLUMNS);
  for (let row = 0; row < ROWS; row++) await file.add(cellsOf(row));
  // Another hash means other bytes under the names that services have published: then DATA_VERSION has to change.
  expect(await file.close()).toEqual({
    rows: ROWS,
    bytes: BYTES,
    sha256: SHA256,
  });
  const duck = await openDuck();
  const found = await duck.rows(
    `SELECT * REPLACE (
      epoch(time_always)::BIGINT AS time_always, epoch(time_or_null)::BIGINT AS time_or_null,
      '0x' || lower(hex(hash_always)) AS hash_always, '0x' || lower(hex(hash_or_null)) AS hash_or_null
    ) FROM '${path}'`,
  );
  duck.close();
  const text = (cell: Cell) => (typeof cell === "bigint" || typeof cell === "number" ? `${cell}` : cell);
  const expected = Array.from({ length: ROWS }, (_, row) =>
    Object.fromEntries(
      cellsOf(row).map((cell, index) => {
        const { name = "", type } = COLUMNS[index] ?? {};
        return [name, type === "index" ? cell : text(cell)];
      }),
    ),
  );
  expect(found).toEqual(expected);
});

it("has the columns of its version", () => {
  const columnsOf = (columns: readonly Column[]) =>
    columns.map(({ name, type, isNullable }) => `${name}:${type}${isNullable ? "?" : ""}`);
  const found = Object.entries(TABLES).map(([name, columns]) => [name, columnsOf(columns)]);
  // As for the bytes: another column, type or null is another DATA_VERSION.
  expect(DATA_VERSION).toBe(2);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(VERSION_2).map(([name, text]) => [name, text.trim().split(/\s+/)])),
  );
});

it("leaves nothing of a file that is abandoned, and says why one cannot be written", async () => {
  const file = await openParquet(join(folder, "abandoned.parquet"), COLUMNS);
  await file.add(cellsOf(1));
  await file.abandon();
  expect(await readdir(folder)).not.toContain("abandoned.parquet");
  await expect(openParquet(join(folder, "nowhere", "file.parquet"), COLUMNS)).rejects.toMatchObject({
    code: "ENOENT",
  });
});

it("leaves no thread behind when a file cannot be opened", async () => {
  let ended = 0;
  const count = (message: unknown) => (message as { worker: Worker }).worker.on("exit", () => ended++);
  subscribe("worker_threads", count);
  await expect(openParquet(join(folder, "nowhere", "file.parquet"), COLUMNS)).rejects.toThrow();
  unsubscribe("worker_threads", count);
  await vi.waitFor(() => expect(ended).toBe(1));
});

it("leaves no unfinished file, and says why, when a complete file cannot get its name", async () => {
  const path = join(folder, "renamed");
  const file = await openFolder(path).begin("cohorts", { fromBlock: "1", toBlock: "1" });
  const [unfinished = ""] = await readdir(join(path, "cohorts"));
  // The name is taken by a folder.
  const { sha256 } = await written("cohorts");
  await mkdir(join(path, "cohorts", `1-${sha256.slice(0, 12)}.parquet`, "in the way"), { recursive: true });
  await expect(file.close()).rejects.toThrow();
  await file.abandon();
  expect(await readdir(join(path, "cohorts"))).not.toContain(unfinished);
});

/** A table's file without rows. */
async function written(table: TableName) {
  const path = join(folder, "elsewhere");
  const file = await openFolder(path).begin(table, { fromBlock: "1", toBlock: "1" });
  return file.close();
}

const BYTES = 191_525;
const SHA256 = "965b17dd05f5ea40c7bc3bc40b80118419a48975f80304fc29715b62b57f7bb0";
/** The columns of each table in their order; a question mark says that it may be null. */
const VERSION_2 = {
  ledger: `
    block_number:block block_time:time log_index:index part:index tx_hash:hash escrow_address:text
    onchain_id:text kind:text committed:amount? refunded:amount? repaid_principal:amount?
    repaid_interest:amount? outstanding:amount? reserve:amount? fee:amount? claimed:amount?
    written_off:amount? tokens:amount? cost:amount? offer_id:text? price_bps:integer? rate_bps:integer?
    reason:text? too_large:text?`,
  listings: `
    public_id:text refnum:text escrow_address:text onchain_id:text token_address:text? originator:text
    originator_grade:text status:text status_since:time repayment:text outcome:text? pricing_mode:text
    target_amount:amount? min_raise:amount? raised_amount:amount? coupon_rate_bps:integer
    coupon_is_maximum:flag tenor_days:integer insurance_bps:integer reserve_balance:amount?
    subscriber_count:integer withdrawn_amount:amount? returned_amount:amount? refunded_amount:amount?
    refundable_amount:amount? drawn_amount:amount? repaid_amount:amount? outstanding_principal:amount?
    written_off_amount:amount? go_live_at:time close_at:time? drawn_down_at:time? maturity_at:time?
    originator_verified:flag metadata_verified:flag terms_updates:integer terms_updated_at:time?
    updated_at:time? updated_block:block? opened_at:time seconds_to_fund:integer? too_large:text?`,
  originators: `
    public_id:text jurisdiction:text kyb_status:text rating_grade:text resolved_raises:integer
    volume:amount? loss_bps:integer? late_bps:integer? adjusted_bps:integer? cap:text? too_large:text?`,
  cohorts: `
    by:text cohort:text loans:integer lent:amount? due:amount? repaid_principal:amount?
    repaid_interest:amount? written_off:amount? outstanding:amount? outstanding_current:amount?
    outstanding_grace:amount? outstanding_late:amount? outstanding_in_default:amount?
    defaulted_bps:integer? ended:integer expected_return_bps:integer? realised_return_bps:integer?
    too_large:text?`,
};
