/** @module DuckDB in memory, without network: it reads Parquet files by their paths. */
import { DuckDBInstance } from "@duckdb/node-api";

export type Row = Record<string, string | number | boolean | null>;

export type Duck = {
  /** The rows of the last statement. BIGINT, DECIMAL and TIMESTAMP are text. */
  rows(sql: string): Promise<Row[]>;
  close(): void;
};

export async function openDuck(): Promise<Duck> {
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  const connection = await instance.connect();
  return {
    async rows(sql) {
      const result = await connection.runAndReadAll(sql);
      return result.getRowObjectsJson() as Row[];
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
