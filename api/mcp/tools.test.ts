import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appIn, appShowing } from "../../test/harness/app.ts";
import { arbitraryMarket } from "../../test/harness/arbitrary-market.ts";
import { asking } from "../../test/harness/asking.ts";
import { marketOfTheRegistry } from "../../test/harness/businesses.ts";
import { busyLedger, type Called, calling } from "../../test/harness/mcp.ts";
import { neverInStep } from "../../test/harness/never-in-step.ts";
import {
  DAY,
  DESK,
  DOLLAR,
  DRAWN,
  entryDraft,
  everyState,
  listingRow,
  NOW,
  offerRow,
  registryOf,
} from "../../test/harness/rows.ts";
import { recordedLog, SITE, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import type { Hit } from "../knowledge/hit.ts";
import type { Search } from "../knowledge/search.ts";
import { canLose } from "../market/projection.ts";
import { type Listing, STATUSES } from "../market/schema.ts";

const app = await appIn({ overrides: { ledger: busyLedger(30) } });
const ask = asking(app);
const { call, facts } = calling(app);

const idsOf = (items: unknown) => (items as { publicId: string }[]).map(({ publicId }) => publicId);

it("a reference number that breaks the format is served as the chain has it", async () => {
  const { rows, registry } = everyState();
  const listings = rows.map((row) => (row.onchainId === 1n ? { ...row, refnum: "RB-1" } : row));
  const odd = calling(await appIn({ snapshot: await snapshotOf(tablesOf({ listings }), registry) }));
  expect(await odd.call("get_deal", { id: "lst_1" })).toMatchObject({
    isError: false,
    structuredContent: { deal: { refnum: "RB-1" } },
  });
  expect((await odd.call("list_deals", {})).isError).toBe(false);
});

describe("list_deals", () => {
  const args = fc.record(
    {
      status: fc.uniqueArray(fc.constantFrom(...STATUSES), { minLength: 1 }),
      originator: fc.constantFrom("org_0", "org_1", "org_2"),
      minCouponBps: fc.constantFrom(0, 1, 1450, 10_001),
      sort: fc.constantFrom(
        "newest",
        "closing_soon",
        "due_soon",
        "most_raised",
        "most_subscribers",
        "highest_coupon",
      ),
      limit: fc.integer({ min: 1, max: 50 }),
    },
    { requiredKeys: [] },
  );

  it("finds what REST finds with the same filters, in the same order, and walks to the end without a gap", async () => {
    const { app: random, show } = await appShowing();
    const property = fc.asyncProperty(arbitraryMarket(20), args, async ({ tables, registry }, asked) => {
      const snapshot = await snapshotOf(tables, registry);
      show(snapshot);
      const { limit: _, ...filter } = asked;
      const query = new URLSearchParams(
        Object.entries(filter).map(([name, value]): [string, string] => [name, `${value}`]),
      );
      const rest = await asking(random)(`/v1/listings?${query}`);
      const isUnknown = filter.originator && !snapshot.market.originatorByPublicId.has(filter.originator);
      const found: string[] = [];
      for (let cursor: unknown; cursor !== null; ) {
        const page = await calling(random).call("list_deals", { ...asked, ...(cursor ? { cursor } : {}) });
        expect(page.isError).toBe(Boolean(isUnknown));
        if (page.structuredContent === undefined) return;
        found.push(...idsOf(page.structuredContent.deals));
        expect(page.structuredContent.total).toBe(JSON.parse(rest.text).listings.length);
        cursor = page.structuredContent.nextCursor;
      }
      expect(found).toEqual(idsOf(JSON.parse(rest.text).listings));
    });
    await fc.assert(property, { numRuns: 40 });
  });
});

/** The fields of a listing that a business has summed, by the names of the sums. */
const SUMMED = {
  ...{ lent: "drawnAmount", raised: "raisedAmount", returned: "returnedAmount", repaid: "repaidAmount" },
  ...{ outstanding: "outstandingPrincipal", writtenOff: "writtenOffAmount", refundable: "refundableAmount" },
};

describe("list_businesses", () => {
  it("finds what REST has, by grade and country, page by page", async () => {
    const { originators } = JSON.parse((await ask("/v1/originators")).text);
    const { businesses } = await facts("list_businesses", {});
    expect(idsOf(businesses)).toEqual(idsOf(originators));
    for (const [index, business] of (businesses as object[]).entries()) {
      const { deals, openDeals, url, display, ...shown } = business as Record<string, unknown>;
      const { listings, ...rest } = originators[index];
      const sum = (field: string) =>
        `${listings.reduce((total: bigint, one: Record<string, string>) => total + BigInt(one[field] ?? 0), 0n)}`;
      const sums = Object.entries(SUMMED).map(([name, field]) => [name, sum(field)]);
      expect(shown).toEqual({ ...rest, ...Object.fromEntries(sums) });
      expect(display).toHaveProperty("outstanding");
      expect(deals).toBe(listings.length);
      expect(openDeals).toBe(
        listings.filter(({ acceptsMoney }: { acceptsMoney: boolean }) => acceptsMoney).length,
      );
      expect(url).toBe(`https://raises.example/originators/${shown.publicId}`);
    }
    const graded = await facts("list_businesses", { grade: ["B"] });
    expect(idsOf(graded.businesses)).toEqual(["org_northwind"]);
    const elsewhere = await facts("list_businesses", { jurisdiction: "de" });
    expect(elsewhere).toMatchObject({ businesses: [], total: 0, nextCursor: null });
    const first = await facts("list_businesses", { limit: 1 });
    const second = await facts("list_businesses", { limit: 1, cursor: first.nextCursor });
    expect([first, second].flatMap((page) => idsOf(page.businesses))).toEqual(idsOf(originators));
    expect(second.nextCursor).toBeNull();
  });
});

describe("get_deal", () => {
  it("takes a refnum, and shows the newest events and payments with readable amounts", async () => {
    const { structuredContent } = await call("get_deal", { id: "RB00003" });
    expect(structuredContent).toMatchObject({
      deal: { publicId: "lst_3", raisedAmount: "80000000000000000000000" },
      display: { raisedAmount: "80,000 USD-test", couponRate: "12.12% a year" },
      descriptionCut: false,
      business: { publicId: "org_northwind", ratingGrade: "B" },
      asOf: { block: "48211034", time: "2026-03-01T12:00:00Z" },
    });
    const events = structuredContent?.events as { kind: string; display: Record<string, string> }[];
    // The others do not fit an answer of 6,000 characters with amounts as long as these.
    expect(events).toHaveLength(5);
    expect(structuredContent?.eventsCut).toBe(true);
    expect(Object.keys(events[0]?.display ?? {})).toEqual(["amount", "totalRaised"]);
    const chosen = await facts("get_deal", { id: "RB00003", kinds: ["subscribed"] });
    expect(chosen.events).toHaveLength(30);
    expect(chosen.eventsCut).toBe(false);
  });

  it("projects an investment where money can be lost, and says why there is no projection elsewhere", async () => {
    const { market } = await snapshotOf(tablesOf(), everyState().registry);
    const projected = async (id: string) => {
      const { projection, display } = await facts("get_deal", { id, investment: "1000" });
      return [projection !== undefined, (display as Record<string, string>).projection];
    };
    expect(new Set([...market.listings].map(canLose))).toEqual(new Set([true, false]));
    for (const listing of market.listings) {
      const why = "This raise has failed or ended, or its principal is repaid: there is nothing to project.";
      const expected = canLose(listing) ? [true, undefined] : [false, why];
      expect(await projected(listing.publicId), listing.publicId).toEqual(expected);
    }
    const { display } = await facts("get_deal", { id: "lst_7" });
    expect(display).not.toHaveProperty("projection");
  });

  it("projects no payment at a maturity that has passed", async () => {
    const listings = [
      listingRow({ onchainId: 1n, ...DRAWN }),
      listingRow({ onchainId: 2n, ...DRAWN, maturityAt: NOW - 3n * DAY }),
      listingRow({ onchainId: 3n, ...DRAWN, maturityAt: NOW - 120n * DAY }),
    ];
    const registry = registryOf(["1", "2", "3"].map((onchainId) => entryDraft({ onchainId })));
    const some = calling(await appIn({ snapshot: await snapshotOf(tablesOf({ listings }), registry) }));
    const assumedFor = async (id: string) => {
      const { projection } = await some.facts("get_deal", { id, investment: "1000" });
      return (projection as { assumes: string }).assumes.split(", ")[0];
    };
    expect(await assumedFor("lst_1")).toBe("Bought at par; all is paid at maturity");
    for (const id of ["lst_2", "lst_3"])
      expect(await assumedFor(id)).toBe("Bought at par; all is paid after the due date");
  });

  it("says why a raise that is late by its date has no days overdue: its principal is paid off", async () => {
    const late = { ...DRAWN, maturityAt: NOW - 20n * DAY };
    const repaid = { ...late, outstandingPrincipal: 0n, repaidPrincipal: 80_000n * DOLLAR };
    const listings = [
      listingRow({ onchainId: 1n, ...repaid, repaidInterest: 5_800n * DOLLAR }),
      listingRow({ onchainId: 2n, ...late }),
      listingRow({ onchainId: 3n, ...repaid }),
    ];
    const registry = registryOf(["1", "2", "3"].map((onchainId) => entryDraft({ onchainId })));
    const some = calling(await appIn({ snapshot: await snapshotOf(tablesOf({ listings }), registry) }));
    const saidOf = async (id: string) => {
      const { deal, daysOverdue, display } = await some.facts("get_deal", { id });
      const { deals } = await some.facts("list_deals", { q: id });
      const rows = deals as (Listing & { daysOverdue: number | null; display: Record<string, string> })[];
      const said = (display as Record<string, string>).repayment;
      expect(rows.map((row) => [row.publicId, row.daysOverdue, row.display.repayment])).toEqual([
        [id, daysOverdue, said],
      ]);
      return [(deal as Listing).repayment, daysOverdue, said];
    };
    expect(await saidOf("lst_1")).toEqual([
      ...["late", null],
      "Past its due date, but no principal is owed any more: the raise waits to be settled.",
    ]);
    expect(await saidOf("lst_2")).toEqual(["late", 20, undefined]);
    expect(await saidOf("lst_3")).toEqual([
      ...["late", null],
      "Past its due date: no principal is owed any more, but interest still is.",
    ]);
  });

  it("counts principal of a token that is owed, however much interest was paid", async () => {
    const half = { repaidPrincipal: 40_000n * DOLLAR, outstandingPrincipal: 40_000n * DOLLAR };
    const listings = [listingRow({ ...DRAWN, ...half, repaidInterest: 46_000n * DOLLAR })];
    const tables = tablesOf({ listings, offers: [offerRow()] });
    const snapshot = await snapshotOf(tables, registryOf([entryDraft()]), { ...SITE, desk: DESK });
    const one = calling(await appIn({ snapshot }));
    const { desk, projection } = await one.facts("get_deal", { id: "lst_1", investment: "95" });
    expect(projection).toMatchObject({ atBestOffer: { received: `${50n * DOLLAR}` } });
    const { bestOffer } = (desk as { display: { bestOffer: string } }).display;
    expect(bestOffer).toContain(
      "95.00% of par, a loss for the buyer: only 50.00% is still to be paid (interest",
    );
  });

  it("names no person, unless the service is set up to", async () => {
    const { text } = await call("get_deal", { id: "lst_3" });
    expect(text).not.toContain("b1b1b1");
    const open = await appIn({ overrides: { ledger: busyLedger(3), exposeAccounts: true } });
    expect((await calling(open).call("get_deal", { id: "lst_3" })).text).toContain("b1b1b1");
  });
});

it("search_knowledge says of which block its figures are", async () => {
  expect(await facts("search_knowledge", { query: "who is late" })).toMatchObject({
    hits: [{ kind: "market" }, {}, {}, {}, {}],
    asOf: { block: "48211034", time: "2026-03-01T12:00:00Z" },
  });
});

it("a creator and terms that the chain does not tell are reasons to check, as on the page of the raise", async () => {
  const registryAlone = calling(await appIn({ snapshot: await marketOfTheRegistry() }));
  const deal = await registryAlone.facts("get_deal", { id: "lst_1" });
  expect(deal.warnings).toEqual([
    expect.stringMatching(/^The chain does not say who created this raise: .* send money\.$/),
    expect.stringMatching(/^The contract does not give all terms of this raise/),
  ]);
  const { deals } = await registryAlone.facts("list_deals", {});
  expect(deals).toMatchObject([{ warnings: ["Creator not on the chain", "Terms not on the chain"] }]);
});

it("an argument's name of any length and any characters is not repeated as it is", async () => {
  const { text } = await call("list_deals", { [`\u202E${"x".repeat(5000)}`]: 1 });
  expect(text.length).toBeLessThan(300);
  expect(text).not.toContain("\u202E");
});

describe("before the first indexed block", () => {
  it("the rules can be looked up, and the market is announced for later", async () => {
    const { call: early } = calling(await appIn({ snapshot: null }));
    const answers: Called[] = [];
    for (const name of ["list_deals", "list_businesses"]) answers.push(await early(name, {}));
    answers.push(await early("get_deal", { id: "lst_1" }));
    for (const { isError, text } of answers) {
      expect(isError).toBe(true);
      expect(text).toMatch(/ask again/);
    }
    const { structuredContent } = await early("search_knowledge", { query: "refund" });
    expect(structuredContent).toEqual({ hits: expect.any(Array) });
  });
});

it("a failure inside the service is logged, and not told to the caller", async () => {
  const { log, lines } = recordedLog();
  const ledger = { ...busyLedger(1), ofListing: () => Promise.reject(new Error("secret at /srv/app.ts")) };
  const { call: broken } = calling(await appIn({ overrides: { ledger, log } }));
  const { isError, text } = await broken("get_deal", { id: "lst_3" });
  expect(isError).toBe(true);
  expect(text).toBe("Something went wrong inside the service: try again in a few seconds.");
  expect(lines.map(({ msg, tool }) => ({ msg, tool }))).toEqual([{ msg: "A tool failed", tool: "get_deal" }]);
});

it("a ledger that differs from the market is reported, and is not logged as a failure", async () => {
  const { log, lines } = recordedLog();
  const { call: early } = calling(await appIn({ overrides: { ...(await neverInStep()), log } }));
  for (const [name, args] of [
    ["get_deal", { id: "lst_3" }],
    ["list_businesses", { since: "2026-01-01T00:00:00Z" }],
  ] as const) {
    const { isError, text } = await early(name, args);
    expect(isError).toBe(true);
    expect(text).toBe("The last blocks are being replaced by others; ask again in a moment.");
  }
  expect(lines).toEqual([]);
});

const HIT: Hit = {
  ...{ kind: "market", title: "No raise is late.", heading: null, excerpt: "", marks: [] },
  ...{ url: "https://raises.example/", isQuoted: false, section: null },
};

it("a call that failed once is answered the next time, about the same market", async () => {
  const { log } = recordedLog();
  const failures = [new Error("once")];
  const search: Search = {
    search: () => {
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
      return [HIT];
    },
    isComplete: () => true,
  };
  const { call: shaky } = calling(await appIn({ overrides: { search, log } }));
  const isError: boolean[] = [];
  for (let count = 0; count < 2; count++) {
    isError.push((await shaky("search_knowledge", { query: "refund" })).isError);
  }
  expect(isError).toEqual([true, false]);
});

it("calls with their own tokens, or with arguments in another order, share an answer", async () => {
  let searches = 0;
  const search: Search = {
    search: () => [{ ...HIT, title: `${++searches}` }],
    isComplete: () => true,
  };
  const { send } = calling(await appIn({ overrides: { search } }));
  for (const call of [
    { arguments: { query: "refund", limit: 2 } },
    { arguments: { query: "refund", limit: 2 }, _meta: { progressToken: 1 } },
    { arguments: { limit: 2, query: "refund" }, _meta: { progressToken: 2 } },
  ])
    await send("tools/call", { name: "search_knowledge", ...call });
  expect(searches).toBe(1);
});
