import { beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { type Ask, asking } from "../../test/harness/asking.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import {
  essenceOf,
  jsonLinks,
  markdownLinks,
  parseLinkHeader,
  relationsOf,
} from "../../test/harness/web-links.ts";
import { linkHeader, linksOfPage } from "./links.ts";

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
  "/.well-known/ard.json",
  "/.well-known/api-catalog",
  "/.well-known/mcp/server-card.json",
  "/mcp/server-card",
  "/.well-known/agent-skills/index.json",
  "/.well-known/agent-skills/raisebook-compare-raises/SKILL.md",
  "/.well-known/agent-skills/raisebook-read-the-api/SKILL.md",
  "/.well-known/agent-skills/raisebook-hand-over-to-sign/SKILL.md",
  "/.well-known/agent-skills/raisebook-secondary-desk/SKILL.md",
  "/.well-known/agent-skills/raisebook-glossary/SKILL.md",
  "/robots.txt",
  "/sitemap.xml",
  "/sitemap.txt",
];

/** The crawler of the integration tests walks the pages too; here are the files, without a chain. */
describe.each(FILES)("%s", (where) => {
  async function linksOfFile(): Promise<{ href: string; type?: string | undefined }[]> {
    const { headers, text } = await ask(where);
    const ofHeader = parseLinkHeader(headers.get("link") ?? "");
    return [...ofHeader, ...linksInBody(essenceOf(headers.get("content-type")), text)];
  }

  function linksInBody(type: string, text: string): { href: string; type?: string | undefined }[] {
    if (type === "text/markdown") return markdownLinks(text).map((href) => ({ href }));
    if (type.endsWith("json")) return jsonLinks(JSON.parse(text));
    return [...text.matchAll(/https?:\/\/[^\s<"]+/g)].map(([href]) => ({ href }));
  }

  it("has links, and each to this service leads to what it announces", async () => {
    const own = (await linksOfFile()).filter(({ href }) => href.startsWith(SITE.publicUrl));
    expect(own.length).toBeGreaterThan(0);
    for (const { href, type } of own) {
      const { pathname, search } = new URL(href);
      const answer = await ask(pathname + search);
      expect(answer.status, href).toBe(200);
      const isMediaType = type?.includes("/") ?? false;
      // A draft's name for what is served as the JSON that it is.
      const announced = essenceOf(type === "application/openapi+json" ? "application/json" : type);
      if (isMediaType) expect(essenceOf(answer.headers.get("content-type")), href).toBe(announced);
    }
  });
});

describe("the Link header", () => {
  /** The interface document's table of discovery files, and what is served beside it; crawlers know robots.txt. */
  const DISCOVERY_FILES = [
    "/openapi.json",
    "/llms.txt",
    "/auth.md",
    "/.well-known/ai-catalog.json",
    "/.well-known/ard.json",
    "/.well-known/api-catalog",
    "/.well-known/mcp/server-card.json",
    "/.well-known/agent-skills/index.json",
    "/sitemap.xml",
    "/sitemap.txt",
  ];
  const formBelowMd = (path: string) => (path === "/" ? "/md/index" : `/md${path}`);

  it("is on every page, to GET and HEAD, in HTML and Markdown", async () => {
    expect(pages.length).toBeGreaterThan(20);
    for (const path of pages) {
      for (const method of ["GET", "HEAD"]) {
        for (const [accept, own] of [
          ["text/html", []],
          ["text/markdown", ["canonical"]],
        ] as const) {
          const { headers } = await ask(path, { method, headers: { Accept: accept } });
          const links = parseLinkHeader(headers.get("link") ?? "");
          expect(links.map(({ rel }) => rel)).toEqual([...relationsOf(path), ...own]);
          const targets = links.map(({ href }) => href);
          for (const file of DISCOVERY_FILES) expect(targets, path).toContain(SITE.publicUrl + file);
          const alternate = links.find(({ rel }) => rel === "alternate");
          expect(alternate?.href).toBe(SITE.publicUrl + formBelowMd(path));
          expect(headers.get("x-robots-tag")).toBeNull();
          expect(headers.get("link")?.length).toBeLessThan(2_000);
        }
      }
    }
  });

  it("names the HTML page as canonical on its Markdown twin, which search engines are asked to leave out", async () => {
    for (const path of pages) {
      for (const twin of [formBelowMd(path), path === "/" ? "/index.md" : `${path}.md`]) {
        const { headers, text } = await ask(twin);
        const links = parseLinkHeader(headers.get("link") ?? "");
        expect(links.map(({ rel }) => rel)).toEqual([...relationsOf(path), "canonical"]);
        expect(links.at(-1)?.href).toBe(SITE.publicUrl + path);
        expect(headers.get("x-robots-tag")).toBe("noindex");
        expect(text).toBe((await ask(path, { headers: { Accept: "text/markdown" } })).text);
      }
    }
  });

  it("names no other form of a page that has none", () => {
    const links = parseLinkHeader(linkHeader(linksOfPage(SITE.publicUrl, null)));
    expect(links.map(({ rel }) => rel)).toEqual(relationsOf(null));
  });
});
