import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { REGISTRY_STATE } from "../../test/harness/snapshot.ts";
import type { AuditorState } from "../health/audit.ts";
import type { Trouble } from "../health/troubles.ts";
import { type CollectParameters, collectAudits, collectService, createMetrics } from "./metrics.ts";

const linesOf = async (registry: Registry) =>
  (await registry.metrics()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));

describe("requests", () => {
  it("are counted by pattern and status, whatever the path", async () => {
    const { registry, requests } = createMetrics();
    const app = await appIn({ overrides: { requests } });
    for (const path of [
      "/v1/listings/nothing",
      "/v1/listings/else",
      "/v1/health",
      "/strange/1",
      "/strange/2",
    ])
      await app.request(path, { headers: { Accept: "application/json" } });
    await app.request("/v1/health", { method: "POST" });
    requests.fastTally("GET", "/v1/health", 304).count += 1;
    requests.fastTally("PROPFIND", "/v1/health", 200).count += 1;
    const lines = await linesOf(registry);
    const labels = (method: string, route: string, status: number, lane: string) =>
      `raisebook_http_requests_total{method="${method}",route="${route}",status="${status}",lane="${lane}"}`;
    expect(lines.filter((line) => line.startsWith("raisebook_http_requests_total")).sort()).toEqual(
      [
        `${labels("GET", "/v1/listings/:id", 404, "app")} 2`,
        `${labels("GET", "/v1/health", 200, "app")} 1`,
        `${labels("POST", "/v1/health", 405, "app")} 1`,
        `${labels("GET", "none", 404, "app")} 2`,
        `${labels("GET", "/v1/health", 304, "fast")} 1`,
        `${labels("other", "/v1/health", 200, "fast")} 1`,
      ].sort(),
    );
    expect(lines).toContain('raisebook_http_request_duration_seconds_count{route="/v1/listings/:id"} 2');
    expect(lines.join()).not.toContain("strange");
  });
});

describe("what the service knows", () => {
  const known: { head: bigint | null; troubles: Trouble[]; version: string } = {
    head: null,
    troubles: [],
    version: "aa",
  };
  const block = (number: bigint) => ({ number, timestamp: 1_000n + 2n * number });
  const registry = new Registry();
  collectService(registry, {
    updater: {
      current: () =>
        known.head === null
          ? null
          : ({
              market: { head: block(90n), unprojectable: [{}] },
              anomalies: { refund_overflow: 3 },
            } as unknown as ReturnType<CollectParameters["updater"]["current"]>),
    },
    database: { secondsSinceRead: () => 0.5 },
    upstream: { head: () => null, secondsSinceSeen: () => 7 },
    restarts: () => ({ count: 2, reason: null }),
    instances: () => ({ indexing: { id: "9f86d081", since: "2026-03-01T12:00:00Z" }, standby: [] }),
    registry: {
      state: () => ({ ...REGISTRY_STATE, version: known.version }),
      activity: () => ({ accepted: 4, refused: 1, secondsSinceConfirmed: 9 }),
    },
    health: {
      head: () => (known.head === null ? null : block(known.head)),
      isReady: () => known.head !== null,
      lagSeconds: () => (known.head === null ? null : 6),
      troubles: () => known.troubles,
    },
  });

  it("is absent until it is known", async () => {
    const lines = await linesOf(registry);
    expect(lines).toContain("raisebook_ready 0");
    expect(lines.join()).not.toMatch(/_block|_lag|unprojectable|anomalies/);
  });

  it("is read at each scrape", async () => {
    Object.assign(known, { head: 93n, troubles: ["registry_refused"], version: "bb" });
    const lines = await linesOf(registry);
    for (const line of [
      "raisebook_head_block 93",
      "raisebook_indexed_block 90",
      "raisebook_indexed_timestamp_seconds 1180",
      "raisebook_lag_blocks 3",
      "raisebook_lag_seconds 6",
      "raisebook_ready 1",
      "raisebook_node_silence_seconds 7",
      'raisebook_trouble{trouble="registry_refused"} 1',
      'raisebook_trouble{trouble="audit_red"} 0',
      "raisebook_indexer_restarts 2",
      'raisebook_instances{state="indexing"} 1',
      'raisebook_instances{state="standby"} 0',
      "raisebook_unprojectable_listings 1",
      'raisebook_anomalies{kind="refund_overflow"} 3',
      'raisebook_registry_info{version="bb"} 1',
      "raisebook_registry_age_seconds 9",
      'raisebook_registry_updates{result="refused"} 1',
    ])
      expect(lines).toContain(line);
    expect(lines.join()).not.toContain('version="aa"');
    known.head = 80n;
    expect(await linesOf(registry)).toContain("raisebook_lag_blocks 0");
  });
});

describe("audits", () => {
  it("have no result before the first, and then that of the last", async () => {
    let state: AuditorState = { running: { done: 1, total: 2 }, last: null };
    const registry = new Registry();
    collectAudits(registry, { state: () => state });
    expect(await linesOf(registry)).toEqual(["raisebook_audit_running 1"]);
    const finding = {} as NonNullable<AuditorState["last"]>["findings"][number];
    state = {
      running: null,
      last: {
        ...{ status: "red", block: "48211034", at: "2026-03-01T12:00:00Z", events: 1, checks: 1 },
        ...{
          listings: [],
          notAuditable: [],
          surpluses: [],
          completeness: null,
          findings: [finding, finding],
          problem: null,
        },
      },
    };
    expect(await linesOf(registry)).toEqual([
      "raisebook_audit_running 0",
      "raisebook_audit_block 48211034",
      "raisebook_audit_timestamp_seconds 1772366400",
      "raisebook_audit_differences 2",
      'raisebook_audit_status{status="ok"} 0',
      'raisebook_audit_status{status="red"} 1',
      'raisebook_audit_status{status="failed"} 0',
    ]);
  });
});
