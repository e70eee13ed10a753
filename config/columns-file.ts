/**
 * A file from which a process starts what an earlier one had in memory: a heading with small values, and columns of numbers and bytes
 * that are used as they are in the file. The heading can be read alone, and long texts stay in the file. One that does not fit is not used.
 * @module
 */
import { once } from "node:events";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import { Worker } from "node:worker_threads";
import { crc32 } from "node:zlib";
import { type Bytes, createFileReader, inFile, inMemory } from "./bytes.ts";
import { writeInPlace } from "./unfinished.ts";

const MAGIC = Buffer.from("RAISEBK2");
/** The places of the heading's length, of the checksum of length and heading, and of the heading. */
const [LENGTH_AT, CHECKSUM_AT, START] = [8, 12, 16];
/** Bytes that are read or checked without a pause. */
const AT_ONCE = 16 * 1024 * 1024;
/** Bytes of the longest heading. */
const MOST_HEADING = 512 * 1024 * 1024;

const KINDS = { Uint8Array, Int32Array, Uint32Array, Float64Array, BigUint64Array };
type Kind = keyof typeof KINDS;
export type Column = Uint8Array | Int32Array | Uint32Array | Float64Array | BigUint64Array;

/** Identifies the processes that may use a file: all three members must be equal. */
export type FileIdentity = {
  /** the kind of its content */
  readonly kind: string;
  /** increases when the code writes other content, or makes it of other sources */
  readonly format: number;
  /** equal for processes that would derive the same content from the same sources */
  readonly origin: string;
};

type Piece = { readonly name: string; readonly kind: Kind; readonly length: number };
type Heading = FileIdentity & {
  readonly pieces: readonly Piece[];
  /** of all pieces, one after another */
  readonly checksum: number;
  readonly small: unknown;
};

export type SavedColumns = {
  readonly small: unknown;
  readonly columns: Readonly<Record<string, Column | Bytes>>;
};

/**
 * A reader finds the whole file, the one before or none.
 * @param columns by their names; a list is written as one column of bytes, and so are bytes that are in a file
 */
export async function writeColumns(
  path: string,
  identity: FileIdentity,
  small: unknown,
  columns: Readonly<Record<string, Column | readonly Bytes[]>>,
): Promise<void> {
  const entries = Object.entries(columns);
  const pieces = entries.map(([name, column]): Piece => {
    if (ArrayBuffer.isView(column)) return { name, kind: kindOf(column), length: column.length };
    return { name, kind: "Uint8Array", length: column.reduce((sum, { length }) => sum + length, 0) };
  });
  const parts = entries.flatMap(([, column]) =>
    ArrayBuffer.isView(column) ? [inMemory(bytesOf(column))] : column,
  );
  const heading = serialize({
    ...identity,
    ...{ pieces, checksum: await checksumOf(parts), small },
  } satisfies Heading);
  const start = Buffer.alloc(START);
  start.set(MAGIC);
  start.writeUInt32LE(heading.length, LENGTH_AT);
  start.writeUInt32LE(await checksumOf([start.subarray(0, CHECKSUM_AT), heading].map(inMemory)), CHECKSUM_AT);
  await mkdir(dirname(path), { recursive: true });
  await writeInPlace(path, async (unfinished) => {
    const file = await open(unfinished, "w", 0o600);
    try {
      for (const part of [inMemory(start), inMemory(heading), ...parts]) await writeWhole(file, part);
      await file.sync();
    } finally {
      await file.close();
    }
  });
}

/**
 * Null for a file that is missing, damaged, or of another identity.
 * @param staysInFile whether a column, by its name, is given as `Bytes` that are not in memory
 */
export async function readColumns(
  path: string,
  identity: FileIdentity,
  staysInFile: (name: string) => boolean = () => false,
): Promise<SavedColumns | null> {
  return openSaved(path, async (file, size) => {
    const heading = await headingOf(file, size, identity);
    if (heading === null) return null;
    const reader = createFileReader(file);
    const found: Record<string, Column | Bytes> = {};
    const toRead: Promise<boolean>[] = [];
    let place = heading.end;
    let staysOpen = false;
    for (const { name, kind, length } of heading.pieces) {
      const size = length * KINDS[kind].BYTES_PER_ELEMENT;
      if (kind === "Uint8Array" && staysInFile(name)) {
        found[name] = inFile(reader, place, length);
        staysOpen = true;
      } else {
        // Not filled with zeros first.
        const bytes = Buffer.allocUnsafeSlow(size);
        found[name] = new KINDS[kind](bytes.buffer);
        toRead.push(fill(file, bytes, place));
      }
      place += size;
    }
    const [checksum, ...areWhole] = await Promise.all([checksumIn(file, heading.end, size), ...toRead]);
    if (checksum !== heading.checksum || areWhole.includes(false)) return null;
    if (staysOpen) opened.add(file);
    return { small: heading.small, columns: found };
  });
}

/** Size in bytes from which on a separate thread computes the checksum. */
const LARGE = 32 * 1024 * 1024;

/** The checksum of part of a file; wrong if the file ends early. */
async function checksumIn(file: FileHandle, start: number, end: number): Promise<number> {
  if (end - start < LARGE) return checksumOf([inFile(createFileReader(file), start, end - start)]);
  const workerData = { fd: file.fd, start, end };
  const worker = new Worker(new URL("./checksum-worker.mjs", import.meta.url), { workerData, execArgv: [] });
  const ended = once(worker, "exit").then(() => {
    throw new Error("the checksum of a saved file could not be computed");
  });
  const [sum] = await Promise.race([once(worker, "message"), ended]);
  return sum;
}

/** Files with columns that stay in them. */
const opened = new Set<FileHandle>();

/** The small values alone, which is quick however long the columns are; null as in `readColumns`, except for a damaged column. */
export async function readSmall(path: string, identity: FileIdentity): Promise<{ small: unknown } | null> {
  return openSaved(path, (file, size) => headingOf(file, size, identity));
}

async function openSaved<Result>(
  path: string,
  read: (file: FileHandle, size: number) => Promise<Result>,
): Promise<Result | null> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null) return null;
  try {
    return await read(file, (await file.stat()).size);
  } finally {
    if (!opened.has(file)) await file.close();
  }
}

async function headingOf(
  file: FileHandle,
  size: number,
  identity: FileIdentity,
): Promise<(Heading & { readonly end: number }) | null> {
  const start = Buffer.alloc(START);
  if (!(await fill(file, start, 0)) || !start.subarray(0, LENGTH_AT).equals(MAGIC)) return null;
  const length = start.readUInt32LE(LENGTH_AT);
  if (START + length > size || length > MOST_HEADING) return null;
  const bytes = Buffer.alloc(length);
  if (!(await fill(file, bytes, START))) return null;
  const checksum = await checksumOf([start.subarray(0, CHECKSUM_AT), bytes].map(inMemory));
  if (checksum !== start.readUInt32LE(CHECKSUM_AT)) return null;
  const heading = deserialize(bytes) as Heading;
  const { kind, format, origin } = identity;
  if (heading.kind !== kind || heading.format !== format || heading.origin !== origin) return null;
  const end = START + length;
  const sizes = heading.pieces.map((piece) => piece.length * KINDS[piece.kind].BYTES_PER_ELEMENT);
  return end + sizes.reduce((sum, one) => sum + one, 0) === size ? { ...heading, end } : null;
}

/** False at the end of the file. */
async function fill(file: FileHandle, bytes: Uint8Array, position: number): Promise<boolean> {
  for (let at = 0; at < bytes.length; ) {
    const length = Math.min(AT_ONCE, bytes.length - at);
    const { bytesRead } = await file.read(bytes, at, length, position + at);
    if (bytesRead === 0) return false;
    at += bytesRead;
  }
  return true;
}

async function writeWhole(file: FileHandle, bytes: Bytes): Promise<void> {
  for (const piece of piecesOf(bytes))
    for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten;
}

function* piecesOf(bytes: Bytes): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += AT_ONCE)
    yield bytes.read(at, Math.min(bytes.length, at + AT_ONCE));
}

function kindOf(column: Column): Kind {
  const kind = (Object.keys(KINDS) as Kind[]).find((name) => column instanceof KINDS[name]);
  if (kind === undefined) throw new TypeError("a column is of no known kind");
  return kind;
}

function bytesOf({ buffer, byteOffset, byteLength }: Column): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

async function checksumOf(parts: readonly Bytes[]): Promise<number> {
  let sum = 0;
  let unpaused = 0;
  for (const part of parts) {
    for (const piece of piecesOf(part)) {
      sum = crc32(piece, sum);
      unpaused += piece.length;
      if (unpaused < AT_ONCE) continue;
      unpaused = 0;
      await pause();
    }
  }
  return sum;
}
