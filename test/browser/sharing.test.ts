/** Pages elsewhere: framed by other sites, shared by their readers, on paper, and in the reader's own colours. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { EmbedOrigins } from "../../config/url-values.ts";
import { serve } from "../harness/serve.ts";
import { SITE, snapshotOf, tablesOf } from "../harness/snapshot.ts";
import { overflows } from "./judge.ts";
import { openBrowser } from "./open-browser.ts";
import { openSite, serveAtOwnUrl } from "./site.ts";

const [browser, site] = await openBrowser(openSite());

/** A page of another origin. */
const serveHost = (html: () => string) =>
  serve((_, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8").end(html());
  });

describe("a card", () => {
  /** The contents of the frame in a page of another site. */
  async function framed(originsOf: (host: string) => EmbedOrigins): Promise<string> {
    let card = "";
    await using host = await serveHost(() => `<!doctype html><iframe src="${card}"></iframe>`);
    const publicSettings = { ...SITE, embedOrigins: originsOf(host.url) };
    const snapshot = await snapshotOf(tablesOf());
    await using served = await serveAtOwnUrl({ snapshot, overrides: { publicSettings } });
    card = `${served.url}/embed/listings/lst_2`;
    const page = await browser.newPage();
    await page.goto(host.url);
    const frame = page.frames().find((one) => one !== page.mainFrame());
    const text = await frame?.evaluate(() => document.body?.textContent ?? "").catch(() => "");
    await page.close();
    return text ?? "";
  }

  test("is shown by the sites that the operator allows, and by no other", async () => {
    expect(await framed(() => "*")).toContain("Raise 2");
    expect(await framed((host) => ["https://blog.example", host])).toContain("Raise 2");
    expect(await framed(() => ["https://blog.example"])).not.toContain("Raise 2");
    expect(await framed(() => [])).not.toContain("Raise 2");
  });

  test("opens the raise in a new window that does not know it, and keeps nothing", async () => {
    await using host = await serveHost(
      () => `<!doctype html><iframe src="${site.url}/embed/listings/lst_4"></iframe>`,
    );
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(host.url);
    const opening = context.waitForEvent("page");
    await page.frameLocator("iframe").locator("h1 a").click();
    const opened = await opening;
    await opened.waitForURL(`${site.url}/listings/lst_4`);
    expect(await opened.evaluate(() => window.opener)).toBeNull();
    expect(page.url()).toBe(`${host.url}/`);
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  test("fits into the frame that the page offers", async () => {
    const page = await browser.newPage();
    await page.goto(`${site.url}/listings/lst_3`);
    const code = (await page.locator("#embed code").textContent()) ?? "";
    const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(code) ?? [];
    await page.setViewportSize({ width: Number(width), height: Number(height) });
    for (const id of ["lst_1", "lst_3", "lst_4", "lst_8"]) {
      await page.goto(`${site.url}/embed/listings/${id}`);
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(
        Number(height),
      );
    }
    await page.close();
    // A site on a phone that is narrower than the frame.
    const phone = await browser.newPage({ viewport: { width: 360, height: 640 } });
    await phone.setContent(`<!doctype html>${code}`);
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await phone.close();
  });
});

describe("the button to share", () => {
  const said = (page: Page) => page.locator("#watchNote[role=status]").textContent();

  test("copies the page's own address, and says so", async () => {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    await page.goto(`${site.url}/listings/lst_2?amount=50`);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    expect(await said(page)).toBe("Link copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.url}/listings/lst_2`);
    await context.close();
  });

  test("shows the address where nothing can be copied", async () => {
    const page = await browser.newPage();
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
    });
    await page.goto(`${site.url}/originators/org_northwind`);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    expect(await said(page)).toContain(`${site.url}/originators/org_northwind`);
    await page.close();
  });

  test.each([
    ["done", null],
    ["closed by the reader", "AbortError"],
  ])("leaves it to the device's own dialog: %s", async (_, refusal) => {
    const page = await browser.newPage();
    await page.addInitScript((name) => {
      const shared: ShareData[] = [];
      navigator.canShare = () => true;
      navigator.share = (data) => {
        shared.push(data ?? {});
        return name === null ? Promise.resolve() : Promise.reject(new DOMException("", name));
      };
      Object.assign(window, { shared });
    }, refusal);
    await page.goto(`${site.url}/listings/lst_4`);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const shared = await page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared);
    expect(shared).toEqual([{ title: await page.title(), url: `${site.url}/listings/lst_4` }]);
    expect(await page.locator("#watchNote").count()).toBe(0);
    await page.close();
  });
});

describe("on paper", () => {
  async function printed(path: string): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 718, height: 1000 } });
    await page.goto(site.url + path);
    await page.emulateMedia({ media: "print" });
    return page;
  }

  test("the board has no choices, which lead nowhere", async () => {
    const page = await printed("/");
    expect(await page.locator(".raise").first().isVisible()).toBe(true);
    expect(await page.locator(".choices").count()).toBeGreaterThan(0);
    expect(await page.locator(".choices:visible").count()).toBe(0);
    await page.context().close();
  });

  test("a raise has its address, the chain's time and full hashes, all of it open, and nothing to press", async () => {
    const page = await printed("/listings/lst_2?amount=50");
    const note = page.locator(".print-note");
    expect(await note.isVisible()).toBe(true);
    expect(await note.textContent()).toBe(
      `${site.url}/listings/lst_2?amount=50 · figures as of 1 Mar 2026, 12:00 UTC, by the time of the blockchain`,
    );
    const seen = await page.evaluate(() => {
      const isSeen = (element: Element) =>
        element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
      const all = (selector: string) => [...document.querySelectorAll(selector)].filter(isSeen);
      return {
        toPress: all("button, input, select, form, nav, .button")
          // Its amount is what the estimate is of.
          .filter((element) => !element.matches("[data-estimate], [data-estimate] input"))
          .map(({ outerHTML }) => outerHTML.slice(0, 80)),
        codes: all(".code[title]").map(
          (code) => getComputedStyle(code, "::after").content === JSON.stringify(code.getAttribute("title")),
        ),
        details: all("#details .fact").length,
        cut: all(".code-block").filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
        wide: document.documentElement.scrollWidth - window.innerWidth,
      };
    });
    expect(seen.toPress).toEqual([]);
    expect(seen.codes.length).toBeGreaterThan(3);
    expect(seen.codes).not.toContain(false);
    expect(seen.details).toBeGreaterThan(20);
    expect([seen.cut, seen.wide]).toEqual([0, 0]);
    expect(await page.locator("#estimate input").isVisible()).toBe(true);
    expect((await page.pdf({ format: "A4" })).subarray(0, 5).toString()).toBe("%PDF-");
    await page.close();
  });

  test("the repaid and the missing part differ without colour", async () => {
    const page = await printed("/listings/lst_3");
    const [part, missing] = await page.evaluate(() =>
      [".bar-part", ".bar-missing"].map((selector) => {
        const element = document.querySelector(`#state ${selector}`);
        const [red = 0, green = 0, blue = 0] =
          (element && getComputedStyle(element).fill.match(/\d+/g)?.map(Number)) ?? [];
        return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
      }),
    );
    expect(Math.abs((part ?? 0) - (missing ?? 0))).toBeGreaterThan(0.2);
    await page.close();
  });

  test("no page is wider than the sheet, and the screen has no note", async () => {
    for (const path of ["/", "/originators/org_northwind", "/system", "/knowledge/risks"]) {
      const page = await printed(path);
      expect([path, ...(await overflows(page))]).toEqual([path]);
      await page.emulateMedia({ media: "screen" });
      expect(await page.locator(".print-note").isVisible()).toBe(false);
      await page.close();
    }
  });
});

test("buttons have borders with forced colours, and legends and the chosen items stand out", async () => {
  const page = await browser.newPage({ forcedColors: "active" });
  await page.goto(`${site.url}/`);
  const found = await page.evaluate(() => {
    const style = (selector: string) => {
      const element = document.querySelector(selector);
      if (element === null) throw new Error(`there is no ${selector}`);
      return getComputedStyle(element);
    };
    const page = style("body").backgroundColor;
    return {
      borders: ["main .button", ".chip"].map((one) => Number.parseFloat(style(one).borderTopWidth) > 0),
      chosen: [".choices a[aria-current]", ".site-nav a[aria-current]"].map(
        (one) => style(one).backgroundColor !== page,
      ),
      keys: [...document.querySelectorAll(".key dt")].map(
        (key) => getComputedStyle(key, "::before").backgroundColor,
      ),
    };
  });
  expect(found.borders).toEqual([true, true]);
  expect(found.chosen).toEqual([true, true]);
  expect(new Set(found.keys).size).toBeGreaterThan(2);
  await page.close();
});
