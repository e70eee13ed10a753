/** The addresses of pictures, and how they are drawn for all who ask. */
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { appIn, BRAND } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
import { fixedLedger } from "../../../test/harness/fixed-ledger.ts";
import { HEAD } from "../../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { addPictures, createRenderer, type Renderer, RendererBusyError } from "./routes.ts";

const SIGNATURE = "89504e470d0a1a0a";
const PICTURES = ["/share.png", "/listings/lst_2/share.png", "/originators/org_northwind/share.png"];

describe.each(PICTURES)("%s", (path) => {
  it("is a PNG of 1200 × 630 pixels, and what the page shows elsewhere", async () => {
    const app = await appIn();
    const response = await app.request(SITE.publicUrl + path, { headers: { "Accept-Encoding": "br, gzip" } });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("public, max-age=60");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const png = Buffer.from(await response.arrayBuffer());
    expect(png.toString("hex", 0, 8)).toBe(SIGNATURE);
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_200, 630]);
    const page = path === "/share.png" ? "/" : path.replace("/share.png", "");
    const html = await (
      await app.request(SITE.publicUrl + page, { headers: { Accept: "text/html" } })
    ).text();
    expect(html).toContain(`<meta property="og:image" content="${SITE.publicUrl}${path}"`);
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image"');
    expect(html).toMatch(/<meta property="og:image:alt" content="[^"]{10,}"/);
  });

  it("answers 304 to a client that has it, 405 to writes, 503 before the first block", async () => {
    const ask = asking(await appIn());
    const { headers } = await ask(path, { method: "HEAD" });
    const again = await ask(path, { headers: { "If-None-Match": headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
    expect(again.headers.get("etag")).toBe(headers.get("etag"));
    expect((await ask(path, { method: "POST" })).status).toBe(405);
    expect((await asking(await appIn({ snapshot: null }))(path)).status).toBe(503);
  });
});

it("has no picture of what is not visible", async () => {
  const ask = asking(await appIn());
  for (const path of ["/listings/lst_98", "/originators/org_none"]) {
    expect((await ask(`${path}/share.png`)).status).toBe(404);
  }
});

describe("drawing", () => {
  async function appDrawing(draw: Renderer["draw"]) {
    let snapshot = await snapshotOf(tablesOf());
    const app = new Hono();
    app.onError((error, c) => c.text(error.message, 503));
    const updater = { current: () => snapshot };
    addPictures(app, { updater, ledger: fixedLedger(), publicSettings: SITE, brand: BRAND }, { draw });
    return {
      app,
      show: (next: Snapshot) => {
        snapshot = next;
      },
    };
  }

  it("happens once for what is shown, however many ask and however many blocks come", async () => {
    let drawn = 0;
    const { app, show } = await appDrawing(async () => {
      drawn++;
      return Buffer.from("picture");
    });
    const path = "/listings/lst_2/share.png";
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.request(path)));
    expect(drawn).toBe(1);
    show(await snapshotOf(tablesOf({ head: { number: HEAD.number + 5n, timestamp: HEAD.timestamp } })));
    const later = await app.request(path);
    expect(drawn).toBe(1);
    expect(later.headers.get("etag")).toBe(answers[0]?.headers.get("etag"));
  });

  it("does not happen for a client that has the picture already", async () => {
    const tag = (
      await (await appDrawing(async () => Buffer.from("x"))).app.request("/share.png")
    ).headers.get("etag");
    const { app } = await appDrawing(() => Promise.reject(new Error("drawn")));
    const answer = await app.request("/share.png", { headers: { "If-None-Match": tag ?? "" } });
    expect(answer.status).toBe(304);
    expect((await app.request("/share.png")).status).toBe(503);
  });

  it("is tried again after a failure", async () => {
    let tries = 0;
    const { app } = await appDrawing(async () => {
      if (++tries === 1) throw new RendererBusyError("busy");
      return Buffer.from("picture");
    });
    expect((await app.request("/share.png")).status).toBe(503);
    expect((await app.request("/share.png")).status).toBe(200);
  });
});

describe("the renderer", () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>';

  it("draws one after the other, and refuses at once when too many wait", async () => {
    const { draw } = createRenderer({ mostWaiting: 3 });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => draw(SVG)));
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect((await draw(SVG)).toString("hex", 0, 8)).toBe(SIGNATURE);
  });

  it("continues after an invalid drawing", async () => {
    const { draw } = createRenderer();
    await expect(draw("<svg")).rejects.toThrow("cannot be drawn");
    await expect(draw(SVG)).resolves.toBeInstanceOf(Buffer);
  });
});
