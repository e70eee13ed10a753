/** @module A source of open data in memory: a ledger of three events in each block, and the market of `everyState`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DataFolder, openFolder } from "../../api/data/folder.ts";
import type { Manifest } from "../../api/data/manifest.ts";
import { type DataSource, writeData } from "../../api/data/write.ts";
import type { BookQueries } from "../../api/proof/read-book.ts";
import { HASH } from "./book.ts";
import { tablesWith } from "./compared-books.ts";
import { type MemoryTables, memoryBookQueries } from "./memory-book.ts";
import { snapshotOf, tablesOf } from "./snapshot.ts";

export const FIRST = 48_000_000n;
const made = await snapshotOf(tablesOf());

/** @param change of the source */
export function memorySource(change: Partial<DataSource & { tables: MemoryTables }> = {}) {
  const { tables = tablesWith(30), ...changes } = change;
  const queries: BookQueries = memoryBookQueries(() => tables);
  return {
    tables,
    source: {
      ...{ chainId: 97, dataset: "0123456789ab", firstBlock: FIRST, blocksPerFile: 10n, licence: null },
      events: queries.events,
      marketAt: async (block) => ({
        market: { ...made.market, head: { number: block, timestamp: 1_772_366_400n } },
        registry: `0x${"9f".repeat(32)}`,
      }),
      rootAt: async () => HASH,
      ...changes,
    } satisfies DataSource as DataSource,
    snapshot: made,
  };
}

export type WrittenFolder = AsyncDisposable & { folder: DataFolder; manifest: Manifest };

/** A folder with these data up to a final block; removed with its scope. */
export async function writtenFolder(
  source = memorySource().source,
  final = FIRST + 39n,
): Promise<WrittenFolder> {
  const folder = openFolder(await mkdtemp(join(tmpdir(), "raisebook-data-")));
  const manifest = await writeData(folder, source, final, { pause: async () => {} });
  if (manifest === null || "reason" in manifest) throw new Error("no files were written");
  return { folder, manifest, [Symbol.asyncDispose]: () => rm(folder.path, { recursive: true }) };
}
