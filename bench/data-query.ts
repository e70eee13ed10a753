/**
 * Queries of the open data from nothing: the manifest and the files of a query are fetched over HTTP by ranges, a new DuckDB opens them,
 * and answers. The files have 20,000 raises and made-up events.
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hex } from "viem";
import type { TableName } from "../api/data/columns.ts";
import { filesOf, MANIFEST, type Manifest } from "../api/data/manifest.ts";
import { RECIPES, tablesSql } from "../api/data/recipes.ts";
import { appIn } from "../test/harness/app.ts";
import { memorySource, writtenFolder } from "../test/harness/data-source.ts";
import { openDuck } from "../test/harness/duckdb.ts";
import { fetchByRange } from "../test/harness/fetched-data.ts";
import { serveApp } from "../test/harness/serve-app.ts";
import { LAST_BLOCK, madeUpLedger } from "./data.ts";
import { RUNS, soloRow } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";
import { longMarket } from "./series.ts";

/** Bytes of a request. */
const RANGE = 2 ** 20;

/** Queries with the tables that they read. */
const CASES: readonly { recipe: string; tables: readonly TableName[]; bar: string }[] = [
  { recipe: "vintages", tables: ["cohorts"], bar: "≤ 1 s" },
  { recipe: "default-rate", tables: ["listings"], bar: "≤ 1 s" },
  { recipe: "monthly-flows", tables: ["listings", "ledger"], bar: "reported" },
];

export async function* dataQuery(): AsyncGenerator<Row> {
  const { market } = longMarket();
  const made = madeUpLedger();
  const escrowAddress = market.listings.at(0)?.escrowAddress as Hex;
  const { source } = memorySource({
    ...made,
    events: async (...asked) => (await made.events(...asked)).map((row) => ({ ...row, escrowAddress })),
  });
  const marketAt = async () => ({ market, registry: `0x${"9f".repeat(32)}` });
  await using data = await writtenFolder({ ...source, marketAt }, LAST_BLOCK);
  await using served = await serveApp(await appIn({ overrides: { data: data.folder } }));
  for (const { recipe, tables, bar } of CASES) {
    const { sql, title } = RECIPES.find(({ id }) => id === recipe) ?? { sql: "", title: "" };
    const times: number[] = [];
    let bytes = 0;
    for (let run = 0; run < RUNS; run++) {
      const copy = await mkdtemp(join(tmpdir(), "raisebook-bench-query-"));
      const startedAt = performance.now();
      bytes = await fetchTables(`${served.url}/data/`, copy, tables);
      const duck = await openDuck();
      await duck.rows(viewsOf(copy, tables));
      const rows = await duck.rows(sql);
      times.push((performance.now() - startedAt) / 1_000);
      duck.close();
      await rm(copy, { recursive: true });
      if (rows.length === 0) throw new Error(`${title} has no rows`);
    }
    const size = `${(bytes / 1e6).toFixed(2)} MB`;
    yield soloRow({ bench: "data-query", case: `${title} (${size})`, unit: "s", bar }, times);
  }
}

/** The statements that open these tables. The views of others would look for their files. */
function viewsOf(copy: string, tables: readonly TableName[]): string {
  return tablesSql(`${copy}/`)
    .split("\n")
    .filter(
      (line) => !line.startsWith("CREATE VIEW") || tables.some((name) => line.includes(`VIEW ${name} `)),
    )
    .join("\n");
}

/** @returns the bytes that were fetched */
async function fetchTables(root: string, copy: string, tables: readonly TableName[]): Promise<number> {
  const text = await (await fetch(root + MANIFEST)).text();
  await writeFile(join(copy, MANIFEST), text);
  const manifest: Manifest = JSON.parse(text);
  const files = filesOf(manifest).filter(({ path }) => tables.some((name) => path.startsWith(`${name}/`)));
  await Promise.all(files.map((file) => fetchByRange(root, copy, file, RANGE)));
  return files.reduce((sum, { bytes }) => sum + bytes, text.length);
}
