/** Queries for events that cannot be answered. */
import { describe, expect, it } from "vitest";
import { EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { askIn } from "../../test/harness/app.ts";
import { fixedLedger } from "../../test/harness/fixed-ledger.ts";
import { HEAD } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { validatorOf } from "../../test/harness/validate.ts";

const EVENT_PATHS = ["/v1/events", "/v1/listings/lst_2/events"];
const ledger = fixedLedger();
const ask = await askIn({ overrides: { ledger } });
const assertAnswer = await validatorOf(ask);

describe.each(EVENT_PATHS)("%s", (path) => {
  it.each([
    ["kind=subscribed,nothing", "kind", EVENT_KINDS],
    ["kind=", "kind", EVENT_KINDS],
    ["since=yesterday", "since", [expect.stringContaining("block number")]],
    ["until=-1", "until", [expect.stringContaining("2026-03-01T12:00:00Z")]],
    ["finality=safe", "finality", ["pending", "final"]],
    ["confirmations=10001", "confirmations", ["an integer from 0 to 10000"]],
    ["confirmations=1&until=5", "confirmations", ["one of the two"]],
    ["limit=0", "limit", ["an integer from 1 to 200"]],
    ["limit=201", "limit", ["an integer from 1 to 200"]],
    ["cursor=abc", "cursor", [expect.stringContaining("nextCursor")]],
    ["cursor=", "cursor", [expect.stringContaining("nextCursor")]],
    ["limit=1&limit=2", "limit", ["one value"]],
  ])("refuses ?%s and says what is allowed", async (query, parameter, allowed) => {
    for (const suffix of ["", ".csv"]) {
      const answer = await ask(`${path}${suffix}?${query}`);
      assertAnswer(`${path}${suffix}`, answer);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text).errors).toEqual([{ parameter, detail: expect.any(String), allowed }]);
    }
  });

  it("refuses more confirmations than there are blocks, as listings do, once all are indexed", async () => {
    const snapshot = await snapshotOf(tablesOf());
    const indexed = await askIn({ snapshot, overrides: { ledger } });
    for (const suffix of ["", ".csv"]) {
      // The made-up index begins 1,000 blocks below the head.
      const [most, more] = [1_000, 1_001].map((count) => `${path}${suffix}?confirmations=${count}`);
      expect((await indexed(most ?? "")).status).toBe(200);
      const answer = await indexed(more ?? "");
      assertAnswer(`${path}${suffix}`, answer);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({
        code: "invalid_parameter",
        detail: `Block 48210033 is before the first one. Blocks 48210034 to ${HEAD.number} are indexed.`,
        errors: [{ parameter: "confirmations", allowed: ["0", "no more than there are blocks"] }],
      });
      const early = await askIn({ snapshot: { ...snapshot, backfilled: false }, overrides: { ledger } });
      expect((await early(more ?? "")).status).toBe(200);
    }
  });

  it("refuses an unknown parameter and names those there are", async () => {
    const answer = await ask(`${path}?backer=0xb1`);
    const business = path === "/v1/events" ? ["originator"] : [];
    const allowed = ["kind", "since", "until", "finality", ...business, "limit", "cursor", "confirmations"];
    expect(JSON.parse(answer.text).errors).toEqual([
      { parameter: "backer", detail: expect.any(String), allowed },
    ]);
  });
});

describe("/v1/events?originator=", () => {
  it.each(["", "x%20y"])("refuses %j, which is no id", async (value) => {
    for (const suffix of ["", ".csv"]) {
      const answer = await ask(`/v1/events${suffix}?originator=${value}`);
      assertAnswer(`/v1/events${suffix}`, answer);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text).errors).toMatchObject([
        { parameter: "originator", allowed: [expect.stringContaining("org_northwind")] },
      ]);
    }
  });
});
