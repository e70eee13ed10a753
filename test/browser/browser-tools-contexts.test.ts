/**
 * The tools are offered wherever a browser takes them, once each, for as long as the page is shown; and a page goes on
 * whatever becomes of that.
 */
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { callOffered, giveContexts, missteps, offeredTo } from "./model-context.ts";
import { openBrowser } from "./open-browser.ts";
import { FORM_NAME, NAMES, serveToolsPage } from "./tools-page.ts";
import { watch } from "./watch.ts";

const NO_MISSTEPS = { aliasReads: 0, refusals: 0 };

const [browser, served] = await openBrowser(serveToolsPage(), { webMcp: true });

let page: Page;
beforeEach(async () => {
  page = await browser.newPage();
});
afterEach(() => page.close());

function open(path = "/page") {
  return page.goto(served.url + path);
}

describe("where tools are offered", () => {
  test.each([
    ["document", { document: NAMES, navigator: [] }],
    ["navigator", { document: [], navigator: NAMES }],
    ["both", { document: NAMES, navigator: NAMES }],
    ["same", { document: NAMES, navigator: [] }],
    ["neither", { document: [], navigator: [] }],
  ] as const)("%s: to each context once", async (contexts, expected) => {
    const { troubles } = watch(page, { origin: served.url });
    await giveContexts(page, contexts);
    await open();
    expect(await offeredTo(page)).toEqual(expected);
    expect(await missteps(page)).toEqual(NO_MISSTEPS);
    for (const holder of ["document", "navigator"] as const) {
      if (expected[holder].length === 0) continue;
      const { structuredContent } = await served.endpoint.call("get_deal", { id: "lst_1" });
      expect(await callOffered(page, holder, "get_deal", { id: "lst_1" })).toMatchObject({
        structuredContent,
      });
    }
    expect(troubles()).toEqual([]);
  });

  test.each([
    ["alias", []],
    ["over the alias", NAMES],
    ["instead of the alias", NAMES],
  ] as const)(
    "%s: to the browser's own, to what somebody else put there, and never to the alias",
    async (contexts, expected) => {
      const { troubles } = watch(page, { origin: served.url });
      await giveContexts(page, contexts);
      await open();
      expect((await page.webmcp.tools()).map(({ name }) => name)).toEqual(expect.arrayContaining([...NAMES]));
      expect((await offeredTo(page)).navigator).toEqual(expected);
      expect(await missteps(page)).toEqual(NO_MISSTEPS);
      expect(troubles()).toEqual([]);
    },
  );

  test.each([
    ["throws", `() => { throw new Error("no") }`, 0],
    ["rejects", `() => Promise.reject(new Error("no"))`, 0],
    ["is no function", `"no"`, 0],
    [
      "takes all but one",
      `(tool) => { if (tool.name === "get_deal") throw new Error("no"); window.taken = (window.taken ?? 0) + 1 }`,
      NAMES.length - 1,
    ],
  ])("a registration that %s leaves the page as it is", async (_, registerTool, taken) => {
    const { troubles } = watch(page, { origin: served.url });
    await page.addInitScript(
      `Object.defineProperty(document, "modelContext", { value: { registerTool: ${registerTool} } })`,
    );
    await open();
    expect(await page.evaluate("window.taken ?? 0")).toBe(taken);
    expect(troubles()).toEqual([]);
  });

  test("a context that cannot be read is ignored", async () => {
    const { troubles } = watch(page, { origin: served.url });
    await giveContexts(page, "navigator");
    await page.addInitScript(
      `Object.defineProperty(document, "modelContext", { get() { throw new Error("no") } })`,
    );
    await open();
    expect(await offeredTo(page)).toEqual({ document: [], navigator: NAMES });
    expect(troubles()).toEqual([]);
  });
});

describe("as the page goes and comes back", () => {
  const names = async () => (await page.webmcp.tools()).map(({ name }) => name).sort();
  const pass = (type: "pagehide" | "pageshow", persisted: boolean) =>
    page.evaluate(([type, persisted]) => dispatchEvent(new PageTransitionEvent(type, { persisted })), [
      type,
      persisted,
    ] as const);

  test("its tools go and come back with it, again and again", async () => {
    const { troubles } = watch(page, { origin: served.url });
    await open();
    const all = await names();
    expect(all).toHaveLength(NAMES.length + 1);
    for (let turn = 0; turn < 3; turn++) {
      await pass("pagehide", true);
      expect(await names()).toEqual([FORM_NAME]);
      await pass("pageshow", true);
      expect(await names()).toEqual(all);
      const { structuredContent } = await served.endpoint.call("list_deals", {});
      expect(await page.webmcp.callTool("list_deals", {})).toMatchObject({ structuredContent });
    }
    expect(troubles()).toEqual([]);
  });

  test("a page shown for the first time offers them once", async () => {
    await giveContexts(page, "both");
    await open();
    await pass("pageshow", false);
    expect(await offeredTo(page)).toEqual({ document: NAMES, navigator: NAMES });
    expect(await missteps(page)).toEqual(NO_MISSTEPS);
    await pass("pagehide", false);
    expect(await offeredTo(page)).toEqual({ document: [], navigator: [] });
  });

  test("the next page has its own", async () => {
    await open();
    await expect.poll(names).toEqual([...NAMES, FORM_NAME].sort());
    await open("/hostile");
    await expect.poll(names).toEqual(["hostile", FORM_NAME].sort());
    await page.goBack();
    await expect.poll(names).toEqual([...NAMES, FORM_NAME].sort());
  });
});
