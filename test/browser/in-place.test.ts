/**
 * Changes in place, by keyboard and by ear: where the focus goes, what the filter panel covers, what stepping through the orders costs,
 * and what a refresh brings and takes away.
 */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { appShowing } from "../harness/app.ts";
import { PATIENCE } from "../harness/patience.ts";
import { DOLLAR, NOW } from "../harness/rows.ts";
import { serveApp } from "../harness/serve-app.ts";
import { OPERATOR } from "../harness/signed-registry.ts";
import { SITE } from "../harness/snapshot.ts";
import { openBrowser } from "./open-browser.ts";
import { type Changes, openRaises } from "./open-raises.ts";

const { app, show } = await appShowing({ publicSettings: { ...SITE, registrySigner: OPERATOR } });
const [browser, served] = await openBrowser(serveApp(app));

/** The newest raise, which is the last, is changed. */
function marketOf(size: number, changes: Changes = {}) {
  return openRaises(size, (id) => (Number(id) === size ? changes : {}));
}

async function open(path: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.route("**/v1/stream*", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: ":\n\n" }),
  );
  await page.goto(served.url + path);
  return page;
}

const focusOf = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement === null ? "" : `${activeElement.localName} ${activeElement.textContent?.trim()}`;
  });
const queryOf = (page: Page) => new URL(page.url()).search;
const panel = (page: Page) => page.locator(".filter-panel");
const summary = (page: Page) => page.locator(".filter-more summary");

test("a card names its grade and its minimum", async () => {
  show(await marketOf(1, { minRaise: 20_000n * DOLLAR, raisedAmount: 5_000n * DOLLAR }));
  const page = await open("/");
  const heard = await page.locator(".raise").ariaSnapshot();
  expect(heard).toContain("text: Grade NR\n");
  expect(heard).toContain('img "Funding: 5,000 of 100,000 committed, Minimum 20,000"');
  await page.close();
});

describe("the filter panel", () => {
  test.each(["Show raises", "Enter in a grade's box"])(
    "leaves the focus on what opens it: %s",
    async (way) => {
      show(await marketOf(3));
      const page = await open("/");
      await summary(page).click();
      const box = page.getByRole("checkbox", { name: /^NR/ });
      await box.check();
      if (way === "Show raises") await page.getByRole("button", { name: way }).press("Enter");
      else await box.press("Enter");
      await expect.poll(() => queryOf(page), PATIENCE).toBe("?grade=NR");
      await expect.poll(() => page.locator("#raises[aria-busy]").count(), PATIENCE).toBe(0);
      expect(await focusOf(page)).toBe("summary Filters");
      expect(await panel(page).isVisible()).toBe(false);
      await page.close();
    },
  );

  test("closes with Escape, and the focus is on what opens it", async () => {
    show(await marketOf(3));
    const page = await open("/");
    await summary(page).click();
    await page.getByRole("checkbox", { name: /^NR/ }).focus();
    await page.keyboard.press("Escape");
    expect(await panel(page).isVisible()).toBe(false);
    expect(await focusOf(page)).toBe("summary Filters");
    await page.close();
  });

  test("closes when the focus or a click leaves it, and covers nothing that has the focus", async () => {
    show(await marketOf(3));
    const page = await open("/");
    await summary(page).click();
    await panel(page).locator("a, button").last().focus();
    await page.keyboard.press("Tab");
    expect(await panel(page).isVisible()).toBe(false);
    expect(await focusOf(page)).toBe("a Cards");
    await summary(page).click();
    await panel(page).locator("legend").first().click();
    expect(await panel(page).isVisible()).toBe(true);
    await page.locator("h1").click();
    expect(await panel(page).isVisible()).toBe(false);
    await page.close();
  });

  test("stays when what is typed in it is selected beyond its edge", async () => {
    show(await marketOf(3));
    const page = await open("/");
    await summary(page).click();
    const field = panel(page).locator("input[type=number]").first();
    await field.fill("12");
    await field.hover();
    await page.mouse.down();
    await page.locator("h1").hover({ force: true });
    await page.mouse.up();
    expect(await panel(page).isVisible()).toBe(true);
    await page.locator("h1").click();
    expect(await panel(page).isVisible()).toBe(false);
    await page.close();
  });

  test("stays open when a delayed change of order arrives", async () => {
    show(await marketOf(3));
    const page = await open("/");
    await page.locator("select[name=sort]").focus();
    await page.keyboard.press("ArrowDown");
    await summary(page).evaluate((one: HTMLElement) => one.click());
    await expect.poll(() => queryOf(page), PATIENCE).toBe("?sort=oldest");
    await expect.poll(() => page.locator("#raises[aria-busy]").count(), PATIENCE).toBe(0);
    expect(await panel(page).isVisible()).toBe(true);
    await page.close();
  });
});

test("a delayed change of order is sent when the focus leaves the field", async () => {
  show(await marketOf(3));
  const page = await open("/");
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.locator("select[name=sort]").focus();
  await page.keyboard.press("ArrowDown");
  await summary(page).focus();
  await expect.poll(() => queryOf(page), PATIENCE).toBe("?sort=oldest");
  await page.close();
});

test("stepping through the orders asks once, leaves no trail, and says the order", async () => {
  show(await marketOf(3));
  const page = await open("/");
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === "/" && search !== "") asked.push(search);
  });
  const before = await page.evaluate(() => history.length);
  await page.locator("select[name=sort]").focus();
  // Newest, oldest, closing soon, closing last.
  for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowDown");
  await expect.poll(() => queryOf(page), PATIENCE).toBe("?sort=closing_late");
  expect(asked).toEqual(["?sort=closing_late"]);
  expect(await page.evaluate(() => history.length)).toBe(before);
  await expect
    .poll(() => page.locator("#boardStatus").textContent(), PATIENCE)
    .toBe("3 raises. Closing last");
  await page.close();
});

test("a refresh that removes what has the focus leaves it in the same section, or on the page", async () => {
  show(await marketOf(3));
  const page = await open("/originators/org_northwind");
  await page.locator('[data-row="lst_3"] a').first().focus();
  show(await marketOf(2));
  await expect.poll(() => page.locator('[data-row="lst_3"]').count(), PATIENCE).toBe(0);
  expect(await focusOf(page)).toBe("h2 Raises");
  // The one after it leaves the focus there. Elsewhere the heading cannot be clicked into.
  show(await marketOf(1));
  await expect.poll(() => page.locator('[data-row="lst_2"]').count(), PATIENCE).toBe(0);
  expect(await focusOf(page)).toBe("h2 Raises");
  await page.keyboard.press("Tab");
  expect(await page.locator("main [tabindex='-1']").count()).toBe(0);
  await page.close();

  const raise = await open("/listings/lst_1");
  await raise.locator("#estimate input").focus();
  show(await marketOf(1, { terminalKind: "cancelled", terminalAt: NOW }));
  await expect.poll(() => raise.locator("#estimate").count(), PATIENCE).toBe(0);
  expect(await focusOf(raise)).toBe("h1 Raise 1");
  await raise.close();
});

test("a refresh brings an address with its button to copy it, and takes both away again", async () => {
  /** Name of each address or id, and what its buttons say. */
  const codes = (page: Page) =>
    page.locator(".section .facts .fact:has(code.code)").evaluateAll((facts) =>
      facts.map((fact) => ({
        name: `Copy: ${fact.querySelector("dt")?.textContent}`,
        buttons: [...fact.querySelectorAll(".copy")].map((one) => one.getAttribute("aria-label")),
      })),
    );
  const namesOf = async (page: Page) => (await codes(page)).map(({ name }) => name);
  const buttonsOf = async (page: Page) => (await codes(page)).flatMap(({ buttons }) => buttons);
  show(await marketOf(2, { token: null }));
  const page = await open("/listings/lst_2");
  const before = await namesOf(page);
  expect(await buttonsOf(page)).toEqual(before);
  show(await marketOf(2));
  await expect.poll(async () => (await codes(page)).length, PATIENCE).toBe(before.length + 1);
  await expect.poll(() => buttonsOf(page), PATIENCE).toEqual(await namesOf(page));
  show(await marketOf(2, { token: null }));
  await expect.poll(async () => (await codes(page)).length, PATIENCE).toBe(before.length);
  await expect.poll(() => buttonsOf(page), PATIENCE).toEqual(before);
  const button = page.getByRole("button", { name: "Copy: Block of the last event", includeHidden: true });
  await button.evaluate((one) => one.closest("details")?.setAttribute("open", ""));
  await button.focus();
  show(await marketOf(2, { token: null, updatedEventId: "" }));
  await expect.poll(async () => (await codes(page)).length, PATIENCE).toBe(before.length - 1);
  expect(await page.locator(".section .facts .copy").count()).toBe(before.length - 1);
  expect(await focusOf(page)).toMatch(/^h2 /);
  await page.close();
});

test.each(["/", "/?view=table"])(
  "a raise that leaves the list says so in words, and is not faint: %s",
  async (path) => {
    show(await marketOf(3));
    const page = await open(path);
    show(await marketOf(3, { closedAt: NOW, closeAt: NOW }));
    const gone = page.locator("#raises [data-row][data-gone]");
    await expect.poll(() => gone.getAttribute("data-row").catch(() => null), PATIENCE).toBe("lst_3");
    const { words, opacity } = await gone.evaluate((row) => ({
      words: [row, ...row.children].map((one) => getComputedStyle(one, "::after").content),
      opacity: getComputedStyle(row).opacity,
    }));
    expect(words.filter((content) => content === '"Left this list"')).toHaveLength(1);
    expect(opacity).toBe("1");
    await page.close();
  },
);

test("the estimate follows the raise, hint and all, unless another amount is being typed", async () => {
  const raised = (hundreds: bigint) => marketOf(1, { raisedAmount: hundreds * 100n * DOLLAR });
  show(await raised(995n));
  const page = await open("/listings/lst_1");
  const hint = page.locator("#estimate .field-hint");
  expect(await hint.textContent()).toBe("Only 500 USD-test can still be lent.");
  show(await raised(997n));
  await expect.poll(() => hint.textContent(), PATIENCE).toBe("Only 300 USD-test can still be lent.");

  await page.locator("#estimate input").fill("ten");
  await expect.poll(() => hint.textContent(), PATIENCE).toContain('"ten" is not an amount above 0.');
  show(await raised(998n));
  const shown = page.locator("main [data-fact=raisedAmount]").first();
  await expect.poll(() => shown.textContent(), PATIENCE).toContain("99,800");
  expect(await hint.textContent()).toContain('"ten" is not an amount above 0.');
  await page.close();
});
