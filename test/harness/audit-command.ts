/** @module `npm run audit` as a person runs it, and tables for it that a test can change. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Postgres } from "./postgres.ts";
import { type ServiceOptions, startService } from "./service.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Indexes everything up to a block into the schema `book`, holders too, and leaves the tables without triggers. */
export async function indexBook(postgres: Postgres, options: ServiceOptions, block: bigint): Promise<void> {
  const tables = { DATABASE_URL: postgres.connectionString, DATABASE_SCHEMA: "book", HOLDERS: "true" };
  const service = await startService({ ...options, env: { ...tables, ...options.env } });
  await service.indexed(block);
  const code = await service.stop();
  if (code !== 0) throw new Error(`the indexer ended with ${code}`);
  // The indexer's triggers need the indexer.
  const names = await postgres.query("SELECT tablename FROM pg_tables WHERE schemaname = 'book'");
  for (const { tablename } of names) {
    await postgres.query(`ALTER TABLE book."${tablename}" DISABLE TRIGGER USER`);
  }
}

export async function runAudit(
  env: Record<string, string>,
  ...options: string[]
): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(
    process.execPath,
    ["--import", "./config/bundle.mjs", "operate/audit/main.ts", ...options],
    {
      cwd: ROOT,
      env: { ...process.env, ...env },
    },
  );
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output, errors };
}
