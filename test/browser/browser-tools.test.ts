/**
 * The tools that a page offers to an agent in the visitor's browser are the endpoint's, answer as it does, and never
 * reject, whatever happens to the call.
 */
import { Hono } from "hono";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BOARD_FORM } from "../../api/site/board/form.ts";
import { BrowserTools } from "../../api/site/browser-tools/script.tsx";
import { serveApp } from "../harness/serve-app.ts";
import { callOffered, endCall, giveContexts } from "./model-context.ts";
import { openBrowser } from "./open-browser.ts";
import {
  answerToolsPage,
  callForm,
  FORM_NAME,
  HOSTILE,
  HOSTILE_SCRIPT,
  NAMES,
  SCRIPT,
  serveToolsPage,
} from "./tools-page.ts";
import { watch } from "./watch.ts";

const ENDPOINT = "**/v1/mcp";

const [browser, served] = await openBrowser(serveToolsPage(), { webMcp: true });

let page: Page;
beforeEach(async () => {
  page = await browser.newPage();
});
afterEach(() => page.close());

function open(path = "/page") {
  return page.goto(served.url + path);
}

/** The tools in the page's own context: Playwright omits their titles. */
function listedInPage(): Promise<
  { name: string; title: string; inputSchema: unknown; annotations: unknown }[]
> {
  return page.evaluate(async () => {
    const tools: Record<string, unknown>[] = await Reflect.get(document, "modelContext").getTools();
    return tools.map(({ name, title, description, inputSchema, annotations }) => ({
      name: String(name),
      title: String(title),
      description,
      // A text in Chromium before 154.
      inputSchema: typeof inputSchema === "string" ? JSON.parse(inputSchema) : inputSchema,
      annotations,
    }));
  });
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);

/** One sentence for the agent, and that it is none of the facts. */
function advice(text: RegExp) {
  return { content: [{ type: "text", text: expect.stringMatching(text) }], isError: true };
}

describe("what is offered", () => {
  test("is what the endpoint lists, and the form; the console stays silent", async () => {
    const { troubles } = watch(page, { origin: served.url });
    await open();
    const { tools } = await served.endpoint.listTools<Record<string, unknown> & { name: string }>();
    const expected = tools.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema,
      annotations: { readOnlyHint: true, untrustedContentHint: true },
    }));
    const found = await listedInPage();
    expect(found.filter(({ name }) => NAMES.includes(name)).sort(byName)).toEqual(expected.sort(byName));
    expect(found).toHaveLength(NAMES.length + 1);

    const seen = await page.webmcp.tools();
    expect(seen.map(({ name }) => name).sort()).toEqual([...NAMES, FORM_NAME].sort());
    for (const { name, description, inputSchema, annotations } of expected) {
      const tool = seen.find((tool) => tool.name === name);
      expect(tool).toMatchObject({ description, annotations: { readOnly: true, untrustedContent: true } });
      expect(tool?.inputSchema).toEqual(inputSchema);
      expect(annotations).toBeDefined();
    }
    expect(troubles()).toEqual([]);
  });

  test("is nothing when the policy has the hash of another text", async () => {
    const { troubles } = watch(page, { origin: served.url });
    await open("/other-script");
    expect((await page.webmcp.tools()).map(({ name }) => name)).toEqual([FORM_NAME]);
    expect(troubles().join()).toMatch(/inline script violates/);
  });

  test("keeps words full of markup as words", async () => {
    const { troubles } = watch(page, { origin: served.url });
    await open("/hostile");
    const tool = (await listedInPage()).find(({ name }) => name === "hostile");
    expect(tool).toMatchObject({ title: HOSTILE, description: HOSTILE });
    expect(tool?.inputSchema).toMatchObject({ properties: { word: { description: HOSTILE } } });
    expect(troubles()).toEqual([]);
  });

  test.each([SCRIPT, HOSTILE_SCRIPT])("is a small script that nothing in it can end", (script) => {
    expect(Buffer.byteLength(script)).toBeLessThan(9 * 1024);
    expect(script).not.toMatch(/<\/?script|<!--|[\u2028\u2029\r\0]/i);
    expect(script).not.toMatch(/\/\*|^\s*\/\/|^export/m);
    expect(`${BrowserTools({ script })}`).toBe(`<script>${script}</script>`);
  });
});

describe("a call", () => {
  test.each([
    ["list_deals", { status: ["listed", "funding"], sort: "closing_soon", limit: 2 }],
    ["list_deals", {}],
    ["get_deal", { id: "lst_1" }],
    ["list_businesses", { limit: 1 }],
    ["search_knowledge", { query: "what is grade A?", limit: 2 }],
  ])("of %s with %j is answered as the endpoint answers it", async (name, args) => {
    await open();
    const { structuredContent, text, isError } = await served.endpoint.call(name, args);
    expect(isError).toBe(false);
    expect(structuredContent).toBeDefined();
    expect(await page.webmcp.callTool(name, args)).toEqual({
      content: [{ type: "text", text }],
      structuredContent,
    });
  });

  test.each([
    ["get_deal", {}],
    ["get_deal", { id: "" }],
    ["get_deal", { id: "lst_none" }],
    ["get_deal", { id: "lst_1", "</script>": 1 }],
    ["list_deals", { status: ["open"] }],
    ["list_deals", { limit: "many" }],
    ["list_deals", { cursor: "nowhere" }],
    ["list_businesses", { jurisdiction: 7 }],
    ["search_knowledge", { query: "x".repeat(401) }],
  ])("of %s with the wrong input %j is the endpoint's advice", async (name, args) => {
    await open();
    const { text, isError } = await served.endpoint.call(name, args);
    expect(isError).toBe(true);
    expect(await page.webmcp.callTool(name, args)).toEqual({
      content: [{ type: "text", text }],
      isError: true,
    });
  });

  test.each(["a text", 7, true, ["list"]])(
    "with %j for its arguments is refused with advice",
    async (input) => {
      await giveContexts(page, "document");
      await open();
      const result = await callOffered(page, "document", "list_deals", input);
      expect(result).toEqual(advice(/^The service refused the call \(.+\): send an object of arguments/));
    },
  );

  test("without arguments counts as one with an empty object", async () => {
    await giveContexts(page, "document");
    await open();
    const { structuredContent } = await served.endpoint.call("list_deals", {});
    for (const input of [undefined, null]) {
      expect(await callOffered(page, "document", "list_deals", input)).toMatchObject({ structuredContent });
    }
  });

  test("sends neither cookies nor where the agent is besides the page", async () => {
    await page.context().addCookies([{ name: "session", value: "secret", url: served.url }]);
    await open();
    const asked = page.waitForRequest(ENDPOINT);
    await page.webmcp.callTool("list_deals", {});
    const headers = await (await asked).allHeaders();
    expect(headers.cookie).toBeUndefined();
    expect(headers).toMatchObject({ "mcp-method": "tools/call", "mcp-name": "list_deals" });
    expect(new URL((await asked).url()).origin).toBe(served.url);
  });
});

const REFUSED = { jsonrpc: "2.0", id: 1, error: { code: -32_602, message: "Not so" } };

describe("a call that goes wrong", () => {
  test.each([
    [{ status: 429, headers: { "Retry-After": "7" } }, /\(HTTP 429\): call again in 7 seconds\.$/],
    [{ status: 429, body: JSON.stringify(REFUSED) }, /\(HTTP 429\): call again in a few seconds\.$/],
    [{ status: 500, body: "<h1>Oh</h1>" }, /\(HTTP 500\): call again in a few seconds\.$/],
    [
      { status: 503, headers: { "Retry-After": "Sun, 01 Mar 2026 12:00:00 GMT" } },
      /\(HTTP 503\): .* a few seconds/,
    ],
    [{ status: 403, body: JSON.stringify(REFUSED) }, /^The service refused the call \(Not so\): /],
    [{ status: 404, body: "<h1>Not here</h1>" }, /^The service refused the call \(HTTP 404\): /],
    [{ status: 400, body: `{"error": {"message": {}}}` }, /^The service refused the call \(HTTP 400\): /],
    [{ status: 200, body: JSON.stringify(REFUSED) }, /^The service refused the call \(Not so\): /],
    [{ status: 301, headers: { Location: "/" } }, /^The service could not be asked: /],
    ...[
      "",
      "<h1>Hello</h1>",
      "null",
      "7",
      `"x"`,
      "[]",
      "{}",
      `{"result":null}`,
      `{"result":{"content":"x"}}`,
    ].map((body) => [{ status: 200, body }, /^The answer of the service could not be read: /] as const),
  ] as const)("with the answer %j is advice", async (answer, text) => {
    await page.route(ENDPOINT, (route) => route.fulfill({ contentType: "application/json", ...answer }));
    await open();
    expect(await page.webmcp.callTool("list_deals", {})).toEqual(advice(text));
  });

  test("because the connection breaks is advice", async () => {
    await page.route(ENDPOINT, (route) => route.abort("connectionreset"));
    await open();
    expect(await page.webmcp.callTool("list_deals", {})).toEqual(advice(/^The service could not be asked: /));
  });

  test("because the service is gone is advice", async () => {
    const leaving = new Hono().get("/page", (c) => answerToolsPage(c, SCRIPT));
    const gone = await serveApp(leaving);
    await page.goto(`${gone.url}/page`).finally(() => gone[Symbol.asyncDispose]());
    expect(await page.webmcp.callTool("list_deals", {})).toEqual(advice(/^The service could not be asked: /));
  });

  test("because the agent ended it is advice, and the request ends with it", async () => {
    await giveContexts(page, "document");
    await page.route(ENDPOINT, () => {});
    await open();
    const asked = page.waitForRequest(ENDPOINT);
    const ended = page.waitForEvent("requestfailed");
    const result = callOffered(page, "document", "list_deals", {});
    await asked;
    await endCall(page);
    expect(await result).toEqual(advice(/^The call was ended before its answer came: /));
    expect((await ended).failure()?.errorText).toMatch(/ABORTED/);
  });

  test("because it was ended before it began is advice, and nothing is asked", async () => {
    await giveContexts(page, "document");
    await open();
    const before = served.requests.length;
    const result = await callOffered(page, "document", "list_deals", {}, { isEnded: true });
    expect(result).toEqual(advice(/^The call was ended before its answer came: /));
    expect(served.requests).toHaveLength(before);
  });

  test("because the browser's own agent ended it ends the request", async () => {
    await page.route(ENDPOINT, () => {});
    await open();
    const asked = page.waitForRequest(ENDPOINT);
    const ended = page.waitForEvent("requestfailed");
    await page.evaluate(async () => {
      const modelContext = Reflect.get(document, "modelContext");
      const call = new AbortController();
      Object.assign(window, { call });
      const tools: { name: string }[] = await modelContext.getTools();
      const tool = tools.find(({ name }) => name === "list_deals");
      modelContext.executeTool(tool, "{}", { signal: call.signal }).catch(() => {});
    });
    await asked;
    await page.evaluate(() => (window as unknown as { call: AbortController }).call.abort());
    expect((await ended).failure()?.errorText).toMatch(/ABORTED/);
  });
});

describe("the board's form", () => {
  test("is a tool of its own with a word for each field", async () => {
    await open();
    const name = FORM_NAME;
    expect(NAMES).not.toContain(name);
    expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
    const tool = (await listedInPage()).find((tool) => tool.name === name);
    expect(tool).toMatchObject({
      title: BOARD_FORM.form.tooltitle,
      description: BOARD_FORM.form.tooldescription,
    });
    const described = Object.entries(BOARD_FORM.fields).map(([name, { toolparamdescription }]) => [
      name,
      expect.objectContaining({ description: toolparamdescription }),
    ]);
    expect(tool?.inputSchema).toMatchObject({ properties: Object.fromEntries(described) });
  });

  test("opens the board as it was asked for, without a press of its button", async () => {
    await open();
    await callForm(page, { q: "ovens", interest: "10" }, /\?q=ovens/);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toMatchObject({ q: "ovens", interest: "10", grade: "" });
  });
});
