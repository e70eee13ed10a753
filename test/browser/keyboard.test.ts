/** Every page by keyboard alone: past the header at once, everything in its order, always to be seen where one is, never stuck. */
import { describe, expect, test } from "vitest";
import { walk } from "./keys.ts";
import { openBrowser } from "./open-browser.ts";
import { PAGES } from "./pages.ts";
import { openSite } from "./site.ts";

const [browser, site] = await openBrowser(openSite());
const page = await browser.newPage({ reducedMotion: "reduce", viewport: { width: 1024, height: 768 } });

describe.each(PAGES)("$name", (place) => {
  test("everything is reached in its order and is seen, and the way leads out again", async () => {
    await page.goto(site.urlOf(place));
    const { stops, reachable, isOut } = await walk(page);
    expect(isOut).toBe(true);
    expect(stops[0]?.tag).toMatch(/^<a [^>]*href="#/);
    const known = stops.filter(({ order }) => order >= 0);
    expect(known.map(({ order }) => reachable[order])).toEqual(reachable);
    expect(stops.filter(({ order, isScrolled }) => order < 0 && !isScrolled)).toEqual([]);
    expect(known.filter(({ isIndicated }) => !isIndicated).map(({ tag }) => tag)).toEqual([]);
    expect(stops.filter(({ isSeen }) => !isSeen).map(({ tag }) => tag)).toEqual([]);
  });
});

test.each(["/", "/listings/lst_3", "/developers/reference/listings"])(
  "the first stop leads past the header: %s",
  async (path) => {
    await page.goto(site.url + path);
    for (const key of ["Tab", "Enter", "Tab"]) await page.keyboard.press(key);
    const isPast = await page.evaluate(() => {
      const main = document.querySelector("main");
      const { activeElement } = document;
      if (main === null || activeElement === null) return false;
      return main.contains(activeElement) || (main.compareDocumentPosition(activeElement) & 4) !== 0;
    });
    expect(isPast).toBe(true);
  },
);

test("backwards it is the same way", async () => {
  await page.goto(`${site.url}/`);
  const forwards = await walk(page);
  const backwards = await walk(page, "Shift+Tab");
  expect(backwards.isOut).toBe(true);
  const tags = (stops: typeof forwards.stops) => stops.map(({ tag }) => tag);
  expect(tags(backwards.stops).toReversed()).toEqual(tags(forwards.stops));
});

describe("Enter", () => {
  test("follows a link", async () => {
    await page.goto(`${site.url}/`);
    await page.locator("main a[href='/listings/lst_2']").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/listings/lst_2");
  });

  test("asks what was typed", async () => {
    await page.goto(`${site.url}/`);
    await page.locator("input[name=q]").focus();
    await page.keyboard.type("ovens");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("q") === "ovens");
  });

  test("opens what is folded, and Space closes it", async () => {
    await page.goto(`${site.url}/listings/lst_3`);
    const details = page.locator("main details").first();
    const isOpen = () => details.evaluate((element) => (element as HTMLDetailsElement).open);
    const before = await isOpen();
    await details.locator("summary").focus();
    await page.keyboard.press("Enter");
    expect(await isOpen()).toBe(!before);
    await page.keyboard.press("Space");
    expect(await isOpen()).toBe(before);
  });
});
