/**
 * One market, many faces: what REST, the tools and GraphQL say of a raise is the same, field by field.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Listing, listingSchema } from "../../api/market/schema.ts";
import { appIn, asking, snapshotOf } from "../harness/app.ts";
import { arbitraryMarket } from "../harness/arbitrary-market.ts";
import { busyLedger, calling } from "../harness/mcp.ts";

/** Every field of a listing but those that GraphQL answers with objects, which the next test compares. */
const FIELDS = Object.keys(listingSchema.shape);
const FLAT = FIELDS.filter((field) => field !== "originator");

it("REST, get_deal, list_deals and GraphQL give the same listing on a random market", async () => {
  const property = fc.asyncProperty(arbitraryMarket(12), async ({ tables, registry }) => {
    const snapshot = await snapshotOf(tables, registry);
    const app = await appIn({ snapshot, overrides: { ledger: busyLedger(3) } });
    const ask = asking(app);
    const { call } = calling(app);

    const rest = JSON.parse((await ask("/v1/listings")).text).listings as Listing[];
    expect(rest).toHaveLength(registry.listings.length);
    const graphql = await askGraphql(
      ask,
      `{ listings(first: 200) { nodes { ${FLAT.join(" ")} originator { publicId } } } }`,
    );
    const nodes: Record<string, unknown>[] = graphql.listings.nodes;
    expect(
      nodes.map(({ originator, ...flat }) => ({ ...flat, originator: (originator as Listing).publicId })),
    ).toEqual(rest.map((listing) => inOrder(listing)));
    const { structuredContent } = await call("list_deals", { limit: 50 });
    const deals = structuredContent?.deals as Record<string, unknown>[];

    for (const [index, listing] of rest.entries()) {
      const { deal, descriptionCut, schedule, events } = await dealOf(call, listing.publicId);
      const cut = descriptionCut ? { description: expect.stringMatching(/…$/) } : {};
      expect(deal).toEqual({ ...listing, ...cut });
      if (!descriptionCut) expect(deal.description).toBe(listing.description);
      else expect(listing.description.startsWith(deal.description.slice(0, -1))).toBe(true);

      const { display, ...summary } = deals[index] ?? {};
      expect(listing).toMatchObject(summary);
      expect(Object.keys(display ?? {})).toEqual(["targetAmount", "minRaise", "raisedAmount"]);

      const path = `/v1/listings/${listing.publicId}`;
      expect(JSON.parse((await ask(path)).text)).toEqual(listing);
      const { payments, ...due } = JSON.parse((await ask(`${path}/schedule`)).text);
      expect(schedule).toMatchObject({ ...due, paymentCount: payments.length });
      expect(payments.slice(-schedule.payments.length || payments.length)).toEqual(schedule.payments);
      const ledger = JSON.parse((await ask(`${path}/events`)).text);
      expect(events.map(({ display: _, ...event }) => event)).toEqual(ledger.events.slice(0, events.length));
    }
  });
  await fc.assert(property, { numRuns: 25 });
});

type Deal = {
  deal: Listing;
  descriptionCut: boolean;
  schedule: { payments: unknown[] };
  events: Record<string, unknown>[];
};

async function dealOf(call: ReturnType<typeof calling>["call"], id: string): Promise<Deal> {
  const { structuredContent, text } = await call("get_deal", { id });
  expect(JSON.parse(text)).toEqual(structuredContent);
  return structuredContent as Deal;
}

function inOrder(listing: Listing): Record<string, unknown> {
  const { originator, ...flat } = listing;
  return { ...flat, originator };
}

async function askGraphql(ask: ReturnType<typeof asking>, query: string) {
  const answer = await ask("/graphql", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = JSON.parse(answer.text);
  expect(errors).toBeUndefined();
  return data;
}
