/**
 * Watches a page for what must not happen on it: a word on the console, a request that fails or goes elsewhere, something
 * that the content security policy forbids.
 * @module
 */
import type { Page, Request } from "playwright-core";

export type Watch = {
  /** one line for each thing that happened so far; what the page is for is not among them */
  troubles(): string[];
};

const WORDS = new Set(["error", "warning", "assert"]);

/** Everything from now on. `ownStatus`: what the page itself answers with, which Chromium notes when it is an error. */
export function watch(
  page: Page,
  { origin, ownStatus = 200 }: { origin: string; ownStatus?: number },
): Watch {
  const troubles: string[] = [];
  const isOwn = (url: string) =>
    url === "about:blank" || new URL(url).origin === origin || /^(data|blob):/.test(url);

  page.on("console", (message) => {
    const { url } = message.location();
    const isOwnStatus = url === page.url() && message.text().includes(`a status of ${ownStatus} `);
    if (WORDS.has(message.type()) && !isOwnStatus) {
      troubles.push(`console ${message.type()}: ${message.text()} (${url})`);
    }
  });
  page.on("pageerror", (error) => troubles.push(`thrown: ${error.message}`));
  page.on("request", (request) => {
    if (!isOwn(request.url())) troubles.push(`request elsewhere: ${request.url()}`);
  });
  // A script that hears that nothing changed gets no body, and Chromium counts the request as broken off.
  const unchanged = new WeakSet<Request>();
  page.on("requestfailed", (request) => {
    if (unchanged.has(request)) return;
    troubles.push(`request failed: ${request.url()} (${request.failure()?.errorText})`);
  });
  page.on("response", (response) => {
    if (response.status() === 304) unchanged.add(response.request());
    const isPage = response.request().isNavigationRequest() || response.url() === page.url();
    if (response.status() >= 400 && !(isPage && response.status() === ownStatus)) {
      troubles.push(`${response.status()}: ${response.url()}`);
    }
  });
  page.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { troubles: () => [...new Set(troubles)] };
}
