/** The watch list: stars that the browser keeps, what has changed since the last visit, and a list as a link. Nothing is sent but ids. */
import { Hono } from "hono";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { appIn } from "../harness/app.ts";
import { market } from "../harness/businesses.ts";
import { PATIENCE } from "../harness/patience.ts";
import { DAY, DOLLAR, DRAWN, NOW } from "../harness/rows.ts";
import { serveApp } from "../harness/serve-app.ts";
import { overflows } from "./judge.ts";
import { openBrowser } from "./open-browser.ts";
import { watch } from "./watch.ts";

const KEY = "watchedRaises";
const owed = { ...DRAWN, outstandingPrincipal: 20_000n * DOLLAR, maturityAt: NOW + 10n * DAY };
const before = await market([{}, owed, {}]);
/** More was committed to the first, the second is late, and the third is as it was. */
const after = await market([
  { raisedAmount: 60_000n * DOLLAR, subscriberCount: 2, firstSubscribedAt: NOW },
  { ...owed, maturityAt: NOW - 40n * DAY },
  {},
]);

let app: Hono;
const front = new Hono();
// Without the server's own store of answers, which knows nothing of the change.
front.all("*", (c) => app.fetch(c.req.raw));
const [browser, served] = await openBrowser(serveApp(front));

const show = async (snapshot: typeof before) => {
  app = await appIn({ snapshot, publicUrl: served.url });
};
await show(before);

/** A new browser profile. */
async function inOwnBrowser(use: (context: BrowserContext) => Promise<void>): Promise<void> {
  const context = await browser.newContext();
  try {
    await use(context);
  } finally {
    await context.close();
  }
}

async function open(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(served.url + path);
  return page;
}

const star = (page: Page, id: string) => page.locator(`.star[data-watch="${id}"]`);
const pressed = (page: Page, id: string) => star(page, id).getAttribute("aria-pressed");
const keptBy = (page: Page) => page.evaluate((key) => localStorage.getItem(key), KEY);
const idsKeptBy = async (page: Page) =>
  JSON.parse((await keptBy(page)) ?? "[]").map(({ id }: { id: string }) => id);
const rowsOf = (page: Page) =>
  page.locator("#watched [data-row]").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-row")));
const wasOf = (page: Page, id: string) =>
  page.locator(`#watched [data-row="${id}"] .was`).evaluateAll((all) => all.map((one) => one.textContent));

describe("a star", () => {
  test("stays pressed over a reload, and is the same on a card, a row and the raise's page", () =>
    inOwnBrowser(async (context) => {
      const page = await open(context, "/?show=all");
      const { troubles } = watch(page, { origin: served.url });
      expect(await pressed(page, "lst_1")).toBe("false");
      await star(page, "lst_1").click();
      expect(await pressed(page, "lst_1")).toBe("true");
      expect(new URL(page.url()).pathname).toBe("/");
      await page.reload();
      expect(await pressed(page, "lst_1")).toBe("true");
      expect(await pressed(page, "lst_2")).toBe("false");
      await page.goto(`${served.url}/?show=all&view=table`);
      expect(await pressed(page, "lst_1")).toBe("true");
      await page.goto(`${served.url}/listings/lst_1`);
      expect(await pressed(page, "lst_1")).toBe("true");
      await star(page, "lst_1").focus();
      await page.keyboard.press("Enter");
      expect(await pressed(page, "lst_1")).toBe("false");
      expect(await idsKeptBy(page)).toEqual([]);
      expect(troubles()).toEqual([]);
    }));

  test("is pressed in other windows as well", () =>
    inOwnBrowser(async (context) => {
      const [one, other] = [await open(context, "/?show=all"), await open(context, "/listings/lst_1")];
      await star(one, "lst_1").click();
      await expect.poll(() => pressed(other, "lst_1")).toBe("true");
    }));

  test("moves nothing", () =>
    inOwnBrowser(async (context) => {
      const page = await open(context, "/?show=all");
      const placeOf = () =>
        page.locator(".raise").evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().top));
      const was = await placeOf();
      await star(page, "lst_1").click();
      await page.locator("input[form=compareForm]").first().check();
      expect(await placeOf()).toEqual(was);
    }));

  test("is not shown where the browser keeps nothing", () =>
    inOwnBrowser(async (context) => {
      await context.addInitScript(() => {
        Object.defineProperty(window, "localStorage", {
          get() {
            throw new DOMException("denied", "SecurityError");
          },
        });
      });
      const page = await open(context, "/?show=all");
      expect(await star(page, "lst_1").isVisible()).toBe(false);
    }));
});

describe("the list", () => {
  test("has what changed since the last visit, also after a reload, and not again at the next", () =>
    inOwnBrowser(async (context) => {
      const board = await open(context, "/?show=all");
      for (const id of ["lst_1", "lst_2", "lst_3"]) await star(board, id).click();
      const first = await open(context, "/watched");
      await first.waitForURL("**/watched?ids=lst_1,lst_2,lst_3");
      expect(await rowsOf(first)).toEqual(["lst_1", "lst_2", "lst_3"]);
      expect(await first.locator(".was").count()).toBe(0);
      await first.close();

      await show(after);
      try {
        const second = await open(context, "/watched");
        await second.waitForURL("**/watched?ids=*");
        const expectChanges = async () => {
          // For a second the browser may have the earlier answer; then the page refreshes itself.
          const said = () => second.locator("#watched > p.was").textContent();
          await expect.poll(said, PATIENCE).toBe("2 raises have changed since your last visit.");
          expect(await wasOf(second, "lst_1")).toEqual(["was 0 of 100,000 committed"]);
          expect(await wasOf(second, "lst_2")).toEqual(["was Repaying · on time", "was Due 11 Mar 2026"]);
          expect(await wasOf(second, "lst_3")).toEqual([]);
        };
        await expectChanges();
        await second.reload();
        await expectChanges();
        // The next visit is one in another window as well as one in this window.
        for (const next of [await open(context, "/"), second]) {
          await next.goto(`${served.url}/watched`);
          await next.waitForURL("**/watched?ids=*");
          expect(await next.locator("#watched > p.was").textContent()).toBe(
            "Nothing has changed since your last visit.",
          );
        }
      } finally {
        await show(before);
      }
    }));

  test("loses what is no longer watched, and the address with it", () =>
    inOwnBrowser(async (context) => {
      const board = await open(context, "/?show=all");
      for (const id of ["lst_1", "lst_2"]) await star(board, id).click();
      const page = await open(context, "/watched");
      await page.waitForURL("**/watched?ids=lst_1,lst_2");
      await star(page, "lst_1").click();
      await page.waitForURL("**/watched?ids=lst_2");
      await page.reload();
      expect(await rowsOf(page)).toEqual(["lst_2"]);
      await star(page, "lst_2").click();
      await page.waitForURL((url) => url.search === "");
      await page.reload();
      expect(await page.locator("#watched").textContent()).toContain("There is nothing here yet.");
    }));

  test("says nothing of a visit when its last raise has left, and the keyboard stays on the page", () =>
    inOwnBrowser(async (context) => {
      const board = await open(context, "/?show=all");
      for (const id of ["lst_1", "lst_2"]) await star(board, id).click();
      await board.goto(`${served.url}/watched`);
      await board.waitForURL("**/watched?ids=*");
      const page = await open(context, "/watched");
      const lead = page.locator("#watched > .was");
      await expect.poll(() => lead.count(), PATIENCE).toBe(1);
      for (const id of ["lst_1", "lst_2"]) {
        await star(page, id).focus();
        await page.keyboard.press("Enter");
        await expect.poll(() => star(page, id).count(), PATIENCE).toBe(0);
        await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe("h1");
      }
      expect(await lead.count()).toBe(0);
      expect(await page.locator("#compareForm").count()).toBe(0);
    }));

  test("is a link that another browser opens, and takes over", () =>
    inOwnBrowser(async (context) => {
      const board = await open(context, "/?show=all");
      for (const id of ["lst_3", "lst_1"]) await star(board, id).click();
      const page = await open(context, "/watched");
      await page.waitForURL("**/watched?ids=*");
      const link = await page.locator("#keep pre").textContent();
      expect(link?.trim()).toBe(`${served.url}/watched?ids=lst_3,lst_1`);

      await inOwnBrowser(async (another) => {
        const own = await open(another, "/listings/lst_3");
        await star(own, "lst_3").click();
        await own.goto(link?.trim() ?? "");
        expect(await rowsOf(own)).toEqual(["lst_3", "lst_1"]);
        expect([await pressed(own, "lst_3"), await pressed(own, "lst_1")]).toEqual(["true", "false"]);
        await own.getByRole("button", { name: "Watch this raise too" }).click();
        expect(await pressed(own, "lst_1")).toBe("true");
        expect(await idsKeptBy(own)).toEqual(["lst_3", "lst_1"]);
        expect(await own.locator("button.was").count()).toBe(0);
      });
    }));

  test("with a long state is no wider than a small phone", () =>
    inOwnBrowser(async (context) => {
      await show(await market([{ ...owed, maturityAt: NOW - 160n * DAY }]));
      try {
        const page = await open(context, "/watched?ids=lst_1");
        await page.setViewportSize({ width: 320, height: 800 });
        expect(await page.locator("#watched .chip").textContent()).toBe("In default · 160 days overdue");
        expect(await overflows(page)).toEqual([]);
      } finally {
        await show(before);
      }
    }));

  test("has at most fifty raises, and says so", () =>
    inOwnBrowser(async (context) => {
      const page = await open(context, "/?show=all");
      const full = Array.from({ length: 50 }, (_, index) => ({ id: `lst_old${index}`, seen: null }));
      await page.evaluate(
        ([key, text]) => localStorage.setItem(`${key}`, `${text}`),
        [KEY, JSON.stringify(full)],
      );
      await page.reload();
      await star(page, "lst_1").click();
      expect(await page.locator("#watchNote").textContent()).toBe("The list is full: it has 50 raises.");
      expect(await pressed(page, "lst_1")).toBe("false");
      expect(await idsKeptBy(page)).toHaveLength(50);
      const watched = await open(context, "/watched");
      await watched.waitForURL("**/watched?ids=*");
      expect(await watched.locator(".notice").textContent()).toContain("It may have been withdrawn.");
    }));

  test.each([
    "not JSON",
    "null",
    '{"id":"lst_1"}',
    '[1, null, {"id": 5}, {"id": "</script>"}, {"id": "lst_2", "seen": 7}, {"id": "lst_2"}]',
    '[{"id": "lst_2", "seen": {"status": 5, "progress": ["x"]}}]',
  ])("begins again where what is kept cannot be read: %s", (text) =>
    inOwnBrowser(async (context) => {
      const page = await open(context, "/?show=all");
      await page.evaluate(([key, kept]) => localStorage.setItem(`${key}`, `${kept}`), [KEY, text]);
      const { troubles } = watch(page, { origin: served.url });
      await page.reload();
      await star(page, "lst_1").click();
      expect(await pressed(page, "lst_1")).toBe("true");
      const expected = text.includes("lst_2") ? ["lst_2", "lst_1"] : ["lst_1"];
      expect(await idsKeptBy(page)).toEqual(expected);
      await page.goto(`${served.url}/watched`);
      await page.waitForURL(`**/watched?ids=${expected.join(",")}`);
      expect(await rowsOf(page)).toEqual(expected);
      expect(troubles()).toEqual([]);
    }),
  );

  test("sends nothing but ids, and only for its own page", () =>
    inOwnBrowser(async (context) => {
      const page = await context.newPage();
      const asked: string[] = [];
      page.on("request", (request) => {
        const { pathname, search } = new URL(request.url());
        if (!pathname.startsWith("/assets/")) asked.push(`${request.method()} ${pathname}${search}`);
      });
      await page.goto(`${served.url}/listings/lst_1`);
      await star(page, "lst_1").click();
      await page.goto(`${served.url}/watched`);
      await page.waitForURL("**/watched?ids=lst_1");
      const own = asked.filter((line) => line.includes("watch"));
      expect(new Set(own)).toEqual(new Set(["GET /watched", "GET /watched?ids=lst_1"]));
      expect(asked.filter((line) => !line.startsWith("GET "))).toEqual([]);
      const { cookies } = await context.storageState();
      expect(cookies).toEqual([]);
    }));

  test("can be read without scripts", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await open(context, "/watched?ids=lst_1,lst_2");
    expect(await rowsOf(page)).toEqual(["lst_1", "lst_2"]);
    await page.goto(`${served.url}/watched`);
    await page.locator("input[name=ids][type=search]").fill("RB00002, rb00001");
    await page.getByRole("button", { name: "Show" }).click();
    expect(await rowsOf(page)).toEqual(["lst_2", "lst_1"]);
    await context.close();
  });
});
