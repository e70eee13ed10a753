/** In a market whose words all go from right to left, none of them is outside of an isolation, in any form of any page. */
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { ledgerOf, subscription } from "../../test/harness/followed.ts";
import { DESK, entryDraft, everyState, offerRow, registryOf, tradeRow } from "../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";

/** Nothing of ours has these letters: Arabic, and Hebrew for what the chain says. */
const FOREIGN = /[\u0590-\u08FF]/;
/** Each with digits and signs at its ends, which would change places with what is next to them. */
const WORDS = { title: "24 فرنًا، 3!", name: "مخبز الشمال (7)", about: "نخبز 3 أنواع.\n\nمنذ 1974: 5%" };

const { rows } = everyState();
const drafts = rows.slice(0, 8).map(({ onchainId }, at) =>
  entryDraft({
    onchainId: `${onchainId}`,
    title: at === 2 ? "\u202E" : `${WORDS.title} ${onchainId}`,
    description: WORDS.about,
    originator: at < 2 ? "org_unverified" : "org_northwind",
  }),
);
const business = { legalName: WORDS.name, jurisdiction: "EG", description: WORDS.about, addresses: [] };
const registry = registryOf(drafts, [
  {
    ...business,
    publicId: "org_northwind",
    kybStatus: "approved",
    addresses: [rows[0]?.originator ?? ""],
    website: "https://xn--mgbh0fb.example",
  },
  { ...business, publicId: "org_unverified", kybStatus: "in_review" },
]);
const listings = rows.map((row) => ({ ...row, refnum: `${row.refnum}ב` }));
const snapshot = await snapshotOf(
  tablesOf({ listings, offers: [offerRow()], trades: [tradeRow()] }),
  registry,
  { ...SITE, desk: DESK },
);
const ledger = ledgerOf(
  [3n, 40n, 41n].flatMap((at) => rows.slice(0, 8).map(({ onchainId }) => subscription(at, onchainId))),
).reader;
const ask = asking(await appIn({ snapshot, overrides: { ledger } }));

const RAISES = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => `/listings/lst_${id}`);
const BUSINESSES = ["/originators/org_northwind", "/originators/org_unverified"];
const QUERY = encodeURIComponent("فرنا 3");
const PAGES = [
  "/?show=all",
  "/?view=table&show=all",
  `/?q=${QUERY}`,
  `/?q=${QUERY}&status=nonsense`,
  `/?show=${QUERY}`,
  ...RAISES,
  `/listings/lst_2?estimate=${QUERY}`,
  `/listings/lst_2?events=${QUERY}`,
  "/originators",
  `/originators?sort=${QUERY}`,
  ...BUSINESSES,
  "/compare?ids=lst_1,lst_2,lst_3,lst_4",
  `/compare?ids=lst_1,${QUERY}`,
  "/watched?ids=lst_1,lst_8",
  `/knowledge?q=${QUERY}`,
  "/knowledge?q=who%20is%20late",
  `/nothing/${QUERY}`,
  `/listings/${QUERY}`,
  `/originators/${QUERY}`,
  "/system",
];

/** The part of a text that is outside its isolations. */
const outside = (text: string) => text.replaceAll(/\u2068[^\u2068\u2069]*\u2069/g, "");
const isForeign = (text: string) => FOREIGN.test(text);

/** Invisible attributes: the values that are sent, and those that programs compare. */
const UNSEEN = new Set(["value", "href", "data-exact", "action", "data-row", "src"]);
/** Elements whose direction is that of their own text, or that have one text alone. */
const ISOLATES = "bdi, [dir='auto']";

function foreignInHtml(html: string): { all: number; loose: string[] } {
  const { document } = parseHTML(html);
  const loose: string[] = [];
  let all = 0;
  for (const element of document.querySelectorAll("*")) {
    if (element.localName === "script") continue;
    for (const { name, value } of element.attributes) {
      if (UNSEEN.has(name) || !isForeign(value)) continue;
      all++;
      if (isForeign(outside(value))) loose.push(`${element.localName} ${name}: ${value}`);
    }
    for (const node of element.childNodes) {
      const text = node.nodeType === 3 ? (node.textContent ?? "") : "";
      if (!isForeign(text)) continue;
      all++;
      if (element.closest(ISOLATES) === null && isForeign(outside(text)))
        loose.push(`${element.localName}: ${text}`);
    }
  }
  return { all, loose };
}

describe.each(PAGES)("%s", (path) => {
  it("isolates every foreign text in HTML", async () => {
    const { text } = await ask(path, { headers: { Accept: "text/html" } });
    const { all, loose } = foreignInHtml(text);
    expect(loose).toEqual([]);
    // The latter has it in the field of its search alone.
    if (path !== "/system" && !path.startsWith("/nothing/")) expect(all).toBeGreaterThan(0);
    expect(text.match(/<bdi>/g)?.length).toBe(text.match(/<\/bdi>/g)?.length);
  });

  it("isolates every foreign text in Markdown", async () => {
    const { text } = await ask(path, { headers: { Accept: "text/markdown" } });
    const loose = text
      .replaceAll(/\]\([^)]*\)/g, "")
      .split("\n")
      .filter((line) => isForeign(outside(line)));
    expect(loose).toEqual([]);
  });
});

describe.each(["", ...RAISES, ...BUSINESSES])("the files of %s/", (path) => {
  it("isolate every foreign text in a feed", async () => {
    const { status, text } = await ask(`${path}/feed.atom`);
    expect(status).toBe(200);
    expect(text.split("\n").filter((line) => isForeign(outside(line)))).toEqual([]);
    expect(isForeign(text)).toBe(true);
  });

  it("isolate every foreign text in a calendar", async () => {
    const { status, text } = await ask(`${path}/calendar.ics`);
    expect(status).toBe(200);
    const lines = text.replaceAll(/\r\n[ \t]/g, "").split("\r\n");
    expect(lines.filter((line) => isForeign(outside(line)))).toEqual([]);
    expect(lines.some(isForeign)).toBe(true);
  });
});

it("programs get the words alone", async () => {
  const { text } = await ask("/v1/listings/lst_1");
  expect(JSON.parse(text).title).toBe(`${WORDS.title} 1`);
  const { text: html } = await ask("/listings/lst_1", { headers: { Accept: "text/html" } });
  const scripts = html.match(/<script type="application\/ld\+json">.*?<\/script>/g) ?? [];
  expect(scripts.join("")).toContain(`"name":"${WORDS.title} 1"`);
  expect(html).not.toMatch(/data-exact="[^"]*[\u2066-\u2069]/);
});
