/**
 * GraphiQL opens in a browser as it stands, brings everything it needs, and asks our endpoint.
 */
import type { Response } from "playwright-core";
import { expect, test } from "vitest";
import { launchChromium } from "./chromium.ts";
import { serveAtOwnUrl } from "./site.ts";
import { watch } from "./watch.ts";

/** The console asks for the schema by itself. */
function isQuery(response: Response): boolean {
  return response.request().postData()?.includes("totalCount") ?? false;
}

test("GraphiQL opens without a word on the console, and its first query is answered", async () => {
  await using served = await serveAtOwnUrl({});
  await using browser = await launchChromium();
  const page = await browser.newPage();
  const { troubles } = watch(page, { origin: served.url });
  await page.goto(`${served.url}/graphql`);
  const asked = page.waitForResponse(isQuery);
  await page.getByRole("button", { name: /execute query/i }).click();
  const { data } = await (await asked).json();
  expect(data.listings.totalCount).toBe(2);
  await expect.poll(() => page.locator(".result-window").textContent()).toContain("totalCount");
  expect(troubles()).toEqual([]);
});
