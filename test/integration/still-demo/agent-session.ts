/**
 * An agent that knows the address of the site and nothing else. It knows the standards (relations of links, llms.txt, the
 * API catalog, the server card, OpenAPI, MCP) and no path but `/`; by two ways it comes to the tools, finds two open
 * raises of businesses with a good grade, compares them, looks up a rule, and ends with the link for a person to sign.
 * What it was told is held against REST, which it finds through the description.
 * @module
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { Originator } from "../../../api/market/originator.ts";
import type { Listing } from "../../../api/market/schema.ts";
import { CLIENT_KINDS, type ClientKind, type Connected } from "../../conformance/sdk-clients.ts";
import {
  essenceOf,
  jsonLinks,
  markdownLinks,
  parseLinkHeader,
  type WebLink,
} from "../../harness/web-links.ts";
import { place } from "./demo.ts";

let root: string;
let rest: { listings: Listing[]; originators: Originator[] };

beforeAll(async () => {
  root = `${place.url}/`;
  rest = await readRest();
});

async function read(url: string, method = "GET"): Promise<{ type: string; links: WebLink[]; text: string }> {
  const response = await fetch(url, { method });
  expect(response.status, url).toBe(200);
  const { headers } = response;
  return {
    type: essenceOf(headers.get("content-type")),
    links: parseLinkHeader(headers.get("link") ?? ""),
    text: await response.text(),
  };
}

/** The root's link with this relation, and with this type or name when several have it. */
async function linked(rel: string, { type, name }: { type?: string; name?: string } = {}): Promise<string> {
  const { links } = await read(root, "HEAD");
  const found = links.filter(
    (link) =>
      link.rel === rel &&
      (type === undefined || link.type === type) &&
      (name === undefined || link.href.endsWith(`/${name}`)),
  );
  expect(found, rel).toHaveLength(1);
  return new URL(found[0]?.href ?? "", root).href;
}

type Operation = { operationId?: string };
type Description = { servers: { url: string }[]; paths: Record<string, Record<string, Operation>> };

/** The market by REST: the description says under which paths. */
async function readRest(): Promise<typeof rest> {
  const description: Description = JSON.parse(
    (await read(await linked("service-desc", { type: "application/json" }))).text,
  );
  const get = async (operationId: string) => {
    const found = Object.entries(description.paths).find(([, { get }]) => get?.operationId === operationId);
    return JSON.parse((await read(`${description.servers[0]?.url}${found?.[0]}`)).text);
  };
  const { listings } = await get("listListings");
  const { originators } = await get("listOriginators");
  return { listings, originators };
}

const CARD = "application/mcp-server-card+json";

/** The endpoint that a server card names. */
async function remoteOf(cardUrl: string): Promise<string> {
  const { type, text } = await read(cardUrl);
  expect(type).toBe(CARD);
  const { remotes } = JSON.parse(text) as { remotes: { type: string; url: string }[] };
  return remotes.find((remote) => remote.type === "streamable-http")?.url ?? "";
}

/** Link → API catalog → what describes each item → the card → the endpoint. */
async function byCatalog(): Promise<string> {
  const { type, text } = await read(await linked("api-catalog"));
  expect(type).toBe("application/linkset+json");
  type Context = {
    anchor: string;
    item?: { href: string }[];
    "service-desc"?: { href: string; type: string }[];
  };
  const { linkset } = JSON.parse(text) as { linkset: Context[] };
  const items = linkset.flatMap(({ item = [] }) => item.map(({ href }) => href));
  const described = linkset.filter(({ anchor }) => items.includes(anchor));
  const cards = described
    .flatMap((context) => context["service-desc"] ?? [])
    .filter(({ type }) => type === CARD);
  expect(cards).toHaveLength(1);
  return remoteOf(cards[0]?.href ?? "");
}

/** Link → llms.txt → the sentence that says where to POST. */
async function byText(): Promise<string> {
  const { type, text } = await read(await linked("describedby", { name: "llms.txt" }));
  expect(type).toBe("text/markdown");
  const tools = text.split(/^## /m).find((section) => /\bMCP\b/.test(section) && /\bPOST\b/.test(section));
  return /POST (https?:\/\/[^\s`]+)/.exec(tools ?? "")?.[1] ?? "";
}

/** Link → manifest → the entry of the tools → the card → the endpoint. */
async function byManifest(): Promise<string> {
  const { text } = await read(await linked("ai-catalog"));
  const { entries } = JSON.parse(text) as { entries: { type: string; url: string }[] };
  return remoteOf(entries.find(({ type }) => type === CARD)?.url ?? "");
}

type Facts = Record<string, unknown>;
type Business = { publicId: string; ratingGrade: string; openDeals: number };
type Deal = {
  publicId: string;
  originator: string;
  originatorGrade: string;
  status: string;
  appUrl: string | null;
};

async function ask(client: Connected, name: string, args: Facts): Promise<Facts> {
  const { structuredContent, isError, content } = await client.call(name, args);
  expect(isError ?? false, JSON.stringify(content)).toBe(false);
  return structuredContent ?? {};
}

/** All pages of a list. */
async function askAll<Item>(client: Connected, name: string, key: string, args: Facts): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: unknown = null;
  // A cursor that leads nowhere must not hold the test up.
  for (let page = 0; page < 20; page++) {
    const facts = await ask(client, name, { ...args, ...(cursor === null ? {} : { cursor }) });
    items.push(...(facts[key] as Item[]));
    cursor = facts.nextCursor;
    if (cursor === null) return items;
  }
  throw new Error(`${name}: more than 20 pages`);
}

/** The figures that a person decides by. Shares in basis points. */
function comparable(deal: Listing) {
  const { raisedAmount, targetAmount, minRaise, reserveBalance } = deal;
  return {
    coupon: deal.couponRateBps,
    tenor: deal.tenorDays,
    progress: (BigInt(raisedAmount) * 10_000n) / BigInt(targetAmount),
    isSafe: BigInt(raisedAmount) >= BigInt(minRaise),
    promisedReserve: deal.insuranceBps,
    reserve: BigInt(reserveBalance),
    closing: deal.closeAt,
  };
}

const GOOD = ["A", "B"];
const OPEN = ["listed", "funding"];

function expectSame(deals: readonly { publicId: string }[], listings: readonly { publicId: string }[]): void {
  const ids = (items: readonly { publicId: string }[]) => items.map(({ publicId }) => publicId).sort();
  expect(ids(deals)).toEqual(ids(listings));
}

/** From the endpoint to the link for a person. */
async function session(client: Connected): Promise<string> {
  expect([...(await client.listTools())].sort()).toEqual([
    "get_deal",
    "list_businesses",
    "list_deals",
    "search_knowledge",
  ]);

  const businesses = await askAll<Business>(client, "list_businesses", "businesses", { grade: GOOD });
  expectSame(
    businesses,
    rest.originators.filter(({ ratingGrade }) => GOOD.includes(ratingGrade)),
  );

  const deals: Deal[] = [];
  for (const { publicId: originator, openDeals } of businesses) {
    const found = await askAll<Deal>(client, "list_deals", "deals", { originator, status: OPEN });
    expect(found).toHaveLength(openDeals);
    deals.push(...found);
  }
  const open = rest.listings.filter(
    ({ acceptsMoney, originatorGrade }) => acceptsMoney && GOOD.includes(originatorGrade),
  );
  expectSame(deals, open);
  expect(deals.length).toBeGreaterThanOrEqual(2);
  for (const { status } of open) expect(OPEN).toContain(status);

  const compared = [];
  for (const { publicId } of deals.slice(0, 2)) {
    const { deal, business } = (await ask(client, "get_deal", { id: publicId })) as {
      deal: Listing;
      business: Originator;
    };
    const known = rest.listings.find((listing) => listing.publicId === publicId);
    expect(deal).toEqual(known);
    expect(business.ratingGrade).toBe(deal.originatorGrade);
    compared.push({ deal, ...comparable(deal) });
  }
  const [one, other] = compared;
  if (one === undefined || other === undefined) throw new Error("nothing to compare");
  expect(one.deal.publicId).not.toBe(other.deal.publicId);
  const { deal: _, ...ofOne } = one;
  const { deal: __, ...ofOther } = other;
  expect(ofOne).not.toEqual(ofOther);

  const { hits } = (await ask(client, "search_knowledge", {
    query: "What happens when a raise misses its minimum?",
  })) as { hits: { kind: string; text: string; url: string }[] };
  const rule = hits.find(({ kind, text }) => kind === "knowledge" && /refunded in full/.test(text));
  expect(rule?.text.replace(/\s+/g, " ")).toContain(
    "When the amount raised is below the minimum at the close, all backers are refunded in full",
  );
  expect((await read(rule?.url ?? "")).text).toContain("refunded in full");

  const better = one.coupon >= other.coupon ? one : other;
  if (better.deal.appUrl === null) throw new Error("this service has an app");
  return better.deal.appUrl;
}

function clientOf(revision: string): ClientKind {
  const kind = CLIENT_KINDS.find((candidate) => candidate.revision === revision);
  if (kind === undefined) throw new Error(`no client speaks ${revision}`);
  return kind;
}

describe.each([
  { way: "the Link header, the API catalog and the server card", find: byCatalog, revision: "2026-07-28" },
  { way: "the Link header and the text of llms.txt", find: byText, revision: "2025-11-25" },
  { way: "the Link header, the manifest and the server card", find: byManifest, revision: "2025-11-25" },
])("an agent that follows $way", ({ find, revision }) => {
  test("ends with the link at which a person signs", async () => {
    const endpoint = await find();
    expect(new URL(endpoint).origin).toBe(new URL(root).origin);
    const client = await clientOf(revision).connect(endpoint);
    try {
      const appUrl = await session(client);
      const listing = rest.listings.find((candidate) => candidate.appUrl === appUrl);
      expect(listing?.acceptsMoney).toBe(true);
      expect(GOOD).toContain(listing?.originatorGrade);
      expect(client.errors).toEqual([]);
    } finally {
      await client.close();
    }
  });
});

test("no link that it meets on its way is dead", async () => {
  const { text, links } = await read(root);
  const llms = await read(await linked("describedby", { name: "llms.txt" }));
  const catalog = JSON.parse((await read(await linked("api-catalog"))).text);
  const found = [
    ...links.map(({ href }) => href),
    ...markdownLinks(text),
    ...markdownLinks(llms.text),
    ...jsonLinks(catalog).map(({ href }) => href),
  ];
  const own = new Set(found.filter((href) => href.startsWith(root)));
  expect(own.size).toBeGreaterThan(25);
  for (const href of own) expect((await fetch(href)).status, href).toBe(200);
});
