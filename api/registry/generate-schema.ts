/**
 * Writes `registry.schema.json` from the zod schema; with `--check`, fails when the file is not current.
 *
 *     node --import tsx api/registry/generate-schema.ts [--check]
 * @module
 */
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { keepCurrent } from "../generated-file.ts";
import { registryDocument } from "./schema.ts";

const FILE = fileURLToPath(new URL("../../registry.schema.json", import.meta.url));

/** The published JSON Schema (2020-12) of what an operator writes, as the text of its file. */
export function registrySchemaText(): string {
  const { $schema, ...rest } = z.toJSONSchema(registryDocument, { target: "draft-2020-12", io: "input" });
  return `${JSON.stringify({ $schema, title: "Raisebook registry", ...rest }, null, 2)}\n`;
}

keepCurrent({ module: import.meta.url, file: FILE, text: registrySchemaText });
