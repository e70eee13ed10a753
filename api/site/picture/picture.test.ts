import { Resvg } from "@resvg/resvg-js";
import fc from "fast-check";
import { XmlDocument } from "libxml2-wasm";
import { describe, expect, it, vi } from "vitest";
import type { Image } from "../../../config/format/image.ts";
import type { ListingRow } from "../../../src/fold/state.ts";
import { BRAND } from "../../../test/harness/app.ts";
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
import { createRenderer } from "./routes.ts";

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
  it("changes only when what it shows changes", async () => {
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

  it.each([
    [3n, "In grace"],
    [40n, "Late"],
    [91n, "In default"],
  ])("names for a business the state of its worst loan, %s days overdue", async (days, state) => {
    const snapshot = await raiseWith({ ...DRAWN, maturityAt: NOW - days * DAY });
    expect(textsOf(svgOf(snapshot, "business", "org_northwind"))).toContain(state);
  });

  it("says of a business that nobody has verified it", async () => {
    const registry = registryOf([entryDraft()], [business({ kybStatus: "in_review" })]);
    const snapshot = await snapshotOf(tablesOf({ listings: [listingRow()] }), registry);
    expect(textsOf(svgOf(snapshot, "business", "org_northwind"))).toContain(
      "Singapore · identity not verified",
    );
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
