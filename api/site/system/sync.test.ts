import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failed } from "../../../operate/audit/audit.ts";
import { dependenciesIn, type Situation } from "../../../test/harness/app.ts";
import { HEAD } from "../../../test/harness/rows.ts";
import { COMPLETE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { TROUBLES, type Trouble } from "../../health/troubles.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { syncOf, TROUBLE_WORDS } from "./sync.ts";

const ahead = (blocks: bigint) => ({ number: HEAD.number + blocks, timestamp: HEAD.timestamp + blocks });
const sync = async (situation: Situation) => syncOf(await dependenciesIn(situation));
const backfilling = async () => snapshotOf(tablesOf({ backfilled: false }));

describe("how far the index is", () => {
  it("is at the head, or within ten blocks of it", async () => {
    expect(await sync({})).toEqual({
      state: "ok",
      indexed: 48_211_034n,
      head: 48_211_034n,
      start: 48_210_034n,
      percent: 100,
      text: "The figures are up to date with the blockchain.",
      progress: null,
    });
    expect(await sync({ upstreamHead: ahead(10n) })).toMatchObject({ state: "ok", percent: 99 });
    expect(await sync({ upstreamHead: ahead(11n) })).toMatchObject({ state: "syncing", percent: 98 });
  });

  it("is part of the way from the first block, in whole per cent that are never rounded up", async () => {
    const snapshot = await backfilling();
    expect(await sync({ snapshot, upstreamHead: ahead(999_000n) })).toMatchObject({
      state: "syncing",
      percent: 0,
      text: expect.stringContaining("block 48,211,034 of 49,210,034, 0%"),
    });
    expect(await sync({ snapshot, upstreamHead: ahead(500n) })).toMatchObject({ percent: 66 });
    // The first block is the only one there is.
    const only = { overrides: { firstBlock: HEAD.number } };
    expect(await sync({ ...only })).toMatchObject({ state: "ok", percent: 100 });
    expect(await sync({ ...only, upstreamHead: ahead(1n) })).toMatchObject({ percent: 0 });
    // At the head and not told yet that the backfill has ended.
    expect(await sync({ snapshot })).toMatchObject({ state: "syncing", percent: 100 });
  });

  it("is not known while the chain's length is not", async () => {
    const snapshot = await backfilling();
    expect(await sync({ snapshot, upstreamHead: null })).toMatchObject({
      state: "syncing",
      head: null,
      percent: null,
      text: expect.stringContaining("not known yet"),
    });
  });

  it("begins at nothing", async () => {
    expect(await sync({ snapshot: null, upstreamHead: null })).toEqual({
      state: "starting",
      indexed: null,
      head: null,
      start: 48_210_034n,
      percent: null,
      text: "We have not read any blocks yet. Raises will appear here shortly.",
      progress: null,
    });
    expect(await sync({ snapshot: null })).toMatchObject({ state: "starting", percent: 0 });
    const silent = await sync({ snapshot: null, upstreamHead: null, secondsSinceSeen: 61 });
    expect(silent.state).toBe("starting");
    expect(silent.text).toContain(TROUBLE_WORDS.node_silent);
  });

  it("stays within its bounds, whatever the three blocks are", async () => {
    const snapshot = await snapshotOf(tablesOf());
    const block = fc.bigInt({ min: 0n, max: 2n ** 64n });
    const number = fc.oneof(block, fc.bigInt({ min: HEAD.number - 3n, max: HEAD.number + 3n }));
    await fc.assert(
      fc.asyncProperty(number, fc.option(number), async (firstBlock, head) => {
        const upstreamHead = head === null ? null : { number: head, timestamp: HEAD.timestamp };
        const { percent } = await sync({ snapshot, upstreamHead, overrides: { firstBlock } });
        if (head === null) expect(percent).toBeNull();
        else {
          expect(Number.isInteger(percent)).toBe(true);
          expect(percent).toBeGreaterThanOrEqual(0);
          expect(percent).toBeLessThanOrEqual(100);
          if (firstBlock <= HEAD.number) expect(percent === 100).toBe(HEAD.number >= head);
        }
      }),
    );
  });
});

/** Some troubles, as the tables have them. */
const IN_TABLES = {
  endpoints_disagree: { disputed: 48_210_000n },
  finality_stalled: { finality: "stalled" },
  logs_incomplete: { completeness: { ...COMPLETE, omitting: ["rpc.example"] } },
} as const;

const isInTables = (trouble: Trouble): trouble is keyof typeof IN_TABLES => trouble in IN_TABLES;

describe("why the service is degraded", () => {
  const RED = { ...failed(""), status: "red" as const, problem: null };
  const choices: Record<Exclude<Trouble, keyof typeof IN_TABLES>, Situation> = {
    node_silent: { secondsSinceSeen: 61 },
    database_silent: { secondsSinceRead: 11 },
    index_stalled: { overrides: { stall: { stalled: () => true } } },
    endpoint_unfit: {
      overrides: { endpoints: { current: () => [{ endpoint: "rpc.example", reason: "pruned" }] } },
    },
    registry_refused: { registry: { status: "refused", problem: "listings[3].title" } },
    audit_red: { overrides: { audit: { start: () => {}, state: () => ({ running: null, last: RED }) } } },
  };
  const snapshots = new Map<string, Snapshot>();

  it("names each cause and every set of them, in words, and no block that moves", async () => {
    for (let set = 0; set < 2 ** TROUBLES.length; set++) {
      const causes = TROUBLES.filter((_, at) => (set & (2 ** at)) !== 0);
      const situation: Situation = { upstreamHead: ahead(500n) };
      let inTables = {};
      for (const cause of causes) {
        if (isInTables(cause)) inTables = { ...inTables, ...IN_TABLES[cause] };
        else {
          const overrides = { ...situation.overrides, ...choices[cause].overrides };
          Object.assign(situation, choices[cause], { overrides });
        }
      }
      const key = Object.keys(inTables).join();
      if (key !== "") {
        const snapshot = snapshots.get(key) ?? (await snapshotOf(tablesOf(inTables)));
        snapshots.set(key, snapshot);
        situation.snapshot = snapshot;
      }
      const deps = await dependenciesIn(situation);
      const { state, text } = syncOf(deps);
      expect(deps.health.troubles()).toEqual(causes);
      expect(state).toBe(deps.health.report().status);
      expect(state).toBe(causes.length === 0 ? "syncing" : "degraded");
      if (causes.length > 0) expect(text).toBe(causes.map((cause) => TROUBLE_WORDS[cause]).join(" "));
    }
  });
});
