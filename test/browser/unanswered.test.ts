/** A service that answers with an error for a while: a page that is being read stays, and one that was the error becomes whole. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { appShowing } from "../harness/app.ts";
import { market } from "../harness/businesses.ts";
import { PATIENCE } from "../harness/patience.ts";
import { DOLLAR, NOW } from "../harness/rows.ts";
import { serveApp } from "../harness/serve-app.ts";
import { untilPassing } from "./clock.ts";
import { openBrowser } from "./open-browser.ts";

const { app, show } = await appShowing();
const [browser, served] = await openBrowser(serveApp(app));

/** Open raises, the newest last, each with so many thousand dollars. */
const raises = (size: number, thousands = 40) =>
  market(
    Array.from({ length: size }, (_, index) => ({
      goLiveAt: NOW - 1_000_000n + BigInt(index),
      raisedAmount: BigInt(thousands) * 1_000n * DOLLAR,
    })),
  );

/** A page whose time passes as `until` lets it, so that the test does not wait for its pauses. */
async function open(path: string) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 600 } });
  await page.clock.install();
  await page.route("**/v1/stream*", (route) => route.abort());
  const statuses: number[] = [];
  page.on("response", (response) => {
    const isRefresh = !response.request().isNavigationRequest() && response.url() === page.url();
    if (isRefresh) statuses.push(response.status());
  });
  await page.goto(served.url + path);
  return { page, statuses, until: untilPassing(page) };
}

const bannerOf = (page: Page) => page.locator("#syncState").textContent();
const hasChanged = (page: Page, thousands: number) =>
  page
    .locator("[data-row=lst_2] [data-fact=progress]")
    .textContent()
    .then((text) => text?.startsWith(`${thousands},000`));

test("a page that is being read stays as it is, and says so after three tries", async () => {
  show(await raises(9));
  const { page, statuses, until } = await open("/");
  await page.locator("input[form=compareForm]").first().check();
  await page.locator("input[name=q]").fill("half a wo");
  await page.locator("main details summary").last().click();
  await page.evaluate(() => scrollTo(0, 500));
  const stateOf = () =>
    page.evaluate(() => ({
      rows: document.querySelectorAll("#raises [data-row]").length,
      ticked: document.querySelectorAll("input[form=compareForm]:checked").length,
      typed: document.querySelector<HTMLInputElement>("input[name=q]")?.value,
      unfolded: document.querySelectorAll("main details[open]").length,
      top: Math.round(document.getElementById("raises")?.getBoundingClientRect().top ?? 0),
    }));
  const before = await stateOf();
  expect(before).toMatchObject({ rows: 9, ticked: 1, typed: "half a wo", unfolded: 1 });
  expect(before.top).toBeLessThan(0);

  show(null);
  await until(() => statuses.filter((status) => status === 503).length, 2);
  expect([await stateOf(), await bannerOf(page)]).toEqual([before, ""]);
  await until(() => bannerOf(page), "Connection lost. Figures are not updating; retrying.");
  expect(await stateOf()).toEqual(before);
  show(await raises(9, 55));
  await until(() => hasChanged(page, 55), true);
  expect([await stateOf(), await bannerOf(page)]).toEqual([before, ""]);
  await page.close();
});

test("a page that is online again does not wait for its next try", async () => {
  show(await raises(2));
  const { page, until } = await open("/");
  show(null);
  await until(() => bannerOf(page), "Connection lost. Figures are not updating; retrying.");
  show(await raises(2));
  // Without the event the next try is after 19 seconds at the earliest.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await page.clock.runFor(5_000);
  await expect.poll(() => bannerOf(page), PATIENCE).toBe("");
  await page.close();
});

test("a board that was opened too early announces its raises and shows another view in place", async () => {
  show(null);
  const { page, until } = await open("/");
  expect(await page.locator("h1").textContent()).toBe("Getting ready");
  show(await raises(2));
  await until(() => page.locator("#raises [data-row]").count(), 2);
  show(await raises(3));
  await until(() => page.locator(".news button").allTextContents(), ["1 new raise – show"]);
  await page.evaluate(() => {
    window.raisebookMark = "first";
  });
  await page.locator(".news button").click();
  await until(() => page.locator("#raises [data-row]").count(), 3);
  expect(await page.evaluate(() => window.raisebookMark)).toBe("first");
  await page.close();
});

test("a raise that was opened too early can be shared, proven, copied and estimated", async () => {
  show(null);
  const { page, until } = await open("/listings/lst_2");
  show(await raises(2));
  await until(() => page.locator("#prover button").count(), 1);
  expect(await page.locator(".share-button").isVisible()).toBe(true);
  expect(await page.locator(".copy").count()).toBeGreaterThan(0);
  const total = page.locator('#estimate [data-fact="projection.total"]');
  const before = await total.textContent();
  await page.locator("#estimate input").fill("5000");
  await until(async () => (await total.textContent()) !== before, true);
  await page.close();
});

test("a page that refuses what was asked of it is answered, and does not say that it is cut off", async () => {
  show(await raises(2));
  const { page, statuses, until } = await open("/?sort=zzz");
  await until(() => statuses.length >= 4, true);
  expect(await bannerOf(page)).toBe("");
  show(await raises(2, 55));
  await until(() => hasChanged(page, 55), true);
  await page.close();
});

test("a raise that is gone, as after a reorganisation, stays as it was, and goes on when it is there again", async () => {
  show(await raises(3));
  const { page, statuses, until } = await open("/listings/lst_3");
  const raised = () => page.locator("main [data-fact=raisedAmount]").first().textContent();
  const before = await raised();
  show(await raises(2));
  const gone = "This page is no longer published. You see it as it last was.";
  await until(() => bannerOf(page), gone);
  // However often it looks, that is what there is to say.
  await until(() => statuses.filter((status) => status === 404).length, 5);
  expect([await raised(), await bannerOf(page)]).toEqual([before, gone]);
  show(await raises(3, 55));
  await until(async () => (await raised())?.startsWith("55,000"), true);
  expect(await bannerOf(page)).toBe("");
  await page.close();
});
