/**
 * The text of `schema.ts`: the types of the read interface.
 * @module
 */
import openapiTypes, { astToString } from "openapi-typescript";

const HEADER = `// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// Generated from openapi.json by generate.ts; do not edit.

`;

type Answer = { content?: Record<string, { example?: unknown }> };
type Operation = { servers?: unknown; responses: Record<string, Answer> };
type Description = { paths: Record<string, Record<string, Operation>> };

/** The paths below `/v1` that are read with GET (others have servers of their own), without examples. */
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

/** @param openApi the text of `openapi.json` */
export async function clientTypes(openApi: string): Promise<string> {
  const types = await openapiTypes(readInterfaceOf(JSON.parse(openApi)) as never);
  return HEADER + astToString(types);
}
