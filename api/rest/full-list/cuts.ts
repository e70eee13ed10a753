/** @module The cuts of an archive's list into chunks, and what a chunk takes from those before. */
import { setImmediate as pause } from "node:timers/promises";
import type { ArchivedRows } from "../../market/archive/archived-rows.ts";
import { GRADES } from "../../market/schema.ts";

/** Rows that are looked at before other answers go on: about two milliseconds. */
const ROWS = 32_768;

/** Rows that follow each other in a list. */
export type Cut = {
  /** newest first */
  readonly rows: Int32Array;
  /** of each row's originator, as an index of `GRADES` */
  readonly grades: Uint8Array;
};

/** The JSON of each listing of a chunk, a comma before each. */
export type Made = { bytes: Buffer<ArrayBuffer>; ends: Uint32Array };

/** @param isFirst whether a row begins a chunk, wherever it is */
export async function cut(archived: ArchivedRows, isFirst: (row: number) => boolean): Promise<Cut[]> {
  const { archive, version, gradeOf } = archived.view;
  const gradeOfOriginator: number[] = [];
  const gradeAt = (row: number): number => {
    const originator = archive.originatorIndexOf(row);
    gradeOfOriginator[originator] ??= GRADES.indexOf(gradeOf(archive.originatorOf(row)));
    return gradeOfOriginator[originator] as number;
  };
  const cuts: Cut[] = [];
  let rows: number[] = [];
  const end = () => {
    if (rows.length > 0) cuts.push({ rows: Int32Array.from(rows), grades: Uint8Array.from(rows, gradeAt) });
    rows = [];
  };
  for (const [index, row] of archived.inOrder("newest").entries()) {
    if (index % ROWS === ROWS - 1) await pause();
    if (!archive.isPresent(row, version)) continue;
    if (isFirst(row)) end();
    rows.push(row);
  }
  end();
  return cuts;
}

type Numbers = Int32Array | Uint8Array;

export function isSame(one: Numbers, other: Numbers): boolean {
  const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers) =>
    new Uint8Array(buffer, byteOffset, byteLength);
  return Buffer.compare(bytesOf(one), bytesOf(other)) === 0;
}

/** The listings of a chunk that its sources have as they are now, by row. */
export async function copied<Source extends Cut>(
  { rows, grades, sources }: Cut & { sources: ReadonlySet<Source> },
  read: (source: Source) => Promise<Made | null>,
): Promise<Map<number, Buffer<ArrayBuffer>>> {
  const copies = new Map<number, Buffer<ArrayBuffer>>();
  const wanted = new Map(Array.from(rows, (row, index) => [row, grades[index]]));
  for (const source of sources) {
    const isWanted = (row: number, index: number) => wanted.get(row) === source.grades[index];
    const made = source.rows.some(isWanted) ? await read(source) : null;
    if (made === null) continue;
    for (const [index, row] of source.rows.entries())
      if (isWanted(row, index)) copies.set(row, slice(made, index, index + 1));
  }
  return copies;
}

/** The listings from `start` to before `end`, a comma before each. */
export function slice({ bytes, ends }: Made, start: number, end: number): Buffer<ArrayBuffer> {
  return bytes.subarray(startOf(ends, start), startOf(ends, end));
}

/** The start of a listing in a chunk, with its comma. */
export function startOf(ends: Uint32Array, index: number): number {
  return index === 0 ? 0 : (ends[index - 1] as number);
}
