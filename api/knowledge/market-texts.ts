/** @module The searchable texts of a market's listings and originators, most of them written by third parties. */
import type { PublicSettings } from "../../config/public-settings.ts";
import { isRow, type ListingFacts } from "../market/archive/facts.ts";
import { findListing, type Market } from "../market/market.ts";
import type { Originator } from "../market/originator.ts";
import type { Listing, Status } from "../market/schema.ts";
import { countryName } from "../registry/countries.ts";
import type { Query } from "./query.ts";
import { createTextIndex, type Match, type TextIndex } from "./text-index.ts";

type MarketText = {
  kind: "listing" | "originator";
  title: string;
  /** its names, ids and country */
  name: string;
  text: string;
  publicId: string;
  /** public id and reference number, lowercase */
  ids: readonly string[];
  url: string;
};

export type MarketTexts = {
  /** by their numbers in the index */
  texts: ReadonlyMap<number, MarketText>;
  index: TextIndex<"name" | "text">;
  /** whether all of them are in the index */
  isComplete: boolean;
  /** those with this public id or reference number, searched by their words or not */
  named(id: string): readonly MarketText[];
};

/** How much of a description is indexed: with thousands of listings, a request waits for the index. */
const SEARCHED_CHARACTERS = 400;
/** How many texts are indexed in one turn of the event loop. */
const SLICE = 500;
/**
 * How many raises are searched by their words: those that are open, then those that repay, refund, or have ended, the newest first. Any
 * other is found by its public id and its reference number.
 */
export const MOST_RAISES = 3_000;
/** How many businesses are searched, those with most raises first. */
const MOST_BUSINESSES = 3_000;

/**
 * Returns a function from a market to its texts and their index. Every block brings a new market, but hardly ever new
 * texts: only changed ones are indexed again. With thousands of new texts, the first are searchable at once, the others
 * some tenths of a second later.
 */
export function createMarketTexts(publicSettings: PublicSettings): (market: Market) => MarketTexts {
  const texts = new Map<number, MarketText>();
  const index = createTextIndex(["name", "text"] as const, (place) => texts.get(place)?.url ?? "");
  const placeOf = new Map<string, number>();
  let places = 0;
  let waiting: MarketText[] = [];
  let known: Pick<Market, "listings" | "originators"> | null = null;
  let isScheduled = false;
  let rowTexts: RowTexts = new Map();

  const put = (text: MarketText) => {
    const place = placeOf.get(text.url) ?? places++;
    placeOf.set(text.url, place);
    texts.set(place, text);
    index.put(place, { name: text.name, text: text.text });
  };
  const putSlice = () => {
    for (const text of waiting.splice(0, SLICE)) put(text);
    if (waiting.length === 0 || isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      putSlice();
    }).unref();
  };
  const remove = (url: string, place: number) => {
    index.remove(place);
    texts.delete(place);
    placeOf.delete(url);
  };

  return (market) => {
    const { listings, originators } = market;
    if (listings !== known?.listings || originators !== known.originators) {
      known = { listings, originators };
      const { all, ofRows } = raiseTexts(market, rowTexts);
      rowTexts = ofRows;
      const { publicUrl } = publicSettings;
      const businesses = searchedBusinesses(market).map((business) => businessText(business, publicUrl));
      const current = new Map([...businesses, ...all].map((text) => [text.url, text]));
      for (const [url, place] of placeOf) if (!current.has(url)) remove(url, place);
      waiting = [...current.values()].filter((text) => !isSame(texts.get(placeOf.get(text.url) ?? -1), text));
      putSlice();
    }
    return {
      texts,
      index,
      isComplete: waiting.length === 0,
      named: (id) => namedBy(id, market, publicSettings),
    };
  };
}

/** The raises and businesses with this public id or reference number, also those that are not searched by their words. */
function namedBy(id: string, market: Market, { publicUrl }: PublicSettings): MarketText[] {
  const listing = findListing(market, id);
  const business = market.originatorByPublicId.get(id);
  return [
    ...(listing === undefined ? [] : [raiseText(listing, market)]),
    ...(business === undefined ? [] : [businessText(business, publicUrl)]),
  ];
}

/** Open ones, those that repay, those that refund, then all others. */
const SEARCHED_FIRST: readonly Status[] = ["listed", "funding", "live", "refunding"];

function* searchedRaises({ listings }: Market): Generator<ListingFacts, undefined> {
  if (listings.length <= MOST_RAISES) return yield* listings.facts();
  const found = new Set<string>();
  for (const status of [...SEARCHED_FIRST, null]) {
    for (const facts of listings.among(status === null ? [] : [status]).walk("newest", { status })) {
      if (found.size === MOST_RAISES) return;
      if (found.has(facts.publicId)) continue;
      found.add(facts.publicId);
      yield facts;
    }
  }
}

/** Texts of archived raises by their rows, of which neither ever changes. */
type RowTexts = ReadonlyMap<string, MarketText>;

/** @param known those of the market before: reading a raise of the archive takes some 0.1 ms */
function raiseTexts(market: Market, known: RowTexts): { all: MarketText[]; ofRows: RowTexts } {
  const { listings } = market;
  const ofRows = new Map<string, MarketText>();
  const all = Array.from(searchedRaises(market), (facts) => {
    if (!isRow(facts)) return raiseText(listings.inFull(facts), market);
    const key = `${listings.archived?.view.archive.number} ${facts.row}`;
    const text = known.get(key) ?? raiseText(listings.toRead(facts), market);
    ofRows.set(key, text);
    return text;
  });
  return { all, ofRows };
}

function searchedBusinesses({ originators }: Market): readonly Originator[] {
  if (originators.length <= MOST_BUSINESSES) return originators;
  return originators.toSorted((a, b) => b.listings.length - a.listings.length).slice(0, MOST_BUSINESSES);
}

function businessText({ publicId, legalName, jurisdiction }: Originator, publicUrl: string): MarketText {
  const country = countryName(jurisdiction);
  return {
    kind: "originator",
    publicId,
    title: legalName.trim() === "" ? publicId : legalName,
    name: `${legalName} ${publicId} ${country} ${jurisdiction}`,
    text: `${legalName}, ${country} (${jurisdiction})`,
    ids: [publicId.toLowerCase()],
    url: `${publicUrl}/originators/${publicId}`,
  };
}

function raiseText(listing: Listing, { originatorByPublicId }: Market): MarketText {
  const { publicId, refnum, title, description, originator, url } = listing;
  const legalName = originatorByPublicId.get(originator)?.legalName ?? "";
  return {
    kind: "listing",
    publicId,
    // Empty when it consisted of control characters only.
    title: title.trim() === "" ? refnum : title,
    name: `${title} ${refnum} ${publicId} ${legalName}`,
    text: description.slice(0, SEARCHED_CHARACTERS).replace(/[\uD800-\uDBFF]$/, ""),
    ids: [publicId.toLowerCase(), refnum.toLowerCase()],
    url,
  };
}

function isSame(before: MarketText | undefined, after: MarketText): boolean {
  return before?.title === after.title && before.name === after.name && before.text === after.text;
}

export type MatchedText = { text: MarketText; terms: ReadonlySet<string> };

export type MarketMatches = {
  /** those whose id or name is in the query, best first */
  named: readonly MatchedText[];
  /** others that the query may be about, best first */
  mentioned: readonly MatchedText[];
};

type Familiarity = {
  isKnown(term: string): boolean;
  isAlike(term: string): boolean;
};

/** Share of the unknown terms that a name must contain: "is it safe" does not name "Safe Ltd". */
const LEAST_SHARE = 0.5;
/** How many unknown terms are looked up as names: no name is longer. */
const MOST_NAME_TERMS = 8;
/** More are never shown. */
const MOST_MATCHES = 50;
const NAME_ONLY = { name: 1 };

/**
 * Finds the listings and originators that a query names. Their texts are third parties', so only a name made of words unknown to
 * the knowledge base ranks above its answers: a raise called "Refund guaranteed" does not answer a question about refunds.
 */
export function searchMarket(
  { texts, index, named: namedBy }: MarketTexts,
  query: Query,
  familiarity: Familiarity,
): MarketMatches {
  const placed = new Set<number>();
  const take = (matches: readonly Pick<Match, "place" | "terms">[]): MatchedText[] =>
    matches.flatMap(({ place, terms }) => {
      const text = texts.get(place);
      if (text === undefined || placed.has(place)) return [];
      placed.add(place);
      return { text, terms };
    });

  const foreign = query.terms.filter((term) => !familiarity.isKnown(term)).slice(0, MOST_NAME_TERMS);
  // A misspelt word about rules is not a name.
  const isApproximate = (term: string) => !familiarity.isAlike(term) && !index.has(term);
  const most = MOST_MATCHES;
  const inNames = index.find(foreign, { boosts: NAME_ONLY, isApproximate, most });

  const named = take([...withIds(texts, query.text), ...inNames.filter(({ share }) => share >= LEAST_SHARE)]);
  const mentioned = take([
    // No text contains every word of a long question, and searching for one is slow.
    ...(query.terms.length > MOST_NAME_TERMS ? [] : index.find(query.terms, { requireAll: true, most })),
    ...inNames,
    ...index.find(foreign, { boosts: { text: 1 }, isApproximate, most }),
  ]);
  const known = new Set(named.map(({ text }) => text.url));
  const others = idsIn(query.text)
    .flatMap((id) => namedBy(id))
    .filter(({ url }) => !known.has(url));
  return {
    named: [...others.map((text) => ({ text, terms: new Set<string>() })), ...named],
    mentioned,
  };
}

/** A public id, or a reference number in its documented form: a token may be called WHAT, which is a word too. */
const ID = /^(?:(?:lst|org)_[\w-]+|[a-z]+\d{5})$/;

/** The public ids and reference numbers in a query, whether something has them or not. */
export function idsIn(query: string): readonly string[] {
  return [...new Set(query.match(/[\w-]+/g)?.filter((word) => ID.test(word.toLowerCase())))];
}

function withIds(texts: ReadonlyMap<number, MarketText>, query: string) {
  const words = new Set(idsIn(query).map((word) => word.toLowerCase()));
  return [...texts.entries()]
    .filter(([, { ids }]) => ids.some((id) => words.has(id)))
    .map(([place]) => ({ place, terms: new Set<string>() }));
}
