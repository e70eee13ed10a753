/**
 * Small pages with the tools for an agent in the browser, beside the real endpoint: under a policy that allows their one
 * script by its hash and nothing else inline.
 * @module
 */
import { type Context, Hono } from "hono";
import type { Page } from "playwright-core";
import { z } from "zod";
import { catalogEntry, TOOL_CATALOG, TOOLS } from "../../api/mcp/catalog.ts";
import { defineTool } from "../../api/mcp/tool.ts";
import { BOARD_FORM } from "../../api/site/board/form.ts";
import { BrowserTools, browserToolsHash, browserToolsScript } from "../../api/site/browser-tools/script.tsx";
import { appIn } from "../harness/app.ts";
import { calling } from "../harness/mcp.ts";
import { type ServedApp, serveApp } from "../harness/serve-app.ts";

export const NAMES: readonly string[] = TOOLS.map(({ name }) => name);
export const FORM_NAME: string = BOARD_FORM.form.toolname;
export const SCRIPT = browserToolsScript(TOOL_CATALOG.tools);

/** Everything that could end a script or begin another, in the words of a tool. */
export const HOSTILE = `</script><script>alert(1)</script><!-- <script> --> \u2028\u2029 ${"`"}\${1} \\ " ' é 🦩`;
const hostileTool = defineTool({
  name: "hostile",
  title: HOSTILE,
  description: HOSTILE,
  input: { word: z.string().optional().describe(HOSTILE) },
  output: {},
  run: () => ({ facts: {} }),
});
export const HOSTILE_SCRIPT = browserToolsScript([catalogEntry(hostileTool)]);

type ToolsPage = ServedApp & {
  /** asks the endpoint itself, past any browser */
  endpoint: ReturnType<typeof calling>;
};

/** Serves `/page`, `/hostile`, and `/other-script`, whose script is not the one that its policy allows. */
export async function serveToolsPage(): Promise<ToolsPage> {
  const app = await appIn();
  const front = new Hono();
  front.get("/page", (c) => answerToolsPage(c, SCRIPT));
  front.get("/hostile", (c) => answerToolsPage(c, HOSTILE_SCRIPT));
  front.get("/other-script", (c) => answerToolsPage(c, `${SCRIPT} `, SCRIPT));
  front.route("/", app);
  return { ...(await serveApp(front)), endpoint: calling(app) };
}

/** Calls the board's form and waits until the page has gone where it leads. */
export async function callForm(
  page: Page,
  fields: Record<string, string>,
  destination: RegExp,
): Promise<void> {
  const call = page.webmcp.callTool(FORM_NAME, fields).catch((error: unknown) => {
    // The call takes its own page away, sometimes before its answer has left it.
    if (!/Execution context was destroyed/.test(String(error))) throw error;
  });
  await Promise.all([page.waitForURL(destination), call]);
}

/** A page with the script, and with the board's form as far as an agent sees it. */
export function answerToolsPage(c: Context, script: string, allowed = script) {
  const fields = Object.entries(BOARD_FORM.fields).map(
    ([name, attributes]) => `<label>${name} <input name="${name}" ${attributesOf(attributes)}></label>`,
  );
  c.header(
    "Content-Security-Policy",
    `default-src 'none'; script-src ${browserToolsHash(allowed)}; connect-src 'self'; img-src data:; form-action 'self'`,
  );
  return c.html(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,"></head>
     <body>${BrowserTools({ script })}<main><h1>A page</h1>
     <form action="/page" ${attributesOf(BOARD_FORM.form)}>${fields.join("")}<button>Show</button></form>
     </main></body></html>`,
  );
}

function attributesOf(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${value}"`)
    .join(" ");
}
