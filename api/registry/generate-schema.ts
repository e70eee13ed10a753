/**
 * Writes `registry.schema.json` from the zod schema; with `--check`, fails when the file is not current.
 *
 *     node --import tsx api/registry/generate-schema.ts [--check]
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { registryDocument } from "./schema.ts";

const FILE = fileURLToPath(new URL("../../registry.schema.json", import.meta.url));

/** The published JSON Schema (2020-12) of what an operator writes, as the text of its file. */
export function registrySchemaText(): string {
  const { $schema, ...rest } = z.toJSONSchema(registryDocument, { target: "draft-2020-12", io: "input" });
  return `${JSON.stringify({ $schema, title: "Raisebook registry", ...rest }, null, 2)}\n`;
}

function main(): void {
  if (!process.argv.includes("--check")) {
    writeFileSync(FILE, registrySchemaText());
    return;
  }
  if (readFileSync(FILE, "utf8") === registrySchemaText()) return;
  process.stderr.write(
    "registry.schema.json is not current: run `node --import tsx api/registry/generate-schema.ts`\n",
  );
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
