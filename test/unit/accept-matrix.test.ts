/**
 * The answer to each `Accept` header, at every kind of path, over a socket: pages, the API, files, and missing paths.
 * http.md, "Pages", negotiation. The headers of test/vectors/accept.json are all in the table, with the same outcome.
 */
import { Agent } from "node:http";
import { parseHTML } from "linkedom";
import { afterAll, describe, expect, it } from "vitest";
import { estimateTokens } from "../../api/http/tokens.ts";
import { appIn } from "../harness/app.ts";
import { lasting, namesIn, type RawAnswer, send } from "../harness/raw-http.ts";
import { serveApp } from "../harness/serve-app.ts";
import { SITE } from "../harness/snapshot.ts";
import { parseLinkHeader, relationsOf } from "../harness/web-links.ts";
import vectors from "../vectors/accept.json" with { type: "json" };
import { CASES, HTML, JSON_TYPE, MARKDOWN, PROBLEM } from "./accept-cases.ts";

const PAGES = [
  "/",
  "/listings/lst_1",
  "/originators/org_northwind",
  "/knowledge/grades",
  "/developers",
  "/developers/reference",
  "/system",
];
const ALL_PAGES = [...PAGES, "/originators", "/knowledge"];
/** Always Markdown: each page at its other two addresses. */
const TWINS = ALL_PAGES.map((path) => ({
  path,
  twins: path === "/" ? ["/md/index", "/index.md"] : [`/md${path}`, `${path}.md`],
}));
const MISSING_PAGES = ["/nowhere", "/listings/lst_nowhere", "/originators/org_nowhere", "/knowledge/nothing"];
const ALWAYS_PROBLEMS = [
  "/v1/nothing",
  "/v1/listings/lst_nowhere/nothing",
  "/.well-known/nothing",
  "/.well-known/openid-configuration",
  "/.well-known/agent-skills/nothing/SKILL.md",
];

const served = await serveApp(await appIn());
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
afterAll(async () => {
  agent.destroy();
  await served[Symbol.asyncDispose]();
});

function ask(path: string, accept: string | undefined, method = "GET", others = {}): Promise<RawAnswer> {
  const headers = { ...(accept === undefined ? {} : { Accept: accept }), ...others };
  return send(served.url, { path, method, headers, agent });
}

/** Each leads to another outcome somewhere; with the others the same answers come again, and some paths are enough. */
const TELLING = new Set([undefined, "text/markdown", "application/json", "image/png", "text/csv"]);

/** GET, and for each outcome HEAD, which must say the same but for the body. */
async function askBoth(path: string, accept: string | undefined): Promise<RawAnswer> {
  const get = await ask(path, accept);
  const what = `${path} for ${accept}`;
  if (TELLING.has(accept)) {
    const head = await ask(path, accept, "HEAD");
    expect(head.status, what).toBe(get.status);
    expect(head.text, what).toBe("");
    expect(lasting(head.headers), what).toEqual(lasting(get.headers));
  }
  expect(get.headers["content-length"], what).toBe(String(Buffer.byteLength(get.text)));
  // Answers that hold only now are neither chosen by a header nor stored.
  const isKeptByNobody = get.headers["cache-control"] === "no-store" && get.status === 200;
  if (!isKeptByNobody) expect(namesIn(get.headers.vary), what).toContain("accept");
  expect(get.headers["x-content-type-options"]).toBe("nosniff");
  expect(get.headers["access-control-allow-origin"]).toBe("*");
  return get;
}

/** Relation and target of the links in the head of a document, but for what only a browser fetches. */
function linksInHead(html: string): string[] {
  const { document } = parseHTML(html);
  return [...document.querySelectorAll("head link")]
    .map((link) =>
      [link.getAttribute("rel"), link.getAttribute("href"), link.getAttribute("type") ?? ""].join(" "),
    )
    .filter((link) => !/^(icon|stylesheet|manifest|canonical|apple-touch-icon|modulepreload) /.test(link));
}

function canonicalOf(html: string): string | null {
  const { document } = parseHTML(html);
  return document.querySelector('link[rel="canonical"]')?.getAttribute("href") ?? null;
}

function expectProblem({ headers, text }: RawAnswer, status: number, code: string, what: string): void {
  expect(headers["content-type"], what).toBe(PROBLEM);
  expect(JSON.parse(text), what).toMatchObject({ status, code });
}

/** The links of a page, whichever form it has, and which address is its own. */
function expectLinks({ headers, text }: RawAnswer, path: string, isTwin: boolean): void {
  const links = parseLinkHeader(`${headers.link ?? ""}`);
  const others = links.filter(({ rel }) => rel !== "canonical");
  expect(others.map(({ rel }) => rel)).toEqual(relationsOf(path));
  const markdown = path === "/" ? "/md/index" : `/md${path}`;
  expect(others.find(({ rel }) => rel === "alternate")?.href).toBe(SITE.publicUrl + markdown);
  const canonical = links.filter(({ rel }) => rel === "canonical").map(({ href }) => href);
  const isHtml = headers["content-type"] === HTML;
  if (isHtml) {
    expect(linksInHead(text)).toEqual(others.map(({ rel, href, type = "" }) => `${rel} ${href} ${type}`));
    expect(canonicalOf(text)).toBe(SITE.publicUrl + path);
    if (canonical.length > 0) expect(canonical).toEqual([SITE.publicUrl + path]);
  } else {
    expect(text).toContain(`\ncanonical: "${SITE.publicUrl}${path}"\n`);
    expect(canonical).toEqual([SITE.publicUrl + path]);
    expect(headers["x-markdown-tokens"]).toBe(String(estimateTokens(text)));
  }
  expect(headers["x-robots-tag"]).toBe(isTwin ? "noindex" : undefined);
}

it("the table has every header of the vectors, with the same outcome, and enough besides", () => {
  expect(CASES.length).toBeGreaterThanOrEqual(25);
  expect(new Set(CASES.map(({ accept }) => accept)).size).toBe(CASES.length);
  for (const [accept, type] of vectors.cases) {
    const found = CASES.find((one) => one.accept === (accept ?? undefined));
    expect(found?.page, `${accept}`).toBe(type === null ? PROBLEM : `${type}; charset=utf-8`);
  }
});

describe.each(CASES)("Accept: $accept", ({ accept, page, missing, listings }) => {
  const someOf = <One>(all: readonly One[]) => (TELLING.has(accept) ? all : all.slice(0, 2));

  it(`pages: ${page}`, async () => {
    for (const path of someOf(ALL_PAGES)) await expectPage(path);
  });

  async function expectPage(path: string): Promise<void> {
    const answer = await askBoth(path, accept);
    if (page === PROBLEM) {
      expect(answer.status, path).toBe(406);
      expectProblem(answer, 406, "not_acceptable", path);
      expect(answer.headers.etag).toBeUndefined();
      return;
    }
    expect(answer.status, path).toBe(200);
    expect(answer.headers["content-type"], path).toBe(page);
    expect(answer.text.startsWith(page === HTML ? "<!doctype html>" : "---\n")).toBe(true);
    expectLinks(answer, path, false);
  }

  it(`pages that are not there: 404, ${missing}`, async () => {
    for (const path of someOf(MISSING_PAGES)) await expectMissing(path);
  });

  async function expectMissing(path: string): Promise<void> {
    const answer = await askBoth(path, accept);
    expect(answer.status, path).toBe(404);
    expect(answer.headers["content-type"], path).toBe(missing);
    if (missing === PROBLEM) return expectProblem(answer, 404, "not_found", path);
    expect(answer.headers["cache-control"]).toBe("no-store");
    const links = parseLinkHeader(`${answer.headers.link ?? ""}`).filter(({ rel }) => rel !== "canonical");
    if (missing === HTML) {
      expect(canonicalOf(answer.text)).toBeNull();
      expect(linksInHead(answer.text)).toEqual(
        links.map(({ rel, href, type = "" }) => `${rel} ${href} ${type}`),
      );
      return;
    }
    expect(answer.text).toContain("/llms.txt)");
    expect(answer.text.length).toBeGreaterThan(20);
  }

  it("an address without a page is a 404 problem", async () => {
    for (const path of someOf(ALWAYS_PROBLEMS)) {
      const answer = await askBoth(path, accept);
      expect(answer.status, path).toBe(404);
      expectProblem(answer, 404, "not_found", path);
    }
  });

  it(`the listings: ${listings}; whatever else is said`, async () => {
    const answer = await askBoth("/v1/listings", accept);
    expect(answer.headers["content-type"]).toBe(listings);
    expect(answer.status).toBe(listings === PROBLEM ? 406 : 200);
    if (listings === PROBLEM) expectProblem(answer, 406, "not_acceptable", "/v1/listings");
  });

  it("health, description and files answer whatever is accepted", async () => {
    for (const [path, type] of [
      ["/v1/health", JSON_TYPE],
      ["/openapi.json", JSON_TYPE],
      ["/llms.txt", MARKDOWN],
      ["/auth.md", MARKDOWN],
      ["/robots.txt", "text/plain; charset=utf-8"],
      ["/sitemap.xml", "application/xml"],
      ["/.well-known/ai-catalog.json", "application/ai-catalog+json"],
    ] as const) {
      const answer = await askBoth(path, accept);
      expect(answer.status, path).toBe(200);
      expect(answer.headers["content-type"], path).toBe(type);
    }
  });

  it("the Markdown addresses of pages are Markdown", async () => {
    for (const { path, twins } of someOf(TWINS)) {
      for (const twin of twins) {
        const answer = await askBoth(twin, accept);
        expect(answer.status, twin).toBe(200);
        expect(answer.headers["content-type"], twin).toBe(MARKDOWN);
        expectLinks(answer, path, true);
      }
    }
  });
});

describe("a page in its two forms", () => {
  /** Those that may be kept at all. */
  const KEPT = ALL_PAGES.filter((path) => path !== "/system");

  it.each(KEPT)("%s: each has a tag of its own, by which only that form is current", async (path) => {
    const html = await ask(path, "text/html");
    const markdown = await ask(path, "text/markdown");
    expect(html.headers.etag).toMatch(/^W\/"/);
    expect(markdown.headers.etag).not.toBe(html.headers.etag);
    const known = { "If-None-Match": html.headers.etag ?? "" };
    for (const method of ["GET", "HEAD"]) {
      const same = await ask(path, "text/html", method, known);
      expect(same.status).toBe(304);
      expect(same.text).toBe("");
      expect(namesIn(same.headers.vary)).toContain("accept");
      expect(same.headers.etag).toBe(html.headers.etag);
      expect(same.headers.link).toBe(html.headers.link);
      expect((await ask(path, "text/markdown", method, known)).status).toBe(200);
    }
  });

  it.each(ALL_PAGES)("%s: its Markdown is the same at each of its addresses", async (path) => {
    const { text } = await ask(path, "text/markdown");
    const { twins } = TWINS.find((one) => one.path === path) ?? { twins: [] };
    expect(twins).toHaveLength(2);
    for (const twin of twins) expect((await ask(twin, undefined)).text).toBe(text);
  });

  it.each([
    ...["/md/nowhere", "/nowhere.md", "/md/listings/lst_nowhere", "/listings/lst_nowhere.md"],
    ...["/md/knowledge/nothing", "/knowledge/nothing.md", "/md/knowledge/grades.md"],
  ])("%s: 404 in Markdown, whatever is accepted", async (path) => {
    for (const accept of [undefined, "text/html", "application/json", "text/markdown", "image/png"]) {
      const answer = await askBoth(path, accept);
      expect(answer.status).toBe(404);
      expect(answer.headers["content-type"]).toBe(MARKDOWN);
    }
  });

  it("is the same for every user agent, and with a query that the page does not know", async () => {
    const headers = { "User-Agent": "ClaudeBot/1.0 (+https://example.com)" };
    expect((await ask("/", undefined, "GET", headers)).headers["content-type"]).toBe(HTML);
    expect((await ask("/?x=1", "text/markdown")).headers["content-type"]).toBe(MARKDOWN);
  });
});
