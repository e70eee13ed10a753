import { describe, expect, it } from "vitest";
import { appIn } from "../harness/app.ts";
import { asking } from "../harness/asking.ts";
import { calling } from "../harness/mcp.ts";
import { memoryLedger, memoryRows } from "../harness/memory-ledger.ts";
import { DESK, DOLLAR } from "../harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../harness/snapshot.ts";
import { QUESTIONS, type Rest } from "./tool-questions.ts";
import { LEDGER, REGISTRY, TABLES } from "./tool-questions-market.ts";
import { REVIEW_QUESTIONS } from "./tool-questions-review.ts";

const snapshot = await snapshotOf(tablesOf(TABLES), REGISTRY, { ...SITE, desk: DESK });
const app = await appIn({ snapshot, overrides: { ledger: memoryLedger(LEDGER) } });
const read = async (path: string) => JSON.parse((await asking(app)(path)).text);
const { call } = calling(app);

const { listings, trading } = await read("/v1/listings");
const schedules: Rest["schedules"] = { lst_3: await read("/v1/listings/lst_3/schedule") };
const rest: Rest = {
  listings,
  trading,
  originators: (await read("/v1/originators")).originators,
  stats: await read("/v1/stats"),
  events: (await read("/v1/events?limit=200")).events,
  schedules,
};

it("the market has what the questions are about", () => {
  expect(rest.listings).toHaveLength(11);
  expect(rest.events).toHaveLength(LEDGER.length);
  expect(new Set(rest.listings.map(({ repayment }) => repayment)).size).toBe(7);
  expect(rest.trading.openOffers).toBe(3);
});

it("there are forty questions and eleven of a review, no two the same", () => {
  expect(new Set(QUESTIONS.map(({ question }) => question)).size).toBe(40);
  expect(new Set([...QUESTIONS, ...REVIEW_QUESTIONS].map(({ question }) => question)).size).toBe(51);
});

describe("a question", () => {
  it.each([...QUESTIONS, ...REVIEW_QUESTIONS])(
    "is answered in two calls at most: $question",
    async ({ calls, read, expected }) => {
      expect(calls.length).toBeLessThanOrEqual(2);
      const answers: unknown[] = [];
      for (const [tool, args] of calls) {
        const { structuredContent, isError, text } = await call(tool, args);
        expect(isError, text).toBe(false);
        answers.push(structuredContent);
      }
      const fact = read(...answers);
      expect(fact).toEqual(expected(rest));
      // A value that is missing on both sides proves nothing.
      expect([fact].flat(3)).not.toContain(undefined);
      expect([fact].flat(3).length).toBeGreaterThan(0);
    },
  );
});

it.each([
  ["2026-02-28", "2026-02-28T23:59:59Z", 1],
  ["2026-02-28T06:00:00Z", "2026-02-28T06:00:00Z", 1],
  ["2026-02-28T05:59:59Z", "2026-02-28T05:59:59Z", 0],
  ["2026-03-01", "2026-03-01T12:00:00Z", 4],
])("the end of an activity is inclusive: %s", async (until, shown, count) => {
  const args = { since: "2026-02-28", until, limit: 1 };
  const { structuredContent } = await call("list_businesses", args);
  expect(structuredContent?.activity).toMatchObject({ until: shown, events: count });
});

it("businesses and what happened to them read as text", async () => {
  const { text } = await call("list_businesses", { q: "northwind", since: "2026-02-01T00:00:00Z" });
  expect(text.split("\n")).toEqual([
    "1 of 1 business, as of block 48211034 (2026-03-01T12:00:00Z).",
    "",
    "From 2026-02-01T00:00:00Z to 2026-03-01T12:00:00Z: 5 events (2 subscribed, 1 drawn_down, 2 repaid).",
    "Repaid 140,000 USD-test of principal and 5,900 USD-test of interest. Committed 40,000 USD-test, withdrawn or outbid 0 USD-test, refunded in all 0 USD-test, drawn 80,000 USD-test, written off 0 USD-test.",
    "In 4 raises: RB00001 (lst_1) 2 events, RB00003 (lst_3) 1 event, RB00006 (lst_6) 1 event, RB00008 (lst_8) 1 event.",
    "- 2026-03-01T10:00:00Z subscribed RB00001 “A second oven”: amount 25,000 USD-test, totalRaised 40,000 USD-test",
    "- 2026-02-28T06:00:00Z subscribed RB00001 “A second oven”: amount 15,000 USD-test, totalRaised 15,000 USD-test",
    "- 2026-02-25T12:00:00Z repaid RB00008 “Flour silo”: principal 60,000 USD-test, interest 900 USD-test, outstandingPrincipal 20,000 USD-test",
    "- 2026-02-19T12:00:00Z drawn_down RB00003 “Delivery vans”: amount 80,000 USD-test, fee 0 USD-test",
    "- 2026-02-08T12:00:00Z repaid RB00006 “First oven”: principal 80,000 USD-test, interest 5,000 USD-test, outstandingPrincipal 0 USD-test",
    "",
    "org_northwind: Northwind Bakery Pte. Ltd. (SG)",
    "Grade B: 2 resolved raises of at least 1,000 USD-test, 160,000 USD-test lent in all resolved ones, 0.00% lost or in default, 0.00% in raises that ended, or are still unpaid, more than 30 days late or that needed the reserve. Verification: approved.",
    "Raises: 5, 1 of them open. Lent 320,000 USD-test, repaid 230,000 USD-test, written off 0 USD-test. Committed in all 360,000 USD-test, of which 0 USD-test was returned and 0 USD-test can be claimed.",
    // The silo is three days overdue.
    "Days late: 2 on time, 1 up to 7 days late.",
    "Owed: 100,000 USD-test; current 80,000 USD-test (80.00%), 1 raise; grace 20,000 USD-test (20.00%), 1 raise.",
    "https://raises.example/originators/org_northwind",
  ]);
});

it("the activity of some kinds of events is named as such, without sums of other kinds", async () => {
  const span = { q: "northwind", since: "2026-02-01T00:00:00Z" };
  const activityIn = async (kinds: string[]) =>
    (await call("list_businesses", { ...span, kinds })).text.split("\n").slice(2, 4);
  expect(await activityIn(["repaid"])).toEqual([
    "From 2026-02-01T00:00:00Z to 2026-03-01T12:00:00Z, of the kind repaid alone: 2 events (2 repaid).",
    "Repaid 140,000 USD-test of principal and 5,900 USD-test of interest.",
  ]);
  expect(await activityIn(["subscribed", "drawn_down"])).toEqual([
    "From 2026-02-01T00:00:00Z to 2026-03-01T12:00:00Z, of the kinds subscribed, drawn_down alone: 3 events (2 subscribed, 1 drawn_down).",
    "Committed 40,000 USD-test, drawn 80,000 USD-test.",
  ]);
  expect(await activityIn(["refunded"])).toEqual([
    "From 2026-02-01T00:00:00Z to 2026-03-01T12:00:00Z, of the kind refunded alone: 0 events.",
    "Withdrawn or outbid 0 USD-test, refunded in all 0 USD-test.",
  ]);
});

it("sums of other kinds of events than those asked for are in no form of the answer", async () => {
  const WITHDRAWN = 4_000n * DOLLAR;
  const [withdrawal] = memoryRows([
    {
      ...{ onchainId: 1n, kind: "refunded", ago: 2_000n },
      args: { backer: "0x00", reason: "withdrawn", amount: `${WITHDRAWN}`, totalRefunded: `${WITHDRAWN}` },
      ...{ committed: -WITHDRAWN, refunded: WITHDRAWN },
    },
  ]);
  if (withdrawal === undefined) throw new Error("no row");
  const { call: asked } = calling(
    await appIn({ snapshot, overrides: { ledger: memoryLedger([withdrawal, ...LEDGER]) } }),
  );
  const sumsOf = async (kinds?: string[]) => {
    const args = { q: "northwind", since: "2026-02-01T00:00:00Z", ...(kinds && { kinds }) };
    const { text, structuredContent } = await asked("list_businesses", args);
    // biome-ignore lint/suspicious/noExplicitAny: an answer is read by path, as an agent does
    const { display, committed, refunded } = (structuredContent as any).activity;
    return { line: text.split("\n")[3], names: Object.keys(display), committed, refunded };
  };
  expect(await sumsOf(["subscribed"])).toEqual({
    ...{ line: "Committed 40,000 USD-test.", names: ["committed"] },
    ...{ committed: `${40_000n * DOLLAR}`, refunded: undefined },
  });
  expect(await sumsOf(["refunded"])).toEqual({
    line: "Withdrawn or outbid 4,000 USD-test, refunded in all 4,000 USD-test.",
    names: ["withdrawn", "refunded"],
    ...{ committed: undefined, refunded: `${WITHDRAWN}` },
  });
  expect(await sumsOf(["subscribed", "refunded"])).toMatchObject({
    ...{
      line: "Committed 40,000 USD-test, withdrawn or outbid 4,000 USD-test, refunded in all 4,000 USD-test.",
      committed: `${40_000n * DOLLAR}`,
    },
  });
  expect((await sumsOf()).line).toContain(
    "withdrawn or outbid 4,000 USD-test, refunded in all 4,000 USD-test, drawn",
  );
  expect((await sumsOf()).names).toHaveLength(7);
});

it("a grade that a failure caps reads as such", async () => {
  const { text } = await call("list_businesses", { grade: ["D", "E"] });
  const capped = rest.originators.filter(({ rating: { cap } }) => cap !== null);
  expect(capped.length).toBeGreaterThan(0);
  for (const { ratingGrade, rating } of capped)
    expect(text).toMatch(new RegExp(`^Grade ${ratingGrade}: .*, capped at ${rating.cap}\\. `, "m"));
});
