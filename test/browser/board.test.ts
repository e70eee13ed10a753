/**
 * The board in a browser: nothing moves that is being read while the market lives, filters apply in place, and an address always says
 * what is shown.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { appShowing } from "../harness/app.ts";
import { PATIENCE } from "../harness/patience.ts";
import { DOLLAR, NOW } from "../harness/rows.ts";
import { serveApp } from "../harness/serve-app.ts";
import { openBrowser } from "./open-browser.ts";
import { type Changes, openRaises } from "./open-raises.ts";
import { layoutShifts, watchShifts } from "./shifts.ts";
import { watch } from "./watch.ts";

const { app, show } = await appShowing();
const [browser, served] = await openBrowser(serveApp(app));

/** Each raise has raised `thousands` of dollars, and those of odd number pay 10%. One is changed. */
function marketOf(size: number, thousands: number, changes: Changes = {}, changed = 1n) {
  return openRaises(size, (id) => ({
    couponRateBps: id % 2n === 1n ? 1000 : 1450,
    raisedAmount: BigInt(thousands) * 1_000n * DOLLAR,
    ...(id === changed && changes),
  }));
}

async function open(path: string, { width = 1280, height = 900 } = {}) {
  const page = await browser.newPage({ viewport: { width, height } });
  const { troubles } = watch(page, { origin: served.url });
  // The made-up market has no ledger to follow: the board asks at intervals.
  await page.route("**/v1/stream*", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: ":\n\n" }),
  );
  await watchShifts(page);
  await page.goto(served.url + path);
  await page.evaluate(() => {
    window.raisebookMark = "first";
  });
  return { page, troubles };
}

const rowsIn = (page: Page) =>
  page.locator("#raises [data-row]").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-row")));
const ids = (from: number, to: number) => {
  const step = from < to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => `lst_${from + at * step}`);
};
const fundedOf = (page: Page, id: string) =>
  page.locator(
    `#raises [data-row=${id}] [data-fact=raisedAmount], #raises [data-row=${id}] [data-fact=progress]`,
  );
const pathOf = (page: Page) => page.url().slice(served.url.length);
/** A click or a key excuses the shifts of the half second after it. */
const pastExcuse = () => sleep(600);
const isSameDocument = (page: Page) => page.evaluate(() => window.raisebookMark === "first");

describe("a live market", () => {
  test.each([
    ["cards", "/", 1280],
    ["cards on a phone", "/", 390],
    ["a table", "/?view=table", 1280],
  ])("moves nothing that is being read: %s", async (_, path, width) => {
    show(await marketOf(9, 40));
    const { page, troubles } = await open(path, { width });
    expect(await rowsIn(page)).toEqual(ids(9, 1));
    await page.mouse.wheel(0, 150);
    await expect.poll(() => page.evaluate(() => window.scrollY), PATIENCE).toBe(150);
    await pastExcuse();
    const before = await page.locator("#raises [data-row]").first().boundingBox();

    // Raises come, figures grow, and the first closes and leaves the tab.
    for (const [at, thousands] of [55, 99, 100].entries()) {
      const size = 10 + at;
      show(await marketOf(size, thousands, size > 10 ? { closedAt: NOW, closeAt: NOW } : {}));
      await expect
        .poll(() => fundedOf(page, "lst_9").textContent(), PATIENCE)
        .toMatch(new RegExp(`^${thousands},000`));
    }
    expect(await rowsIn(page)).toEqual(ids(9, 1));
    expect(await page.locator("#raises [data-row]").first().boundingBox()).toEqual(before);
    const news = page.locator(".news button");
    expect(await news.textContent()).toBe("3 new raises – show");
    expect(await layoutShifts(page)).toEqual([]);

    await news.click();
    await expect.poll(() => rowsIn(page), PATIENCE).toEqual(ids(12, 2));
    expect(await news.count()).toBe(0);
    expect(await isSameDocument(page)).toBe(true);
    expect(troubles()).toEqual([]);
    await page.close();
  });

  test("does not call a raise new that has moved up for one that closed", async () => {
    show(await marketOf(25, 40));
    const { page } = await open("/");
    const shown = await rowsIn(page);
    expect(shown.length).toBeLessThan(25);
    show(await marketOf(25, 40, { closedAt: NOW, closeAt: NOW }, 20n));
    const news = page.locator(".news button");
    await expect.poll(() => news.allTextContents(), PATIENCE).toEqual(["The list has changed – show"]);
    await page.close();
  });

  test("keeps the ticks for comparing, and no fifth can be added", async () => {
    show(await marketOf(9, 40));
    const { page } = await open("/");
    const box = (id: string) => page.locator(`input[form=compareForm][value=${id}]`);
    const bar = () => page.locator("#compareForm").textContent();
    for (const id of ["lst_9", "lst_7"]) await box(id).check();
    await page.locator("select[name=sort]").selectOption("oldest");
    await expect.poll(() => rowsIn(page), PATIENCE).toEqual(ids(1, 9));
    expect(await bar()).toBe("Compare (2)");
    for (const id of ["lst_5", "lst_3"]) await box(id).check();
    show(await marketOf(9, 55));
    await expect.poll(() => fundedOf(page, "lst_9").textContent(), PATIENCE).toMatch(/^55,000/);
    expect(await box("lst_1").isDisabled()).toBe(true);
    await page.locator("input[name=q]").fill("raise");
    await page.locator("input[name=q]").press("Enter");
    await expect.poll(() => pathOf(page), PATIENCE).toBe("/?q=raise&sort=oldest");
    await expect.poll(bar).toMatch(/^Compare \(4\)At most 4 can be compared\.$/);
    expect(await box("lst_1").isDisabled()).toBe(true);
    await box("lst_9").uncheck();
    expect(await box("lst_1").isDisabled()).toBe(false);
    await page.close();
  });

  test("the check sees a row that comes between others", async () => {
    show(await marketOf(9, 40));
    const { page } = await open("/");
    await pastExcuse();
    await page.evaluate(() => {
      document
        .querySelector(".raises")
        ?.prepend(document.querySelector(".raises > :nth-child(7)") as Element);
    });
    await expect.poll(() => layoutShifts(page), PATIENCE).not.toEqual([]);
    await page.close();
  });
});

describe("another view", () => {
  test("comes in place: address, focus and count are right, and back shows what was there", async () => {
    show(await marketOf(9, 40));
    const { page, troubles } = await open("/");
    const search = page.locator("input[name=q]");
    await search.fill("raise 3");
    await search.press("Enter");
    await expect.poll(() => rowsIn(page), PATIENCE).toEqual(["lst_3"]);
    expect(pathOf(page)).toBe("/?q=raise+3");
    expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await page.locator("#boardStatus").textContent()).toBe("1 raise. Newest");

    const table = page.locator("#raises a", { hasText: "Table" });
    await table.click();
    await expect.poll(() => page.locator("#raises table [data-row]").count(), PATIENCE).toBe(1);
    expect(pathOf(page)).toBe("/?q=raise+3&view=table");
    expect(await table.evaluate((link) => link === document.activeElement)).toBe(true);

    await page.locator(".chips a").first().click();
    await expect.poll(() => rowsIn(page), PATIENCE).toEqual(ids(9, 1));
    expect(await search.inputValue()).toBe("");
    await search.fill("never sent");
    await page.goBack();
    await expect.poll(() => rowsIn(page), PATIENCE).toEqual(["lst_3"]);
    expect(await search.inputValue()).toBe("raise 3");
    await page.goBack();
    await expect.poll(() => page.locator(".raise").count(), PATIENCE).toBe(1);
    await page.goBack();
    await expect.poll(() => rowsIn(page), PATIENCE).toEqual(ids(9, 1));
    expect(await search.inputValue()).toBe("");
    expect(pathOf(page)).toBe("/");
    expect(await isSameDocument(page)).toBe(true);
    expect(troubles()).toEqual([]);
    await page.close();
  });

  test("is asked for within the panel, without what is empty", async () => {
    show(await marketOf(9, 40));
    const { page } = await open("/");
    await page.locator(".filter-more summary").click();
    await page.getByLabel("To", { exact: true }).first().fill("12");
    await page.getByRole("checkbox", { name: /^NR/ }).check();
    await page.getByRole("button", { name: "Show raises" }).click();
    await expect.poll(() => rowsIn(page), PATIENCE).toEqual(["lst_9", "lst_7", "lst_5", "lst_3", "lst_1"]);
    expect(pathOf(page)).toBe("/?interest_to=12&grade=NR");
    expect(await page.locator(".filter-panel").isVisible()).toBe(false);
    await page.locator("select[name=sort]").selectOption("oldest");
    await expect.poll(() => rowsIn(page), PATIENCE).toEqual(["lst_1", "lst_3", "lst_5", "lst_7", "lst_9"]);
    expect(await isSameDocument(page)).toBe(true);
    await page.close();
  });

  test("comes without scripts too, at the same address", async () => {
    show(await marketOf(9, 40));
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(served.url);
    await page.locator(".filter-more summary").click();
    await page.getByLabel("To", { exact: true }).first().fill("12");
    await page.getByRole("checkbox", { name: /^NR/ }).check();
    await page.getByRole("checkbox", { name: /^A/ }).check();
    await page.getByRole("button", { name: "Show raises" }).click();
    await page.waitForURL((url) => url.search !== "");
    expect(pathOf(page)).toBe("/?interest_to=12&grade=A,NR");
    expect(await rowsIn(page)).toEqual(["lst_9", "lst_7", "lst_5", "lst_3", "lst_1"]);
    await context.close();
  });
});

describe("the table", () => {
  test("has rows of 36 px under headings that stay, each sorting both ways", async () => {
    show(await marketOf(40, 40));
    const { page } = await open("/?view=table");
    const heights = await page
      .locator("#raises tbody tr")
      .evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(new Set(heights)).toEqual(new Set([36]));
    await page.mouse.wheel(0, 900);
    await expect
      .poll(async () => (await page.locator("#raises thead th").first().boundingBox())?.y, PATIENCE)
      .toBe(0);
    const rate = page.locator("#raises thead a", { hasText: "Rate" });
    await rate.click();
    await expect.poll(() => pathOf(page), PATIENCE).toBe("/?sort=highest_coupon&view=table");
    await expect.poll(() => page.locator("th[aria-sort=descending]").textContent(), PATIENCE).toBe("Rate");
    expect((await rowsIn(page))[0]).toBe("lst_10");
    await rate.click();
    await expect.poll(() => page.locator("th[aria-sort=ascending]").count(), PATIENCE).toBe(1);
    expect((await rowsIn(page))[0]).toBe("lst_1");
    await page.close();
  });

  test.each([1190, 1249, 1600])("cuts no amount and has room for titles at %i px", async (width) => {
    const raised = (1_089_361n * DOLLAR * 100n + 27n * DOLLAR) / 100n;
    show(await marketOf(2, 40, { raisedAmount: raised, targetAmount: 12n * raised }));
    const { page } = await open("/?view=table", { width });
    const title = await page.locator("#raises tbody th a").first().boundingBox();
    expect(title?.width).toBeGreaterThanOrEqual(115);
    const amounts = page.locator("#raises td.money");
    const lookOf = (cell: Element, letterSpacing: string) => {
      Object.assign((cell as HTMLElement).style, { letterSpacing });
      const range = document.createRange();
      range.selectNodeContents(cell);
      const box = cell.getBoundingClientRect();
      const rects = [...range.getClientRects()];
      const isOut = rects.some(({ left, right }) => left < box.left || right > box.right);
      return { isOut, lines: new Set(rects.map(({ bottom }) => Math.round(bottom))).size };
    };
    expect(await amounts.allTextContents()).toContain("1,089,361.27");
    for (const one of await amounts.all()) {
      expect(await one.evaluate(lookOf, "0")).toEqual({
        isOut: false,
        lines: width === 1190 ? expect.any(Number) : 1,
      });
      expect(await one.evaluate(lookOf, "0.12em")).toMatchObject({ isOut: false });
    }
    await page.close();
  });
});

describe("a phone", () => {
  test.each([true, false])(
    "shows a raise above 400 px, and the whole navigation (scripts: %s)",
    async (javaScriptEnabled) => {
      show(await marketOf(9, 40));
      const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 844 } });
      const page = await context.newPage();
      await page.goto(served.url);
      const card = await page.locator(".raise").first().boundingBox();
      expect(card?.y).toBeLessThan(400);
      // Two lines of text and a bar.
      expect(card?.height).toBeLessThan(90);
      const links = page.locator("header nav a");
      expect(await links.first().isVisible()).toBe(false);
      await page.getByRole("button", { name: "Menu" }).click();
      const windowBox = { width: 390, height: 844 };
      expect(await links.count()).toBeGreaterThan(0);
      for (const link of await links.all()) {
        const box = await link.boundingBox();
        expect(
          box && box.x >= 0 && box.x + box.width <= windowBox.width && box.y + box.height <= windowBox.height,
        ).toBe(true);
      }
      await context.close();
    },
  );
});

test("the board is light: 60 kB and 8 requests at most", async () => {
  show(await marketOf(40, 40));
  const page = await browser.newPage();
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  let bytes = 0;
  let requests = 0;
  client.on("Network.requestWillBeSent", () => void requests++);
  client.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(served.url, { waitUntil: "networkidle" });
  expect(requests).toBeLessThanOrEqual(8);
  expect(bytes).toBeLessThan(60_000);
  await page.close();
});
