/** @module The browser of a file of tests, next to what it looks at. */
import type { Browser } from "playwright-core";
import { afterAll } from "vitest";
import { type ChromiumOptions, launchChromium } from "./chromium.ts";

/**
 * Both end with the file's last test.
 *
 * @example
 * const [browser, site] = await openBrowser(openSite());
 */
export async function openBrowser<Site extends AsyncDisposable>(
  opening: Promise<Site>,
  options: ChromiumOptions = {},
): Promise<[Browser, Site]> {
  const [browser, site] = await Promise.all([launchChromium(options), opening]);
  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });
  return [browser, site];
}
