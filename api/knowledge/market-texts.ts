/**
 * The texts of a market's listings and originators, by which they are found. Third parties wrote most of them.
 * @module
 */
import type { Site } from "../market/listing.ts";
import type { Market } from "../market/project.ts";
import { createTextIndex, type TextIndex } from "./text-index.ts";

export type MarketText = {
  kind: "listing" | "originator";
  title: string;
  /** by which one names it */
  name: string;
  /** what is said of it */
  text: string;
  /** public id and reference number, lowercase */
  ids: readonly string[];
  url: string;
};

export type MarketTexts = {
  texts: readonly MarketText[];
  index: TextIndex<"name" | "text">;
};

/** So much of a description is searched: the index of thousands of listings is built while a request waits. */
const SEARCHED_CHARACTERS = 400;
const FIELDS = ["name", "text"] as const;

/**
 * A function from a market to its texts and their index. The market is another one with every block, its texts hardly
 * ever: while they are the same, so is the index.
 */
export function createMarketTexts(site: Site): (market: Market) => MarketTexts {
  const ofMarket = new WeakMap<Market, MarketTexts>();
  let last: MarketTexts | null = null;
  return (market) => {
    const known = ofMarket.get(market);
    if (known !== undefined) return known;
    const texts = textsOf(market, site);
    const current =
      last !== null && areSame(last.texts, texts)
        ? last
        : {
            texts,
            index: createTextIndex(
              FIELDS,
              texts.map(({ name, text }) => ({ name, text })),
            ),
          };
    last = current;
    ofMarket.set(market, current);
    return current;
  };
}

function textsOf({ listings, originators, originatorByPublicId }: Market, site: Site): MarketText[] {
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
        url: `${site.publicUrl}/originators/${publicId}`,
      };
    }),
    ...listings.map(({ publicId, refnum, title, description, originator, url }): MarketText => {
      const legalName = originatorByPublicId.get(originator)?.legalName ?? "";
      return {
        kind: "listing",
        // A title of nothing but control characters is empty when they are gone.
        title: title.trim() === "" ? refnum : title,
        name: `${title} ${refnum} ${publicId} ${legalName}`,
        text: description.slice(0, SEARCHED_CHARACTERS).replace(/[\uD800-\uDBFF]$/, ""),
        ids: [publicId.toLowerCase(), refnum.toLowerCase()],
        url,
      };
    }),
  ];
}

function areSame(before: readonly MarketText[], after: readonly MarketText[]): boolean {
  return (
    before.length === after.length &&
    before.every((one, index) => {
      const other = after[index];
      return (
        other !== undefined &&
        one.url === other.url &&
        one.title === other.title &&
        one.name === other.name &&
        one.text === other.text
      );
    })
  );
}
