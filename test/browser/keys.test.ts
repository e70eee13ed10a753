/** The walk by keyboard tells a good page from one where the focus is stuck, lost or out of sight. */
import { afterAll, expect, test } from "vitest";
import { launchChromium } from "./chromium.ts";
import { walk } from "./keys.ts";

const browser = await launchChromium();
afterAll(() => browser.close());

async function walkOn(html: string, key?: "Shift+Tab") {
  const page = await browser.newPage({ viewport: { width: 800, height: 400 } });
  await page.setContent(`<!doctype html><title>A page</title>${html}`);
  const found = await walk(page, key);
  await page.close();
  return found;
}

const THREE = `<a href="#a">one</a> <button>two</button> <details><summary>three</summary><a href="#b">not yet</a></details>`;

test("a good page: each in its order, indicated, seen, and out", async () => {
  const { stops, reachable, isOut } = await walkOn(THREE);
  expect(isOut).toBe(true);
  expect(reachable).toHaveLength(3);
  expect(stops.map(({ order }) => order)).toEqual([0, 1, 2]);
  expect(stops.every(({ isIndicated, isSeen }) => isIndicated && isSeen)).toBe(true);
  const backwards = await walkOn(THREE, "Shift+Tab");
  expect(backwards.stops.map(({ order }) => order)).toEqual([2, 1, 0]);
});

test("an element far below comes into view", async () => {
  const { stops } = await walkOn(`<a href="#a">one</a><p style="height: 5000px"></p><a href="#b">two</a>`);
  expect(stops.map(({ isSeen }) => isSeen)).toEqual([true, true]);
});

test("another order than that of the page", async () => {
  const { stops } = await walkOn(`<a href="#a">one</a><a href="#b" tabindex="3">two</a>`);
  expect(stops.map(({ order }) => order)).toEqual([1, 0]);
});

test("a focus that nobody sees", async () => {
  const { stops } = await walkOn(`<style>:focus { outline: none }</style><a href="#a">one</a>`);
  expect(stops.map(({ isIndicated }) => isIndicated)).toEqual([false]);
});

test("something under something else", async () => {
  const cover = `<div style="position: fixed; inset: 0; background: white"></div>`;
  const { stops } = await walkOn(`<a href="#a">one</a>${cover}`);
  expect(stops.map(({ isSeen }) => isSeen)).toEqual([false]);
});

test("a trap", async () => {
  const trap = `<script>
    document.querySelector("#trap").addEventListener("keydown", (event) => event.preventDefault());
  </script>`;
  const { stops, reachable, isOut } = await walkOn(
    `<a href="#a">one</a><button id="trap">two</button>${trap}`,
  );
  expect(reachable).toHaveLength(2);
  expect(isOut).toBe(false);
  expect(stops.at(-1)?.order).toBe(1);
});

test("something that is only scrolled", async () => {
  const { stops } = await walkOn(
    `<div style="width: 100px; overflow: auto"><pre>${"x".repeat(400)}</pre></div>`,
  );
  expect(stops).toMatchObject([{ order: -1, isScrolled: true }]);
});
