/**
 * The searchable texts of a market's listings and originators, most of them written by third parties.
 * @module
 */
import type { PublicSettings } from "../../config/public-settings.ts";
import type { Market } from "../market/market.ts";
import { createTextIndex, type TextIndex } from "./text-index.ts";

export type MarketText = {
  kind: "listing" | "originator";
  title: string;
  /** its names, ids and country */
  name: string;
  /** its description */
  text: string;
  /** public id and reference number, lowercase */
  ids: readonly string[];
  url: string;
};

export type MarketTexts = {
  /** by their numbers in the index */
  texts: ReadonlyMap<number, MarketText>;
  index: TextIndex<"name" | "text">;
};

/** How much of a description is indexed: with thousands of listings, a request waits for the index. */
const SEARCHED_CHARACTERS = 400;
/** How many texts are indexed in one turn of the event loop. */
const SLICE = 500;

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
  let known: Market | null = null;
  let isScheduled = false;

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
    if (market !== known) {
      known = market;
      const current = new Map(textsOf(market, publicSettings).map((text) => [text.url, text]));
      for (const [url, place] of placeOf) if (!current.has(url)) remove(url, place);
      waiting = [...current.values()].filter((text) => !isSame(texts.get(placeOf.get(text.url) ?? -1), text));
      putSlice();
    }
    return { texts, index };
  };
}

function textsOf(
  { listings, originators, originatorByPublicId }: Market,
  publicSettings: PublicSettings,
): MarketText[] {
  const countries = new Intl.DisplayNames(["en"], { type: "region" });
  return [
    ...originators.map(({ publicId, legalName, jurisdiction }): MarketText => {
      const country = countries.of(jurisdiction) ?? jurisdiction;
      return {
        kind: "originator",
        title: legalName.trim() === "" ? publicId : legalName,
        name: `${legalName} ${publicId} ${country} ${jurisdiction}`,
        text: `${legalName}, ${country} (${jurisdiction})`,
        ids: [publicId.toLowerCase()],
        url: `${publicSettings.publicUrl}/originators/${publicId}`,
      };
    }),
    ...listings.map(({ publicId, refnum, title, description, originator, url }): MarketText => {
      const legalName = originatorByPublicId.get(originator)?.legalName ?? "";
      return {
        kind: "listing",
        // Empty when it consisted of control characters only.
        title: title.trim() === "" ? refnum : title,
        name: `${title} ${refnum} ${publicId} ${legalName}`,
        text: description.slice(0, SEARCHED_CHARACTERS).replace(/[\uD800-\uDBFF]$/, ""),
        ids: [publicId.toLowerCase(), refnum.toLowerCase()],
        url,
      };
    }),
  ];
}

function isSame(before: MarketText | undefined, after: MarketText): boolean {
  return before?.title === after.title && before.name === after.name && before.text === after.text;
}
