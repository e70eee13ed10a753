/** Every page where scripts do not run: all of it can be read and used, and nothing is shown that would need one. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openBrowser } from "./open-browser.ts";
import { CARDS, PAGES } from "./pages.ts";
import { openSite } from "./site.ts";

const [browser, site] = await openBrowser(openSite());
const withScripts = await browser.newContext();
const without = await browser.newContext({ javaScriptEnabled: false });

/** The words of the page as they are seen, a line for each block. */
async function linesOf(page: Page): Promise<string[]> {
  // biome-ignore lint/performance/useDomNodeTextContent: what is not seen is not meant
  const text = await page.locator("main").innerText();
  return text.split("\n").filter((line) => line.trim() !== "");
}

/** The visible controls that do nothing without a script: no links, no parts of a form that sends, no summaries. */
function dead(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const works = (element: Element) => {
      // A browser opens what a button names without a script.
      if (element.matches("a[href], summary, [popovertarget]")) return true;
      const form = (element as HTMLInputElement).form ?? element.closest("form[action]");
      if (element.matches("button[type=button], button[type=reset]")) return false;
      return form?.querySelector("button:not([type=button]):not([type=reset])") != null;
    };
    const clickable = "a, button, input, select, textarea, summary, [onclick], [role=button], [role=tab]";
    return [...document.querySelectorAll(clickable)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => !works(element))
      .map((element) => element.outerHTML.slice(0, 120));
  });
}

test.each([...PAGES, ...CARDS])("$name", async (place) => {
  const page = await without.newPage();
  await page.goto(site.urlOf(place));
  expect(await page.locator("h1").isVisible()).toBe(true);
  expect(await dead(page)).toEqual([]);
  const read = await linesOf(page);
  expect(read.length).toBeGreaterThan(1);

  // The lines that scripts add are not part of the page's text.
  const full = await withScripts.newPage();
  await full.goto(site.urlOf(place));
  const buttons = new Set(await full.locator("main button").allInnerTexts());
  const lines = await linesOf(full);
  expect(lines.filter((line) => !read.includes(line) && !buttons.has(line))).toEqual([]);
  await page.close();
  await full.close();
});

test("the board's form asks, and its links lead on", async () => {
  const page = await without.newPage();
  await page.goto(`${site.url}/`);
  const form = page.locator("main form[action='/']");
  await form.locator("input[name=q]").fill("Ovens");
  await form.getByRole("button", { name: "Search", exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get("q") === "Ovens");
  const found = page.locator("main a[href='/listings/lst_4']").first();
  await found.click();
  await page.waitForURL("**/listings/lst_4");
  expect(await page.locator("h1").textContent()).toContain("Ovens");
  await page.close();
});
