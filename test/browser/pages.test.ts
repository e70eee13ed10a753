/**
 * Every page in a real browser, from a small phone to a desk, light and dark: nothing on the console, nothing asked of
 * anybody else, nothing wider than the window or than the column, nothing that axe minds; and third parties' words are only words.
 */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFindings, CONTRAST, overflows } from "./judge.ts";
import { openBrowser } from "./open-browser.ts";
import { CARDS, PAGES, type PagePlace, WIDTHS } from "./pages.ts";
import { openSite } from "./site.ts";
import { watch } from "./watch.ts";

const [browser, site] = await openBrowser(openSite());

const openInTheLight = () => browser.newPage({ colorScheme: "light", reducedMotion: "reduce" });

test.each([...PAGES, ...CARDS])("$name", async (place) => {
  const url = site.urlOf(place);
  const page = await openInTheLight();
  const { troubles } = watch(page, { origin: new URL(url).origin, ownStatus: place.status });
  const response = await page.goto(url);
  expect(response?.status()).toBe(place.status);
  expect(response?.headers()["content-type"]).toBe("text/html; charset=utf-8");
  expect(await page.locator("h1").count()).toBe(1);

  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    const inTheLight = [...(await overflows(page)), ...(await axeFindings(page))];
    await page.emulateMedia({ colorScheme: "dark" });
    const inTheDark = await axeFindings(page, CONTRAST);
    found.push(
      ...inTheLight.map((finding) => `light, ${width} px: ${finding}`),
      ...inTheDark.map((finding) => `dark, ${width} px: ${finding}`),
    );
  }
  expect(await page.title()).not.toBe("taken over");
  expect([...found, ...troubles()]).toEqual([]);
  await page.close();
});

test("the dark is another one than the light", async () => {
  const page = await openInTheLight();
  await page.goto(`${site.url}/`);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await ground()).not.toBe(light);
  await page.close();
});

test("the banner shows how far the index is", async () => {
  const page = await openInTheLight();
  await page.goto(site.urlOf({ world: "syncing", path: "/" }));
  const banner = page.locator(".banner");
  expect(await banner.textContent()).toContain("block 16,070,344 of 48,211,034, 33%");
  expect(await banner.locator("progress").getAttribute("value")).toBe("33");
  await page.close();
});

/** The elements that stick out of the content's column and do not scroll within it: a line each, the outermost first. */
function standsOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const main = document.querySelector("main");
    if (main === null) return ["there is no main"];
    const box = main.getBoundingClientRect();
    const { paddingLeft, paddingRight } = getComputedStyle(main);
    // A pixel for what a browser rounds.
    const left = box.left + Number.parseFloat(paddingLeft) - 1;
    const right = box.right - Number.parseFloat(paddingRight) + 1;
    const scrollers = [...main.querySelectorAll("*")].filter(
      (element) => getComputedStyle(element).overflowX !== "visible",
    );
    return [...main.querySelectorAll("*")]
      .filter((element) => {
        const { display, position, visibility } = getComputedStyle(element);
        const isBlock = display !== "inline" && display !== "none" && display !== "contents";
        const isDrawn = element instanceof SVGElement && element.ownerSVGElement !== null;
        return isBlock && !isDrawn && position !== "absolute" && visibility === "visible";
      })
      .filter((element) => !scrollers.some((one) => one !== element && one.contains(element)))
      .filter((element) => {
        const rect = element.getBoundingClientRect();
        return rect.width > 0 && (rect.left < left || rect.right > right);
      })
      .slice(0, 3)
      .map((element) => {
        const rect = element.getBoundingClientRect();
        const place = `${Math.round(rect.left - left)} to ${Math.round(rect.right - left)} of ${Math.round(right - left)}`;
        return `${element.localName}.${element.className}: ${place} (${element.closest("section")?.id})`;
      });
  });
}

/** Amounts up to millions with their cents whose digits are on more than one line. A line each. */
function brokenAmounts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("main data")].flatMap((data) =>
      [...data.childNodes].flatMap((node) => {
        const figure = node.nodeValue?.trim() ?? "";
        if (!/^\d[\d,.]{3,11}$/.test(figure)) return [];
        const range = document.createRange();
        range.selectNodeContents(node);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        return lines.size > 1 ? [`${figure} is broken (${data.closest("section")?.id})`] : [];
      }),
    ),
  );
}

const SWEPT = [
  "/",
  "/statistics",
  // With a history, and with a schedule, a desk and payments; the last has amounts of fifteen digits.
  "/listings/lst_2",
  "/listings/lst_3",
  "/listings/lst_8",
  "/originators/org_northwind",
  "/originators",
  "/compare?ids=lst_1,lst_2,lst_3,lst_8",
  "/watched?ids=lst_1,lst_3,lst_4,lst_7,lst_8",
  "/developers",
  "/system",
].map((path): PagePlace => ({ world: "market", path }));

/** At both sides of where the layout changes, and between. Pixels. */
const SWEPT_WIDTHS = [321, 480, 641, 700, 769, 900, 1025, 1153, 1281];

// The tables of an empty market stand where others have a chart.
const SWEPT_EMPTY: PagePlace = { world: "empty", path: "/statistics" };

test.each([...SWEPT, SWEPT_EMPTY])(
  "$world: $path stays in its window and in its column at every width",
  async (place) => {
    const page = await openInTheLight();
    const response = await page.goto(site.urlOf(place));
    expect(response?.status()).toBe(200);
    expect(await page.locator("main *").count()).toBeGreaterThan(20);
    await page.locator("main details").evaluateAll((all) => {
      for (const details of all) details.setAttribute("open", "");
    });
    const found: string[] = [];
    for (const width of SWEPT_WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const findings = [
        ...(await overflows(page)),
        ...(await standsOut(page)),
        ...(await brokenAmounts(page)),
      ];
      found.push(...findings.map((finding) => `${width} px: ${finding}`));
    }
    await page.close();
    expect(found).toEqual([]);
  },
);

test("a value stays in its column when the reader spaces letters out", async () => {
  // WCAG 1.4.12; also as wide as the letters of other systems.
  const page = await openInTheLight();
  const found: string[] = [];
  for (const path of ["/", "/listings/lst_2", "/listings/lst_4", "/developers"]) {
    await page.goto(site.urlOf({ world: "market", path }));
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }");
      document.adoptedStyleSheets = [sheet];
    });
    for (const width of [321, 390, 1281]) {
      await page.setViewportSize({ width, height: 900 });
      const values = await page.locator("main dd > [data-fact]").evaluateAll((all) =>
        all.flatMap((value) => {
          if (!value.checkVisibility()) return [];
          const { right, bottom } = value.getBoundingClientRect();
          const column = value.parentElement?.getBoundingClientRect();
          const note = value.nextElementSibling?.getBoundingClientRect();
          const isBeyond = column !== undefined && column.width > 1 && right > column.right + 1;
          const isAtNote =
            note !== undefined && note.width > 0 && note.top < bottom - 1 && right > note.left - 2;
          return isBeyond || isAtNote ? [value.textContent] : [];
        }),
      );
      // The button to copy stands on the right of the tabs.
      const tabs = await page.locator(".tab-names > label").evaluateAll((all) =>
        all.flatMap((label) => {
          const copy = label.closest("fieldset")?.querySelector(".copy")?.getBoundingClientRect();
          const { right, top } = label.getBoundingClientRect();
          return copy && top < copy.bottom - 1 && right > copy.left ? [label.textContent] : [];
        }),
      );
      found.push(...[...values, ...tabs].map((value) => `${path}, ${width} px: ${value}`));
    }
  }
  await page.close();
  expect(found).toEqual([]);
});

test("on a phone with text of twice the size every page is as wide as its window", async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const client = await page.context().newCDPSession(page);
  await client.send("Page.enable");
  await client.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
  const found: string[] = [];
  for (const place of PAGES) {
    await page.goto(site.urlOf(place));
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe("32px");
    found.push(...(await overflows(page)).map((finding) => `${place.name}: ${finding}`));
  }
  await page.close();
  expect(found).toEqual([]);
});
