/** The estimate of a raise: as an amount is typed, without moving anything, and as a form where no script runs. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { PATIENCE } from "../harness/patience.ts";
import { axeFindings, overflows } from "./judge.ts";
import { openBrowser } from "./open-browser.ts";
import { WIDTHS } from "./pages.ts";
import { openSite } from "./site.ts";
import { watch } from "./watch.ts";

const [browser, site] = await openBrowser(openSite());

const RAISE = "/listings/lst_1";
/** 250.50 at 14.50% for 180 days: 17.91 of interest. */
const AMOUNT = "250.50";
const TOTAL = "268.41";

const totalOn = (page: Page) => page.locator('#estimate [data-fact="projection.total"]').textContent();
const hintOn = (page: Page) => page.locator("#estimate .field-hint").textContent();

/** The top of the first element below the estimate, in pixels from the top of the page. */
function placesOn(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("#estimate .facts, main .section")].map(
      (one) => one.getBoundingClientRect().top + scrollY,
    ),
  );
}

describe("an amount that is typed", () => {
  test.each(WIDTHS)("changes the figures and moves nothing, %i pixels wide", async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const { troubles } = watch(page, { origin: site.url });
    await page.goto(site.url + RAISE);
    const places = await placesOn(page);
    await page.locator("#estimate input").fill(AMOUNT);
    await expect.poll(() => totalOn(page), PATIENCE).toBe(TOTAL);
    expect(new URL(page.url()).search).toBe(`?amount=${AMOUNT}`);
    expect(await placesOn(page)).toEqual(places);
    expect([...troubles(), ...(await overflows(page)), ...(await axeFindings(page))]).toEqual([]);

    await page.locator("#estimate input").fill("ten");
    await expect.poll(() => hintOn(page), PATIENCE).toContain('"ten" is not an amount above 0.');
    expect(await page.locator("#estimate input").getAttribute("aria-invalid")).toBe("true");
    expect([await totalOn(page), new URL(page.url()).search]).toEqual([TOTAL, `?amount=${AMOUNT}`]);
    expect(await placesOn(page)).toEqual(places);
    expect(await axeFindings(page)).toEqual([]);

    await page.locator("#estimate input").fill("1000");
    await page.keyboard.press("Enter");
    await expect.poll(() => totalOn(page), PATIENCE).toBe("1,071.50");
    expect(await hintOn(page)).not.toContain("not an amount");
    expect(await page.locator("#estimate input").getAttribute("aria-invalid")).toBeNull();
    await page.close();
  });
});

test("the form without scripts asks for the page, which shows the answer or what is wrong with the amount", async () => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(site.url + RAISE);
  expect(await totalOn(page)).toBe("1,071.50");
  await page.locator("#estimate input").fill(AMOUNT);
  await page.locator("#estimate button").click();
  expect([new URL(page.url()).hash, await totalOn(page)]).toEqual(["#estimate", TOTAL]);
  await page.locator("#estimate input").fill("-5");
  await page.locator("#estimate button").click();
  expect(await hintOn(page)).toContain('"-5" is not an amount above 0.');
  expect(await page.locator("#estimate input").inputValue()).toBe("-5");
  expect(await page.locator('#estimate [data-fact="projection.total"]').count()).toBe(0);
  await page.close();
});
