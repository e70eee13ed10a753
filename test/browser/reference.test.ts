/**
 * The API reference in a browser: Swagger UI opens as it stands, asks this service and nobody else, and can be used by
 * everybody. No rule of axe is left out: what the library itself does not do well is mended by our script and sheet.
 */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../harness/app.ts";
import { type ServedApp, serveApp } from "../harness/serve-app.ts";
import { launchChromium } from "./chromium.ts";
import { axeFindings, CONTRAST, overflows } from "./judge.ts";
import { watch } from "./watch.ts";

let browser: Browser;
/** Its public address is another one than that of the tests: only what asks the address bar's finds it. */
let served: ServedApp;
beforeAll(async () => {
  served = await serveApp(await appIn());
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await served?.[Symbol.asyncDispose]();
});

type Looks = Parameters<Browser["newContext"]>[0];

/** Opens the reference at an operation; `check` runs within, and nothing may go wrong beside. */
async function at(place: string, looks: Looks, check: (page: Page, opened: Locator) => Promise<void>) {
  await using context = await browser.newContext(looks);
  const page = await context.newPage();
  const { troubles } = watch(page, { origin: served.url });
  await page.goto(`${served.url}/developers/reference#/${place}`);
  const opened = page.locator(`#operations-${place.replace("/", "-")}.is-open`);
  await opened.getByRole("button", { name: "Try it out" }).waitFor();
  await check(page, opened);
  expect(troubles()).toEqual([]);
}

/** What the service was asked and what is shown of the answer. */
async function execute(page: Page, opened: Locator) {
  const asked = page.waitForResponse((response) => !/reference|openapi/.test(response.url()));
  await opened.getByRole("button", { name: "Execute" }).click();
  const answer = await asked;
  const shown = opened.locator(".live-responses-table");
  return {
    url: answer.url(),
    status: await shown.locator("td.response-col_status:not(.col_header)").textContent(),
    body: JSON.parse((await shown.locator(".response-col_description pre").first().textContent()) ?? ""),
    real: await answer.json(),
    curl: await opened.locator(".curl").textContent(),
  };
}

describe("the reference", () => {
  it("opens an operation by its address and asks it of the host in the address bar", async () => {
    await at("Market/getSchedule", {}, async (page, opened) => {
      await opened.getByRole("button", { name: "Try it out" }).click();
      await opened.locator("[data-param-name=id] input").fill("lst_2");
      const { url, status, body, real, curl } = await execute(page, opened);
      // Nothing that was only an example is asked for.
      expect(url).toBe(`${served.url}/v1/listings/lst_2/schedule`);
      expect(curl).toContain(url);
      expect(status).toMatch(/^200/);
      expect(body).toEqual(real);
      expect(body).toMatchObject({ estimated: true, payments: [] });
    });
  });

  it("sends the examples of what is sent with POST", async () => {
    for (const place of ["Tools/callTool", "GraphQL/queryGraphql"]) {
      await at(place, {}, async (page, opened) => {
        await opened.getByRole("button", { name: "Try it out" }).click();
        const { url, status, body, real } = await execute(page, opened);
        expect(new URL(url).origin).toBe(served.url);
        expect(status).toMatch(/^200/);
        expect(body).toEqual(real);
      });
    }
  });

  it("finds operations by their tag, and has no button to authorize", async () => {
    await at("Market/getStats", {}, async (page) => {
      const tags = page.locator(".opblock-tag");
      expect(await tags.count()).toBeGreaterThan(4);
      await page.getByPlaceholder(/filter/i).fill("Ledger");
      await expect.poll(() => tags.count()).toBe(1);
      expect(await page.getByRole("button", { name: /authorize/i }).count()).toBe(0);
    });
  });

  it("is used by keyboard", async () => {
    await at("Market/getStats", {}, async (page, opened) => {
      const summary = opened.locator(".opblock-summary-control");
      await summary.focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => opened.count()).toBe(0);
      await page.keyboard.press("Enter");
      await opened.getByRole("button", { name: "Try it out" }).focus();
      await page.keyboard.press("Enter");
      await opened.getByRole("button", { name: "Execute" }).focus();
      const answered = page.waitForResponse(`${served.url}/v1/stats`);
      await page.keyboard.press("Enter");
      expect((await answered).status()).toBe(200);
    });
  });

  it.each([
    { width: 320, place: "Tools/callTool" },
    { width: 768, place: "Ledger/listEvents" },
    { width: 1440, place: "Market/getStats" },
  ])(
    "is read by everybody, in the light and in the dark, $width pixels: $place",
    async ({ width, place }) => {
      const looks = { colorScheme: "light", viewport: { width, height: 900 } } as const;
      await at(place, looks, async (page, opened) => {
        await opened.getByRole("button", { name: "Try it out" }).click();
        await execute(page, opened);
        const ground = () =>
          page.locator("#reference").evaluate((element) => {
            const [own, inner] = [element, element.querySelector(".swagger-ui")].map(
              (one) => one && getComputedStyle(one).backgroundColor,
            );
            return [own, inner, getComputedStyle(document.body).backgroundColor];
          });
        const none = "rgba(0, 0, 0, 0)";
        // The ground is the site's.
        expect(await ground()).toEqual([none, none, "rgb(251, 250, 247)"]);
        expect(await page.locator(".errors-wrapper").count()).toBe(0);
        expect(await overflows(page)).toEqual([]);
        expect(await axeFindings(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: "dark" });
        expect(await ground()).toEqual([none, none, "rgb(16, 19, 21)"]);
        expect(await axeFindings(page, CONTRAST)).toEqual([]);
      });
    },
  );

  it("says where else to read when no script runs", async () => {
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${served.url}/developers/reference`);
    for (const [name, path] of [
      ["The operations in words", "/developers"],
      ["The description in OpenAPI 3.1", "/openapi.json"],
    ] as const) {
      expect(await page.getByRole("link", { name }).getAttribute("href")).toBe(path);
    }
  });
});
