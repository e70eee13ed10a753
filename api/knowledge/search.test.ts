import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryMarket } from "../../test/harness/arbitrary-market.ts";
import { business, marketOf } from "../../test/harness/market.ts";
import { project } from "../../test/harness/project.ts";
import { entryDraft, FINALIZED, HEAD, listingRow } from "../../test/harness/rows.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import type { Hit } from "./hit.ts";
import { type Knowledge, type KnowledgePage, loadKnowledge } from "./load.ts";
import { sectionsOf } from "./markdown.ts";
import { createMarketTexts } from "./market-texts.ts";
import { createSearch } from "./search.ts";

function knowledgeOf(texts: Readonly<Record<string, string>>): Knowledge {
  const pages = Object.entries(texts).map(([slug, markdown]): KnowledgePage => {
    const title = `About ${slug}`;
    const sections = sectionsOf(markdown, title);
    return { slug, title, description: "A page.", updated: "2026-01-31", markdown, sections };
  });
  return { pages, pageBySlug: new Map(pages.map((page) => [page.slug, page])) };
}

const KNOWLEDGE = knowledgeOf({
  refunds:
    "A page on refunds.\n\n## How do I claim?\n\nCall `refund` on the escrow. Refunds have no deadline.",
  terms:
    "## Words\n\n- **Coupon**: the interest rate per year.\n- **Backer**: who lends.\n\n## Minimum\n\n`minRaise` is the least.",
  twins: "## Same\n\nEqual words.\n\n## Same again\n\nEqual words.",
});

const { search } = createSearch(KNOWLEDGE, SITE);
const urlsOf = (hits: readonly Hit[]) => hits.map(({ url }) => url.replace(SITE.publicUrl, ""));
const found = (query: string, limit = 5) => urlsOf(search(query, limit, null));

function bakeryMarket() {
  return marketOf(
    [1n, 2n, 3n, 4n].map((onchainId) =>
      listingRow({ onchainId, refnum: `RB0000${onchainId}`, token: `0x${`${onchainId}`.repeat(40)}` }),
    ),
    [
      entryDraft({ onchainId: "1", title: "A wood-fired oven", description: "For rye bread.\n\nAnd rolls." }),
      entryDraft({ onchainId: "2", title: "Delivery vans" }),
      entryDraft({ onchainId: "3", title: "Refund of the escrow, claim now" }),
      entryDraft({
        onchainId: "4",
        title: "<b>Bold</b> [link](javascript:x) oven",
        description: "<i>x</i> oven",
      }),
    ],
    [business({ legalName: "Café Northwind Ltd.", jurisdiction: "SG" })],
  );
}

it.each([
  ["how do I verify a figure on chain", "how-raises-work#can-i-check-the-figures-myself"],
  ["proof of raisedAmount", "reading-the-api#proofs-and-data-files"],
  ["give me evidence for this number", "reading-the-api#proofs-and-data-files"],
  ["parquet", "reading-the-api#proofs-and-data-files"],
  ["sql", "reading-the-api#proofs-and-data-files"],
  ["book root", "reading-the-api#proofs-and-data-files"],
  ["bulk dataset", "reading-the-api#proofs-and-data-files"],
  ["open data", "reading-the-api#proofs-and-data-files"],
  ["what does verified mean", "risks#what-does-verified-mean"],
])("our own pages say where the evidence is: %s", async (question, section) => {
  const folder = new URL("../../knowledge", import.meta.url).pathname;
  const own = createSearch(await loadKnowledge(folder, SITE.publicUrl), SITE);
  expect(urlsOf(own.search(question, 3, null))).toContain(`/knowledge/${section}`);
});

describe("search over the knowledge base", () => {
  it("finds the section, and says where it stands", () => {
    expect(search("claims", 1, null)).toEqual([
      {
        kind: "knowledge",
        title: "About refunds",
        heading: "How do I claim?",
        excerpt: "Call refund on the escrow. Refunds have no deadline.",
        marks: [],
        isQuoted: false,
        url: "https://raises.example/knowledge/refunds#how-do-i-claim",
        section: KNOWLEDGE.pages[0]?.sections[1],
      },
    ]);
    expect(found("page")[0]).toBe("/knowledge/refunds");
  });

  it.each([
    ["other forms of a word", "refunding", "/knowledge/refunds"],
    ["names of fields as they are", "minRaise", "/knowledge/terms#minimum"],
    ["names of fields in other spelling", "MIN_RAISE", "/knowledge/terms#minimum"],
    ["words that begin so", "dead", "/knowledge/refunds#how-do-i-claim"],
    ["slips of the pen", "cupon", "/knowledge/terms#words"],
    ["newcomers' words", "lender", "/knowledge/terms#words"],
    ["what is meant by a word", "what is a coupon?", "/knowledge/terms#words"],
    ["accents and capitals", "COÜPON", "/knowledge/terms#words"],
  ])("finds %s", (_, query, url) => {
    expect(found(query)).toContain(url);
  });

  it.each(["", "   ", "?!… — “”", "the of and", "\u0000\u202E", "\uD800", "🏗️"])(
    "finds nothing for %j",
    (query) => {
      expect(search(query, 5, bakeryMarket())).toEqual([]);
    },
  );

  it("orders equally good sections as they stand in the pages", () => {
    expect(found("equal")).toEqual(["/knowledge/twins#same", "/knowledge/twins#same-again"]);
  });

  it("looks at the first 400 characters", () => {
    expect(found(`${"x ".repeat(195)}coupon`)).toEqual(["/knowledge/terms#words"]);
    expect(found(`${"x ".repeat(200)}coupon`)).toEqual([]);
  });
});

describe("search over a market", () => {
  const market = bakeryMarket();
  const inMarket = (query: string, limit = 5) => search(query, limit, market);

  it("finds what is named: a raise, a business, a country, an id, a reference number", () => {
    expect(urlsOf(inMarket("rye oven"))[0]).toBe("/listings/lst_1");
    expect(inMarket("cafe northwind")[0]).toMatchObject({
      kind: "originator",
      title: "Café Northwind Ltd.",
      heading: null,
      excerpt: "Café Northwind Ltd., Singapore (SG)",
      section: null,
    });
    expect(urlsOf(inMarket("businesses in singapore"))[0]).toBe("/originators/org_northwind");
    expect(urlsOf(inMarket("what is lst_2?"))[0]).toBe("/listings/lst_2");
    expect(urlsOf(inMarket("rb00003"))[0]).toBe("/listings/lst_3");
    expect(urlsOf(inMarket("northwnid"))[0]).toBe("/originators/org_northwind");
  });

  it("puts the rules first where a raise is merely named after them", () => {
    const urls = urlsOf(inMarket("how do I claim a refund from the escrow?"));
    expect(urls[0]).toBe("/knowledge/refunds#how-do-i-claim");
    expect(urls).toContain("/listings/lst_3");
  });

  it("has at most two of the market beside the rules, and as many as fit without any", () => {
    const mixed = inMarket("oven vans northwind refund coupon minimum");
    expect(mixed.filter(({ kind }) => kind !== "knowledge")).toHaveLength(2);
    expect(mixed).toHaveLength(5);
    const alone = inMarket("northwind");
    expect(alone.every(({ kind }) => kind !== "knowledge")).toBe(true);
    expect(alone).toHaveLength(5);
    expect(inMarket("northwind", 2)).toHaveLength(2);
  });

  it("shows third parties' texts as they are, on one line", () => {
    const [hit] = inMarket("bold link");
    expect(hit).toMatchObject({
      kind: "listing",
      title: "<b>Bold</b> [link](javascript:x) oven",
      excerpt: "<i>x</i> oven",
    });
    expect(inMarket("wood-fired")[0]?.excerpt).toBe("For rye bread. And rolls.");
  });

  it("does without a market", () => {
    expect(search("northwind oven", 5, null)).toEqual([]);
  });
});

describe("the index of a market", () => {
  it("has again only what has changed", async () => {
    const textsOf = createMarketTexts(SITE);
    const entries = [entryDraft()];
    const first = textsOf(marketOf([listingRow()], entries));
    const [before] = placed(first);
    const later = textsOf(marketOf([listingRow({ raisedAmount: 5n })], entries));
    expect(placed(later)[0]).toBe(before);
    const titled = (title: string) => textsOf(marketOf([listingRow()], [entryDraft({ title })]));
    expect(titled("Anew").index.find(["anew"])).toHaveLength(1);
    expect(titled("Again").index.find(["anew"])).toEqual([]);
    const grown = textsOf(
      marketOf([listingRow(), listingRow({ onchainId: 2n })], [...entries, entryDraft({ onchainId: "2" })]),
    );
    expect(grown.texts.size).toBe(3);
    expect(textsOf(marketOf([], [])).texts.size).toBe(0);
  });

  it("takes a large market in slices, and has all of it in the end", async () => {
    const ids = Array.from({ length: 1_200 }, (_, index) => index + 1);
    const market = marketOf(
      ids.map((id) => listingRow({ onchainId: BigInt(id) })),
      ids.map((id) => entryDraft({ onchainId: `${id}` })),
    );
    const { texts } = createMarketTexts(SITE)(market);
    expect(texts.size).toBe(500);
    for (let turn = 0; turn < 10 && texts.size < 1_201; turn++) await setImmediate();
    expect(texts.size).toBe(1_201);
  });
});

function placed({ texts }: { texts: ReadonlyMap<number, unknown> }) {
  return [...texts.values()];
}

describe("any query", () => {
  const word = fc.constantFrom(
    "refund",
    "coupon",
    "oven",
    "northwind",
    "lst_1",
    "RB00001",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "%",
    "'",
    "\uDC00",
    "ﷺ".repeat(50),
    "x".repeat(300),
    "🏗",
    "a\u0301\u0301",
  );
  const query = fc.oneof(
    fc
      .array(fc.oneof(word, fc.string({ unit: "binary", maxLength: 10 })), { maxLength: 60 })
      .map((all) => all.join(" ")),
    fc.string({ maxLength: 1000 }),
    fc.constant("coupon ".repeat(100_000)),
  );

  it("is safe, keeps the limit, and finds the same again", () => {
    fc.assert(
      fc.property(query, fc.nat(20), arbitraryMarket(6), (text, limit, { tables, registry }) => {
        const market = project({
          ...{ rows: tables.rows, registry, publicSettings: SITE },
          ...{ head: HEAD, finalized: FINALIZED.number },
        });
        const hits = search(text, limit, market);
        expect(hits.length).toBeLessThanOrEqual(limit);
        expect(new Set(hits.map(({ url }) => url)).size).toBe(hits.length);
        for (const { kind, url, title, excerpt, section } of hits) {
          expect(url).toMatch(/^https:\/\/raises\.example\/(?:(?:knowledge|listings|originators)\/|\?|$)/);
          expect(title).not.toBe("");
          expect(excerpt.length).toBeLessThanOrEqual(240);
          expect(section === null).toBe(kind !== "knowledge");
        }
        expect(createSearch(KNOWLEDGE, SITE).search(text, limit, market)).toEqual(hits);
      }),
      { numRuns: 200 },
    );
  });
});
