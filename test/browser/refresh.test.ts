/** Pages of the real service follow the chain by themselves, and do not disturb reading. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page, Request, Response } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createRaisebookClient, type Listing } from "../../client/index.ts";
import { PATIENCE } from "../harness/patience.ts";
import { untilPassing } from "./clock.ts";
import { openLiveSite } from "./live-site.ts";
import { openBrowser } from "./open-browser.ts";
import { watch } from "./watch.ts";

declare global {
  interface Window {
    /** gone once the page was reloaded */
    raisebookMark?: string;
  }
}

const [browser, site] = await openBrowser(openLiveSite());

async function listings(): Promise<Listing[]> {
  const client = createRaisebookClient({ baseUrl: `${site.url}/v1`, userAgent: "raisebook-tests" });
  return (await client.get("/listings")).listings;
}

/** Makes a subscription, and returns the listing as it is answered afterwards. */
async function subscribed(): Promise<Listing> {
  const before = await listings();
  const { refnum } = await site.subscribe();
  let after: Listing | undefined;
  await expect
    .poll(async () => {
      after = (await listings()).find((listing) => listing.refnum === refnum);
      return after?.raisedAmount;
    }, PATIENCE)
    .not.toBe(before.find((listing) => listing.refnum === refnum)?.raisedAmount);
  if (after === undefined) throw new Error("the listing is gone");
  return after;
}

/** The answers to what the page asks of its own address after it was loaded. */
function refreshes(page: Page): Response[] {
  const answers: Response[] = [];
  page.on("response", (response) => {
    if (!response.request().isNavigationRequest() && response.url() === page.url()) answers.push(response);
  });
  return answers;
}

/** The page's requests to the stream, and their outcomes. */
function streamsOf(page: Page): { asked: Request[]; opened: Request[]; ended: Request[] } {
  const streams = { asked: [] as Request[], opened: [] as Request[], ended: [] as Request[] };
  const note = (list: Request[]) => (request: Request) => {
    if (new URL(request.url()).pathname === "/v1/stream") list.push(request);
  };
  page.on("request", note(streams.asked));
  page.on("response", (response) => response.ok() && note(streams.opened)(response.request()));
  page.on("requestfinished", note(streams.ended));
  page.on("requestfailed", note(streams.ended));
  return streams;
}

/** The exact texts of a field on a page: one for each place. */
function shown(page: Page, publicId: string, field: string): Promise<(string | null)[]> {
  const places = page.locator(`main [data-row="${publicId}"] [data-fact="${field}"]`);
  return places.evaluateAll((all) => all.map((element) => element.getAttribute("data-exact")));
}

describe("the board", () => {
  test("shows a new subscription by itself; focus, scroll and what was typed stay", async () => {
    const page = await browser.newPage({ viewport: { width: 1024, height: 600 } });
    const { troubles } = watch(page, { origin: site.url });
    await page.goto(`${site.url}/?show=all`);
    await page.locator("input[name=q]").fill("half a wo");
    const link = page.locator("main [data-row] a[href^='/listings/']").nth(8);
    await link.focus();
    const href = await link.getAttribute("href");
    const state = () =>
      page.evaluate(() => ({
        mark: window.raisebookMark,
        scrollY: window.scrollY,
        focus: document.activeElement?.getAttribute("href"),
        typed: document.querySelector<HTMLInputElement>("input[name=q]")?.value,
      }));
    await page.evaluate(() => {
      window.raisebookMark = "first";
    });
    const before = await state();
    expect(before).toMatchObject({ mark: "first", focus: href, typed: "half a wo" });
    expect(before.scrollY).toBeGreaterThan(0);

    const { publicId, raisedAmount } = await subscribed();
    await expect.poll(() => shown(page, publicId, "progress"), PATIENCE).toContain(raisedAmount);
    expect(await state()).toEqual(before);
    expect(troubles()).toEqual([]);
    await page.close();
  });

  test("hears of a subscription by the stream, and asks for nothing until then", async () => {
    const page = await browser.newPage();
    await page.clock.install({ time: 0 });
    const answers = refreshes(page);
    const streams = streamsOf(page);
    await page.goto(`${site.url}/`);
    await page.clock.pauseAt(600_000);
    const until = untilPassing(page);
    await until(() => streams.opened.length, 1);
    // One look for what happened before the stream was open.
    const early = answers.length;
    await until(() => answers.length > early, true);
    const before = answers.length;
    await page.clock.runFor(10_000);
    expect(answers.length).toBe(before);

    const { publicId, raisedAmount } = await subscribed();
    // Less time than there is between two looks of a page that hears nothing.
    for (let tries = 0; tries < 160 && answers.length === before; tries++) {
      await page.clock.runFor(50);
      await sleep(200);
    }
    expect(answers.length).toBeGreaterThan(before);
    await until(() => shown(page, publicId, "progress"), expect.arrayContaining([raisedAmount]));
    expect(streams.asked.length).toBe(1);
    await page.close();
  });

  test("polls if the stream is refused, repeatedly cut or unsupported", async () => {
    const contentType = "text/event-stream";
    const windows = await Promise.all(
      [
        (page: Page) => page.route("**/v1/stream*", (route) => route.fulfill({ status: 503 })),
        (page: Page) => page.route("**/v1/stream*", (route) => route.fulfill({ contentType, body: ":\n\n" })),
        (page: Page) => page.addInitScript("delete globalThis.EventSource"),
      ].map(async (prepare) => {
        const page = await browser.newPage();
        await prepare(page);
        const seen = { page, answers: refreshes(page), streams: streamsOf(page) };
        await page.goto(`${site.url}/`);
        return seen;
      }),
    );
    const { publicId, raisedAmount } = await subscribed();
    for (const { page, answers, streams } of windows) {
      await expect.poll(() => shown(page, publicId, "progress"), PATIENCE).toContain(raisedAmount);
      await expect.poll(() => answers.length, PATIENCE).toBeGreaterThanOrEqual(4);
      expect(streams.asked.length).toBeLessThan(answers.length);
      await page.close();
    }
  });

  test("leaves connections to others: of four windows of a browser three have a stream", async () => {
    const context = await browser.newContext();
    const windows = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const page = await context.newPage();
        const seen = { streams: streamsOf(page), answers: refreshes(page) };
        await page.goto(`${site.url}/`);
        return seen;
      }),
    );
    const least = () => Math.min(...windows.map(({ answers }) => answers.length));
    await expect.poll(least, PATIENCE).toBeGreaterThanOrEqual(2);
    expect(windows.map(({ streams }) => streams.asked.length).sort()).toEqual([0, 1, 1, 1]);
    await context.close();
  });

  test("asks with what it has, and is told that nothing changed", async () => {
    const page = await browser.newPage();
    await page.route("**/v1/stream*", (route) => route.abort());
    const answers = refreshes(page);
    await page.goto(`${site.url}/`);
    // The first is asked without a tag.
    await expect.poll(() => answers.length, PATIENCE).toBeGreaterThanOrEqual(4);
    expect(answers[0]?.status()).toBe(200);
    for (const response of answers.slice(1)) {
      expect((await response.request().allHeaders())["if-none-match"]).toMatch(/^(W\/)?"/);
      expect(response.status()).toBe(304);
    }
    await page.close();
  });

  test("pauses in a hidden tab, and is current when shown again", async () => {
    const page = await browser.newPage();
    const streams = streamsOf(page);
    await page.goto(`${site.url}/`);
    const answers = refreshes(page);
    const setHidden = (hidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, "visibilityState", {
          configurable: true,
          get: () => (hidden ? "hidden" : "visible"),
        });
        Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await expect.poll(() => answers.length, PATIENCE).toBeGreaterThanOrEqual(1);
    await expect.poll(() => streams.opened.length, PATIENCE).toBe(1);
    await setHidden(true);
    await expect.poll(() => streams.ended.length, PATIENCE).toBe(1);
    const { publicId, raisedAmount } = await subscribed();
    expect(await shown(page, publicId, "progress")).not.toContain(raisedAmount);
    await setHidden(false);
    await expect.poll(() => shown(page, publicId, "progress"), PATIENCE).toContain(raisedAmount);
    await expect.poll(() => streams.opened.length, PATIENCE).toBe(2);
    await page.close();
  });
});

/** The first event in the history of a listing's page. */
async function newestEvent(page: Page): Promise<{ key: string | null; words: string | null }> {
  const row = page.locator("#history [data-row]").first();
  const words = await row.locator('[data-fact="words"]').textContent();
  return { key: await row.getAttribute("data-row"), words };
}

test("a listing's page shows a new subscription and its event by itself; what was unfolded stays so", async () => {
  const before = (await listings()).filter(({ status }) => status === "funding" || status === "listed");
  const pages = await Promise.all(
    before.map(async ({ publicId }) => {
      const page = await browser.newPage();
      await page.goto(`${site.url}/listings/${publicId}`);
      await page.locator("main details summary").first().click();
      return { publicId, page, newest: await newestEvent(page) };
    }),
  );
  const { publicId, raisedAmount } = await subscribed();
  const one = pages.find((opened) => opened.publicId === publicId);
  if (one === undefined) throw new Error(`no page of ${publicId} was open`);
  const { page, newest } = one;
  const raised = page.locator('main [data-fact="raisedAmount"]').first();
  await expect.poll(() => raised.getAttribute("data-exact"), PATIENCE).toBe(raisedAmount);
  const event = await newestEvent(page);
  expect(event.key).not.toBe(newest.key);
  // A subscription to an auction is a bid.
  expect(event.words).toMatch(/ (subscribed|bid) /);
  expect(
    await page
      .locator("main details")
      .first()
      .evaluate((details) => (details as HTMLDetailsElement).open),
  ).toBe(true);
  // The block was another one for every raise: its chart stays, on the page that is open and on one that is loaded.
  for (const opened of pages) {
    await opened.page.reload();
    expect(await opened.page.locator("#chart :is(svg, .empty)").count(), opened.publicId).toBeGreaterThan(0);
  }
  await Promise.all(pages.map((opened) => opened.page.close()));
});
