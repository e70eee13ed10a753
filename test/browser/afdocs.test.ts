/** AFDocs: whether agents find and read the site as documentation. Every check passes, or `afdocs-exceptions.json` says why it does not. */
import { type CheckResult, getAllChecks, runChecks } from "afdocs";
import { expect, test } from "vitest";
import exceptions from "./afdocs-exceptions.json" with { type: "json" };
import { openSite } from "./site.ts";

type Exception = { status: string; reason: string };

const EXCEPTIONS: Readonly<Record<string, Exception>> = exceptions;

/** Every page that the site lists. */
async function listedPages(root: string): Promise<string[]> {
  const text = await (await fetch(`${root}/sitemap.txt`)).text();
  return text.split("\n").filter((line) => line !== "");
}

const MOST_PAGES = 4;

/** A check's message, with the first pages that fail it. */
function told({ id, status, message, details }: CheckResult): string[] {
  const pages = Array.isArray(details?.pageResults) ? details.pageResults : [];
  const open = pages.filter((page) => page.status !== "pass").slice(0, MOST_PAGES);
  return [`${id} ${status}: ${message}`, ...open.map((page) => JSON.stringify(page))];
}

test("every check passes or has a written reason", async () => {
  await using site = await openSite({ closesConnections: true });
  const pages = await listedPages(site.url);
  expect(pages.length).toBeGreaterThan(20);
  const { results, testedPages } = await runChecks(site.url, {
    samplingStrategy: "curated",
    curatedPages: pages,
    // Our own server needs no pause between requests.
    requestDelay: 0,
    // A market's raises and businesses come and go, and are what the tools list; llms.txt leads to the documentation, and
    // to the reference's first page, which lists its parts.
    coverageExclusions: ["/listings/**", "/originators/**", "/developers/reference/**"],
  });
  expect(testedPages).toBe(pages.length);
  expect(results.map(({ id }) => id).toSorted()).toEqual(
    getAllChecks()
      .map(({ id }) => id)
      .toSorted(),
  );

  const open = results.filter(({ status }) => status !== "pass");
  const unexplained = open.filter(({ id, status }) => EXCEPTIONS[id]?.status !== status);
  expect(unexplained.flatMap(told)).toEqual([]);
  const stale = Object.keys(EXCEPTIONS).filter((id) => !open.some((result) => result.id === id));
  expect(stale).toEqual([]);
  for (const { reason } of Object.values(EXCEPTIONS)) expect(reason.length).toBeGreaterThan(30);
});
