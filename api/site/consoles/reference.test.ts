/**
 * The API reference over HTTP: what it is made of, how long that is kept, and what it may do in a browser.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { parseHTML } from "linkedom";
import { beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";

const PATH = "/developers/reference";
const { resolve } = createRequire(import.meta.url);

const ask = asking(await appIn());
/** Else each answer has another. */
const ID = { "X-Request-Id": "the-same" };

let page: Awaited<ReturnType<typeof ask>>;
let document: Document;
let assets: string[];
beforeAll(async () => {
  page = await ask(PATH);
  document = parseHTML(page.text).document;
  const addresses = [...document.querySelectorAll("script[src], link[rel=stylesheet]")].map(
    (element) => element.getAttribute("src") ?? element.getAttribute("href") ?? "",
  );
  assets = addresses.filter((path) => path.startsWith(PATH));
});

describe("the page of the reference", () => {
  it("says what it is and where the description is, also to whoever runs no script", () => {
    expect(page.status).toBe(200);
    expect(document.querySelector("h1")?.textContent).toBe("API reference");
    const links = [...document.querySelectorAll("main section a")].map((a) => a.getAttribute("href"));
    expect(links).toEqual(["/openapi.json", "/developers"]);
    expect(document.querySelector("#reference")?.textContent).toBe("");
  });

  it("says the same in Markdown, with the canonical address of the page", async () => {
    for (const [path, init] of [
      [PATH, { headers: { Accept: "text/markdown" } }],
      [`/md${PATH}`, {}],
      [`${PATH}.md`, {}],
    ] as const) {
      const { headers, text } = await ask(path, init);
      expect(headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(text).toContain(`\ncanonical: "https://raises.example${PATH}"\n`);
      expect(text).toContain("](https://raises.example/openapi.json)");
    }
  });

  it("may have styles of its program's making, and no script but this service's and the tools by their hash", () => {
    const policy = page.headers.get("content-security-policy") ?? "";
    const sources = new Map(policy.split("; ").map((one) => [one.split(" ")[0], one.split(" ").slice(1)]));
    expect(sources.get("default-src")).toEqual(["'none'"]);
    expect(sources.get("connect-src")).toEqual(["'self'"]);
    expect(sources.get("style-src")).toEqual(["'self'", "'unsafe-inline'"]);
    const inline = [...document.querySelectorAll("script:not([src]):not([type='application/ld+json'])")];
    const hashes = inline.map(
      ({ textContent }) =>
        `'sha256-${createHash("sha256")
          .update(textContent ?? "")
          .digest("base64")}'`,
    );
    expect(hashes).toHaveLength(1);
    expect(sources.get("script-src")).toEqual(["'self'", ...hashes]);
    expect(document.querySelectorAll("style, [style], [onload]")).toHaveLength(0);
  });
});

describe("the files of the reference", () => {
  it("are all of this service, the library's as they are in its package", async () => {
    expect(assets.map((path) => path.replace(/[0-9a-f]{16}/, "{hash}"))).toEqual([
      `${PATH}/assets/{hash}/swagger-ui.css`,
      `${PATH}/assets/{hash}/reference.css`,
      `${PATH}/assets/{hash}/swagger-ui-bundle.js`,
      `${PATH}/assets/{hash}/reference.js`,
    ]);
    for (const name of ["swagger-ui.css", "swagger-ui-bundle.js"]) {
      const path = assets.find((asset) => asset.endsWith(`/${name}`)) ?? "";
      const original = await readFile(resolve(`swagger-ui-dist/${name}`), "utf8");
      expect((await ask(path)).text === original).toBe(true);
    }
  });

  it("are kept for ever, and sent compressed", async () => {
    for (const path of assets) {
      for (const encoding of ["br", "gzip", "identity"]) {
        const answer = await ask(path, { headers: { "Accept-Encoding": encoding, ...ID } });
        expect(answer.status).toBe(200);
        expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        expect(answer.headers.get("content-type")).toBe(
          path.endsWith(".js") ? "text/javascript; charset=utf-8" : "text/css; charset=utf-8",
        );
        const isSmall = Buffer.byteLength(answer.text) < 1024;
        expect(answer.headers.get("content-encoding")).toBe(
          encoding === "identity" || isSmall ? null : encoding,
        );
        const again = await ask(path, { headers: { "If-None-Match": answer.headers.get("etag") ?? "" } });
        expect([again.status, again.text]).toEqual([304, ""]);
        const head = await ask(path, { method: "HEAD", headers: { "Accept-Encoding": encoding, ...ID } });
        expect(head.text).toBe("");
        expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(answer.headers));
      }
    }
  });

  it("ask nothing of another host by themselves", async () => {
    for (const path of assets.filter((asset) => asset.endsWith(".css"))) {
      const { text } = await ask(path);
      expect(text).not.toMatch(/@import/);
      for (const [, start] of text.matchAll(/url\(\s*["']?(.{5})/g)) expect(start).toBe("data:");
    }
  });

  it("are nowhere else", async () => {
    const [folder = ""] = /.*\//.exec(assets[0] ?? "") ?? [];
    for (const path of [
      `${folder}swagger-ui.js`,
      `${folder}..%2f..%2findex.ts`,
      `${folder}%2e%2e%2fassets.ts`,
      folder,
      `${PATH}/assets/0000000000000000/swagger-ui.css`,
      `${PATH}/assets`,
      `${PATH}/swagger-ui.css`,
    ]) {
      const answer = await ask(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  it("are read and nothing else", async () => {
    for (const path of [PATH, ...assets]) {
      for (const method of ["POST", "PUT", "DELETE"]) {
        const answer = await ask(path, { method });
        expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      }
    }
  });
});
