/** @jsxImportSource hono/jsx */
/**
 * The tools of the endpoint for an agent in the visitor's browser: one inline script, the same in every page.
 * Interface document, "Tool endpoint": "The same four tools are offered to an agent running in a visitor's browser".
 *
 * What runs in the browser is `browser/offer-tools.js`: written as plain JavaScript and checked with a browser's types,
 * so that what is served is what is read, without a bundler. It is inline because an agent looks for tools once, while
 * the page is loading.
 * @module
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { raw } from "hono/html";
import type { OfferedTool } from "../dependencies.ts";

const SOURCE = fileURLToPath(new URL("./browser/offer-tools.js", import.meta.url));

/** Of the page's own origin, so that a page read by another name than the public one has its tools too. */
const ENDPOINT = "/v1/mcp";
/** The revision in which one message is a whole conversation. */
const REVISION = "2026-07-28";

/**
 * The text of the script; to be built once. Safe between `<script>` and `</script>` as it is.
 *
 * @example
 * const script = browserToolsScript(tools);
 * const policy = `script-src ${browserToolsHash(script)}; connect-src 'self'`;
 */
export function browserToolsScript(tools: readonly OfferedTool[]): string {
  const service = { endpoint: ENDPOINT, revision: REVISION, tools };
  const program = withoutComments(readFileSync(SOURCE, "utf8")).replace(/^export /gm, "");
  return `(()=>{"use strict";\n${program}\nofferTools(${jsonInScript(service)});\n})()`;
}

/** The source of a content security policy that lets exactly this script run. */
export function browserToolsHash(script: string): string {
  return `'sha256-${createHash("sha256").update(script, "utf8").digest("base64")}'`;
}

/** The script element, for the beginning of the body. */
export function BrowserTools({ script }: { script: string }) {
  return <script>{raw(script)}</script>;
}

/** No text of ours can end the script or begin a comment in it. */
function jsonInScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A program without the comments that have lines of their own, and without indentation. */
function withoutComments(program: string): string {
  return program.replace(/^[ \t]*\/\*\*(?:(?!\*\/).)*\*\/\n/gms, "").replace(/^\s+/gm, "");
}
