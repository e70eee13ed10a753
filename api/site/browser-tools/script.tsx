/** @jsxImportSource hono/jsx */
/**
 * The tools for an agent in the visitor's browser: `browser/offer-tools.js` as one inline script, the same on every
 * page. It is inline because agents look for tools once, while the page loads. Interface document, "Tool endpoint".
 * @module
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { raw } from "hono/html";
import type { OfferedTool } from "../dependencies.ts";

const SOURCE = fileURLToPath(new URL("./browser/offer-tools.js", import.meta.url));

/** On the page's own origin, so that a page served under another hostname has its tools too. */
const ENDPOINT = "/v1/mcp";
/** The protocol revision in which a single message is a whole session. */
const REVISION = "2026-07-28";

/** The text of the script, to be built once. Safe inside `<script>` without escaping. */
export function browserToolsScript(tools: readonly OfferedTool[]): string {
  const service = { endpoint: ENDPOINT, revision: REVISION, tools };
  const program = withoutComments(readFileSync(SOURCE, "utf8")).replace(/^export /gm, "");
  return `(()=>{"use strict";\n${program}\nofferTools(${jsonInScript(service)});\n})()`;
}

/** The CSP source that allows exactly this script. */
export function browserToolsHash(script: string): string {
  return `'sha256-${createHash("sha256").update(script, "utf8").digest("base64")}'`;
}

export function BrowserTools({ script }: { script: string }) {
  return <script>{raw(script)}</script>;
}

/** JSON that can neither end the script nor begin a comment in it. */
function jsonInScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function withoutComments(program: string): string {
  return program.replace(/^[ \t]*\/\*\*(?:(?!\*\/).)*\*\/\n/gms, "").replace(/^\s+/gm, "");
}
