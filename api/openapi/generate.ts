/**
 * The text of `openapi.json`: the description of a service on this machine.
 * @module
 */
import { describeApi } from "./describe.ts";

/** Where the demo and the daemon listen unless told otherwise. */
const PUBLIC_URL = "http://127.0.0.1:42069";

export function openApiText(): string {
  return `${JSON.stringify(describeApi(PUBLIC_URL), null, 2)}\n`;
}
