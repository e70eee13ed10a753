/**
 * Lighthouse: nothing below 95 of 100, and every audit for agents passes. Its performance is a matter of time, so a bench
 * measures it (`npm run bench -- site`).
 */
import lighthouse, { type Config, type RunnerResult } from "lighthouse";
import agenticBrowsing from "lighthouse/core/config/agentic-browsing-config.js";
import { afterAll, expect, test } from "vitest";
import { freePort } from "../harness/free-port.ts";
import { launchChromium } from "./chromium.ts";
import { openSite } from "./site.ts";

const PATHS = [
  "/",
  "/listings/lst_3",
  "/originators/org_northwind",
  "/knowledge/grades",
  "/developers",
  "/developers/reference/listings",
  "/developers/graphql",
  "/system",
];
const CATEGORIES = ["best-practices", "seo"];
const FOR_AGENTS = "agentic-browsing";
const LEAST = 0.95;

type Report = RunnerResult["lhr"];

const port = await freePort();
const [browser, site] = await Promise.all([
  launchChromium({ debuggingPort: port, webMcp: true }),
  openSite(),
]);
afterAll(async () => {
  await browser.close();
  await site[Symbol.asyncDispose]();
});

/** http.md asks for a line that Lighthouse does not know yet: the last test holds that it is the only one. */
const NOT_SCORED = ["robots-txt"];

async function measure(path: string, onlyCategories: string[], skipAudits = NOT_SCORED): Promise<Report> {
  const flags = { port, logLevel: "silent", output: "json", onlyCategories, skipAudits } as const;
  const result = await lighthouse(site.url + path, flags, agenticBrowsing as Config);
  if (result === undefined) throw new Error("Lighthouse says nothing");
  const { lhr } = result;
  expect(lhr.runtimeError).toBeUndefined();
  return lhr;
}

function scoreOf(report: Report, category: string): number {
  return report.categories[category]?.score ?? 0;
}

/** The audits of a category that take something from its score, a line each. */
function lacking(report: Report, category: string): string[] {
  return (report.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
    const { score = null, title = "", displayValue = "", details } = report.audits[id] ?? {};
    if (weight === 0 || score === null || score === 1) return [];
    return [`${id} ${score}: ${title} ${displayValue} ${JSON.stringify(details ?? "").slice(0, 300)}`];
  });
}

/** The manifest has an entry for the REST interface, and Lighthouse knows no type for one: the audit's only finding. */
function isOfRestEntry({ audits }: Report): boolean {
  const { details } = audits["ard-schema"] ?? {};
  const items = details?.type === "table" ? details.items : [];
  return items.length === 1 && JSON.stringify(items).includes("application/openapi+json");
}

test.each(PATHS)("%s", async (path) => {
  const report = await measure(path, [...CATEGORIES, FOR_AGENTS]);
  const low = CATEGORIES.filter((category) => scoreOf(report, category) < LEAST);
  const lines = low.flatMap((category) => [
    `${category}: ${scoreOf(report, category)}`,
    ...lacking(report, category),
  ]);
  const ofAgents = lacking(report, FOR_AGENTS).filter(
    (line) => !(line.startsWith("ard-schema ") && isOfRestEntry(report)),
  );
  expect([...lines, ...ofAgents]).toEqual([]);

  // Each audit was made: one that broke would take nothing from a score.
  const modes = report.categories[FOR_AGENTS]?.auditRefs.map(({ id }) => report.audits[id]?.scoreDisplayMode);
  expect(modes).toHaveLength(7);
  expect(modes).not.toContain("error");
  // Tools, a form and catalogs are all to be had on the board: nothing there is out of its reach.
  if (path === "/") expect(modes).not.toContain("notApplicable");
});

test("Lighthouse objects to one line of robots.txt alone, `Agentmap`", async () => {
  const report = await measure("/", ["seo"], []);
  const { details } = report.audits["robots-txt"] ?? {};
  const items = details?.type === "table" ? details.items : [];
  expect(items).toMatchObject([{ line: expect.stringMatching(/^Agentmap: /), message: "Unknown directive" }]);
});
