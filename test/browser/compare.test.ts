/** Raises side by side: chosen by boxes on the board, with and without scripts. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openBrowser } from "./open-browser.ts";
import { openSite } from "./site.ts";
import { watch } from "./watch.ts";

const [browser, site] = await openBrowser(openSite());

const box = (page: Page, id: string) => page.locator(`input[form=compareForm][value="${id}"]`);
const columnsOf = (page: Page) => page.locator("#terms thead th").allTextContents();
const button = (page: Page) => page.locator("#compareForm button");

test.each([
  ["cards", "/?show=all"],
  ["rows", "/?show=all&view=table"],
])("%s are ticked and compared without a script", async (_, path) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site.url + path);
  await box(page, "lst_3").check();
  await box(page, "lst_4").check();
  await button(page).click();
  expect(new URL(page.url()).pathname).toBe("/compare");
  expect((await columnsOf(page)).toSorted()).toEqual(["RB00003", "RB00004", "Raise"]);
  expect(await page.getByRole("link", { name: "Remove RB00003", exact: true }).count()).toBe(1);
  await page.locator(".chips a").first().click();
  expect(await columnsOf(page)).toHaveLength(2);
  await page.locator("input[name=ids]").fill("RB00001,RB00002,RB00003,RB00004,RB00005");
  await page.getByRole("button", { name: "Compare" }).click();
  expect(await page.locator(".notice--error").textContent()).toContain("At most 4 can be compared");
  expect(await columnsOf(page)).toHaveLength(5);
  await context.close();
});

test("the script's bar counts, comes into view and moves nothing; a fifth raise cannot be ticked", async () => {
  const page = await browser.newPage({ viewport: { width: 1024, height: 700 } });
  const { troubles } = watch(page, { origin: site.url });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`${site.url}/?show=all`);
  expect(await button(page).textContent()).toBe("Compare the ticked raises");
  // Shifts while the page loads are not caused by the bar.
  await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.splice(0));
  const ids = ["lst_1", "lst_3", "lst_4", "lst_5"];
  const first = box(page, "lst_1");
  await first.check();
  expect(await button(page).textContent()).toBe("Compare (1)");
  const isInView = () =>
    button(page).evaluate((one) => one.getBoundingClientRect().bottom <= window.innerHeight);
  expect(await isInView()).toBe(true);
  for (const id of ids.slice(1)) await box(page, id).check();
  expect(await button(page).textContent()).toBe("Compare (4)");
  expect(await box(page, "lst_6").isDisabled()).toBe(true);
  await box(page, "lst_1").uncheck();
  expect(await box(page, "lst_6").isDisabled()).toBe(false);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, one) => sum + one, 0)).toBe(0);
  await button(page).click();
  await page.waitForURL("**/compare?*");
  expect(await columnsOf(page)).toHaveLength(4);
  // The ticks are still there when the reader comes back, and the bar counts them.
  await page.goBack();
  await expect.poll(() => button(page).textContent()).toBe("Compare (3)");
  expect(troubles()).toEqual([]);
  await page.close();
});
