/** @module The browser of the tests: Chromium out of a package, so that a machine needs nothing installed. */
import { type Browser, chromium } from "playwright-core";
import { PATIENCE } from "../harness/patience.ts";
import { unpackChromium } from "./unpack.ts";

/**
 * None of the package's own flags: they are for a cloud function's sandbox and switch off what is tested here (one
 * process for everything, no web security, no site isolation).
 */
const FLAGS = [
  // Also for root, as which containers run.
  "--no-sandbox",
  "--disable-gpu",
  // Letters as wide on every machine.
  "--font-render-hinting=none",
  // Requests to other hosts fail: nothing leaves the machine.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

export type ChromiumOptions = {
  /** of 127.0.0.1, for tools that speak to the browser themselves */
  debuggingPort?: number;
  /**
   * Has pages offer their tools to an agent. Chromium 153 with a debugger crashes when a page with tools is left before the debugger has
   * been told of them: call `page.webmcp.tools()` first.
   */
  webMcp?: boolean;
};

/**
 * Starts a browser that ends with its scope.
 *
 * @example
 * await using browser = await launchChromium();
 * const page = await browser.newPage();
 */
export async function launchChromium({ debuggingPort, webMcp }: ChromiumOptions = {}): Promise<Browser> {
  const { executable, env } = await unpackChromium();
  const flags = [...FLAGS];
  if (webMcp) flags.push("--enable-features=WebMCP");
  if (debuggingPort !== undefined) flags.push(`--remote-debugging-port=${debuggingPort}`);
  const browser = await chromium.launch({
    executablePath: executable,
    headless: true,
    env: { ...process.env, ...env },
    args: flags,
    timeout: PATIENCE.timeout,
  });
  browser.on("context", (context) => context.setDefaultTimeout(PATIENCE.timeout));
  return browser;
}
