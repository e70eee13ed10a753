/**
 * The API reference over HTTP: what it is made of, how long that is kept, and what it may do in a browser.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Hono } from "hono";
import { parseHTML } from "linkedom";
import { beforeAll, describe, expect, it } from "vitest";
import { asking } from "../../../test/harness/app.ts";
import { createReference } from "./index.ts";

const PATH = "/developers/reference";
const { resolve } = createRequire(import.meta.url);

const ask = asking(
  new Hono().route(
    PATH,
    createReference({ site: { publicUrl: "https://raises.example" }, siteName: "Café <Raises>" }),
  ),
);

let page: Awaited<ReturnType<typeof ask>>;
let document: Document;
let assets: string[];
beforeAll(async () => {
  page = await ask(PATH);
  document = parseHTML(page.text).document;
  assets = [...document.querySelectorAll("script, link[rel=stylesheet]")].map(
    (element) => element.getAttribute("src") ?? element.getAttribute("href") ?? "",
  );
});

describe("the page of the reference", () => {
  it("says what it is, also to whoever runs no script", () => {
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.text).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(document.title).toBe("API reference – Café <Raises>");
    expect(document.querySelector("header a[href='/developers']")?.textContent).toBe("For developers");
    const links = [...document.querySelectorAll("noscript a")].map((a) => a.getAttribute("href"));
    expect(links).toEqual(["/developers", "/openapi.json"]);
  });

  it("links to where everything is, in its header and in its head", () => {
    const inHead = [...document.querySelectorAll("head link[rel]:not([rel=stylesheet])")].map((link) => [
      link.getAttribute("rel"),
      link.getAttribute("href"),
    ]);
    expect(inHead).toContainEqual(["canonical", `https://raises.example${PATH}`]);
    for (const [rel, href] of inHead) {
      if (rel !== "canonical") expect(page.headers.get("link")).toContain(`<${href}>; rel="${rel}"`);
    }
    expect(inHead.length).toBeGreaterThan(10);
  });

  it("has no script and no style of its own, and may ask nobody but this service", () => {
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    expect(document.querySelectorAll("script:not([src]), style, [style], [onload]")).toHaveLength(0);
  });

  it("is asked for again within the hour only to hear that nothing has changed", async () => {
    expect(page.headers.get("cache-control")).toBe("public, max-age=3600");
    const again = await ask(PATH, { headers: { "If-None-Match": page.headers.get("etag") ?? "" } });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect(again.headers.get("content-security-policy")).toBe(page.headers.get("content-security-policy"));
    const head = await ask(PATH, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(page.headers));
  });
});

describe("the files of the reference", () => {
  it("are all of this service, the library's as they are in its package", async () => {
    expect(assets.map((path) => path.replace(/[0-9a-f]{16}/, "{hash}"))).toEqual([
      `${PATH}/assets/{hash}/swagger-ui.css`,
      `${PATH}/assets/{hash}/reference.css`,
      `${PATH}/assets/{hash}/reference.js`,
      `${PATH}/assets/{hash}/swagger-ui-bundle.js`,
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
        const answer = await ask(path, { headers: { "Accept-Encoding": encoding } });
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
        const head = await ask(path, { method: "HEAD", headers: { "Accept-Encoding": encoding } });
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
