/** @module An answer beside what the model says. */
import { differences } from "../model/differences.ts";
import type { Expected } from "./expected.ts";

/** Events in an answer, at most. */
export const EVENTS = 100;
export const LEDGER = `/v1/events?limit=${EVENTS}`;
/** Events, each with a figure of the market. */
export const GRAPHQL = `/graphql?query=${encodeURIComponent(
  `{ events(first: ${EVENTS}) { nodes { kind publicId refnum blockNumber logIndex txHash listing { raisedAmount } } } }`,
)}`;

/** The differences of an answer's body. */
export function compare(path: string, expected: Expected, body: Record<string, unknown>): string[] {
  if (path === "/v1/listings") return differences(expected.listings, body);
  if (path === "/v1/originators") return differences(expected.originators, body);
  if (path === "/v1/stats") return differences(expected.stats, body);
  if (path.startsWith("/v1/events")) {
    const events = body.events as Record<string, unknown>[];
    return differences(expected.events.slice(0, EVENTS), events.map(placed));
  }
  const { listings } = expected.listings;
  if (path === GRAPHQL) {
    const { nodes } = (body as GraphqlEvents).data.events;
    const raisedBy = new Map(listings.map(({ publicId, raisedAmount }) => [publicId, raisedAmount]));
    const events = expected.events.slice(0, EVENTS);
    return differences(
      { events, raised: events.map(({ publicId }) => raisedBy.get(publicId)) },
      { events: nodes.map(placed), raised: nodes.map(({ listing }) => listing.raisedAmount) },
    );
  }
  return differences(
    listings.find(({ publicId }) => publicId === body.publicId),
    body,
  );
}

type GraphqlEvents = {
  data: { events: { nodes: (Record<string, unknown> & { listing: { raisedAmount: string } })[] } };
};

/** A row of the ledger without what is not compared. */
export function placed({ kind, publicId, refnum, blockNumber, logIndex, txHash }: Record<string, unknown>) {
  return { kind, publicId, refnum, blockNumber, logIndex, txHash };
}
