/**
 * A market in a file, from which the next process starts: a heading, small values, and columns of numbers that are used as they lie in
 * the file. Whatever does not fit is not used.
 * @module
 */
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import type { SavedProjection } from "../market/project-form.ts";
import type { TableSnapshot } from "./tables.ts";

/** Grows with every change of what is in the file, or of what it is made of. */
const FORMAT = 2;
const MAGIC = Buffer.from("RAISEBK\n");
/** Where numbers of any kind may lie. */
const ALIGNMENT = 8;
/** Of the heading's length, of the checksum of everything else, and of the heading, in the file. */
const [LENGTH_AT, CHECKSUM_AT, START] = [8, 12, 16];
/** Bytes of a checksum that are read without a pause. */
const AT_ONCE = 16 * 1024 * 1024;

const KINDS = { Uint8Array, Int32Array, Uint32Array, Float64Array, BigUint64Array };
type Kind = keyof typeof KINDS;

/** Where a market comes from: a text that is equal for processes that would make the same market of the same tables. */
export type Origin = string;

export type SavedMarket = {
  position: Omit<TableSnapshot, "rows" | "isWhole">;
  /** hash of the registry */
  registry: string;
  projection: SavedProjection;
};

type Piece = { name: string; kind: Kind; length: number };
type Heading = {
  format: number;
  origin: Origin;
  pieces: Piece[];
  rest: Omit<SavedMarket, "projection"> & {
    projection: Omit<SavedProjection, "archive"> & {
      archive: Omit<SavedProjection["archive"], "numbers" | "bodies">;
    };
  };
};

/** Writes beside the file and puts it in its place at once, so that a reader finds a whole file or none. */
export async function writeMarket(path: string, origin: Origin, { projection, ...rest }: SavedMarket) {
  const { numbers, bodies, ...archive } = projection.archive;
  const columns = Object.entries(numbers);
  const pieces: Piece[] = [
    ...columns.map(([name, column]) => ({
      name,
      kind: column.constructor.name as Kind,
      length: column.length,
    })),
    { name: "bodies", kind: "Uint8Array", length: bodies.reduce((sum, { length }) => sum + length, 0) },
  ];
  const parts = [
    ...columns.flatMap(([, { buffer, byteOffset, byteLength }]) =>
      padded([new Uint8Array(buffer, byteOffset, byteLength)]),
    ),
    ...padded(bodies),
  ];
  const small = { ...rest, projection: { ...projection, archive } };
  const heading = serialize({ format: FORMAT, origin, pieces, rest: small } satisfies Heading);
  const after = [...padded([heading]), ...parts];
  const start = Buffer.alloc(START);
  start.set(MAGIC);
  start.writeUInt32LE(heading.length, LENGTH_AT);
  start.writeUInt32LE(await checksumOf([start.subarray(0, CHECKSUM_AT), ...after]), CHECKSUM_AT);
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}`;
  try {
    const file = await open(beside, "w", 0o600);
    try {
      for (const part of [start, ...after]) await file.write(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Null for a file that is missing, damaged, or of another origin or format. */
export async function readMarket(path: string, origin: Origin): Promise<SavedMarket | null> {
  const file = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null || file.length < START || !file.subarray(0, LENGTH_AT).equals(MAGIC)) return null;
  const checksum = await checksumOf([file.subarray(0, CHECKSUM_AT), file.subarray(START)]);
  if (checksum !== file.readUInt32LE(CHECKSUM_AT)) return null;
  const end = START + file.readUInt32LE(LENGTH_AT);
  const heading = deserialize(file.subarray(START, end)) as Heading;
  if (heading.format !== FORMAT || heading.origin !== origin) return null;
  const body = file.subarray(aligned(end));
  const found: Record<string, InstanceType<(typeof KINDS)[Kind]>> = {};
  let at = body.byteOffset;
  for (const { name, kind, length: count } of heading.pieces) {
    found[name] = new KINDS[kind](body.buffer, at, count);
    at = aligned(at + count * KINDS[kind].BYTES_PER_ELEMENT);
  }
  const { bodies, ...numbers } = found;
  const { projection, ...rest } = heading.rest;
  const archive = { ...projection.archive, numbers, bodies: [bodies as Uint8Array] };
  return { ...rest, projection: { ...projection, archive } };
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function padded(parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [...parts, new Uint8Array(aligned(length) - length)];
}

async function checksumOf(parts: readonly Uint8Array[]): Promise<number> {
  let sum = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length; at += AT_ONCE) {
      sum = crc32(part.subarray(at, at + AT_ONCE), sum);
      if (part.length > AT_ONCE) await pause();
    }
  }
  return sum;
}
