/** The discovery files as they come out of a socket: the bytes themselves, which `fetch` would decode, and every header. */
import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { lasting, namesIn, type RawRequest, send } from "../../test/harness/raw-http.ts";
import { serveApp } from "../../test/harness/serve-app.ts";

const JSON_TYPE = "application/json";
const MARKDOWN = "text/markdown; charset=utf-8";
const PLAIN = "text/plain; charset=utf-8";
const CARD = "application/mcp-server-card+json";

/** http.md, "Discovery files": each path, and its `Content-Type` to the letter. */
const FILES: readonly (readonly [path: string, type: string])[] = [
  ["/openapi.json", JSON_TYPE],
  ["/llms.txt", MARKDOWN],
  ["/auth.md", MARKDOWN],
  ["/.well-known/ai-catalog.json", "application/ai-catalog+json"],
  ["/.well-known/ard.json", JSON_TYPE],
  ["/.well-known/api-catalog", 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
  ["/.well-known/mcp/server-card.json", CARD],
  ["/v1/mcp/server-card", CARD],
  ["/mcp/server-card", CARD],
  ["/.well-known/agent-skills/index.json", JSON_TYPE],
  ["/.well-known/agent-skills/raisebook-compare-raises/SKILL.md", MARKDOWN],
  ["/.well-known/agent-skills/raisebook-read-the-api/SKILL.md", MARKDOWN],
  ["/.well-known/agent-skills/raisebook-hand-over-to-sign/SKILL.md", MARKDOWN],
  ["/sitemap.xml", "application/xml"],
  ["/sitemap.txt", PLAIN],
  ["/robots.txt", PLAIN],
];

const CODINGS = {
  identity: (bytes: Buffer) => bytes,
  gzip: gunzipSync,
  br: brotliDecompressSync,
} as const;
type Coding = keyof typeof CODINGS;

const served = await serveApp(await appIn());
afterAll(() => served[Symbol.asyncDispose]());

const ask = (path: string, request: RawRequest = {}) => send(served.url, { path, ...request });

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest();

const isSkill = (path: string) => path.endsWith("/SKILL.md");

describe.each(FILES)("%s", (path, type) => {
  const codings = Object.keys(CODINGS) as Coding[];

  it.each(codings)("a file has the same bytes and the same tag in the coding %s", async (coding) => {
    const plain = await ask(path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const coded = await ask(path, { headers: { "Accept-Encoding": coding } });
    expect(coded.status).toBe(200);
    const isCoded = !isSkill(path) && coding !== "identity" && plain.bytes.length >= 1_024;
    expect(coded.headers["content-encoding"]).toBe(isCoded ? coding : undefined);
    expect(coded.headers["content-length"]).toBe(String(coded.bytes.length));
    const bytes = isCoded ? CODINGS[coding](coded.bytes) : coded.bytes;
    expect(bytes.equals(plain.bytes)).toBe(true);
    if (isCoded) expect(coded.bytes.length).toBeLessThan(plain.bytes.length);
    expect(coded.headers.etag).toBe(plain.headers.etag);
    expect(plain.headers.etag).toBe(`W/"${sha256(plain.bytes).toString("base64url").slice(0, 27)}"`);
  });

  it("has its type to the letter, and lets anybody keep it for an hour", async () => {
    const { status, headers, bytes } = await ask(path, { headers: { Origin: "https://other.example" } });
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe(type);
    expect(headers["cache-control"]).toBe(`public, max-age=3600${isSkill(path) ? ", no-transform" : ""}`);
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
    expect(namesIn(headers["access-control-expose-headers"])).toContain("etag");
    expect(namesIn(headers.vary)).toEqual(["accept", "accept-encoding"]);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["transfer-encoding"]).toBeUndefined();
    expect(headers["set-cookie"]).toBeUndefined();
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    expect(text).not.toMatch(/\r|^\uFEFF/);
  });

  it.each(codings)("answers HEAD as GET, in the coding %s too", async (coding) => {
    const headers = { "Accept-Encoding": coding };
    const [get, head] = [await ask(path, { headers }), await ask(path, { method: "HEAD", headers })];
    expect(head.status).toBe(200);
    expect(head.bytes).toHaveLength(0);
    expect(lasting(head.headers)).toEqual(lasting(get.headers));
  });

  it("answers 304 with what a cache has to update, and no body", async () => {
    const { headers } = await ask(path);
    for (const method of ["GET", "HEAD"]) {
      const known = await ask(path, { method, headers: { "If-None-Match": headers.etag ?? "" } });
      expect(known.status).toBe(304);
      expect(known.bytes).toHaveLength(0);
      // A cache takes over what is here: the server below would put in a type of its own for one that is left out.
      expect(known.headers["content-type"]).toBe(type);
      expect(known.headers["content-encoding"]).toBeUndefined();
      const kept = ["etag", "cache-control", "vary", "access-control-allow-origin", "link"] as const;
      for (const name of kept) expect(known.headers[name], name).toBe(headers[name]);
    }
    expect((await ask(path, { headers: { "If-None-Match": "*" } })).status).toBe(304);
    expect((await ask(path, { headers: { "If-None-Match": '"0"' } })).status).toBe(200);
  });

  it("lets a page elsewhere ask with what a conditional request takes", async () => {
    const asked = {
      Origin: "https://other.example",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "if-none-match, content-type",
    };
    const { status, headers } = await ask(path, { method: "OPTIONS", headers: asked });
    expect(status).toBe(204);
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(namesIn(headers["access-control-allow-methods"])).toEqual(expect.arrayContaining(["get", "head"]));
    expect(headers["access-control-allow-headers"]).toBe("*");
  });
});

describe("the digests of the skills", () => {
  type Skill = { url: string; digest: string };

  it.each(Object.keys(CODINGS) as Coding[])(
    "are those of the bytes on the wire, whoever accepts %s",
    async (coding) => {
      const headers = { "Accept-Encoding": coding };
      const index = await ask("/.well-known/agent-skills/index.json");
      const { skills } = JSON.parse(index.bytes.toString("utf8")) as { skills: Skill[] };
      expect(skills).toHaveLength(5);
      for (const { url, digest } of skills) {
        const answer = await ask(new URL(url).pathname, { headers });
        expect(answer.headers["content-encoding"]).toBeUndefined();
        expect(`sha256:${sha256(answer.bytes).toString("hex")}`, url).toBe(digest);
      }
    },
  );
});
