import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { appIn, BRAND } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { loadBrand } from "./brand/brand.ts";

const ask = asking(await appIn());

async function assetsOf(from = ask) {
  const { document } = parseHTML((await from("/")).text);
  return {
    css: document.querySelector('link[rel="stylesheet"]')?.getAttribute("href") ?? "",
    script: document.querySelector("script[src]")?.getAttribute("src") ?? "",
  };
}

/** A script that another one loads, by its name. */
async function loadedBy(script: string, name: string): Promise<string> {
  const { text } = await ask(script);
  return new RegExp(`"(/assets/${name}\\.[0-9a-f]{12}\\.js)"`).exec(text)?.[1] ?? "";
}

describe("the files of the pages", async () => {
  const { css, script } = await assetsOf();
  const prove = await loadedBy(script, "prove");
  const worker = await loadedBy(prove, "prove-worker");
  const verify = await loadedBy(worker, "verify");

  it.each([
    [css, "text/css; charset=utf-8"],
    [script, "text/javascript; charset=utf-8"],
    [prove, "text/javascript; charset=utf-8"],
    [worker, "text/javascript; charset=utf-8"],
    [verify, "text/javascript; charset=utf-8"],
  ])("%s is kept for ever, and named by its bytes", async (path, type) => {
    const { status, headers, text } = await ask(path);
    expect([status, headers.get("content-type")]).toEqual([200, type]);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
    expect(path).toContain(`.${hash}.`);
    const same = await ask(path, { headers: { "If-None-Match": headers.get("etag") ?? "" } });
    expect([same.status, same.text]).toEqual([304, ""]);
    expect((await ask(path, { method: "POST" })).status).toBe(405);
  });

  it("load nothing from anywhere, and write nothing into a page that could act", async () => {
    const styles = (await ask(css)).text;
    expect(styles).not.toMatch(/url\(\s*["']?(?!data:|#)|@import|expression\(/);
    for (const path of [script, prove, worker]) {
      const program = (await ask(path)).text;
      expect(program).not.toMatch(/\beval\b|new Function|innerHTML|insertAdjacentHTML|document\.write/);
      if (path !== prove) expect(program).not.toMatch(/https?:\/\//);
    }
  });

  it("have one that may ask anybody: the worker that proves a raise, which is no page", async () => {
    const policyOf = async (path: string) => (await ask(path)).headers.get("content-security-policy");
    expect(await policyOf(worker)).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self' https: http://127.0.0.1:* http://localhost:*",
    );
    for (const path of [css, script, prove, verify])
      expect(await policyOf(path)).toBe("default-src 'none'; frame-ancestors 'none'");
    expect((await ask(verify)).text).toBe(await readFile("client/dist/verify.js", "utf8"));
  });

  it("have other addresses for another accent, so that no browser keeps the old ones", async () => {
    const brand = await loadBrand({ siteName: BRAND.name, siteLogo: null, siteAccent: "#7a1f5c" });
    const other = await assetsOf(asking(await appIn({ overrides: { brand } })));
    expect(other.css).not.toBe(css);
    expect(other.script).toBe(script);
  });

  it.each(["/assets/site.css", "/assets/", "/assets/../package.json", "/assets/site.000000000000.css"])(
    "%s is not there",
    async (path) => expect((await ask(path)).status).toBe(404),
  );
});
