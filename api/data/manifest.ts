/**
 * The contents of a folder of open data: `manifest.json`, which names every file with its SHA-256. It says nothing of the time or the
 * machine that wrote it, so that services with the same book, registry and log of revisions have the same manifest.
 * @module
 */
import { z } from "@hono/zod-openapi";
import { hash } from "../market/fields.ts";
import { DATA_VERSION, SQL_TYPES, TABLES, type TableName } from "./columns.ts";

const decimal = (description: string) =>
  z
    .string()
    .regex(/^\d+$/)
    .openapi({ description: `${description}. Decimal string.`, example: "48099999" });

export const fileSchema = z
  .object({
    path: z
      .string()
      .regex(/^(ledger|listings|originators|cohorts)\/[0-9a-f-]+\.parquet$/)
      .openapi({
        description: "From the address of the manifest. A file with this name never changes.",
        example: "ledger/48000000-48099999-3f1c9a0b5d7e.parquet",
      }),
    fromBlock: decimal("First block of its rows; of a table as of a block, that block"),
    toBlock: decimal("Last block of its rows"),
    rows: z.int().openapi({ description: "Rows.", example: 812 }),
    bytes: z.int().openapi({ description: "Size.", example: 48_211 }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .openapi({ description: "SHA-256 of the file.", example: "3f".repeat(32) }),
  })
  .openapi("DataFile", { description: "A Parquet file." });

const columnSchema = z
  .object({
    name: z.string().openapi({ description: "Name in the files.", example: "committed" }),
    type: z.string().openapi({ description: "SQL type.", example: "DECIMAL(38,0)" }),
    unit: z
      .string()
      .nullable()
      .openapi({ description: "What it counts; null for nothing.", example: "base units" }),
    nullable: z.boolean().openapi({ description: "Whether a row may have no value.", example: true }),
    description: z
      .string()
      .openapi({ description: "What it means.", example: "Change of the amount committed." }),
    since: z.int().openapi({ description: "Schema version that first had it.", example: 1 }),
  })
  .openapi("DataColumn", { description: "A column." });

const tableSchema = z
  .object({
    rows: z.int().openapi({ description: "Rows in all files.", example: 812 }),
    bytes: z.int().openapi({ description: "Size of all files.", example: 48_211 }),
    columns: z.array(columnSchema).openapi({ description: "In the order of the files." }),
    files: z.array(fileSchema).openapi({ description: "In the order of the chain." }),
  })
  .openapi("DataTable", { description: "A table: its legend and its files." });

export const manifestSchema = z
  .object({
    schemaVersion: z.int().openapi({ description: "Version of the columns and of the bytes.", example: 2 }),
    chainId: z.int().openapi({ description: "Chain of the contracts.", example: 97 }),
    dataset: z.string().openapi({
      description: "Identifies the followed contracts and the size of the files.",
      example: "3f1c9a0b5d7e",
    }),
    fromBlock: decimal("First block that is covered"),
    toBlock: decimal("Last block that is covered: the tables as of a block are as of this one"),
    at: z
      .string()
      .openapi({ description: "Time of the last block. ISO 8601, UTC.", example: "2026-03-01T12:00:00Z" }),
    blocksPerFile: decimal("Blocks in a file of the ledger"),
    root: hash(
      "Root of the book as of the last block, as `/v1/root?at=…` answers it",
      `0x${"8a".repeat(32)}`,
    ),
    registry: z.string().openapi({
      description: "Hash of the registry in use when the tables were written. It names the raises.",
      example: `0x${"9f".repeat(32)}`,
    }),
    licence: z.string().nullable().openapi({
      description:
        "Licence that the operator grants: an SPDX identifier or a URL; null when none is granted.",
      example: "CC-BY-4.0",
    }),
    tables: z
      .object({
        ledger: tableSchema,
        listings: tableSchema,
        originators: tableSchema,
        cohorts: tableSchema,
      } satisfies Record<TableName, z.ZodType>)
      .openapi({ description: "By name." }),
  })
  .openapi("DataManifest", { description: "The open data: every file, and what its columns mean." });

export type Manifest = z.output<typeof manifestSchema>;
export type DataFile = z.output<typeof fileSchema>;

export const MANIFEST = "manifest.json";

/** Files of the tables with their legends. */
export function tableOf(name: TableName, files: readonly DataFile[]): Manifest["tables"][TableName] {
  return {
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    columns: TABLES[name].map(({ name: column, type, unit, isNullable, description, since }) => ({
      ...{ name: column, type: SQL_TYPES[type], unit, nullable: isNullable, description, since },
    })),
    files: [...files],
  };
}

/** All files of a manifest. */
export function filesOf({ tables }: Pick<Manifest, "tables">): readonly DataFile[] {
  return Object.values(tables).flatMap(({ files }) => files);
}

/** Null for a text that is no manifest of this version. */
export function parseManifest(text: string): Manifest | null {
  try {
    const { data } = manifestSchema.safeParse(JSON.parse(text));
    return data?.schemaVersion === DATA_VERSION ? data : null;
  } catch {
    return null;
  }
}
