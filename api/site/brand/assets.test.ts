import { createHash } from "node:crypto";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { appIn, BRAND } from "../../../test/harness/app.ts";
import { createBrandAssets, iconPath, MANIFEST_PATH } from "./assets.ts";
import { type Brand, loadBrand, logoOf } from "./brand.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const HOSTILE = `"></title><script>alert('x')</script> & {a}`;

function siteOf(brand: Brand): Hono {
  return new Hono().route("/", createBrandAssets({ brand }));
}

describe("the logo", () => {
  it("is at a path of its bytes' own, for ever", async () => {
    const answer = await siteOf(BRAND).request(BRAND.logo.path);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("image/svg+xml");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(BRAND.logo.path).toContain(createHash("sha256").update(bytes).digest("hex").slice(0, 16));
  });

  it("runs and loads nothing when it is opened by itself", async () => {
    for (const path of [BRAND.logo.path, iconPath(BRAND)]) {
      const policy = (await siteOf(BRAND).request(path)).headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/script-src|img-src|connect-src|font-src/);
    }
  });

  it("keeps its policy in the app, whose other files have the app's", async () => {
    const app = await appIn();
    const policyOf = async (path: string) =>
      (await app.request(path)).headers.get("content-security-policy") ?? "";
    expect(await policyOf(BRAND.logo.path)).toContain("style-src 'unsafe-inline'");
    expect(await policyOf("/favicon.ico")).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(await policyOf("/system/badge.svg")).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  it("has the accent of the site, and reads on it", async () => {
    const yellow = await loadBrand({ siteName: "Yellow", siteLogo: null, siteAccent: "#ffee00" });
    const drawn = yellow.logo.body.bytes.toString();
    expect(yellow.logo.path).not.toBe(BRAND.logo.path);
    expect(drawn).toContain(yellow.accent.light.accentStrong);
    expect(drawn).toContain(`fill="${yellow.accent.light.onAccent}"`);
    expect(BRAND.logo.body.bytes.toString()).toContain('fill="#0f6b74"');
  });

  it("may be a PNG, which then is the icon too", async () => {
    const brand = { ...BRAND, logo: logoOf(PIXEL) };
    expect(brand.logo).toMatchObject({ kind: "png", width: 1, height: 1 });
    const site = siteOf(brand);
    const answer = await site.request(iconPath(brand));
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PIXEL);
    expect((await site.request("/favicon.svg")).status).toBe(404);
    const manifest = await (await site.request(MANIFEST_PATH)).json();
    expect(manifest.icons).toEqual([{ src: brand.logo.path, type: "image/png", sizes: "1x1" }]);
  });
});

describe("the icons", () => {
  it("lead a browser that asks for /favicon.ico to the real one", async () => {
    const site = siteOf(BRAND);
    const asked = await site.request("/favicon.ico");
    expect(asked.status).toBe(302);
    const to = asked.headers.get("location") ?? "";
    const icon = await site.request(to);
    expect(icon.status).toBe(200);
    expect(await icon.text()).toBe(BRAND.logo.body.bytes.toString());
    expect(icon.headers.get("cache-control")).not.toContain("immutable");
  });
});

describe("every file", () => {
  it("has an entity tag, answers HEAD without the body, and takes only reads", async () => {
    const site = siteOf(BRAND);
    for (const path of [BRAND.logo.path, iconPath(BRAND), MANIFEST_PATH]) {
      const got = await site.request(path);
      const size = (await got.arrayBuffer()).byteLength;
      const head = await site.request(path, { method: "HEAD" });
      expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(got.headers));
      expect(head.headers.get("content-length")).toBe(String(size));
      expect(await head.text()).toBe("");
      const etag = got.headers.get("etag") ?? "";
      expect((await site.request(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
      const posted = await site.request(path, { method: "POST" });
      expect(posted.status).toBe(405);
      expect(posted.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    }
  });
});

describe("the manifest", () => {
  it("says the name as text, and icons that are there", async () => {
    const site = siteOf({ ...BRAND, name: HOSTILE });
    const answer = await site.request(MANIFEST_PATH);
    expect(answer.headers.get("content-type")).toBe("application/manifest+json");
    const manifest = await answer.json();
    expect(manifest).toMatchObject({ name: HOSTILE, start_url: "/", display: "browser" });
    expect(manifest.icons).not.toEqual([]);
    for (const { src, type } of manifest.icons) {
      const icon = await site.request(src);
      expect(icon.status).toBe(200);
      expect(icon.headers.get("content-type")).toBe(type);
    }
  });

  it("is the only file of the brand with the name in it", async () => {
    const named = await loadBrand({ siteName: HOSTILE, siteLogo: null, siteAccent: "#0f6b74" });
    expect(named.logo.body.bytes.equals(BRAND.logo.body.bytes)).toBe(true);
    expect(named.accent).toEqual(BRAND.accent);
  });
});
