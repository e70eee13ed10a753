import { createHash } from "node:crypto";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { appIn, asking, BRAND } from "../../test/harness/app.ts";
import { loadBrand } from "./brand/brand.ts";

const ask = asking(await appIn());

async function assetsOf(from = ask) {
  const { document } = parseHTML((await from("/")).text);
  return {
    css: document.querySelector('link[rel="stylesheet"]')?.getAttribute("href") ?? "",
    script: document.querySelector("script[src]")?.getAttribute("src") ?? "",
  };
}

describe("the files of the pages", async () => {
  const { css, script } = await assetsOf();

  it.each([
    [css, "text/css; charset=utf-8"],
    [script, "text/javascript; charset=utf-8"],
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
    const program = (await ask(script)).text;
    expect(program).not.toMatch(
      /https?:\/\/|\beval\b|new Function|innerHTML|insertAdjacentHTML|document\.write/,
    );
  });

  it("are others for another accent, so that nobody keeps the old ones", async () => {
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
