/** @module A folder of open data on the disk. Every file appears under its name complete, or not at all. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { removeAbandoned, writeInPlace } from "../../config/unfinished.ts";
import { type Column, TABLES, type TableName } from "./columns.ts";
import { type DataFile, fileSchema, filesOf, MANIFEST, type Manifest, parseManifest } from "./manifest.ts";
import { openParquet } from "./parquet.ts";
import type { Cell } from "./rows.ts";

/** The written part of the ledger, which a restart continues. */
const stateSchema = z.object({
  dataset: z.string(),
  /** the last block that is covered */
  toBlock: z.string().regex(/^\d+$/).nullable(),
  files: z.array(fileSchema),
});
export type LedgerState = z.output<typeof stateSchema>;

const STATE = "written.json";
const UNFINISHED = /\.unfinished$/;
/** Hexadecimal digits of its hash in the name of a file. */
const HASH_DIGITS = 12;

type Span = Pick<DataFile, "fromBlock" | "toBlock">;

/** A file that is being written; its name depends on its bytes. */
export type OpenFile = {
  add(row: readonly Cell[]): Promise<void>;
  close(): Promise<DataFile>;
  abandon(): Promise<void>;
};

export type DataFolder = {
  path: string;
  manifest(): Promise<Manifest | null>;
  /** The written part of this data set, as far as its files still exist. */
  state(dataset: string): Promise<LedgerState>;
  saveState(state: LedgerState): Promise<void>;
  begin(table: TableName, span: Span): Promise<OpenFile>;
  /** Replaces the manifest, and removes files that neither it nor the one before names. */
  publish(manifest: Manifest): Promise<void>;
};

export function openFolder(path: string): DataFolder {
  const textOf = (name: string) => readFile(join(path, name), "utf8").catch(() => null);
  const replace = async (name: string, value: unknown) => {
    await mkdir(path, { recursive: true });
    const text = `${JSON.stringify(value, null, 2)}\n`;
    await writeInPlace(join(path, name), (unfinished) => writeFile(unfinished, text, { flush: true }));
  };
  const isThere = async (file: DataFile) => {
    const found = await stat(join(path, file.path)).catch(() => null);
    return found?.size === file.bytes;
  };
  const manifest = async () => parseManifest((await textOf(MANIFEST)) ?? "");

  return {
    path,
    manifest,
    async state(dataset) {
      const none: LedgerState = { dataset, toBlock: null, files: [] };
      const state = parseState((await textOf(STATE)) ?? "");
      if (state?.dataset !== dataset) return none;
      const there = await Promise.all(state.files.map(isThere));
      const missing = there.indexOf(false);
      if (missing === -1) return state;
      const files = state.files.slice(0, missing);
      return { dataset, files, toBlock: files.at(-1)?.toBlock ?? null };
    },
    saveState: (state) => replace(STATE, state),
    async begin(table, span) {
      await mkdir(join(path, table), { recursive: true });
      const first = span.fromBlock === span.toBlock ? span.toBlock : `${span.fromBlock}-${span.toBlock}`;
      const unfinished = join(path, table, `${first}.${process.pid}.unfinished`);
      const columns: readonly Column[] = TABLES[table];
      const file = await openParquet(unfinished, columns);
      return {
        add: file.add,
        async abandon() {
          await file.abandon();
          // A complete file that did not get its name, or one whose thread has ended.
          await rm(unfinished, { force: true });
        },
        async close() {
          const { rows, bytes, sha256 } = await file.close();
          const name = `${table}/${first}-${sha256.slice(0, HASH_DIGITS)}.parquet`;
          await rename(unfinished, join(path, name));
          return { path: name, ...span, rows, bytes, sha256 };
        },
      };
    },
    async publish(next) {
      const before = await manifest();
      await replace(MANIFEST, next);
      const named = new Set(
        [next, ...(before === null ? [] : [before])].flatMap(filesOf).map((file) => file.path),
      );
      for (const table of Object.keys(TABLES)) await clean(join(path, table), table, named);
    },
  };
}

async function clean(folder: string, table: string, named: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const isOurs = fileSchema.shape.path.safeParse(`${table}/${name}`).success;
    if (isOurs && !named.has(`${table}/${name}`)) await rm(join(folder, name), { force: true });
  }
  await removeAbandoned(folder, (name) => UNFINISHED.test(name));
}

function parseState(text: string): LedgerState | null {
  try {
    return stateSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
