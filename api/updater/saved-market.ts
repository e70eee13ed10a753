/** @module A market in a file, from which the next process starts. Its columns are used as they are in the file. */
import type { Bytes } from "../../config/bytes.ts";
import { readColumns, writeColumns } from "../../config/columns-file.ts";
import { createShapes, type Shape, type Values } from "../market/archive/shapes.ts";
import type { SavedProjection } from "../market/project-form.ts";
import type { TableSnapshot } from "./tables.ts";

/** Grows with every change of what is in the file, or of what it is made of. */
const FORMAT = 16;

/** The origin of a market: a text that is equal for processes that would make the same market of the same tables. */
export type Origin = string;

export type SavedMarket = {
  position: Omit<TableSnapshot, "rows" | "isWhole">;
  /** hash of the registry */
  registry: string;
  projection: SavedProjection;
};

type Numbers = SavedProjection["archive"]["numbers"];
type Small = Omit<SavedMarket, "projection"> & {
  projection: Omit<SavedProjection, "archive" | "records"> & {
    archive: Omit<SavedProjection["archive"], "numbers" | "bodies">;
    records: { shapes: readonly Shape[]; of: readonly (readonly [originator: string, record: Values])[] };
  };
};
type Records = SavedProjection["records"];
type SavedRecord = Records["of"] extends ReadonlyMap<string, infer Each> ? Each : never;
/** The columns of the records: their sums one after another, and how many bytes each has. */
const [SUMS, SIZES] = ["recordSums", "recordSizes"];

const identityOf = (origin: Origin) => ({ kind: "market", format: FORMAT, origin });

/** A reader finds a whole file or none. */
export async function writeMarket(path: string, origin: Origin, { projection, ...rest }: SavedMarket) {
  const { numbers, bodies, ...archive } = projection.archive;
  const { of: all, shapes: known } = projection.records;
  const { pack, all: shapes } = createShapes(known);
  const of = Array.from(all, ([originator, { sums: _, ...record }]) => [originator, pack(record)] as const);
  const small: Small = { ...rest, projection: { ...projection, archive, records: { shapes, of } } };
  const sums = Array.from(all.values(), (record) => record.sums);
  const sizes = Uint32Array.from(sums, ({ length }) => length);
  const columns = { ...numbers, bodies, [SUMS]: Buffer.concat(sums), [SIZES]: sizes };
  await writeColumns(path, identityOf(origin), small, columns);
}

/** Null for a file that is missing, damaged, or of another origin or format. */
export async function readMarket(path: string, origin: Origin): Promise<SavedMarket | null> {
  const found = await readColumns(path, identityOf(origin), (name) => name === "bodies");
  if (found === null) return null;
  const { projection, ...rest } = found.small as Small;
  const { bodies, [SUMS]: sums, [SIZES]: sizes, ...numbers } = found.columns;
  const archive = { ...projection.archive, numbers: numbers as Numbers, bodies: [bodies as Bytes] };
  const records = recordsOf(projection.records, sums as Uint8Array, sizes as Uint32Array);
  return { ...rest, projection: { ...projection, archive, records } };
}

function recordsOf(
  { shapes, of }: Small["projection"]["records"],
  sums: Uint8Array,
  sizes: Uint32Array,
): Records {
  const { unpack } = createShapes(shapes);
  let start = 0;
  const records = of.map(([originator, values], index) => {
    const end = start + (sizes[index] ?? 0);
    const record = { ...unpack(values), sums: sums.subarray(start, end) } as SavedRecord;
    start = end;
    return [originator, record] as const;
  });
  return { shapes, of: new Map(records) };
}
