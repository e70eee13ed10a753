/** Values at the edges: numbers beyond 2^31, and the figures of health. */
import { describe, expect, it } from "vitest";
import { graphqlApp, queryRunner } from "../../test/harness/graphql.ts";
import { everyState, listingRow } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";

describe("numbers", () => {
  it("beyond 2^31 are whole: rates, counts and amounts", async () => {
    const { registry } = everyState();
    const largest = 2n ** 255n;
    const rows = [
      listingRow({
        onchainId: 1n,
        couponRateBps: 2 ** 32 - 1,
        insuranceBps: 2 ** 32 - 1,
        targetAmount: largest,
      }),
    ];
    const snapshot = await snapshotOf(tablesOf({ listings: rows }), registry);
    const run = queryRunner(await graphqlApp({ updater: { current: () => snapshot } }));
    const { data, errors } = await run(
      '{ listing(id: "lst_1") { couponRateBps insuranceBps targetAmount } listings(minCouponBps: 4294967295) { totalCount } }',
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      listing: { couponRateBps: 4_294_967_295, insuranceBps: 4_294_967_295, targetAmount: `${largest}` },
      listings: { totalCount: 1 },
    });
  });
});

describe("health", () => {
  it("is that of REST: anomalies by kind, the last audit, the registry", async () => {
    const snapshot = await snapshotOf(tablesOf({ anomalies: { zero_amount: 2, bad_refnum: 1 } }));
    const last = {
      ...{ status: "red", block: "48211034", at: "2026-03-01T12:00:00Z", events: 1, checks: 1 },
      ...{ listings: [], notAuditable: [], surpluses: [], findings: [], problem: null },
    } as const;
    const run = queryRunner(
      await graphqlApp({
        updater: { current: () => snapshot },
        audit: { start: () => {}, state: () => ({ running: null, last }) as never },
      }),
    );
    const { data } =
      await run(`{ health { status troubles { code since remedy } chainId indexedBlock indexedAt headBlock lagSeconds unpublished
      anomalies { total byKind { key value } } audit { status block at listings findings }
      registry { status version problem } } }`);
    expect(data.health).toMatchObject({
      status: "degraded",
      troubles: [{ code: "audit_red", since: "2026-03-01T12:00:00Z", remedy: expect.any(String) }],
      chainId: 97,
      indexedBlock: "48211034",
      indexedAt: "2026-03-01T12:00:00Z",
      headBlock: "48211034",
      lagSeconds: 0,
      unpublished: 2,
      anomalies: { total: 3 },
      audit: { status: "red", block: "48211034", at: "2026-03-01T12:00:00Z", listings: 0, findings: 0 },
      registry: { status: "ok", version: "9f86d081884c7d65", problem: null },
    });
    expect(data.health.anomalies.byKind).toEqual(
      expect.arrayContaining([
        { key: "zero_amount", value: 2 },
        { key: "bad_refnum", value: 1 },
      ]),
    );
  });
});
