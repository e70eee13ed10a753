/** Listings, originators, the desk and the figures: the same as over REST, in the same order, on pages without a gap. */

import { beforeAll, describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { graphqlApp, queryRunner, type RunQuery } from "../../test/harness/graphql.ts";
import { project } from "../../test/harness/project.ts";
import { DESK, everyState, NOW, offerRow, repaymentRow, tradeRow } from "../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { SORTS } from "../market/listings-order.ts";
import { type ListingsQuery, queryListings } from "../market/listings-query.ts";
import type { Originator } from "../market/originator.ts";
import { queryOriginators } from "../market/originators-query.ts";
import { GRADES, type Listing, STATUSES } from "../market/schema.ts";
import type { MarketSource, Snapshot } from "../market/snapshot.ts";
import { type GraphQLNamedType, getNamedType, isLeafType, isObjectType } from "./packages.ts";
import { schemaFor } from "./schema.ts";

const schema = schemaFor({ exposeAccounts: false });

/** Every field of a type that needs no argument, and of the types within; those of `linked` are left out. */
function allOf(type: GraphQLNamedType | undefined, linked: readonly string[] = []): string {
  if (!isObjectType(type)) throw new Error("only objects have fields");
  const fields = Object.values(type.getFields()).filter(({ name }) => !linked.includes(name));
  return fields
    .map((field) => {
      const inner = getNamedType(field.type);
      return isLeafType(inner) ? field.name : `${field.name} { ${allOf(inner, linked)} }`;
    })
    .join(" ");
}

const LINKS = ["originator", "schedule", "events", "listing"];
const LISTING = `${allOf(schema.getType("Listing"), LINKS)} originator { publicId }`;

/** As REST has it, which names the originator. */
const asRest = ({ originator, ...listing }: { originator: { publicId: string } }) => ({
  ...listing,
  originator: originator.publicId,
});

let snapshot: Snapshot;
let run: RunQuery;
let rest: (path: string) => Promise<ReturnType<typeof JSON.parse>>;

beforeAll(async () => {
  const { rows, registry } = everyState();
  const repayments = [repaymentRow({ onchainId: 3n }), repaymentRow({ onchainId: 4n, blockTime: NOW - 60n })];
  const tables = tablesOf({ listings: rows, repayments, offers: [offerRow()], trades: [tradeRow()] });
  const made = await snapshotOf(tables, registry);
  // The harness has no desk; this market has one.
  const market = project({
    rows: tables.rows,
    registry,
    head: tables.head,
    finalized: tables.finalized.number,
    publicSettings: { ...SITE, desk: DESK },
  });
  snapshot = { ...made, market };
  const updater: MarketSource = { current: () => snapshot };
  run = queryRunner(await graphqlApp({ updater }));
  const askRest = asking(await appIn({ snapshot }));
  rest = async (path) => JSON.parse((await askRest(path)).text);
});

describe("listings", () => {
  it("have every field as REST has it, in the same order", async () => {
    const { data, errors } = await run(`{ listings(first: 200) { nodes { ${LISTING} } totalCount } }`);
    expect(errors).toBeUndefined();
    const { listings } = await rest("/v1/listings");
    expect(data.listings.nodes.map(asRest)).toEqual(listings);
    expect(new Set(listings.map(({ status }: Listing) => status))).toEqual(new Set(STATUSES));
    expect(data.listings.totalCount).toBe(listings.length);
  });

  it("are found by public id and by refnum; of no such id there is null", async () => {
    const query = `query ($id: String!) { listing(id: $id) { ${LISTING} } }`;
    for (const { publicId, refnum } of snapshot.market.listings) {
      const expected = await rest(`/v1/listings/${publicId}`);
      for (const id of [publicId, refnum]) {
        expect(asRest((await run(query, { id })).data.listing)).toEqual(expected);
      }
    }
    for (const id of ["lst_99", "", "__proto__", "constructor"]) {
      expect(await run(query, { id })).toMatchObject({ status: 200, data: { listing: null } });
    }
  });

  it("have their originator, and their schedule as REST has it", async () => {
    const query = `{ listings { nodes { publicId originator { publicId legalName } schedule { ${allOf(schema.getType("Schedule"))} } } } }`;
    const { data, errors } = await run(query);
    expect(errors).toBeUndefined();
    expect(data.listings.nodes).toHaveLength(snapshot.market.listings.length);
    for (const { publicId, originator, schedule } of data.listings.nodes) {
      const due = await rest(`/v1/listings/${publicId}/schedule`);
      expect(schedule).toEqual({ ...due, paymentCount: due.payments.length });
      const { originators } = await rest("/v1/originators");
      const found = originators.find((one: Originator) => one.publicId === originator.publicId);
      expect(found.legalName).toBe(originator.legalName);
      expect(found.listings.map((one: Listing) => one.publicId)).toContain(publicId);
    }
    const paid = data.listings.nodes.filter(
      (one: { schedule: { payments: [] } }) => one.schedule.payments.length > 0,
    );
    expect(paid).toHaveLength(2);
  });

  const filters: [string, ListingsQuery][] = [
    ["status: [live, funding]", { status: ["live", "funding"] }],
    ["status: live", { status: ["live"] }],
    ["grade: [NR]", { grade: ["NR"] }],
    ["grade: [A, B]", { grade: ["A", "B"] }],
    ['originator: "org_northwind"', { originator: "org_northwind" }],
    ['originator: "org_nobody"', { originator: "org_nobody" }],
    ["minCouponBps: 1300", { minCouponBps: 1300 }],
    ["minCouponBps: 4294967295", { minCouponBps: 2 ** 32 - 1 }],
    ['q: "NORTHWIND bakery"', { q: "NORTHWIND bakery" }],
    ['q: "rb00002"', { q: "rb00002" }],
    ['jurisdiction: ["SG", "DE"]', { jurisdiction: ["SG", "DE"] }],
    ['jurisdiction: ["FR"]', { jurisdiction: ["FR"] }],
    ["repayment: [late, repaid]", { repayment: ["late", "repaid"] }],
    ["maxTenorDays: 0", { maxTenorDays: 0 }],
    ["maxTenorDays: 65535", { maxTenorDays: 65_535 }],
    ['closingBefore: "2026-03-01T12:00:00Z"', { closingBefore: NOW }],
    ['closingBefore: "2026-03-12T00:00:00+01:00"', { closingBefore: 1_773_270_000n }],
    ["status: null, first: null, after: null, sort: null", {}],
    ...SORTS.map((sort): [string, ListingsQuery] => [`sort: ${sort}`, { sort }]),
    ["sort: most_raised, status: [live, matured]", { sort: "most_raised", status: ["live", "matured"] }],
  ];
  it.each(filters)("filtered by %s are those of the same query over REST", async (given, query) => {
    const { data, errors } = await run(`{ listings(${given}) { totalCount nodes { publicId } } }`);
    expect(errors).toBeUndefined();
    const expected = queryListings(
      snapshot.market.listings,
      query,
      snapshot.market.originatorByPublicId,
    ).listings;
    expect(data.listings.nodes).toEqual(expected.map(({ publicId }) => ({ publicId })));
    expect(data.listings.totalCount).toBe(expected.length);
  });

  it.each(SORTS.flatMap((sort) => [1, 3, 8].map((first) => ({ sort, first }))))(
    "are walked by $first in the order $sort without a gap or a double",
    async ({ sort, first }) => {
      const found: string[] = [];
      const query = `query ($first: Int, $after: String) {
        listings(sort: ${sort}, first: $first, after: $after) {
          nodes { publicId } edges { cursor node { publicId } }
          pageInfo { endCursor hasNextPage startCursor hasPreviousPage } totalCount
        }
      }`;
      for (let after: string | null = null, page = 0; page < 20; page++) {
        const { data, errors } = await run(query, { first, after });
        expect(errors).toBeUndefined();
        const { nodes, edges, pageInfo, totalCount } = data.listings;
        expect(edges.map(({ node }: { node: object }) => node)).toEqual(nodes);
        expect(edges.at(-1).cursor).toBe(pageInfo.endCursor);
        expect([pageInfo.startCursor, pageInfo.hasPreviousPage]).toEqual([edges[0].cursor, page > 0]);
        expect(totalCount).toBe(8);
        found.push(...nodes.map(({ publicId }: Listing) => publicId));
        if (!pageInfo.hasNextPage) break;
        after = pageInfo.endCursor;
      }
      const all = queryListings(
        snapshot.market.listings,
        { sort },
        snapshot.market.originatorByPublicId,
      ).listings;
      expect(found).toEqual(all.map(({ publicId }) => publicId));
    },
  );

  it("go on after any edge, without naming the order again", async () => {
    const { data } = await run("{ listings(sort: most_raised) { edges { cursor node { publicId } } } }");
    const { edges } = data.listings;
    expect(edges).toHaveLength(snapshot.market.listings.length);
    for (const [index, { cursor }] of edges.entries()) {
      const next = await run("query ($after: String) { listings(after: $after) { nodes { publicId } } }", {
        after: cursor,
      });
      const rest = edges.slice(index + 1).map(({ node }: { node: object }) => node);
      expect(next.data.listings.nodes).toEqual(rest);
    }
  });
});

describe("originators", () => {
  it("have every field as REST has it, and their listings", async () => {
    const fields = allOf(schema.getType("Originator"), ["listings"]);
    const { data, errors } = await run(
      `{ originators { totalCount nodes { ${fields} listings { nodes { publicId } } } } }`,
    );
    expect(errors).toBeUndefined();
    const { originators } = await rest("/v1/originators");
    const expected = originators.map(({ listings, ...one }: Originator) => ({
      ...one,
      listings: { nodes: listings.map(({ publicId }) => ({ publicId })) },
    }));
    expect(data.originators).toEqual({ totalCount: originators.length, nodes: expected });
    const one = await run(
      `{ originator(publicId: "org_northwind") { ${fields} } nobody: originator(publicId: "org_x") { publicId } }`,
    );
    const { listings: _, ...northwind } = await rest("/v1/originators/org_northwind");
    expect(one.data).toEqual({ originator: northwind, nobody: null });
  });

  it.each([
    ["grade: [NR]", { grade: ["NR"] as const }],
    ["grade: [A, B, C, D, E]", { grade: GRADES.filter((grade) => grade !== "NR") }],
    ['jurisdiction: "SG"', { jurisdiction: "SG" }],
    ['jurisdiction: "DE"', { jurisdiction: "DE" }],
  ])("filtered by %s are those of the same query over REST", async (given, query) => {
    const { data } = await run(`{ originators(${given}) { totalCount nodes { publicId } } }`);
    const expected = queryOriginators(snapshot.market.originators, query).originators;
    const nodes = expected.map(({ publicId }) => ({ publicId }));
    expect(data.originators).toEqual({ totalCount: expected.length, nodes });
  });

  it("are walked one by one, and so are the listings of each", async () => {
    const query = `query ($after: String) { originators(first: 1, after: $after) {
      nodes { publicId } edges { cursor } pageInfo { endCursor hasNextPage } } }`;
    const first = (await run(query)).data.originators;
    expect(first.edges[0].cursor).toBe(first.pageInfo.endCursor);
    expect([first.nodes[0].publicId, first.pageInfo.hasNextPage]).toEqual(["org_northwind", true]);
    const second = (await run(query, { after: first.pageInfo.endCursor })).data.originators;
    expect([second.nodes[0].publicId, second.pageInfo.hasNextPage]).toEqual(["org_unverified", false]);
    const none = (await run(query, { after: second.pageInfo.endCursor })).data.originators;
    expect(none).toEqual({ nodes: [], edges: [], pageInfo: { endCursor: null, hasNextPage: false } });

    const own = `query ($after: String) { originator(publicId: "org_northwind") {
      listings(first: 4, sort: most_raised, status: [live, matured, voided, cancelled, refunding], after: $after) {
        nodes { publicId } pageInfo { endCursor } totalCount } } }`;
    const found: string[] = [];
    for (const after of [undefined, (await run(own)).data.originator.listings.pageInfo.endCursor]) {
      const { listings } = (await run(own, { after })).data.originator;
      expect(listings.totalCount).toBe(6);
      found.push(...listings.nodes.map(({ publicId }: Listing) => publicId));
    }
    const expected = queryListings(
      snapshot.market.originatorByPublicId.get("org_northwind")?.listings ?? [],
      {
        sort: "most_raised",
      },
      snapshot.market.originatorByPublicId,
    );
    expect(found).toEqual(expected.listings.map(({ publicId }) => publicId));
  });
});

describe("the figures", () => {
  it("are those of REST for the desk, with its listings on pages in the same order", async () => {
    const query = `{ trading { ${allOf(schema.getType("Trading"), ["listings", "listing"])}
      listings { totalCount nodes { ${allOf(schema.getType("DeskListing"), ["listing"])} listing { publicId } } } } }`;
    const { data, errors } = await run(query);
    expect(errors).toBeUndefined();
    const { listings, ...trading } = (await rest("/v1/listings")).trading;
    const { listings: page, ...figures } = data.trading;
    expect(figures).toEqual(trading);
    expect(trading.lastTrade).not.toBeNull();
    expect(page.nodes.map(({ listing: _, ...one }: { listing: object }) => one)).toEqual(listings);
    for (const { publicId, listing } of page.nodes) expect(listing).toEqual({ publicId });
    expect(page.totalCount).toBe(listings.length);
    expect(listings.length).toBeGreaterThan(1);

    const walk =
      "query ($after: String) { trading { listings(first: 1, after: $after) { edges { cursor } nodes { publicId } pageInfo { endCursor hasNextPage } } } }";
    const found: string[] = [];
    let after: string | null = null;
    for (let isMore = true; isMore && found.length < 20; ) {
      const answer = await run(walk, { after });
      const { edges, nodes, pageInfo } = answer.data.trading.listings;
      expect(edges[0].cursor).toBe(pageInfo.endCursor);
      found.push(nodes[0].publicId);
      after = pageInfo.endCursor;
      isMore = pageInfo.hasNextPage;
    }
    expect(found).toEqual(listings.map(({ publicId }: Listing) => publicId));
  });

  it("are those of REST for the market", async () => {
    const { data } = await run(`{ stats { ${allOf(schema.getType("Stats"))} } }`);
    expect(data.stats).toEqual(await rest("/v1/stats"));
  });
});
