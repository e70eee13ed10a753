/** One market, many faces: what REST, the tools and GraphQL say is the same, field by field. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { buildSchema, getNamedType, isInterfaceType, isObjectType } from "graphql";
import { expect, it } from "vitest";
import { type Listing, listingSchema } from "../../api/market/schema.ts";
import { appShowing } from "../harness/app.ts";
import { arbitraryMarket } from "../harness/arbitrary-market.ts";
import { asking } from "../harness/asking.ts";
import { busyLedger, type Called, calling } from "../harness/mcp.ts";
import { DESK } from "../harness/rows.ts";
import { SITE, snapshotOf } from "../harness/snapshot.ts";

const SITE_WITH_DESK = { ...SITE, desk: DESK };
const EVENTS = 3;
const { app, show } = await appShowing({ ledger: busyLedger(EVENTS) });
const ask = asking(app);
const read = async (path: string) => JSON.parse((await ask(path)).text);
const { facts } = calling(app);
/** In the order of REST; GraphQL has an object where REST has the originator's id. */
const LISTING = Object.keys(listingSchema.shape)
  .map((field) => (field === "originator" ? "originator { publicId }" : field))
  .join(" ");
const schema = buildSchema(readFileSync(new URL("../../schema.graphql", import.meta.url), "utf8"));

/** The open offers of a raise, as the desk of REST has them. */
async function openOffersOf(publicId: string): Promise<unknown> {
  const { trading } = await read("/v1/listings");
  const listed: Record<string, unknown>[] = trading.listings;
  const one = listed.find((desk) => desk.publicId === publicId);
  if (one === undefined || one.openOffers === 0) return undefined;
  const { openOffers, bestAskBps, remainingPerTokenBps, yieldToMaturityBps, returnInDefaultBps } = one;
  const prices = { bestAskBps, remainingPerTokenBps, yieldToMaturityBps, returnInDefaultBps };
  return { openOffers, ...prices, display: expect.stringMatching(/of par/) };
}

it("REST, get_deal and list_deals give the same listing on a random market", async () => {
  const property = fc.asyncProperty(arbitraryMarket(12), async ({ tables, registry }) => {
    show(await snapshotOf(tables, registry, SITE_WITH_DESK));
    const { listings }: { listings: Listing[] } = await read("/v1/listings");
    expect(listings).toHaveLength(registry.listings.length);
    const deals = (await facts("list_deals", { limit: 50 })).deals as Record<string, unknown>[];
    expect(deals).toHaveLength(listings.length);

    for (const [index, listing] of listings.entries()) {
      const { publicId, description } = listing;
      expect(await read(`/v1/listings/${publicId}`)).toEqual(listing);
      const { display, business, warnings, daysOverdue, desk, ...summary } = deals[index] ?? {};
      expect(listing).toMatchObject(summary);
      expect(business).toBe((await read(`/v1/originators/${listing.originator}`)).legalName);
      expect(desk).toEqual(await openOffersOf(publicId));
      const { kybStatus } = await read(`/v1/originators/${listing.originator}`);
      const isSound = listing.originatorVerified && listing.metadataVerified && kybStatus === "approved";
      expect((warnings as string[]).length === 0).toBe(isSound);
      expect(daysOverdue === null).toBe(!["grace", "late", "default"].includes(listing.repayment));
      expect(Object.keys(display ?? {})).toEqual([
        "targetAmount",
        "minRaise",
        "raisedAmount",
        "outstandingPrincipal",
        ...(["refundableAmount", "reserveBalance"] as const).filter((name) => listing[name] !== "0"),
        ...(listing.projectedAmount === null ? [] : ["projectedAmount"]),
      ]);

      const { deal, descriptionCut, schedule, events } = (await facts("get_deal", { id: publicId })) as Deal;
      const shown = descriptionCut ? `${description.slice(0, deal.description.length - 1)}…` : description;
      expect(deal).toEqual({ ...listing, description: shown });
      if (descriptionCut) expect(JSON.stringify(deal.description).length).toBeGreaterThan(900);

      const { payments, ...due } = await read(`/v1/listings/${publicId}/schedule`);
      const { payments: latest, paymentCount, display: _, ...rest } = schedule;
      expect(rest).toEqual(due);
      expect(paymentCount).toBe(payments.length);
      const ledger = (await read(`/v1/listings/${publicId}/events`)).events;
      expect(latest).toEqual(payments.slice(payments.length - latest.length));
      expect(events.map(({ display: _, ...event }) => event)).toEqual(ledger.slice(0, events.length));
      expect(events.length).toBeGreaterThan(0);
    }
  });
  await fc.assert(property, { numRuns: 25 });
});

it("REST and GraphQL give the same market, every field of every type", async () => {
  const property = fc.asyncProperty(arbitraryMarket(12), async ({ tables, registry }) => {
    show(await snapshotOf(tables, registry, SITE_WITH_DESK));
    const graphql = await query(`{
      listings(first: 12) { totalCount nodes { ${LISTING} } }
      originators(first: 3) { nodes { ${fieldsOf("Originator")} listings(first: 12) { nodes { ${LISTING} } } } }
      trading { ${fieldsOf("Trading")} listings(first: 12) { nodes { ${fieldsOf("DeskListing")} } } }
      stats { ${fieldsOf("Stats")} }
      health { ${fieldsOf("Health")} }
    }`);
    const { listings, trading } = await read("/v1/listings");
    expect(trading.enabled).toBe(true);
    expect(graphql.listings).toEqual({ totalCount: listings.length, nodes: listings.map(asLinked) });
    expect(graphql.trading).toEqual({ ...trading, listings: { nodes: trading.listings } });
    expect(graphql.stats).toEqual(await read("/v1/stats"));
    const health = await read("/v1/health");
    const byKind = Object.entries(health.anomalies.byKind).map(([key, value]) => ({ key, value }));
    // REST leaves it out while there are none.
    const ofRegistry = { contradictions: null, ...health.registry };
    expect(graphql.health).toEqual({
      ...health,
      registry: ofRegistry,
      anomalies: { ...health.anomalies, byKind },
    });
    const { originators } = await read("/v1/originators");
    expect(graphql.originators.nodes).toEqual(
      originators.map((originator: { listings: Listing[] }) => ({
        ...originator,
        listings: { nodes: originator.listings.map(asLinked) },
      })),
    );
  });
  await fc.assert(property, { numRuns: 25 });
});

it("REST and GraphQL give the same schedules and events", async () => {
  const property = fc.asyncProperty(arbitraryMarket(4), async ({ tables, registry }) => {
    const snapshot = await snapshotOf(tables, registry, SITE_WITH_DESK);
    show(snapshot);
    const event = fieldsOf("SubscribedEvent");
    for (const { publicId } of snapshot.market.listings) {
      const { listing } = await query(`{ listing(id: "${publicId}") {
        schedule { ${fieldsOf("Schedule")} }
        events { nodes { ... on SubscribedEvent { ${event} } } }
      } }`);
      const schedule = await read(`/v1/listings/${publicId}/schedule`);
      expect(listing.schedule).toEqual({ ...schedule, paymentCount: schedule.payments.length });
      const { events } = await read(`/v1/listings/${publicId}/events`);
      expect(events).toHaveLength(EVENTS);
      // GraphQL has a null where REST leaves out what only a module's contracts can have.
      expect(listing.events.nodes).toEqual(events.map((one: object) => ({ ...one, part: null })));
    }
  });
  await fc.assert(property, { numRuns: 10 });
});

type Deal = {
  deal: Listing;
  descriptionCut: boolean;
  schedule: { payments: unknown[]; paymentCount: number; display: unknown };
  events: Record<string, unknown>[];
} & NonNullable<Called["structuredContent"]>;

function asLinked({ originator, ...listing }: Listing) {
  return { ...listing, originator: { publicId: originator } };
}

/** GraphQL's links to objects that REST has in other answers. */
const LINKS = ["listing", "listings", "originator", "events", "schedule"];

/** Every field of a type, those of the objects in it too. */
function fieldsOf(name: string): string {
  const type = schema.getType(name);
  if (!isObjectType(type) && !isInterfaceType(type)) throw new Error(`${name} is no object`);
  return Object.values(type.getFields())
    .flatMap((field) => {
      const inner = getNamedType(field.type);
      if (!isObjectType(inner) && !isInterfaceType(inner)) return field.name;
      return LINKS.includes(field.name) ? [] : `${field.name} { ${fieldsOf(inner.name)} }`;
    })
    .join(" ");
}

async function query(text: string) {
  const headers = { "Content-Type": "application/json" };
  const answer = await ask("/graphql", { method: "POST", headers, body: JSON.stringify({ query: text }) });
  const { data, errors } = JSON.parse(answer.text);
  expect(errors).toBeUndefined();
  return data;
}
