/** Long titles and times as they are seen: what is clamped, what is below a time, and that nothing of it moves. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { failed } from "../../operate/audit/audit.ts";
import { openBrowser } from "./open-browser.ts";
import { layoutShifts, watchShifts } from "./shifts.ts";
import { openSite, serveAtOwnUrl } from "./site.ts";

const [browser, site] = await openBrowser(openSite());

async function pageAt(path: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await watchShifts(page);
  await page.goto(site.url + path);
  return page;
}

/** The text that the stylesheet adds below each time of a page, and its height in pixels. */
function linesBelow(page: Page) {
  return page.locator("main time").evaluateAll((times) =>
    times.map((time) => {
      const { content, display, height } = getComputedStyle(time, "::after");
      return { text: content.replaceAll('"', ""), isLine: display === "block" && parseFloat(height) > 10 };
    }),
  );
}

describe("times", () => {
  // Listing 4 was created on 27 February 2026, closed by its terms on 12 August 2025 and was due on 9 February 2026, each at 12:00 UTC.
  it.each([
    ["Africa/Cairo", ["14:00 your time", "15:00 your time", "14:00 your time"]],
    ["Pacific/Auckland", ["28 Feb, 01:00 your time", "13 Aug, 00:00 your time", "10 Feb, 01:00 your time"]],
    ["UTC", ["12:00 your time", "12:00 your time", "12:00 your time"]],
  ])("are in UTC, and below in the reader's zone, %s, and nothing moves", async (timezoneId, expected) => {
    const page = await pageAt("/compare?ids=lst_4", { timezoneId });
    await expect.poll(() => linesBelow(page)).toEqual(expected.map((text) => ({ text, isLine: true })));
    expect(await page.locator("main time").first().textContent()).toBe("27 Feb 2026, 12:00 UTC");
    await page.locator("main time").first().hover();
    await expect.poll(() => page.locator("main time").first().getAttribute("title")).toContain(timezoneId);
    expect(await layoutShifts(page)).toEqual([]);
    await page.context().close();
  });

  it("show events in the reader's clock time, and nothing moves", async () => {
    const page = await pageAt("/listings/lst_2", { timezoneId: "Asia/Tokyo" });
    const clocks = page.locator(".timeline time.clock");
    // The newest event was at 12:00 UTC.
    await expect.poll(() => clocks.first().getAttribute("data-local")).toBe("21:00 yours");
    expect(await clocks.first().textContent()).toBe("12:00");
    expect(await layoutShifts(page)).toEqual([]);
    await page.context().close();
  });

  it("get theirs when a refresh brings new ones", async () => {
    const page = await pageAt("/compare?ids=lst_4", { timezoneId: "Africa/Cairo" });
    const time = page.locator("main time").first();
    await time.evaluate((element) => element.setAttribute("datetime", "2026-01-05T08:00:00Z"));
    await expect.poll(() => time.getAttribute("data-local")).toBe("10:00 your time");
    await page.context().close();
  });

  it("are in UTC alone without scripts, with no room for more", async () => {
    const page = await pageAt("/compare?ids=lst_4", { javaScriptEnabled: false, timezoneId: "Africa/Cairo" });
    const below = await linesBelow(page);
    expect(below).toHaveLength(3);
    for (const { text, isLine } of below) expect([text, isLine]).toEqual(["none", false]);
    await page.context().close();
  });
});

describe("long titles", () => {
  const PHONE = { viewport: { width: 390, height: 844 } };
  /** How many lines an element is high. */
  const linesOf = (page: Page, selector: string) =>
    page.locator(selector).evaluateAll((elements) =>
      elements.map((element) => {
        const lineHeight = parseFloat(getComputedStyle(element).lineHeight);
        return Math.round(element.getBoundingClientRect().height / lineHeight);
      }),
    );

  it("take no more than a few lines in cards, rows and lists", async () => {
    const most: [path: string, selector: string, phone: number, desk: number][] = [
      ["/?show=all", ".raise h3 a", 1, 2],
      ["/?show=all", ".raise-by a", 1, 1],
      ["/watched?ids=lst_3,lst_6,lst_7", "th a", 3, 3],
      ["/compare?ids=lst_3,lst_7", "td.words a", 3, 3],
      ["/originators", "th a", 3, 3],
      ["/originators/org_fustat", "th a", 3, 3],
    ];
    for (const [path, selector, phone, desk] of most) {
      for (const [options, lines] of [
        [PHONE, phone],
        [{}, desk],
      ] as const) {
        const page = await pageAt(path, options);
        const seen = await linesOf(page, selector);
        expect(seen.length, path).toBeGreaterThan(0);
        expect(Math.max(...seen), `${path} ${selector}`).toBeLessThanOrEqual(lines);
        await page.context().close();
      }
    }
  });

  // They have 170 and 200 letters.
  it.each(["/listings/lst_3", "/listings/lst_7"])(
    "are whole on their own page, and leave most of a phone: %s",
    async (path) => {
      const page = await pageAt(path, PHONE);
      const box = await page.locator("h1").boundingBox();
      expect(box?.height).toBeLessThan(844 / 4);
      const isCut = await page.locator("h1").evaluate((h1) => h1.scrollHeight > h1.clientHeight + 1);
      expect(isCut).toBe(false);
      await page.context().close();
    },
  );

  it("are cut at their end, on the left, if they run from right to left", async () => {
    const page = await pageAt("/?show=all&view=table", { viewport: { width: 1280, height: 900 } });
    const title = page.locator('[data-row="lst_7"] th a > bdi');
    const { scrolls, direction } = await title.evaluate((bdi) => ({
      scrolls: bdi.scrollWidth > bdi.clientWidth,
      direction: getComputedStyle(bdi).direction,
    }));
    expect([scrolls, direction]).toEqual([true, "rtl"]);
    await page.context().close();
  });
});

it("the line of the audit is whole on a phone", async () => {
  const ok = { status: "ok", problem: null, block: "48211000", at: "2026-03-01T11:59:00Z" } as const;
  const last = { ...failed(""), ...ok, checks: 16_897 };
  const audit = { start: () => {}, state: () => ({ running: null, last }) };
  await using served = await serveAtOwnUrl({ overrides: { audit } });
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(served.url);
  const line = page.locator(".proof");
  expect(await line.textContent()).toContain("16,897 figures, 0 differences");
  const isCut = await line.evaluate((one) => one.scrollWidth > one.clientWidth);
  expect(isCut).toBe(false);
  await page.close();
});
