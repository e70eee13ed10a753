/**
 * The API reference and the page for GraphQL in a browser: columns, what stays in view, the keyboard, what is transferred.
 * Rules for every page are tested with all pages.
 */
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openBrowser } from "./open-browser.ts";
import { layoutShifts, watchShifts } from "./shifts.ts";
import { openSite } from "./site.ts";
import { watch } from "./watch.ts";

const LISTINGS = "/developers/reference/listings";
const DESK = { viewport: { width: 1280, height: 900 } };

const [browser, site] = await openBrowser(openSite());

/** Opens a page; `check` runs within, and nothing may go wrong beside. */
async function at(path: string, options: BrowserContextOptions, check: (page: Page) => Promise<void>) {
  await using context = await browser.newContext(options);
  const page = await context.newPage();
  const { troubles } = watch(page, { origin: site.url });
  await watchShifts(page);
  await page.goto(site.url + path);
  await check(page);
  expect(troubles()).toEqual([]);
}

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`${selector} is not shown`);
  return box;
}

describe("the reference", () => {
  it("has contents, description and example next to each other, and keeps two of them in view", async () => {
    await at(LISTINGS, DESK, async (page) => {
      const operation = "#listListings";
      const columns = async () => [
        await boxOf(page, ".contents"),
        await boxOf(page, `${operation} .endpoint-lists`),
        await boxOf(page, `${operation} .endpoint-example`),
      ];
      const [contents, lists, example] = await columns();
      if (!contents || !lists || !example) throw new Error("three columns");
      expect(contents.x + contents.width).toBeLessThanOrEqual(lists.x);
      expect(lists.x + lists.width).toBeLessThanOrEqual(example.x);
      await page.evaluate(() => scrollTo({ top: 1800, behavior: "instant" }));
      const [kept, moved, still] = await columns();
      expect(moved?.y).toBeCloseTo(lists.y - 1800, 0);
      for (const box of [kept, still]) expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((still?.y ?? 0) + (still?.height ?? 0)).toBeLessThanOrEqual(900);
    });
  });

  it("has one column on a phone, the example before the parameters", async () => {
    await at(LISTINGS, { viewport: { width: 390, height: 844 } }, async (page) => {
      const [text, example, lists] = [
        await boxOf(page, "#listListings .endpoint-text"),
        await boxOf(page, "#listListings .endpoint-example"),
        await boxOf(page, "#listListings .endpoint-lists"),
      ];
      expect(text.y + text.height).toBeLessThanOrEqual(example.y);
      expect(example.y + example.height).toBeLessThanOrEqual(lists.y);
    });
  });

  it("transfers less than 300 kB and nothing moves", async () => {
    await using context = await browser.newContext(DESK);
    const page = await context.newPage();
    await watchShifts(page);
    const sizes: Promise<number>[] = [];
    page.on("requestfinished", (request) => {
      sizes.push(request.sizes().then((one) => one.responseBodySize + one.responseHeadersSize));
    });
    await page.goto(site.url + LISTINGS, { waitUntil: "networkidle" });
    const bytes = (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(300_000);
    expect(await layoutShifts(page)).toEqual([]);
  });

  it("is used by keyboard: from the contents to an operation, and to another language", async () => {
    await at(LISTINGS, DESK, async (page) => {
      await page.locator(".contents").getByRole("link", { name: "One listing" }).focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => new URL(page.url()).hash).toBe("#getListing");
      await expect.poll(async () => (await boxOf(page, "#getListing h2")).y).toBeLessThan(450);
      const tabs = page.locator("#getListing .tabs");
      await tabs.getByRole("radio", { name: "curl" }).focus();
      await page.keyboard.press("ArrowRight");
      expect(await tabs.locator(".tab--ts").isVisible()).toBe(true);
      expect(await tabs.locator(".tab--bash").isVisible()).toBe(false);
    });
  });

  it("opens the recorded request in the browser", async () => {
    await at("/developers/reference/stats", { ...DESK, javaScriptEnabled: false }, async (page) => {
      const link = page.getByRole("link", { name: "Open this request of GET /v1/stats", exact: true });
      const [response] = await Promise.all([page.waitForNavigation({ timeout: 30_000 }), link.click()]);
      expect(response?.status()).toBe(200);
      expect(JSON.parse((await page.locator("body").textContent()) ?? "")).toHaveProperty("raised");
    });
  });
});

describe("the page for GraphQL", () => {
  it.each([true, false])("answers a query that is changed, with scripts: %s", async (javaScriptEnabled) => {
    await at("/developers/graphql", { ...DESK, javaScriptEnabled }, async (page) => {
      const query = page.getByLabel("Query", { exact: true });
      await query.fill('{\n  listing(id: "lst_2") { publicId }\n}');
      if (javaScriptEnabled) await query.press("Control+Enter");
      else await page.getByRole("button", { name: "Send the query" }).click();
      await page.waitForURL(/\?query=/);
      const answer = await page.locator("#try .snippet code").textContent();
      expect(JSON.parse(answer ?? "")).toEqual({ data: { listing: { publicId: "lst_2" } } });
      expect(await query.inputValue()).toBe('{\n  listing(id: "lst_2") { publicId }\n}');
      const [form, shown] = [await boxOf(page, "#try form"), await boxOf(page, "#try .snippet")];
      expect(form.x + form.width).toBeLessThanOrEqual(shown.x);
    });
  });
});
