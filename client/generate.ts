/**
 * Writes `schema.ts`, the types of the read interface, from `openapi.json`; with `--check`, fails when the file is not
 * current.
 *
 *     node --import tsx client/generate.ts [--check]
 * @module
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import openapiTypes, { astToString } from "openapi-typescript";
import { keepCurrent } from "../api/generated-file.ts";

const DESCRIPTION = new URL("../openapi.json", import.meta.url);
const FILE = fileURLToPath(new URL("schema.ts", import.meta.url));

const HEADER = `// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// Generated from openapi.json by generate.ts; do not edit.

`;

type Answer = { content?: Record<string, { example?: unknown }> };
type Operation = { servers?: unknown; responses: Record<string, Answer> };
type Description = { paths: Record<string, Record<string, Operation>> };

/** The paths below `/v1` that are read with GET (what stands elsewhere has servers of its own), without examples. */
function readInterfaceOf({ paths, ...description }: Description): Description {
  const read = Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined || get.servers !== undefined) return [];
    for (const { content = {} } of Object.values(get.responses)) {
      for (const media of Object.values(content)) delete media.example;
    }
    return [[path, { get }]];
  });
  return { ...description, paths: Object.fromEntries(read) };
}

const description: Description = JSON.parse(await readFile(DESCRIPTION, "utf8"));
const types = await openapiTypes(readInterfaceOf(description) as never);
keepCurrent({ module: import.meta.url, file: FILE, text: () => HEADER + astToString(types) });
