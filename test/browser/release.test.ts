/** Another release under an open page: it goes on with the new figures, and takes the new stylesheet and scripts when nothing is disturbed. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { loadBrand } from "../../api/site/brand/brand.ts";
import { DEFAULT_SITE_NAME } from "../../config/defaults.ts";
import { appIn } from "../harness/app.ts";
import { market } from "../harness/businesses.ts";
import { PATIENCE } from "../harness/patience.ts";
import { DOLLAR } from "../harness/rows.ts";
import { serveApp } from "../harness/serve-app.ts";
import { untilPassing } from "./clock.ts";
import { openBrowser } from "./open-browser.ts";

const raises = (thousands: number) => market([{}, { raisedAmount: BigInt(thousands) * 1_000n * DOLLAR }]);
const before = await appIn({ snapshot: await raises(40) });
/** Its stylesheet has another address. */
const NEW_BRAND = await loadBrand({ siteName: DEFAULT_SITE_NAME, siteLogo: null, siteAccent: "#a01040" });
const after = await appIn({
  snapshot: await raises(55),
  overrides: { brand: NEW_BRAND },
});
let app = before;
const [browser, served] = await openBrowser(
  serveApp({ fetch: (request, bindings) => app.fetch(request, bindings) }, { hasFastLane: false }),
);

async function openBefore() {
  app = before;
  const page = await browser.newPage();
  await page.clock.install();
  await page.route("**/v1/stream*", (route) => route.abort());
  await page.goto(served.url);
  return page;
}

/** The board of the first release, once it shows a figure of the second. */
async function openBoth() {
  const page = await openBefore();
  const first = await stylesheet(page);
  const until = untilPassing(page);
  await until(() => progress(page), "40,000 of 100,000");
  app = after;
  await until(() => progress(page), "55,000 of 100,000");
  expect(await stylesheet(page)).toBe(first);
  return { page, first, until };
}

const progress = (page: Page) => page.locator("[data-row=lst_2] [data-fact=progress]").textContent();
const stylesheet = (page: Page) => page.locator("head link[rel=stylesheet]").getAttribute("href");

test("a tab that is shown again is that of the new release", async () => {
  const { page, first, until } = await openBoth();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await until(async () => (await stylesheet(page)) !== first, true);
  await page.close();
});

test("another view of the board is opened as a page of the new release", async () => {
  const { page, first, until } = await openBoth();
  await page.getByRole("link", { name: /^All \d/ }).click();
  await until(async () => (await stylesheet(page)) !== first, true);
  expect(new URL(page.url()).search).toBe("?show=all");
  await page.close();
});

test("a tab that was hidden during the update is that of the new release once it is shown", async () => {
  const page = await openBefore();
  const first = await stylesheet(page);
  await page.evaluate(() => Object.defineProperty(document, "hidden", { value: true, configurable: true }));
  app = after;
  await page.clock.runFor(60_000);
  expect(await progress(page)).toBe("40,000 of 100,000");
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: false });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await untilPassing(page)(async () => (await stylesheet(page)) !== first, true);
  await page.close();
});

test("a tab that is shown while the service does not answer stays", async () => {
  const { page, first, until } = await openBoth();
  await page.route(served.url, (route) => route.abort());
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const banner = () => page.locator("#syncState").textContent();
  await until(banner, "Connection lost. Figures are not updating; retrying.");
  await page.unroute(served.url);
  // It is being read by now.
  await until(banner, "");
  expect(await stylesheet(page)).toBe(first);
  await page.close();
});

test.each([
  ["text", (page: Page) => page.locator("input[name=q]").fill("half a wo")],
  ["a tick", (page: Page) => page.locator("input[form=compareForm]").first().check()],
  [
    "a choice",
    (page: Page) => page.locator("#raises select").last().selectOption({ index: 1 }, { force: true }),
  ],
])("a tab with %s that is not sent yet stays", async (_what, fill) => {
  const { page, first, until } = await openBoth();
  await fill(page);
  app = await appIn({ snapshot: await raises(70), overrides: { brand: NEW_BRAND } });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await until(() => progress(page), "70,000 of 100,000");
  expect(await stylesheet(page)).toBe(first);
  await page.close();
});

test("a script of an extension is not taken for another release", async () => {
  const page = await openBefore();
  await page.evaluate(() => {
    const script = Object.assign(document.createElement("script"), { src: "/of-an-extension.js" });
    document.head.append(script);
  });
  await page.getByRole("link", { name: /^All \d/ }).click();
  await expect.poll(() => new URL(page.url()).search, PATIENCE).toBe("?show=all");
  expect(await page.locator("script[src='/of-an-extension.js']").count()).toBe(1);
  await page.close();
});
