import { beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { type Ask, asking } from "../../test/harness/asking.ts";
import { SITE } from "../../test/harness/snapshot.ts";

const MARKDOWN = "text/markdown; charset=utf-8";
const PLAIN = "text/plain; charset=utf-8";
const CARD = "application/mcp-server-card+json";

const SKILLS = [
  "raisebook-compare-raises",
  "raisebook-read-the-api",
  "raisebook-secondary-desk",
  "raisebook-glossary",
  "raisebook-hand-over-to-sign",
];

/** Each path, and exactly what its `Content-Type` is. */
const FILES: readonly (readonly [path: string, type: string])[] = [
  ["/llms.txt", MARKDOWN],
  ["/auth.md", MARKDOWN],
  ["/.well-known/ai-catalog.json", "application/ai-catalog+json"],
  ["/.well-known/ard.json", "application/json"],
  ["/.well-known/api-catalog", 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
  ["/.well-known/mcp/server-card.json", CARD],
  ["/v1/mcp/server-card", CARD],
  ["/mcp/server-card", CARD],
  ["/.well-known/agent-skills/index.json", "application/json"],
  ...SKILLS.map((name) => [`/.well-known/agent-skills/${name}/SKILL.md`, MARKDOWN] as const),
  ["/registry.schema.json", "application/schema+json"],
  ["/robots.txt", PLAIN],
  ["/sitemap.xml", "application/xml"],
  ["/sitemap.txt", PLAIN],
];

/** The digest of a skill is that of the bytes on the wire, so nothing may encode it. */
const isSkill = (path: string) => path.endsWith("/SKILL.md");
const cacheOf = (path: string) => `public, max-age=3600${isSkill(path) ? ", no-transform" : ""}`;

/** Accepts that a page could answer otherwise; a file looks at none of them. */
const ACCEPTS = [undefined, "*/*", "text/html", "application/json", "text/markdown", "garbage"];

let ask: Ask;
beforeAll(async () => {
  ask = asking(await appIn());
});

describe.each(FILES)("%s", (path, type) => {
  it("answers GET with its type, to be kept for an hour by anybody", async () => {
    const { status, headers, text } = await ask(path);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe(type);
    expect(headers.get("cache-control")).toBe(cacheOf(path));
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toContain("ETag");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("etag")).toMatch(/^W\/"[\w-]{27}"$/);
    expect(headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    expect(text.length).toBeGreaterThan(100);
    expect(text).not.toContain("\r");
    expect(text.endsWith("\n")).toBe(true);
  });

  it("answers HEAD with the same headers and no body", async () => {
    const [get, head] = [await ask(path), await ask(path, { method: "HEAD" })];
    const of = ({ headers }: typeof get) =>
      Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id"));
    expect(head.status).toBe(200);
    expect(head.text).toBe("");
    expect(of(head)).toEqual(of(get));
  });

  it("answers 304 to a client that has it", async () => {
    const { headers } = await ask(path);
    const etag = headers.get("etag") ?? "";
    for (const known of [etag, etag.replace("W/", ""), `"other", ${etag}`]) {
      const again = await ask(path, { headers: { "If-None-Match": known } });
      expect(again.status, known).toBe(304);
      expect(again.text).toBe("");
      expect(again.headers.get("etag")).toBe(etag);
      expect(again.headers.get("cache-control")).toBe(cacheOf(path));
      expect(again.headers.get("access-control-allow-origin")).toBe("*");
      expect(again.headers.get("link")).toBe(headers.get("link"));
    }
    expect((await ask(path, { headers: { "If-None-Match": 'W/"other"' } })).status).toBe(200);
  });

  it("is the same whatever is accepted and asked behind the path", async () => {
    const { text } = await ask(path);
    for (const accept of ACCEPTS) {
      const headers: Record<string, string> = accept === undefined ? {} : { Accept: accept };
      const answer = await ask(`${path}?x=1`, { headers });
      expect(answer.headers.get("content-type"), accept).toBe(type);
      expect(answer.text).toBe(text);
    }
    for (const encoding of ["br", "gzip"]) {
      const answer = await ask(path, { headers: { "Accept-Encoding": encoding } });
      expect(answer.text).toBe(text);
      const wanted = isSkill(path) || Buffer.byteLength(text) < 1024 ? null : encoding;
      expect(answer.headers.get("content-encoding")).toBe(wanted);
    }
  });

  it("only reads", async () => {
    for (const method of ["POST", "PUT", "DELETE"]) {
      const answer = await ask(path, { method });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    }
    expect((await ask(path, { method: "OPTIONS" })).status).toBe(204);
  });
});

describe("wherever the service is", () => {
  /** URLs that name a format, a profile or a vocabulary, and are never fetched. */
  const IDENTIFIERS = new Set([
    "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    "http://www.sitemaps.org/schemas/sitemap/0.9",
    "https://json-schema.org/draft/2020-12/schema",
  ]);
  const URLS = /\bhttps?:\/\/(?:\[[\d:]+\])?[^\s"'`<>)\]]+/g;

  it.each([SITE.publicUrl, "http://127.0.0.1:4000", "http://[::1]:80", "https://xn--mnchen-3ya.example"])(
    "%s is the one host of every URL",
    async (publicUrl) => {
      const elsewhere = asking(await appIn({ publicUrl }));
      for (const [path] of FILES) {
        const { text, headers } = await elsewhere(path);
        const found = `${text} ${headers.get("link") ?? ""}`.match(URLS) ?? [];
        const foreign = found.filter((url) => url !== publicUrl && !url.startsWith(`${publicUrl}/`));
        expect(
          foreign.filter((url) => !IDENTIFIERS.has(url)),
          path,
        ).toEqual([]);
      }
    },
  );

  it("the files name it where they must", async () => {
    const { text } = await ask("/.well-known/ai-catalog.json");
    const ports = asking(await appIn({ publicUrl: "http://127.0.0.1:4000" }));
    const local = (await ports("/.well-known/ai-catalog.json")).text;
    expect(JSON.parse(text).entries[0].identifier).toBe("urn:air:raises.example:mcp:raisebook");
    expect(JSON.parse(local).entries[0].identifier).toBe("urn:air:127.0.0.1:mcp:raisebook");
    const card = (await ask("/mcp/server-card")).text;
    expect(JSON.parse(card).name).toBe("example.raises/raisebook");
    expect(JSON.parse((await ports("/mcp/server-card")).text).name).toBe("127.0.0.1/raisebook");
  });
});

describe("nothing else", () => {
  it.each([
    "/.well-known",
    "/.well-known/",
    "/.well-known/unknown",
    "/.well-known/mcp",
    "/.well-known/mcp.json",
    "/.well-known/mcp/server-card",
    "/.well-known/did.json",
    "/.well-known/ai-catalog",
    "/.well-known/api-catalog/",
    "/.well-known/ard.json/x",
    "/.well-known/agent-skills",
    "/.well-known/agent-skills/index",
    "/.well-known/agent-skills/unknown/SKILL.md",
    "/.well-known/agent-skills/raisebook-compare-raises/skill.md",
    "/.well-known/agent-skills/..%2Findex.json",
    "/.well-known/%00",
    "/.well-known/__proto__",
    "/v1/llms.txt",
  ])("%s is a 404, with problem details", async (path) => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await ask(path, { method, headers: { Accept: "text/html" } });
      expect(answer.status, method).toBe(404);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
    }
  });

  it.each([
    ["/listings", "/"],
    ["/listings/", "/"],
    ["/originators/", "/originators"],
    ["/knowledge/", "/knowledge"],
    ["/md", "/md/index"],
  ])("%s, shortened by hand, leads on to %s", async (path, to) => {
    const { status, headers } = await ask(path);
    expect([status, headers.get("location")]).toEqual([308, to]);
    expect(headers.get("vary")).toContain("Accept");
  });

  it.each([
    "/knowledge/nothing",
    "/knowledge/grades.md.md",
    "/knowledge/__proto__",
    "/knowledge/..%2F..%2Fpackage.json",
    "/md/knowledge/grades.md",
    "/md/knowledge/nothing",
    "/index",
    "/LLMS.TXT",
    "/sitemap",
    "/sitemap-1.xml",
    "/sitemap.xml/",
    "/robots",
    "/auth",
  ])("%s is a 404, as a page", async (path) => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await ask(path, { method, headers: { Accept: "text/html" } });
      expect(answer.status, method).toBe(404);
      expect(answer.headers.get("content-type")).toMatch(/^text\/(html|markdown); charset=utf-8$/);
    }
  });
});
