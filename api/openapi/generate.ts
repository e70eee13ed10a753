/**
 * Writes `openapi.json`, the description of a service on this machine, from the routes; with `--check`, fails when
 * the file is not current.
 *
 *     node --import tsx api/openapi/generate.ts [--check]
 * @module
 */
import { fileURLToPath } from "node:url";
import { keepCurrent } from "../generated-file.ts";
import { describeApi } from "./describe.ts";

const FILE = fileURLToPath(new URL("../../openapi.json", import.meta.url));
/** Where the demo and the daemon listen unless told otherwise. */
const PUBLIC_URL = "http://127.0.0.1:42069";

/** The description as the text of its file. */
export function openApiText(): string {
  return `${JSON.stringify(describeApi(PUBLIC_URL), null, 2)}\n`;
}

keepCurrent({ module: import.meta.url, file: FILE, text: openApiText });
