import { beforeAll, describe, expect, it } from "vitest";
import { type Ask, appIn, asking, SITE } from "../../test/harness/app.ts";
import { essenceOf, jsonLinks, markdownLinks, parseLinkHeader } from "../../test/harness/web-links.ts";

let ask: Ask;
let pages: string[];
beforeAll(async () => {
  ask = asking(await appIn());
  const { text } = await ask("/sitemap.txt");
  pages = text
    .trim()
    .split("\n")
    .map((url) => new URL(url).pathname);
});

const FILES = [
  "/llms.txt",
  "/auth.md",
  "/.well-known/ai-catalog.json",
  "/.well-known/api-catalog",
  "/mcp/server-card",
  "/.well-known/agent-skills/index.json",
  "/robots.txt",
  "/sitemap.xml",
];

type Found = { where: string; href: string; type: string | undefined };

/** Everything that something links to, from the front page on, and from each file. */
async function everyLink(): Promise<Found[]> {
  const seen = new Set<string>();
  const links: Found[] = [];
  const queue = ["/", ...pages, ...pages.map(formBelowMd), ...FILES];
  for (let where = queue.shift(); where !== undefined; where = queue.shift()) {
    if (seen.has(where)) continue;
    seen.add(where);
    const found = await linksAt(where);
    links.push(...found);
    for (const { href } of found) {
      const { origin, pathname } = new URL(href);
      if (origin === SITE.publicUrl && !pathname.startsWith("/v1/")) queue.push(pathname);
    }
  }
  return links;
}

function formBelowMd(path: string): string {
  return path === "/" ? "/md/index" : `/md${path}`;
}

async function linksAt(where: string): Promise<Found[]> {
  const { headers, text } = await ask(where);
  const ofHeader = headers.has("link") ? parseLinkHeader(headers.get("link") ?? "") : [];
  const ofBody = linksInBody(essenceOf(headers.get("content-type")), where, text);
  return [...ofHeader, ...ofBody].map(({ href, type }) => ({ where, href, type }));
}

function linksInBody(
  type: string,
  where: string,
  text: string,
): { href: string; type?: string | undefined }[] {
  if (type === "text/markdown") return markdownLinks(text).map((href) => ({ href }));
  if (type.endsWith("json")) return where === "/openapi.json" ? [] : jsonLinks(JSON.parse(text));
  return [...text.matchAll(/https?:\/\/[^\s<"]+/g)].map(([href]) => ({ href }));
}

it("every link of every page, file and header leads to what it announces", async () => {
  const links = await everyLink();
  expect(links.length).toBeGreaterThan(400);
  const own = links.filter(({ href }) => href.startsWith(SITE.publicUrl));
  expect(own.length).toBeGreaterThan(390);
  for (const { where, href, type } of own) {
    const { pathname, search } = new URL(href);
    const answer = await ask(pathname + search);
    expect(answer.status, `${href} in ${where}`).toBe(200);
    const isMediaType = type?.includes("/") ?? false;
    if (isMediaType) expect(essenceOf(answer.headers.get("content-type")), href).toBe(essenceOf(type));
  }
});

it("every anchor of a link to a page is that of a heading there", async () => {
  const links = (await everyLink()).filter(({ href }) => href.includes("#"));
  expect(links.length).toBeGreaterThan(0);
  for (const { where, href } of links) {
    const { pathname, hash } = new URL(href);
    const headings = (await ask(pathname)).text.match(/^#{2,} .+$/gm) ?? [];
    const anchors = headings.map((heading) =>
      heading
        .replace(/^#+ /, "")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\- ]/gu, "")
        .replaceAll(" ", "-"),
    );
    expect(anchors, `${href} in ${where}`).toContain(hash.slice(1));
  }
});

describe("the Link header", () => {
  const RELATIONS = [
    "api-catalog",
    "service-desc",
    "service-desc",
    "service-doc",
    "describedby",
    "alternate",
    "ai-catalog",
    "ard",
    "status",
    "sitemap",
  ];

  it("is on every page, to GET and HEAD", async () => {
    expect(pages.length).toBe(13);
    for (const path of pages) {
      for (const method of ["GET", "HEAD"]) {
        const { headers } = await ask(path, { method });
        const links = parseLinkHeader(headers.get("link") ?? "");
        expect(links.map(({ rel }) => rel)).toEqual(RELATIONS);
        expect(links.find(({ rel }) => rel === "alternate")?.href).toBe(SITE.publicUrl + formBelowMd(path));
        expect(headers.get("x-robots-tag")).toBeNull();
        expect(headers.get("link")?.length).toBeLessThan(2_000);
      }
    }
  });

  it("on the Markdown twins names the page itself, which alone is for search engines", async () => {
    for (const path of pages) {
      for (const twin of [formBelowMd(path), path === "/" ? "/index.md" : `${path}.md`]) {
        const { headers, text } = await ask(twin);
        const links = parseLinkHeader(headers.get("link") ?? "");
        expect(links.map(({ rel }) => rel)).toEqual([...RELATIONS, "canonical"]);
        expect(links.at(-1)?.href).toBe(SITE.publicUrl + path);
        expect(headers.get("x-robots-tag")).toBe("noindex");
        expect(text).toBe((await ask(path)).text);
      }
    }
  });
});
