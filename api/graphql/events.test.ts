/** Events over GraphQL: the same as over REST, what is asked of the ledger, and how often. */
import { describe, expect, it } from "vitest";
import { comparePositions } from "../../src/fold/event-id.ts";
import { PERSONS } from "../../src/fold/event-kinds.ts";
import { NO_DELTAS } from "../../src/fold/state.ts";
import { EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { fixedLedger, recordedLedger } from "../../test/harness/fixed-ledger.ts";
import { graphqlApp, queryRunner } from "../../test/harness/graphql.ts";
import { type MemoryRow, memoryLedger } from "../../test/harness/memory-ledger.ts";
import { HEAD, listingRow, NOW } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import type { LedgerPage, LedgerQueries, NoPage } from "../ledger/read.ts";
import type { LedgerQuery } from "../ledger/read-events.ts";

const FINAL = HEAD.number - 30n;

/** The `index`th subscription of a listing; each is in a block of its own, the oldest first. */
function row(onchainId: bigint, index: number, changes: Partial<MemoryRow> = {}): MemoryRow {
  const blockNumber = HEAD.number - 100n + BigInt(index);
  const person = `0x${"b1".repeat(20)}`;
  return {
    ...NO_DELTAS,
    escrowAddress: listingRow().escrowAddress,
    onchainId,
    eventId: blockNumber.toString().padStart(75, "0"),
    kind: "subscribed",
    blockNumber,
    blockTime: NOW - 100n + BigInt(index),
    txHash: `0x${"7a".repeat(32)}`,
    logIndex: Number(onchainId),
    part: 0,
    args: {
      backer: person,
      payer: person,
      amount: "100",
      bidRateBps: 2 ** 32 - 1,
      totalRaised: `${10n ** 30n}`,
    },
    ...changes,
  };
}

/** A ledger of these rows, that counts how often it is read. */
function ledgerOf(rows: readonly MemoryRow[], backfilled = true) {
  const reads: string[] = [];
  const memory = memoryLedger(rows.toSorted((a, b) => comparePositions(b, a)));
  const told = (page: LedgerPage | NoPage) =>
    typeof page === "string" ? page : { ...page, progress: { ...page.progress, backfilled } };
  const ledger: LedgerQueries = {
    ...memory,
    async ofListing(pair, query) {
      reads.push(`one ${pair.onchainId}`);
      return told(await memory.ofListing(pair, query));
    },
    async ofListings(listings, query) {
      reads.push(`${listings.size} together`);
      return backfilled ? told(await memory.ofListings(listings, query)) : "backfilling";
    },
  };
  return { ledger, reads };
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

const EVENT = `kind publicId refnum blockNumber blockTime logIndex txHash finality`;
const SUBSCRIBED = `${EVENT} ... on SubscribedEvent { amount bidRateBps totalRaised }`;

describe("events", () => {
  it("are those of REST, of all listings and of one", async () => {
    const rows = [
      ...range(4).map((index) => row(2n, index)),
      ...range(3).map((index) => row(3n, 98 + index)),
    ];
    const { ledger } = ledgerOf(rows);
    const rest = asking(await appIn({ overrides: { ledger } }));
    const run = queryRunner(await graphqlApp({ ledger }));
    const { data, errors } = await run(
      `{ events { nodes { ${SUBSCRIBED} listing { publicId } } } listing(id: "lst_2") { events { nodes { ${SUBSCRIBED} } } } }`,
    );
    expect(errors).toBeUndefined();
    const all = JSON.parse((await rest("/v1/events")).text).events;
    expect(data.events.nodes.map(({ listing: _, ...event }: { listing: object }) => event)).toEqual(all);
    for (const { publicId, listing } of data.events.nodes) expect(listing).toEqual({ publicId });
    expect(new Set(all.map(({ finality }: { finality: string }) => finality))).toEqual(
      new Set(["pending", "final"]),
    );
    const own = JSON.parse((await rest("/v1/listings/lst_2/events")).text).events;
    expect(data.listing.events.nodes).toEqual(own);
    expect(own).toHaveLength(4);
  });

  it("are those of REST for an originator, and no events for an unknown one", async () => {
    // Listings 1 and 2 are of org_unverified, all others of org_northwind.
    const { ledger } = ledgerOf([row(1n, 1), row(2n, 2), row(3n, 3), row(8n, 4)]);
    const rest = asking(await appIn({ overrides: { ledger } }));
    const run = queryRunner(await graphqlApp({ ledger }));
    const expected = {
      org_unverified: ["lst_2", "lst_1"],
      org_northwind: ["lst_8", "lst_3"],
      org_nobody: [],
    };
    for (const [originator, publicIds] of Object.entries(expected)) {
      const query = "query ($id: String) { events(originator: $id) { nodes { publicId } } }";
      const { data, errors } = await run(query, { id: originator });
      expect(errors).toBeUndefined();
      expect(data.events.nodes).toEqual(publicIds.map((publicId) => ({ publicId })));
      const { events } = JSON.parse((await rest(`/v1/events?originator=${originator}`)).text);
      expect(events.map(({ publicId }: { publicId: string }) => publicId)).toEqual(publicIds);
    }
    const { errors } = await run('{ events(originator: "x y") { nodes { kind } } }');
    expect(errors).toMatchObject([
      { extensions: { code: "BAD_USER_INPUT", errors: [{ parameter: "originator" }] } },
    ]);
  });

  it("name persons only where the service does", async () => {
    const { ledger } = ledgerOf([row(2n, 1)]);
    const query = "{ events { nodes { ... on SubscribedEvent { backer payer } } } }";
    const hidden = await queryRunner(await graphqlApp({ ledger }))(query);
    expect(hidden.errors?.[0]?.message).toContain('Cannot query field "backer"');
    const shown = await queryRunner(await graphqlApp({ ledger, exposeAccounts: true }))(query);
    const person = `0x${"b1".repeat(20)}`;
    expect(shown.data.events.nodes).toEqual([{ backer: person, payer: person }]);
    expect(PERSONS).toContain("backer");
  });

  it("of every kind can be asked for in one query without an alias", async () => {
    const own = EVENT_KINDS.map((kind) =>
      kind.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase()),
    );
    const run = queryRunner(await graphqlApp());
    const { data } = await run(
      `{ __schema { types { name fields { name type { kind ofType { kind } } } } } }`,
    );
    const parts = own.map((name) => {
      const type = data.__schema.types.find((one: { name: string }) => one.name === `${name}Event`);
      const leaves = type.fields.filter((field: { name: string }) => field.name !== "listing");
      return `... on ${name}Event { ${leaves.map((field: { name: string }) => field.name).join(" ")} }`;
    });
    expect((await run(`{ events { nodes { ${parts.join(" ")} } } }`)).errors).toBeUndefined();
  });

  it.each([1, 2, 5, 200])("are walked by %i without a gap or a double", async (first) => {
    const rows = [...range(7).map((index) => row(2n, index)), ...range(6).map((index) => row(3n, index))];
    const run = queryRunner(await graphqlApp({ ledger: ledgerOf(rows).ledger }));
    for (const field of ["events", 'listing(id: "lst_2") { events']) {
      const query = `query ($first: Int, $after: String) { ${field}(first: $first, after: $after) {
        nodes { blockNumber logIndex } edges { cursor } pageInfo { endCursor hasNextPage startCursor hasPreviousPage } } ${field === "events" ? "" : "}"} }`;
      const found: string[] = [];
      for (let after: string | null = null, page = 0; page < 20; page++) {
        const { data } = await run(query, { first, after });
        const { nodes, edges, pageInfo } = data.events ?? data.listing.events;
        expect(edges.at(-1).cursor).toBe(pageInfo.endCursor);
        expect([pageInfo.startCursor, pageInfo.hasPreviousPage]).toEqual([edges[0].cursor, after !== null]);
        found.push(
          ...nodes.map(
            (one: { blockNumber: string; logIndex: number }) => `${one.blockNumber}.${one.logIndex}`,
          ),
        );
        if (!pageInfo.hasNextPage) break;
        after = pageInfo.endCursor;
      }
      const expected = rows
        .filter(({ onchainId }) => field === "events" || onchainId === 2n)
        .toSorted((a, b) => comparePositions(b, a))
        .map(({ blockNumber, logIndex }) => `${blockNumber}.${logIndex}`);
      expect(found).toEqual(expected);
    }
  });
});

describe("what the ledger is asked", () => {
  const asked = async (given: string) => {
    const { asked, reader } = recordedLedger();
    const { errors } = await queryRunner(await graphqlApp({ ledger: reader }))(
      `{ events${given === "" ? "" : `(${given})`} { nodes { kind } } }`,
    );
    expect(errors).toBeUndefined();
    return asked.events[0];
  };
  // Nothing from beyond the block that the rest of the answer is as of.
  const nothing = { kinds: null, since: null, until: { block: HEAD.number }, before: null, limit: 50 };
  const time = (iso: string) => ({ time: BigInt(Date.parse(iso) / 1000) });

  it.each<[string, Partial<LedgerQuery>]>([
    ["", {}],
    ["kinds: [subscribed, refunded]", { kinds: new Set(["subscribed", "refunded"]) }],
    [
      'since: "120", until: "2026-03-01T12:00:00Z"',
      { since: { block: 120n }, until: time("2026-03-01T12:00:00Z") },
    ],
    ['first: 7, after: "MTIwLjM"', { limit: 7, before: { blockNumber: 120n, logIndex: 3 } }],
    [`until: "${HEAD.number + 9n}"`, {}],
    ['until: "2026-03-01T12:00:01Z"', {}],
    ["finality: final", { until: { block: FINAL } }],
    ["finality: pending", { since: { block: FINAL + 1n } }],
    // The narrower of two bounds counts: the final block is 30 seconds old.
    ['finality: final, until: "5"', { until: { block: 5n } }],
    [`finality: final, until: "${HEAD.number}"`, { until: { block: FINAL } }],
    ['finality: final, until: "2026-03-01T11:59:29Z"', { until: time("2026-03-01T11:59:29Z") }],
    ['finality: final, until: "2026-03-01T11:59:30Z"', { until: { block: FINAL } }],
    [`finality: pending, since: "${HEAD.number}"`, { since: { block: HEAD.number } }],
    ['finality: pending, since: "5"', { since: { block: FINAL + 1n } }],
    ['finality: pending, since: "2026-03-01T11:59:31Z"', { since: time("2026-03-01T11:59:31Z") }],
    ['finality: pending, since: "2026-03-01T11:59:30Z"', { since: { block: FINAL + 1n } }],
  ])("follows the arguments %s", async (given, expected) => {
    expect(await asked(given)).toEqual({ ...nothing, ...expected });
  });

  it("shows no event of the other finality, even if it has just become final", async () => {
    const rows = [row(2n, 60), row(2n, 80)];
    const { ledger } = ledgerOf(rows);
    const run = queryRunner(await graphqlApp({ ledger }));
    for (const finality of ["final", "pending"]) {
      const { data } = await run(`{ events(finality: ${finality}) { nodes { finality } } }`);
      expect(data.events.nodes).toEqual([{ finality }]);
    }
  });
});

describe("the reads", () => {
  const OF_ALL =
    "{ listings { nodes { publicId events(first: 2) { nodes { blockNumber } pageInfo { hasNextPage endCursor } } } } }";

  it("are one for the events of all listings on a page", async () => {
    const rows = [...range(3).map((index) => row(2n, index)), row(3n, 1)];
    const { ledger, reads } = ledgerOf(rows);
    const { data } = await queryRunner(await graphqlApp({ ledger }))(OF_ALL);
    expect(reads).toEqual(["8 together"]);
    const pages = new Map(
      data.listings.nodes.map((one: { publicId: string; events: object }) => [one.publicId, one.events]),
    );
    expect(pages.get("lst_2")).toMatchObject({
      nodes: [{ blockNumber: `${HEAD.number - 98n}` }, { blockNumber: `${HEAD.number - 99n}` }],
      pageInfo: { hasNextPage: true },
    });
    expect(pages.get("lst_3")).toMatchObject({ nodes: [{}], pageInfo: { hasNextPage: false } });
    expect(pages.get("lst_1")).toEqual({ nodes: [], pageInfo: { hasNextPage: false, endCursor: null } });
  });

  it("are more only for listings that others leave no room for, and find the same", async () => {
    // Listing 2 has everything that is new; listing 3 has too little in the common read, the others nothing.
    const rows = [
      ...range(100).map((index) => row(2n, index)),
      row(3n, 90, { logIndex: 999 }),
      row(3n, 0),
      row(3n, 1),
    ];
    const { ledger, reads } = ledgerOf(rows);
    const { data } = await queryRunner(await graphqlApp({ ledger }))(OF_ALL);
    expect(reads.toSorted()).toEqual(
      ["8 together", ...[1, 3, 4, 5, 6, 7, 8].map((id) => `one ${id}`)].toSorted(),
    );
    const single = await queryRunner(await graphqlApp({ ledger }))(
      '{ listing(id: "lst_3") { events(first: 2) { nodes { blockNumber } pageInfo { hasNextPage endCursor } } } }',
    );
    const page = data.listings.nodes.find((one: { publicId: string }) => one.publicId === "lst_3").events;
    expect(page).toEqual(single.data.listing.events);
    expect(page.nodes).toHaveLength(2);
  });

  it("are one for each depth, and one for what is asked twice", async () => {
    const { ledger, reads } = ledgerOf([row(2n, 1), row(3n, 1)]);
    const { errors } = await queryRunner(await graphqlApp({ ledger }))(`{
      listings { nodes {
        events(first: 1) { nodes { listing { events(first: 3) { nodes { kind } } } } }
        again: events(first: 1) { nodes { txHash } }
      } }
      listing(id: "lst_2") { events(first: 1) { nodes { kind } } }
    }`);
    expect(errors).toBeUndefined();
    expect(reads).toEqual(["8 together", "2 together"]);
  });

  it("are one for each listing while the common index is missing, and events of all listings are refused", async () => {
    const { ledger, reads } = ledgerOf([row(2n, 1)], false);
    const snapshot = await snapshotOf(tablesOf({ backfilled: false }));
    const run = queryRunner(await graphqlApp({ ledger, updater: { current: () => snapshot } }));
    const { data, errors } = await run(OF_ALL);
    expect(errors).toBeUndefined();
    expect(
      data.listings.nodes.filter((one: { events: { nodes: [] } }) => one.events.nodes.length > 0),
    ).toHaveLength(1);
    expect(reads).toHaveLength(9);

    const all = await run("{ stats { raised } events { nodes { kind } } }");
    expect(all).toMatchObject({ status: 200, data: { events: null, stats: {} } });
    expect(all.errors).toMatchObject([{ path: ["events"], extensions: { code: "BACKFILLING" } }]);
  });

  it("are errors only of the fields that asked for them if they fail", async () => {
    const broken: LedgerQueries = {
      ...fixedLedger(),
      ofListings: async () => Promise.reject(new Error("connection refused")),
    };
    const snapshot = await snapshotOf(tablesOf());
    const run = queryRunner(await graphqlApp({ ledger: broken, updater: { current: () => snapshot } }));
    const { data, errors = [] } = await run(
      "{ listings(first: 2) { nodes { events { nodes { kind } } } } stats { raised } }",
    );
    expect(data).toMatchObject({ listings: { nodes: [{ events: null }, { events: null }] }, stats: {} });
    expect(errors.map(({ extensions }) => extensions.code)).toEqual([
      "INTERNAL_SERVER_ERROR",
      "INTERNAL_SERVER_ERROR",
    ]);
    expect(JSON.stringify(errors)).not.toContain("refused");
  });
});
