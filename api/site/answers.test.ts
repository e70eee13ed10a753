import { createHash } from "node:crypto";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import type { ReadAnswer } from "../../test/harness/validate.ts";
import { parseLinkHeader } from "../../test/harness/web-links.ts";
import { estimateTokens } from "../http/tokens.ts";

const HTML = "text/html; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";
const PAGES = [
  "/",
  "/listings/lst_2",
  "/originators",
  "/originators/org_northwind",
  "/knowledge",
  "/knowledge/grades",
  "/developers",
  "/system",
];

const ask = asking(await appIn());
const asHtml = { headers: { Accept: "text/html" } };
const asMarkdown = { headers: { Accept: "text/markdown" } };

/** Every address of a page's Markdown that does not depend on what the reader takes. */
function twinsOf(path: string): string[] {
  return path === "/" ? ["/md/index", "/index.md"] : [`/md${path}`, `${path}.md`];
}

/** Header by header, but for what names the request. */
function lasting({ headers }: ReadAnswer): [string, string][] {
  return [...headers].filter(([name]) => name !== "x-request-id");
}

const linksOf = ({ headers }: ReadAnswer, rel: string) =>
  parseLinkHeader(headers.get("link") ?? "").flatMap((link) => (link.rel === rel ? [link.href] : []));

describe.each(PAGES)("%s", (path) => {
  const twins = twinsOf(path);

  it("is HTML or Markdown, as its reader likes, each with its own tag", async () => {
    const html = await ask(path, asHtml);
    const markdown = await ask(path, asMarkdown);
    expect([html.status, html.headers.get("content-type")]).toEqual([200, HTML]);
    expect([markdown.status, markdown.headers.get("content-type")]).toEqual([200, MARKDOWN]);
    expect(html.headers.get("etag")).not.toBe(markdown.headers.get("etag"));
    for (const answer of [html, markdown]) {
      expect(answer.headers.get("vary")).toBe("Accept, Accept-Encoding");
      expect(answer.headers.get("x-robots-tag")).toBeNull();
      expect(linksOf(answer, "alternate")[0]).toBe(SITE.publicUrl + twins[0]);
    }
    expect(linksOf(markdown, "canonical")).toEqual([SITE.publicUrl + path]);
    expect(linksOf(html, "canonical")).toEqual([]);
    const { document } = parseHTML(html.text);
    expect(document.querySelector('link[rel="canonical"]')?.getAttribute("href")).toBe(SITE.publicUrl + path);
    expect(markdown.text).toContain(`\ncanonical: ${JSON.stringify(SITE.publicUrl + path)}\n`);
  });

  it("has one Markdown at all its addresses, of which a search engine lists none", async () => {
    const { text, headers } = await ask(path, asMarkdown);
    expect(headers.get("x-markdown-tokens")).toBe(String(estimateTokens(text)));
    for (const twin of twins) {
      const answer = await ask(twin, asHtml);
      expect(answer.headers.get("content-type"), twin).toBe(MARKDOWN);
      expect(answer.text, twin).toBe(text);
      expect(answer.headers.get("etag"), twin).toBe(headers.get("etag"));
      expect(answer.headers.get("x-markdown-tokens"), twin).toBe(headers.get("x-markdown-tokens"));
      expect(answer.headers.get("x-robots-tag"), twin).toBe("noindex");
      expect(linksOf(answer, "canonical"), twin).toEqual([SITE.publicUrl + path]);
    }
  });

  it("has one policy, and the hash in it is that of the script that is served", async () => {
    const { text, headers } = await ask(path, asHtml);
    const { document } = parseHTML(text);
    const inline = [...document.querySelectorAll("script:not([src])")].filter(
      (script) => script.getAttribute("type") !== "application/ld+json",
    );
    expect(inline).toHaveLength(1);
    // The bytes between the tags, not what a parser makes of them.
    const [, bytes = ""] = /<script>([\s\S]*?)<\/script>/.exec(text) ?? [];
    const hash = createHash("sha256").update(bytes).digest("base64");
    expect(headers.get("content-security-policy")).toBe(
      [
        "default-src 'none'",
        `script-src 'self' 'sha256-${hash}'`,
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
    );
    expect(headers.get("permissions-policy")).toBe(
      "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    );
    expect(document.querySelectorAll("style, [style]")).toHaveLength(0);
    // Text needs no more than what every answer has.
    const markdown = await ask(path, asMarkdown);
    expect(markdown.headers.get("content-security-policy")).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
  });

  it.each([path, ...twins])("answers HEAD at %s like GET, without the body", async (address) => {
    for (const init of [asHtml, asMarkdown]) {
      const get = await ask(address, init);
      const head = await ask(address, { ...init, method: "HEAD" });
      expect([head.status, head.text]).toEqual([200, ""]);
      expect(lasting(head)).toEqual(lasting(get));
      expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
    }
  });

  it("is not sent again to a client that has it", async () => {
    for (const init of [asHtml, asMarkdown]) {
      const { headers } = await ask(path, init);
      const etag = headers.get("etag") ?? "";
      for (const tag of [etag, etag.replace("W/", ""), `"x", ${etag}`, "*"]) {
        const same = await ask(path, { headers: { ...init.headers, "If-None-Match": tag } });
        expect([same.status, same.text], tag).toEqual([304, ""]);
        for (const name of ["etag", "vary", "link", "cache-control", "content-type"])
          expect(same.headers.get(name), name).toBe(headers.get(name));
      }
      const other = await ask(path, { headers: { ...init.headers, "If-None-Match": 'W/"other"' } });
      expect(other.status).toBe(200);
    }
  });

  it("is refused to clients that accept neither form or try to write", async () => {
    const refused = await ask(path, { headers: { Accept: "application/json" } });
    expect([refused.status, refused.headers.get("vary")]).toEqual([406, "Accept, Accept-Encoding"]);
    expect(JSON.parse(refused.text)).toMatchObject({ code: "not_acceptable" });
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      for (const address of [path, ...twins]) {
        const answer = await ask(address, { method });
        expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      }
    }
  });

  it.each(["gzip", "br"])("says the same in %s", async (encoding) => {
    const plain = await ask(path, asHtml);
    const packed = await ask(path, { headers: { ...asHtml.headers, "Accept-Encoding": encoding } });
    expect(packed.headers.get("content-encoding")).toBe(encoding);
    expect(packed.text).toBe(plain.text);
    expect(packed.headers.get("etag")).toBe(plain.headers.get("etag"));
  });
});

describe("a reference number", () => {
  it.each([
    ["/listings/RB00002", "/listings/lst_2"],
    ["/listings/RB00002.md", "/md/listings/lst_2"],
    ["/md/listings/RB00002", "/md/listings/lst_2"],
    ["/listings/RB00002?before=MQ&utm_source=x", "/listings/lst_2?before=MQ"],
    ["/md/listings/RB00002?before=MQ", "/md/listings/lst_2?before=MQ"],
  ])("%s leads to %s, in the same form", async (from, to) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await ask(from, { method });
      expect([status, headers.get("location"), headers.get("vary")]).toEqual([
        302,
        to,
        "Accept, Accept-Encoding",
      ]);
    }
  });

  it("leads anyone who takes Markdown to the address that has both", async () => {
    const moved = await ask("/listings/RB00002", asMarkdown);
    expect(moved.headers.get("location")).toBe("/listings/lst_2");
    expect((await ask("/listings/lst_2", asMarkdown)).headers.get("content-type")).toBe(MARKDOWN);
  });
});

describe("an address that a page does not have, but people write", () => {
  it.each([
    ["/listings", "/"],
    ["/search?q=oven", "/?q=oven"],
    ["/listings/", "/"],
    ["/listings?status=live", "/?status=live"],
    ["/listings/?status=live&sort=oldest", "/?status=live&sort=oldest"],
    ["/listings.md", "/md/index"],
    ["/originators/", "/originators"],
    ["/originators/?page=1", "/originators?page=1"],
    ["/originators/org_northwind/", "/originators/org_northwind"],
    ["/listings/lst_2/", "/listings/lst_2"],
    ["/listings/lst_2///", "/listings/lst_2"],
    ["/knowledge/", "/knowledge"],
    ["/knowledge/grades/", "/knowledge/grades"],
    ["/developers/", "/developers"],
    ["/developers/reference/", "/developers/reference"],
    ["/graphql/", "/graphql"],
    ["/graphql/?query={__typename}", "/graphql?query={__typename}"],
    ["/graphql.md", "/md/developers/graphql"],
    ["/md/graphql", "/md/developers/graphql"],
    ["/developers/graphql/", "/developers/graphql"],
    ["/system/", "/system"],
    ["/md", "/md/index"],
    ["/md/", "/md/index"],
    ["/md/index/", "/md/index"],
    ["/md/listings", "/md/index"],
    ["/md/listings?status=live", "/md/index?status=live"],
    ["/md/listings/lst_2/", "/md/listings/lst_2"],
    ["/md/developers/reference/", "/md/developers/reference"],
  ])("%s leads to %s", async (from, to) => {
    for (const init of [asHtml, asMarkdown, { method: "HEAD" }]) {
      const { status, headers } = await ask(from, init);
      expect([status, headers.get("location")]).toEqual([308, to]);
    }
    expect((await ask(to)).status).toBe(200);
  });

  it.each(["/listings", "/listings/lst_2/", "/md/"])("%s is read, and nothing else", async (path) => {
    const { status, headers } = await ask(path, { method: "POST" });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  it.each([
    "//hostile.example/",
    "/\\hostile.example/",
    "/md//hostile.example/",
    "//",
    "/nothing/",
    "/sitemap.xml/",
  ])("%s leads nowhere", async (path) => {
    const { status, headers } = await ask(path);
    expect([status, headers.get("location")]).toEqual([404, null]);
  });

  it.each([
    ["/%6cistings/lst%5F2", "/listings/lst_2"],
    ["/originators/%6Frg_northwind", "/originators/org_northwind"],
  ])("%s is %s, and its links are those of that address", async (written, canonical) => {
    const answer = await ask(written, asMarkdown);
    expect(answer.text).toBe((await ask(canonical, asMarkdown)).text);
    expect(linksOf(answer, "canonical")).toEqual([SITE.publicUrl + canonical]);
  });
});

describe("how long an answer is good", () => {
  it.each([
    ["/", "public, max-age=1"],
    ["/listings/lst_2", "public, max-age=1"],
    ["/originators", "public, max-age=1"],
    ["/knowledge", "public, max-age=1"],
    ["/knowledge/grades", "public, max-age=60"],
    ["/developers", "public, max-age=60"],
    ["/system", "no-store"],
  ])("%s: %s", async (path, expected) => {
    const { headers } = await ask(path);
    expect(headers.get("cache-control")).toBe(expected);
    // Answers that follow the market name their block.
    const isOfMarket = expected === "public, max-age=1";
    expect(headers.get("x-indexed-block")).toBe(isOfMarket ? "48211034" : null);
    expect(headers.get("x-indexed-at")).toBe(isOfMarket ? "2026-03-01T12:00:00Z" : null);
  });
});
