import { Resvg } from "@resvg/resvg-js";
import fc from "fast-check";
import { Hono } from "hono";
import { XmlDocument } from "libxml2-wasm";
import { describe, expect, it, vi } from "vitest";
import type { Image } from "../../../config/format/image.ts";
import type { ListingRow } from "../../../src/fold/state.ts";
import { appIn, BRAND } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
import { fixedLedger } from "../../../test/harness/fixed-ledger.ts";
import { breakingText } from "../../../test/harness/hostile/page.ts";
import { jpeg, svg, webp } from "../../../test/harness/images.ts";
import { ids, longMarket } from "../../../test/harness/long-market.ts";
import { business } from "../../../test/harness/market.ts";
import {
  DAY,
  DOLLAR,
  DRAWN,
  entryDraft,
  HEAD,
  listingRow,
  NOW,
  registryOf,
} from "../../../test/harness/rows.ts";
import { SITE, snapshotOf, type TableDraft, tablesOf } from "../../../test/harness/snapshot.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { patternOf } from "../covers/pattern.ts";
import { findSubject, type SubjectKind } from "../subject.ts";
import { drawingOf } from "./drawing.tsx";
import { FONT_FILES } from "./letters.ts";
import { addPictures, createRenderer, type Renderer, RendererBusyError } from "./routes.ts";

const SIGNATURE = "89504e470d0a1a0a";
const PICTURES = ["/share.png", "/listings/lst_2/share.png", "/originators/org_northwind/share.png"];

function svgOf(snapshot: Snapshot, kind: SubjectKind, id: string, brand = BRAND): string {
  const subject = findSubject(snapshot.market, kind, id);
  if (subject === null) throw new Error(`${id} is not visible`);
  return drawingOf(subject, snapshot.market, {
    brand,
    publicUrl: SITE.publicUrl,
    registry: snapshot.registry,
  });
}

/** The texts of a drawing, in their order. Throws at what is not XML. */
function textsOf(svg: string): string[] {
  using document = XmlDocument.fromString(svg);
  return document.find("//s:text", { s: "http://www.w3.org/2000/svg" }).map(({ content }) => content);
}

type Names = { title?: string; legalName?: string };

async function raiseWith(row: Partial<ListingRow>, { title, legalName }: Names = {}, draft: TableDraft = {}) {
  const registry = registryOf(
    [entryDraft(title === undefined ? {} : { title })],
    [business(legalName === undefined ? {} : { legalName })],
  );
  return snapshotOf(tablesOf({ listings: [listingRow(row)], ...draft }), registry);
}

const wordsOf = async (row: Partial<ListingRow>) => textsOf(svgOf(await raiseWith(row), "raise", "lst_1"));

describe("a raise's picture", () => {
  it("says title, business, grade, terms, progress and minimum while it is open", async () => {
    const words = await wordsOf({ raisedAmount: 80_000n * DOLLAR, firstSubscribedAt: NOW - DAY });
    expect(words).toEqual([
      "Raisebook",
      "Open",
      "Raise 1",
      "Northwind Bakery Pte. Ltd.",
      "Not rated",
      "14.50% · 180 days · closes in 10 days",
      "Minimum 50,000",
      "80,000 of 100,000 USD-test committed",
      "80% funded",
      "raises.example",
      "Test network: no value here is real",
    ]);
  });

  it("says the days overdue, and what is repaid, of a loan", async () => {
    const words = await wordsOf({ ...DRAWN, drawnDownAt: NOW - 340n * DAY, maturityAt: NOW - 160n * DAY });
    expect(words).toContain("In default · 160 days overdue");
    expect(words.join("\n")).toMatch(/0 of 80,000 USD-test principal repaid\n0% repaid/);
    expect(words.join("\n")).not.toContain("Minimum");
  });

  it("has the gravest warning, and the rates of an open auction", async () => {
    const doubtful = await wordsOf({ originator: `0x${"9a".repeat(20)}` });
    expect(doubtful).toContain("Creator not confirmed · Open");
    const auction = await wordsOf({ pricingMode: "auction" });
    expect(auction).toEqual(
      expect.arrayContaining(["Open auction", "At most 14.50% · 180 days · closes in 10 days"]),
    );
  });
});

it("the picture of a business reads none of its raises in the archive", async () => {
  const raises = longMarket(40);
  raises.open(ids(1, 40));
  const market = raises.lose(ids(1, 30));
  const { archived } = market.listings;
  if (archived === null) throw new Error("nothing is archived");
  const reading = vi.spyOn(archived.view.archive, "read");
  const snapshot = { ...(await snapshotOf(tablesOf(), raises.registry)), market };
  expect(textsOf(svgOf(snapshot, "business", "org_northwind")).join()).toContain("23 ended with a loss");
  expect(reading).not.toHaveBeenCalled();
});

describe("the cover of a raise", () => {
  const FRAME = "a".repeat(8);
  /** The drawing of the only raise, with this file of the operator's as its cover. */
  async function coveredBy(kind: Image["kind"], bytes: Buffer<ArrayBuffer>): Promise<string> {
    const { market } = await raiseWith({});
    const entries = [entryDraft({ cover: "pictures/own" })];
    const image = { kind, bytes, hash: FRAME, width: 32, height: 16 };
    const registry = { ...registryOf(entries), images: new Map([["pictures/own", image]]) };
    const subject = findSubject(market, "raise", "lst_1");
    if (subject === null) throw new Error("not visible");
    return drawingOf(subject, market, { brand: BRAND, publicUrl: SITE.publicUrl, registry });
  }
  const imagesIn = (drawn: string) =>
    [...drawn.matchAll(/<image[^>]*href="data:([^;]+);/g)].map(([, type]) => type);

  it("is its pattern: the shapes and colours of its id", async () => {
    const drawn = svgOf(await raiseWith({}), "raise", "lst_1");
    const { shapes } = patternOf("lst_1");
    for (const shape of shapes)
      expect(drawn).toContain("path" in shape ? `d="${shape.path}"` : `cx="${shape.x}" cy="${shape.y}"`);
    expect(drawn).toContain('width="1200" height="140"');
    expect(svgOf(await snapshotOf(tablesOf()), "market", "")).not.toContain('height="140"');
  });

  it("is the operator's drawing across, and a photo in a part of it", async () => {
    const [first] = patternOf("lst_1").shapes;
    const own = first !== undefined && "path" in first ? first.path : `cx="${first?.x}"`;
    const drawn = await coveredBy("svg", svg());
    expect(imagesIn(drawn)).toContain("image/svg+xml");
    expect(drawn).not.toContain(own);
    const photo = await coveredBy("jpg", jpeg(32, 16));
    expect(imagesIn(photo)).toContain("image/jpeg");
    expect(photo).toContain(own);
  });

  it("is the pattern where the renderer cannot read the file", async () => {
    const drawn = await coveredBy("webp", webp("VP8 ", 32, 16));
    expect(drawn).not.toContain("image/webp");
    expect(drawn).toContain('width="1200" height="140"');
  });

  it("leaves a picture below 100 kB", async () => {
    const { draw } = createRenderer();
    for (const id of ["lst_1", "lst_3"]) {
      const picture = await draw(svgOf(await snapshotOf(tablesOf()), "raise", id));
      expect(picture.length).toBeLessThan(100_000);
    }
  });
});

describe("a name in letters", () => {
  it("that run from right to left stays, in its own order", async () => {
    const names = { title: "24 فرنًا، 3!", legalName: "مخبز الشمال (7)" };
    const words = textsOf(svgOf(await raiseWith({}, names), "raise", "lst_1"));
    expect(words.slice(2, 4)).toEqual(["\u206824 فرنًا، 3!\u2069", "\u2068مخبز الشمال (7)\u2069"]);
  });

  it("that no font has is replaced by a text that can be drawn", async () => {
    const snapshot = await raiseWith({}, { title: "パン工房の新しい窯 2号", legalName: "北風パン株式会社" });
    const words = textsOf(svgOf(snapshot, "raise", "lst_1"));
    expect(words.slice(2, 5)).toEqual(["Raise RB00001", "A business in Singapore", "Not rated"]);
    expect(textsOf(svgOf(snapshot, "business", "org_northwind"))[1]).toBe("A business in Singapore");
  });
});

describe("the drawing", () => {
  it("is the same while what it shows is, and another when that changes", async () => {
    const row = { raisedAmount: DOLLAR, firstSubscribedAt: NOW - DAY };
    const svg = svgOf(await raiseWith(row), "raise", "lst_1");
    const head = { number: HEAD.number + 9n, timestamp: HEAD.timestamp - 60n };
    expect(svgOf(await raiseWith({ ...row, subscriberCount: 7 }, {}, { head }), "raise", "lst_1")).toBe(svg);
    const changed: Snapshot[] = [
      await raiseWith({ ...row, raisedAmount: 2n * DOLLAR }),
      await raiseWith({ ...row, closeAt: NOW + 20n * DAY }),
      await raiseWith(row, { title: "A second oven" }),
      await raiseWith(row, { legalName: "Alpenhof Käserei" }),
    ];
    for (const snapshot of changed) expect(svgOf(snapshot, "raise", "lst_1")).not.toBe(svg);
  });

  it("shows for the market what is owed, by the state of its repayment", async () => {
    const words = textsOf(svgOf(await snapshotOf(tablesOf()), "market", ""));
    expect(words).toContain("2 raises open for funding");
    expect(words).toContain("80,000 USD-test of principal owed");
    expect(words.slice(-6, -2)).toEqual([
      "On time 0.00%",
      "In grace 0.00%",
      "Late 100.00%",
      "In default 0.00%",
    ]);
  });

  it("shows for a business its record", async () => {
    const words = textsOf(svgOf(await snapshotOf(tablesOf()), "business", "org_northwind"));
    expect(words).toContain("Singapore · identity verified");
    expect(words).toContain("6 raises · 1 overdue");
  });

  it("shows texts of third parties as text, within the sheet", async () => {
    const hostile = fc.record({ title: breakingText, legalName: breakingText, siteName: breakingText });
    const property = fc.asyncProperty(hostile, async ({ title, legalName, siteName }) => {
      const named = (text: string) => `a${text.repeat(9)}`.slice(0, 200).toWellFormed();
      const snapshot = await raiseWith({}, { title: named(title), legalName: named(legalName) });
      const brand = { ...BRAND, name: named(siteName) };
      for (const [kind, id] of [
        ["raise", "lst_1"],
        ["business", "org_northwind"],
        ["market", ""],
      ] as const) {
        const svg = svgOf(snapshot, kind, id, brand);
        const plain = svgOf(await raiseWith({}, { title: "a", legalName: "a" }), kind, id);
        const elements = (of: string) => new Set(of.match(/<[a-z]+/gi));
        expect(elements(svg)).toEqual(elements(plain));
        expect(textsOf(svg).length).toBeGreaterThan(5);
        const box = new Resvg(svg, {
          font: { loadSystemFonts: false, fontFiles: [...FONT_FILES] },
        }).getBBox();
        expect(box?.width).toBeLessThanOrEqual(1_200);
        expect(box?.x).toBeGreaterThanOrEqual(0);
      }
    });
    await fc.assert(property, { numRuns: 15 });
  });
});

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

  it("is 304 for who has it, 405 to write, 503 before the first block", async () => {
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
