/**
 * Listings and originators as JSON, each encoded once per change. Lists are joined from them.
 * @module
 */
import { type Body, type BodyCache, joinedBody, jsonBody } from "../http/body.ts";
import type { Market } from "../market/market.ts";
import type { Listing, Originator } from "../market/schema.ts";

const JSON_TYPE = "application/json";

export type Encoder = {
  /** The JSON of a value that never changes. */
  json(value: object): Body;
  /** All listings, and the desk, which changes only with them. */
  market(market: Market): Body;
  /** Some of the listings. @param page given for a part of a list */
  listings(market: Market, listings: readonly Listing[], page?: { nextCursor: string | null }): Body;
  originators(originators: readonly Originator[]): Body;
  originator(originator: Originator): Body;
};

export function createEncoder(bodies: BodyCache): Encoder {
  const json = (value: object) => bodies(value, "json", () => jsonBody(value));
  const list = <Item>(items: readonly Item[], of: (item: Item) => Body): (string | Body)[] => {
    const encoded = items.flatMap((item, index) => (index === 0 ? [of(item)] : [",", of(item)]));
    return ["[", ...encoded, "]"];
  };
  const encoder: Encoder = {
    json,
    market: (market) => bodies(market.listings, "listings", () => encoder.listings(market, market.listings)),
    listings({ trading }, listings, page) {
      const end = page === undefined ? "}" : `,"page":${JSON.stringify(page)}}`;
      const pieces = ['{"listings":', ...list(listings, json), ',"trading":', json(trading), end];
      return joinedBody(JSON_TYPE, pieces);
    },
    originators: (originators) =>
      bodies(originators, "originators", () =>
        joinedBody(JSON_TYPE, ['{"originators":', ...list(originators, encoder.originator), "}"]),
      ),
    // The listings come last in its description.
    originator: (originator) =>
      bodies(originator, "originator", () => {
        const { listings, ...facts } = originator;
        const start = `${JSON.stringify(facts).slice(0, -1)},"listings":`;
        return joinedBody(JSON_TYPE, [start, ...list(listings, json), "}"]);
      }),
  };
  return encoder;
}
