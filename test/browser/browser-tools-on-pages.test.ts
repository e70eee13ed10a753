/** Every page of the site offers the tools, and the board its form; an agent gets from the page what the endpoint says. */
import { expect, test } from "vitest";
import { openBrowser } from "./open-browser.ts";
import { PAGES, type SitePage } from "./pages.ts";
import { openSite } from "./site.ts";
import { callForm, FORM_NAME, NAMES } from "./tools-page.ts";
import { watch } from "./watch.ts";

const [browser, site] = await openBrowser(openSite(), { webMcp: true });

async function open(place: Pick<SitePage, "world" | "path" | "status">) {
  const page = await browser.newPage();
  const url = site.urlOf(place);
  const { origin } = new URL(url);
  const { troubles } = watch(page, { origin, ownStatus: place.status });
  const response = await page.goto(url);
  expect(response?.status()).toBe(place.status);
  return { page, origin, troubles };
}

/** The endpoint's answer to a message of an older protocol revision than the page's. */
async function ask(origin: string, name: string, args: object): Promise<unknown> {
  const response = await fetch(`${origin}/mcp`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const { result } = (await response.json()) as { result?: unknown };
  return result;
}

test.each(PAGES)("$name ($path) offers the tools", async (place) => {
  const { page, troubles } = await open(place);
  const names = (await page.webmcp.tools()).map(({ name }) => name);
  expect(names.filter((name) => name !== FORM_NAME).sort()).toEqual([...NAMES].sort());
  // Wherever there is the form, it is a tool too.
  const forms = await page.locator(`form[toolname="${FORM_NAME}"]`).count();
  expect(names.filter((name) => name === FORM_NAME)).toHaveLength(forms);
  if (place.name === "board") expect(forms).toBe(1);
  expect(troubles()).toEqual([]);
  await page.close();
});

test.each([
  { world: "market", path: "/", status: 200 },
  { world: "market", path: "/listings/lst_1", status: 200 },
  { world: "starting", path: "/", status: 503 },
] as const)("the tools on $path of the world $world answer as the endpoint does", async (place) => {
  const { page, origin, troubles } = await open(place);
  for (const [name, args] of [
    ["list_deals", { sort: "most_raised" }],
    ["get_deal", { id: "lst_1" }],
    ["get_deal", { id: "lst_none" }],
    ["list_businesses", { limit: 2 }],
    ["search_knowledge", { query: "what does a refund mean?" }],
  ] as const) {
    const expected = await ask(origin, name, args);
    expect(expected).toHaveProperty("content");
    expect(await page.webmcp.callTool(name, args)).toEqual(expected);
  }
  expect(troubles()).toEqual([]);
  await page.close();
});

test("the form brings what an agent asks for onto the screen", async () => {
  const { page, troubles } = await open({ world: "market", path: "/", status: 200 });
  const tool = (await page.webmcp.tools()).find(({ name }) => name === FORM_NAME);
  const properties = "closing country grade interest interest_to q repayment sort term term_from".split(" ");
  const schema = tool?.inputSchema as { properties: Record<string, { description: string }> } | undefined;
  expect(Object.keys(schema?.properties ?? {}).sort()).toEqual(properties);

  await callForm(page, { repayment: "current", interest: "5", sort: "highest_coupon" }, /repayment=current/);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
    repayment: "current",
    sort: "highest_coupon",
  });
  await expect.poll(() => page.locator("select[name=repayment]").inputValue()).toBe("current");
  expect(troubles()).toEqual([]);
  await page.close();
});
