import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import type { LedgerRow } from "../../src/fold/state.ts";
import { appIn, askIn, type Situation } from "../../test/harness/app.ts";
import { type Ask, asking } from "../../test/harness/asking.ts";
import { fixedLedger, recordedLedger } from "../../test/harness/fixed-ledger.ts";
import { neverInStep } from "../../test/harness/never-in-step.ts";
import { FINALIZED, HEAD, NOW, subscribedRow } from "../../test/harness/rows.ts";
import { validatorOf } from "../../test/harness/validate.ts";
import type { LedgerQueries } from "../ledger/read.ts";

const BACKER = `0x${"b1".repeat(20)}` as const;

/** A subscription to the visible listing 2, `below` blocks below the head. */
const subscription = (below: bigint, overrides: Partial<LedgerRow> = {}): LedgerRow =>
  subscribedRow({ blockNumber: HEAD.number - below, blockTime: NOW - below, ...overrides });

const closed: LedgerRow = {
  ...subscription(30n, { kind: "listing_terms_updated", onchainId: 1n }),
  args: {
    terms: {
      targetAmount: "1000",
      minRaise: "10",
      couponRateBps: 1450,
      insuranceBps: 500,
      tenorDays: 90,
      pricingMode: "fixed",
      goLiveAt: "1",
      closeAt: null,
    },
    metadataHash: `0x${"4a".repeat(32)}`,
  },
};
const cancelled: LedgerRow = {
  ...subscription(31n, { kind: "offer_cancelled" }),
  args: { desk: `0x${"de".repeat(20)}`, offerId: "7", remaining: "0" },
};
const ROWS = [subscription(0n), subscription(29n), closed, cancelled];
const EVENT_PATHS = ["/v1/events", "/v1/listings/lst_2/events"];

const assertAnswer = await validatorOf(asking(await appIn()));

async function askOf(ledger: LedgerQueries, situation: Situation = {}): Promise<Ask> {
  const all = { ...situation, overrides: { ledger, ...situation.overrides } };
  return situation.overrides === undefined ? askIn(all) : asking(await appIn(all));
}

describe.each(EVENT_PATHS)("%s", (path) => {
  it("has the events of the page as they are described", async () => {
    const ask = await askOf(fixedLedger({ events: { rows: ROWS } }));
    const answer = await ask(path);
    assertAnswer(path, answer);
    const { events, page } = JSON.parse(answer.text);
    expect(page).toEqual({ nextCursor: null });
    expect(events[0]).toEqual({
      kind: "subscribed",
      publicId: "lst_2",
      refnum: "RB00002",
      blockNumber: HEAD.number.toString(),
      blockTime: "2026-03-01T12:00:00Z",
      logIndex: 4,
      txHash: `0x${"7a".repeat(32)}`,
      finality: "pending",
      amount: "100",
      bidRateBps: 0,
      totalRaised: "100",
    });
    expect(events.map(({ finality }: { finality: string }) => finality)).toEqual([
      "pending",
      "pending",
      "final",
      "final",
    ]);
    expect(answer.headers.get("x-indexed-block")).toBe(HEAD.number.toString());
  });

  it("names persons only where the service is set up to", async () => {
    const ledger = fixedLedger({ events: { rows: ROWS } });
    const hiding = await askOf(ledger);
    const showing = await askOf(ledger, { overrides: { exposeAccounts: true } });
    for (const accept of ["application/json", "text/csv"]) {
      const headers = { accept };
      expect((await hiding(path, { headers })).text).not.toMatch(/b1b1b1|backer|payer|seller|buyer/);
      expect((await showing(path, { headers })).text).toContain(BACKER);
    }
    assertAnswer(path, await showing(path));
  });

  it("is the same in CSV", async () => {
    const ask = await askOf(fixedLedger({ events: { rows: ROWS } }));
    const { events } = JSON.parse((await ask(path)).text);
    const negotiated = await ask(path, { headers: { accept: "text/csv" } });
    const file = await ask(`${path}.csv`, { headers: { accept: "text/html" } });
    assertAnswer(path, negotiated);
    assertAnswer(`${path}.csv`, file);
    expect(file.text).toBe(negotiated.text);
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="events.csv"');
    expect(negotiated.headers.has("content-disposition")).toBe(false);
    const records: Record<string, string>[] = parse(negotiated.text, { columns: true });
    const filled = records.map((record) =>
      Object.fromEntries(Object.entries(record).filter(([, v]) => v !== "")),
    );
    const texts = events.map((event: object) =>
      Object.fromEntries(
        Object.entries(event).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
      ),
    );
    expect(filled).toEqual(texts);
  });

  it("links to the next page, with the same filters", async () => {
    const next = { blockNumber: 120n, logIndex: 3 };
    const ask = await askOf(fixedLedger({ events: { rows: ROWS, next } }));
    const business = path === "/v1/events" ? "&originator=org_northwind" : "";
    for (const suffix of ["", ".csv"]) {
      const { headers } = await ask(
        `${path}${suffix}?kind=subscribed,repaid${business}&limit=2&cursor=MTMwLjA`,
      );
      expect(headers.get("link")).toBe(
        `<https://raises.example${path}${suffix}?kind=subscribed%2Crepaid${business}&limit=2&cursor=MTIwLjM>; rel="next"`,
      );
    }
    expect(JSON.parse((await ask(path)).text).page).toEqual({ nextCursor: "MTIwLjM" });
    expect((await (await askOf(fixedLedger()))(path)).headers.has("link")).toBe(false);
  });

  it("has a tag of its own for each page and form, and 304 for one that is current", async () => {
    const ask = await askOf(fixedLedger({ events: { rows: ROWS } }));
    const json = (await ask(path)).headers.get("etag") ?? "";
    const csv = (await ask(path, { headers: { accept: "text/csv" } })).headers.get("etag");
    expect(csv).not.toBe(json);
    const unchanged = await ask(path, { headers: { "if-none-match": json } });
    expect(unchanged.status).toBe(304);
    assertAnswer(path, unchanged);
    const other = await askOf(fixedLedger({ events: { rows: ROWS.slice(1) } }));
    expect((await other(path)).headers.get("etag")).not.toBe(json);
  });

  it("asks for what the parameters say", async () => {
    const { asked, reader } = recordedLedger();
    const ask = await askOf(reader);
    await ask(path);
    await ask(`${path}?kind=repaid&since=5&until=2026-03-01T12:00:00.9Z&limit=200&cursor=MTIwLjM`);
    expect(asked.events).toEqual([
      { kinds: null, since: null, until: null, before: null, limit: 50 },
      {
        kinds: new Set(["repaid"]),
        since: { block: 5n },
        until: { time: NOW },
        before: { blockNumber: 120n, logIndex: 3 },
        limit: 200,
      },
    ]);
    const listings = path === "/v1/events" ? ["1", "2", "3", "4", "5", "6", "7", "8"] : ["2"];
    expect(asked.pairs.map((pairs) => pairs.toSorted())).toEqual([listings, listings]);
  });

  it.each([
    ["finality=final", { until: { block: FINALIZED.number } }],
    ["finality=pending", { since: { block: FINALIZED.number + 1n } }],
    ["confirmations=15", { until: { block: HEAD.number - 15n } }],
    ["confirmations=40&finality=final", { until: { block: HEAD.number - 40n } }],
    ["confirmations=15&since=7", { since: { block: 7n }, until: { block: HEAD.number - 15n } }],
  ])("reads no more than ?%s asks for", async (query, bounds) => {
    const { asked, reader } = recordedLedger();
    expect((await (await askOf(reader))(`${path}?${query}`)).status).toBe(200);
    expect(asked.events).toMatchObject([{ since: null, until: null, ...bounds }]);
  });

  it("shows nothing that has become final since a page of pending events was asked for", async () => {
    const ask = await askOf(fixedLedger({ events: { rows: ROWS } }));
    const shown = async (query: string) =>
      JSON.parse((await ask(`${path}${query}`)).text).events.map(
        (event: { finality: string }) => event.finality,
      );
    const all = await shown("");
    for (const finality of ["pending", "final"]) {
      const some = all.filter((one: string) => one === finality);
      expect(some).not.toEqual([]);
      expect(await shown(`?finality=${finality}`)).toEqual(some);
    }
  });

  it("answers 503 while the ledger is not that of the market", async () => {
    const ask = await askOf(fixedLedger(), { overrides: await neverInStep() });
    const answer = await ask(path);
    assertAnswer(path, answer);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(JSON.parse(answer.text).code).toBe("reorganising");
  });

  it("is read once for all who ask for it at the same time", async () => {
    const { asked, reader } = recordedLedger();
    const ask = await askOf(reader);
    const queries = ["?kind=repaid", "?kind=repaid", "?kind=repaid&limit=1", "?kind=repaid"];
    const answers = await Promise.all(queries.map((query) => ask(`${path}${query}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(asked.events.map(({ limit }) => limit).toSorted()).toEqual([1, 50]);
  });

  it("answers 503 before the first checkpoint and while it backfills", async () => {
    const early = await askOf(fixedLedger(), { snapshot: null });
    const unready = await askOf(fixedLedger({ events: "not_indexed_yet" }));
    const { updater } = await neverInStep();
    const backfilling = await askOf(fixedLedger({ events: "backfilling" }), { overrides: { updater } });
    for (const [ask, code] of [
      [early, "not_indexed_yet"],
      [unready, "not_indexed_yet"],
      // The market is backfilled: the indexer has been started again.
      [backfilling, "reorganising"],
    ] as const) {
      for (const suffix of ["", ".csv"]) {
        const answer = await ask(`${path}${suffix}`);
        assertAnswer(`${path}${suffix}`, answer);
        expect(answer.status).toBe(503);
        expect(JSON.parse(answer.text).code).toBe(code);
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
        expect(answer.headers.has("content-disposition")).toBe(false);
      }
    }
  });

  it("answers 406 if the client accepts neither form", async () => {
    const ask = await askOf(fixedLedger());
    expect((await ask(path, { headers: { accept: "text/html" } })).status).toBe(406);
  });
});

describe("/v1/events?originator=", () => {
  // The made-up registry gives the first two listings to org_unverified, the others to org_northwind.
  it.each([
    ["org_unverified", ["1", "2"]],
    ["org_northwind", ["3", "4", "5", "6", "7", "8"]],
    ["org_nobody", []],
  ])("%s asks for the events of its visible listings alone", async (originator, listings) => {
    const { asked, reader } = recordedLedger();
    const ask = await askOf(reader);
    for (const suffix of ["", ".csv"]) {
      const path = `/v1/events${suffix}`;
      const answer = await ask(`${path}?originator=${originator}&kind=repaid`);
      assertAnswer(path, answer);
      expect(answer.status).toBe(200);
    }
    expect(asked.pairs.map((pairs) => pairs.toSorted())).toEqual([listings, listings]);
    for (const { kinds } of asked.events) expect(kinds).toEqual(new Set(["repaid"]));
  });
});

describe("the schema of an event", () => {
  it.each([
    ["an amount that is a number", { amount: 100 }],
    ["a field of another kind of event", { reason: "outbid" }],
    ["a field that nobody documented", { surprise: 1 }],
    ["no amount", { amount: undefined }],
    ["a kind that does not exist", { kind: "bought" }],
    ["a finality that does not exist", { finality: "safe" }],
  ])("refuses %s", async (_what, change) => {
    const answer = await (await askOf(fixedLedger({ events: { rows: ROWS } })))("/v1/events");
    const body = JSON.parse(answer.text);
    Object.assign(body.events[0], change);
    expect(() => assertAnswer("/v1/events", { ...answer, text: JSON.stringify(body) })).toThrow("/events/0");
  });
});

describe("/v1/listings/{id}/events", () => {
  it("knows a listing by its refnum too, and no other", async () => {
    const { asked, reader } = recordedLedger();
    const ask = await askOf(reader);
    expect((await ask("/v1/listings/RB00002/events")).status).toBe(200);
    expect(asked.pairs).toEqual([["2"]]);
    for (const id of ["lst_nowhere", "RB00099", "__proto__", "%00"]) {
      const answer = await ask(`/v1/listings/${id}/events`);
      expect(answer.status).toBe(404);
      assertAnswer(`/v1/listings/${id}/events`, answer);
    }
    expect(asked.pairs).toHaveLength(1);
  });
});
