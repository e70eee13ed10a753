/** Another release under an open page: it goes on with the new figures, and takes the new stylesheet and scripts when nothing is disturbed. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { loadBrand } from "../../api/site/brand/brand.ts";
import { DEFAULT_SITE_NAME } from "../../config/defaults.ts";
import { appIn } from "../harness/app.ts";
import { market } from "../harness/businesses.ts";
import { DOLLAR } from "../harness/rows.ts";
import { serveApp } from "../harness/serve-app.ts";
import { untilPassing } from "./clock.ts";
import { openBrowser } from "./open-browser.ts";

const raises = (thousands: number) => market([{}, { raisedAmount: BigInt(thousands) * 1_000n * DOLLAR }]);
const before = await appIn({ snapshot: await raises(40) });
/** Its stylesheet has another address. */
const after = await appIn({
  snapshot: await raises(55),
  overrides: {
    brand: await loadBrand({ siteName: DEFAULT_SITE_NAME, siteLogo: null, siteAccent: "#a01040" }),
  },
});
let app = before;
const [browser, served] = await openBrowser(
  serveApp({ fetch: (request, bindings) => app.fetch(request, bindings) }, { hasFastLane: false }),
);

/** The board of the first release, once it shows a figure of the second. */
async function openBoth() {
  app = before;
  const page = await browser.newPage();
  await page.clock.install();
  await page.route("**/v1/stream*", (route) => route.abort());
  await page.goto(served.url);
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
