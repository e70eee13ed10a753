// Encodes Parquet files in a thread of its own, so that no request waits for it. Plain JavaScript: a thread has no loader for types.
//
// The same rows give the same bytes on every machine: the codec is JavaScript, row groups have a fixed size, and nothing in a file says
// when or by what it was written. A change of these bytes is another `DATA_VERSION` (columns.ts).
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { fileWriter, ParquetWriter } from "hyparquet-writer";

const LOWEST = 19;
const ROWS_IN_GROUP = 50_000;

/** Elements of the Parquet schema by the type of a column. */
const TYPES = {
  block: { type: "INT64" },
  integer: { type: "INT64" },
  index: { type: "INT32" },
  // Without a time zone: what a query makes of it must not depend on the reader's own zone. It is UTC.
  time: { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MILLIS" } },
  amount: {
    type: "FIXED_LEN_BYTE_ARRAY",
    type_length: 16,
    converted_type: "DECIMAL",
    logical_type: { type: "DECIMAL", precision: 38, scale: 0 },
    precision: 38,
    scale: 0,
  },
  hash: { type: "FIXED_LEN_BYTE_ARRAY", type_length: 32 },
  flag: { type: "BOOLEAN" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
};

const CONVERSIONS = {
  block: BigInt,
  integer: BigInt,
  time: (seconds) => BigInt(seconds) * 1_000n,
  amount: BigInt,
  hash: (hex) => Buffer.from(hex.slice("0x".length), "hex"),
};
/** Neighbouring rows have neighbouring values. */
const ENCODINGS = { block: "DELTA_BINARY_PACKED" };

let file = null;

function open({ path, columns, createdBy }) {
  const elements = columns.map(({ name, type, isNullable }) => ({
    ...TYPES[type],
    name,
    repetition_type: isNullable ? "OPTIONAL" : "REQUIRED",
  }));
  const schema = [{ name: "root", num_children: columns.length }, ...elements];
  const writer = new ParquetWriter({ writer: fileWriter(path), schema, createdBy });
  file = { path, columns, writer, rows: 0, waiting: columns.map(() => []) };
}

function writeGroup(count) {
  const columnData = file.columns.map(({ name, type }, index) => {
    const convert = CONVERSIONS[type] ?? ((value) => value);
    const data = file.waiting[index]
      .splice(0, count)
      .map((value) => (value === null ? null : convert(value)));
    return { name, data, encoding: ENCODINGS[type], columnIndex: false, offsetIndex: false };
  });
  file.writer.write({ columnData, rowGroupSize: count });
}

/** @param values an array for each column */
function write({ values }) {
  for (const [index, column] of values.entries()) for (const value of column) file.waiting[index].push(value);
  file.rows += values[0].length;
  while (file.waiting[0].length >= ROWS_IN_GROUP) writeGroup(ROWS_IN_GROUP);
}

function close() {
  const { path, rows, waiting, writer } = file;
  if (waiting[0].length > 0) writeGroup(waiting[0].length);
  writer.finish();
  const descriptor = openSync(path, "r+");
  fsyncSync(descriptor);
  closeSync(descriptor);
  file = null;
  const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
  return { rows, bytes: statSync(path).size, sha256 };
}

function abandon() {
  if (file !== null) rmSync(file.path, { force: true });
  file = null;
}

const WORK = { open, write, close, abandon };

// On Linux, the priority of this thread alone; elsewhere it would be that of the whole process.
if (process.platform === "linux") setPriority(LOWEST);

parentPort.on("message", ({ id, work, ...parameters }) => {
  try {
    parentPort.postMessage({ id, result: WORK[work](parameters) ?? null });
  } catch (error) {
    parentPort.postMessage({ id, error: { message: error.message, code: error.code } });
  }
});
