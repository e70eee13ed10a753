import { describe, expect, it } from "vitest";
import { failed } from "../../operate/audit/audit.ts";
import { appIn, askIn, dependenciesIn, type Situation } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { HEAD } from "../../test/harness/rows.ts";
import { OPERATOR } from "../../test/harness/signed-registry.ts";
import { COMPLETE, REGISTRY_STATE, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { validatorOf } from "../../test/harness/validate.ts";
import type { RegistryState } from "../registry/store.ts";

const assertAnswer = await validatorOf(asking(await appIn()));

const ahead = (blocks: bigint, seconds = blocks) => ({
  number: HEAD.number + blocks,
  timestamp: HEAD.timestamp + seconds,
});

async function look(path: "/v1/health" | "/v1/ready" | "/v1/audit", situation: Situation) {
  const answer = await (await askIn(situation))(path);
  assertAnswer(path, answer);
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.text) };
}

const backfilling = async (): Promise<Situation> => ({
  snapshot: await snapshotOf(tablesOf({ backfilled: false })),
});
const disputing = async (): Promise<Situation> => ({
  snapshot: await snapshotOf(tablesOf({ disputed: 48_210_000n })),
});
const omitting = async (): Promise<Situation> => ({
  snapshot: await snapshotOf(tablesOf({ completeness: { ...COMPLETE, omitting: ["rpc.example"] } })),
});
const PRUNED: Situation = {
  overrides: { endpoints: { current: () => [{ endpoint: "rpc.example", reason: "pruned" }] } },
};
const REFUSED = { status: "refused", problem: 'listings[3].escrowAddress: not an address: "0x"' } as const;

describe("GET /v1/health", () => {
  it("says everything about a service that is well", async () => {
    const anomalies = { second_close: 2, zero_amount: 1 };
    const snapshot = await snapshotOf(tablesOf({ anomalies }));
    const { status, body } = await look("/v1/health", { snapshot, upstreamHead: ahead(2n, 1n) });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "ok",
      troubles: [],
      chainId: 97,
      contracts: { name: "Raisebook", decimals: 18, events: 15 },
      indexedBlock: "48211034",
      finalizedBlock: "48211004",
      finality: { source: "finalized", lagBlocks: 30 },
      disputedBlock: null,
      completeness: {
        ...{ mode: "events", provenBlock: "48211004", provenBlocks: "12", unprovenBlocks: "0" },
        endpoints: [],
      },
      unfitEndpoints: [],
      indexedAt: "2026-03-01T12:00:00Z",
      headBlock: "48211036",
      lagSeconds: 1,
      blockNotices: "database",
      restarts: { count: 0, reason: null },
      instances: null,
      registry: {
        ...REGISTRY_STATE,
        hash: snapshot.registry.hash,
        sinceBlock: "48211034",
        since: "2026-03-01T12:00:00Z",
      },
      unpublished: 2,
      unprojectable: 0,
      anomalies: { total: 3, byKind: anomalies },
      audit: null,
      root: null,
      version: "0.1.0",
    });
  });

  it("reports a registry as unused until a block was answered with it", async () => {
    const { body } = await look("/v1/health", { registry: { hash: `0x${"00".repeat(32)}` } });
    expect(body.registry).toMatchObject({ sinceBlock: null, since: null });
  });

  it("says who signed the registry", async () => {
    const registry = { signer: OPERATOR, revision: 8 };
    expect((await look("/v1/health", { registry })).body.registry).toMatchObject(registry);
  });

  it("is 200 with nulls before anything is indexed and before the RPC has answered", async () => {
    const { status, body } = await look("/v1/health", { snapshot: null, upstreamHead: null });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "syncing",
      indexedBlock: null,
      finalizedBlock: null,
      finality: null,
      disputedBlock: null,
      completeness: null,
      indexedAt: null,
      headBlock: null,
      lagSeconds: null,
      unpublished: 0,
      anomalies: { total: 0, byKind: {} },
    });
  });

  it("names each trouble, the chain's time since which it holds, and what to do", async () => {
    const now = { head: ahead(2n), secondsSinceSeen: 70, registry: REFUSED as Partial<RegistryState> };
    const monitor = (
      await dependenciesIn({
        overrides: {
          upstream: { head: () => now.head, secondsSinceSeen: () => now.secondsSinceSeen },
          registry: { state: () => ({ ...REGISTRY_STATE, ...now.registry }) },
        },
      })
    ).health;
    expect(monitor.report().troubles).toEqual([
      { code: "node_silent", since: "2026-03-01T12:00:02Z", remedy: expect.stringContaining("quotas") },
      { code: "registry_refused", since: "2026-03-01T12:00:02Z", remedy: expect.any(String) },
    ]);
    // One ends and comes back, the other has been there all the time.
    Object.assign(now, { head: ahead(9n), secondsSinceSeen: 1 });
    expect(monitor.troubles()).toEqual(["registry_refused"]);
    now.secondsSinceSeen = 61;
    expect(monitor.report().troubles.map(({ since }) => since)).toEqual([
      "2026-03-01T12:00:09Z",
      "2026-03-01T12:00:02Z",
    ]);
    expect((await look("/v1/health", { registry: REFUSED })).body.troubles).toHaveLength(1);
    // Before there is a table to read it from, too.
    expect((await look("/v1/health", { ...PRUNED, snapshot: null })).body).toMatchObject({
      troubles: [{ code: "endpoint_unfit", remedy: expect.stringContaining("archive node") }],
      unfitEndpoints: [{ endpoint: "rpc.example", reason: "pruned" }],
    });
    expect((await look("/v1/health", { upstreamHead: null, secondsSinceSeen: 61 })).body.troubles).toEqual([
      { code: "node_silent", since: null, remedy: expect.any(String) },
    ]);
  });

  it.each([
    [1, 35],
    [121, 120.7],
  ])(
    "is %i seconds behind a block 1 s ahead after %d s of silence of the RPC",
    async (lagSeconds, secondsSinceSeen) => {
      const upstreamHead = ahead(2n, 1n);
      expect((await look("/v1/health", { upstreamHead, secondsSinceSeen })).body.lagSeconds).toBe(lagSeconds);
    },
  );

  const cases: [string, string, Situation | (() => Promise<Situation>)][] = [
    ["ok", "at the head", {}],
    ["ok", "10 blocks behind", { upstreamHead: ahead(10n) }],
    ["syncing", "11 blocks behind", { upstreamHead: ahead(11n) }],
    ["ok", "ahead of the head that was seen last", { upstreamHead: ahead(-1n) }],
    ["syncing", "not backfilled, though at the head", backfilling],
    ["syncing", "nothing indexed", { snapshot: null }],
    ["syncing", "the head not known yet", { upstreamHead: null }],
    ["ok", "the RPC silent for 60 seconds", { secondsSinceSeen: 60 }],
    ["degraded", "the RPC silent for more", { secondsSinceSeen: 60.5 }],
    ["degraded", "the RPC never heard of", { upstreamHead: null, secondsSinceSeen: 61 }],
    ["degraded", "the index standing still", { overrides: { stall: { stalled: () => true } } }],
    ["ok", "the database silent for 10 seconds", { secondsSinceRead: 10 }],
    ["degraded", "the database silent for more", { secondsSinceRead: 10.5 }],
    ["degraded", "the registry's update refused", { registry: REFUSED }],
    ["degraded", "a block disputed", disputing],
    ["degraded", "logs left out", omitting],
    ["degraded", "an endpoint without the history", async () => PRUNED],
    ["degraded", "refused while syncing", { snapshot: null, registry: REFUSED }],
  ];
  it.each(cases)("%s: %s", async (status, _what, situation) => {
    const answer = await look("/v1/health", typeof situation === "function" ? await situation() : situation);
    expect(answer.status).toBe(200);
    expect(answer.body.status).toBe(status);
  });

  it.each([
    ["ok", "ok"],
    ["red", "degraded"],
    ["failed", "ok"],
  ] as const)("has the last audit in short: %s, and is %s", async (result, status) => {
    const finding = {
      check: "views" as const,
      escrowAddress: `0x${"e5".repeat(20)}`,
      onchainId: "1",
      refnum: "RB00001",
      field: "raisedAmount",
      expected: "2",
      found: "1",
      block: "48211034",
    };
    const audited = result === "failed" ? null : { block: "48211034", at: "2026-03-01T12:00:00Z" };
    const last = {
      ...failed("no node answers"),
      ...audited,
      status: result,
      findings: result === "red" ? [finding] : [],
    };
    const audit = { start: () => {}, state: () => ({ running: null, last }) };
    const { body } = await look("/v1/health", { overrides: { audit } });
    expect(body.status).toBe(status);
    expect(body.audit).toEqual({
      status: result,
      block: audited?.block ?? null,
      at: audited?.at ?? null,
      listings: 0,
      findings: result === "red" ? 1 : 0,
    });
    expect((await look("/v1/audit", { overrides: { audit } })).body.last.findings).toEqual(last.findings);
  });

  it("names what was wrong with the registry", async () => {
    expect((await look("/v1/health", { registry: REFUSED })).body.registry).toMatchObject(REFUSED);
  });

  it("says why the indexer was started again", async () => {
    const restarts = { count: 2, reason: "was ended by SIGKILL" };
    expect((await look("/v1/health", { overrides: { restarts: () => restarts } })).body.restarts).toEqual(
      restarts,
    );
  });

  it("says which start of the service indexes, and which ones stand by", async () => {
    const [one, other] = ["9f86d081", "0a1b2c3d"].map((id) => ({ id, since: "2026-03-01T12:00:00Z" }));
    const instances = { indexing: one ?? null, standby: other === undefined ? [] : [other] };
    const { body } = await look("/v1/health", { overrides: { instances: () => instances } });
    expect(body.instances).toEqual({
      indexing: { id: "9f86d081", since: "2026-03-01T12:00:00Z" },
      standby: [{ id: "0a1b2c3d", since: "2026-03-01T12:00:00Z" }],
    });
  });

  it("shows the root of the book as of the last final block with an event", async () => {
    const root = { blockNumber: "117", hash: `0x${"5a".repeat(32)}` } as const;
    const bookRoots = { ...(await dependenciesIn()).bookRoots, lastRoot: () => root };
    const { body } = await look("/v1/health", { overrides: { bookRoots } });
    expect(body.root).toEqual(root);
  });

  it.each([-1n, -3n, -1_000n])("never shows a head below the indexed block (%i from it)", async (blocks) => {
    const { body } = await look("/v1/health", { upstreamHead: ahead(blocks) });
    expect(body).toMatchObject({ indexedBlock: "48211034", headBlock: "48211034", lagSeconds: 0 });
  });

  it("never shows a negative lag: another branch can be longer and older", async () => {
    const { body } = await look("/v1/health", { upstreamHead: ahead(1n, -3n) });
    expect(body).toMatchObject({ headBlock: "48211035", lagSeconds: 0 });
  });

  it("counts no kind of anomaly that did not occur", async () => {
    const snapshot = await snapshotOf(tablesOf({ anomalies: { second_close: 0, bad_refnum: 4 } }));
    const { body } = await look("/v1/health", { snapshot });
    expect(body.anomalies).toEqual({ total: 4, byKind: { bad_refnum: 4 } });
  });
});

describe("GET /v1/ready", () => {
  it.each<[string, Situation]>([
    ["at the head", {}],
    ["10 blocks behind", { upstreamHead: ahead(10n) }],
    ["the registry's update refused", { registry: REFUSED }],
  ])("200: %s", async (_what, situation) => {
    expect(await look("/v1/ready", situation)).toMatchObject({ status: 200, body: { status: "ready" } });
  });

  const behind = (index: string, head: string) =>
    `The index is not at the head of the chain: indexed block ${index}, head ${head}.`;
  const cases: [string, Situation | (() => Promise<Situation>), string][] = [
    ["11 blocks behind", { upstreamHead: ahead(11n) }, behind("48211034", "48211045")],
    ["nothing indexed", { snapshot: null }, behind("none", "48211034")],
    ["the head not known", { upstreamHead: null }, behind("48211034", "unknown")],
    ["not backfilled", backfilling, "The backfill is not over: indexed block 48211034."],
    ["the database silent", { secondsSinceRead: 10.5 }, "The database does not answer."],
    [
      "the RPC silent",
      { secondsSinceSeen: 60.5 },
      "The RPC endpoints do not answer, so the head of the chain is not known.",
    ],
  ];
  it.each(cases)("503, and why: %s", async (_what, situation, detail) => {
    const answer = await look("/v1/ready", typeof situation === "function" ? await situation() : situation);
    expect(answer).toMatchObject({ status: 503, body: { code: "not_ready", detail } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
