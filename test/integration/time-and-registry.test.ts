/** The two inputs of the market beside the events: the chain's clock, and the registry. */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { follow } from "../../client/follow.ts";
import type { Deployment } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { emit, events } from "../harness/emit.ts";
import { PATIENCE } from "../harness/patience.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type Service, startService } from "../harness/service.ts";
import { brokenOff } from "../harness/stream-reader.ts";
import { missingMetrics } from "../harness/watched-metrics.ts";

const DAY = 86_400;
/** The local chain calls a block final that is thirty below its head. */
const UNTIL_FINAL = 31;

let chain: LocalChain;
let escrow: Deployment;
let service: Service;

beforeAll(async () => {
  chain = await startChain();
  escrow = await deployRogueEscrow(chain);
  service = await startService({
    rpcUrl: chain.rpcUrl,
    escrows: [`${escrow.address}@${escrow.blockNumber}`],
    registry: registryOf({ a: escrow.address }, 9),
  });
});

async function now(): Promise<bigint> {
  return (await chain.publicClient.getBlock()).timestamp;
}

async function say(...calls: Parameters<typeof emit>[2][]): Promise<void> {
  await service.indexed(await emit(chain, escrow.address, ...calls));
}

/** Lets the chain's clock run ahead; nothing happens before a block says so. */
async function increaseTime(seconds: number): Promise<void> {
  await chain.testClient.increaseTime({ seconds });
}

async function mine(blocks = 1): Promise<void> {
  await chain.testClient.mine({ blocks });
  await service.indexed(await chain.publicClient.getBlockNumber());
}

async function shown(id: number): Promise<Record<string, unknown>> {
  return service.json(`/v1/listings/lst_a_${id}`);
}

const iso = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z");

describe("the chain's clock", () => {
  test("a raise is visible from its go-live on, and not before the block", async () => {
    const goLiveAt = (await now()) + 1_000n;
    await say(events.created(1n, { goLiveAt }));
    expect(await shown(1)).toMatchObject({ status: 404 });
    await increaseTime(1_001);
    await sleep(500);
    expect(await shown(1)).toMatchObject({ status: 404 });
    await mine();
    expect(await shown(1)).toMatchObject({
      status: "listed",
      acceptsMoney: true,
      statusSince: iso(goLiveAt),
    });
  });

  test.each([
    { id: 2n, amount: 100n, becomes: "live" },
    { id: 3n, amount: 99n, becomes: "refunding" },
  ])(
    "at closeAt a raise of $amount becomes $becomes, and not before the block",
    async ({ id, amount, becomes }) => {
      const closeAt = (await now()) + 5_000n;
      await say(events.created(id, { closeAt, minRaise: 100n }), events.subscribed(id, amount, amount));
      expect(await shown(Number(id))).toMatchObject({
        status: "funding",
        acceptsMoney: true,
        closeAt: iso(closeAt),
      });
      await increaseTime(6_000);
      await sleep(500);
      expect(await shown(Number(id))).toMatchObject({ status: "funding" });
      await mine();
      expect(await shown(Number(id))).toMatchObject({
        status: becomes,
        acceptsMoney: false,
        statusSince: iso(closeAt),
      });
    },
  );

  test("a repayment falls due: current, grace, late, default", async () => {
    const maturityAt = (await now()) + BigInt(DAY);
    await say(
      events.created(4n),
      events.subscribed(4n, 1_000n, 1_000n),
      events.closed(4n, 1_000n),
      events.drawnDown(4n, 1_000n, maturityAt),
    );
    expect(await shown(4)).toMatchObject({
      repayment: "current",
      maturityAt: iso(maturityAt),
      outstandingPrincipal: "1000",
    });
    for (const [days, repayment] of [
      [2, "grace"],
      [7, "late"],
      [85, "default"],
    ] as const) {
      await increaseTime(days * DAY);
      await mine();
      expect(await shown(4)).toMatchObject({ repayment, status: "live" });
    }
  });

  test("a follower whose connections are short passes the rows of a raise from before it opened", async () => {
    await say(events.created(8n, { goLiveAt: (await now()) + 1_000n }), events.created(9n));
    for (let raised = 1n; raised <= 6n; raised++) await say(events.subscribed(9n, 1n, raised));
    await increaseTime(1_001);
    await mine(UNTIL_FINAL);
    let connections = 0;
    const followed: string[] = [];
    const fetchThreeEvents = async (request: Request) => {
      connections += 1;
      return brokenOff(await fetch(request), 3);
    };
    for await (const message of follow({
      baseUrl: `${service.url}/v1`,
      after: "0",
      fetch: fetchThreeEvents,
    })) {
      expect(connections).toBeLessThan(30);
      if (message.type === "reorg") throw new Error("it has all rows");
      if (message.type === "ledger") followed.push(`${message.event.blockNumber}-${message.event.logIndex}`);
      if (message.type === "head") break;
    }
    const { events: rows } = await service.json<{ events: { blockNumber: string; logIndex: number }[] }>(
      "/v1/events?limit=200",
    );
    expect(followed).toEqual(
      rows.map(({ blockNumber, logIndex }) => `${blockNumber}-${logIndex}`).toReversed(),
    );
  });

  test("an unchanged market keeps its tag while blocks go by; the headers name the new block", async () => {
    const before = await service.get("/v1/listings");
    await mine();
    const after = await service.get("/v1/listings", { "If-None-Match": before.headers.get("etag") ?? "" });
    expect(after.status).toBe(304);
    expect(after.text).toBe("");
    expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
    expect(BigInt(after.headers.get("x-indexed-block") ?? 0)).toBe(
      BigInt(before.headers.get("x-indexed-block") ?? 0) + 1n,
    );
  });
});

describe("the registry", () => {
  type Health = {
    status: string;
    unpublished: number;
    registry: { status: string; problem: string | null; listings: number };
  };

  /** Health once it says what is expected; what it says last, when that does not come. */
  async function healthWhen(expected: (health: Health) => boolean): Promise<Health> {
    const deadline = performance.now() + PATIENCE.timeout;
    for (;;) {
      const health = await service.json<Health>("/v1/health");
      if (expected(health) || performance.now() > deadline) return health;
      await sleep(50);
    }
  }

  test("a bad update is refused by name, the last good copy stays, and a good one is taken", async () => {
    const good = registryOf({ a: escrow.address }, 9);
    const bad = {
      ...good,
      listings: [...good.listings.slice(1), { ...good.listings[0], escrowAddress: "0x12" }],
    };
    const listings = (await service.get("/v1/listings")).text;
    await service.publish(bad);
    const refused = await healthWhen(({ registry }) => registry.status === "refused");
    expect(refused).toMatchObject({ status: "degraded", registry: { status: "refused" } });
    expect(refused.registry.problem).toContain("listings[8].escrowAddress");
    expect((await service.get("/v1/listings")).text).toBe(listings);

    await service.publish("{ not even json");
    await sleep(500);
    expect((await service.get("/v1/listings")).text).toBe(listings);

    await service.publish({ ...good, listings: good.listings.slice(0, 3) });
    const mended = await healthWhen(({ registry }) => registry.status === "ok" && registry.listings === 3);
    expect(mended).toMatchObject({ status: "ok", registry: { problem: null } });
    expect(await healthWhen(({ unpublished }) => unpublished === 3)).toMatchObject({ unpublished: 3 });
    expect(await shown(4)).toMatchObject({ status: 404, code: "not_found" });
  });

  test("answers about the past have the titles of that time, whatever is published today", async () => {
    const good = registryOf({ a: escrow.address }, 9);
    await service.publish(good);
    await healthWhen(({ registry }) => registry.status === "ok" && registry.listings === 9);
    const before = await chain.publicClient.getBlockNumber();
    const titleAt = async (asOf: bigint | "head") =>
      (await service.json<{ title: string }>(`/v1/listings/lst_a_1?asOf=${asOf}`)).title;
    const title = await titleAt(before);
    await mine();
    await service.publish({
      ...good,
      listings: good.listings.map((entry) => ({ ...entry, title: `New ${entry.title}` })),
    });
    await expect.poll(() => titleAt("head"), PATIENCE).toBe(`New ${title}`);
    expect(await titleAt(before)).toBe(title);
    await mine();
    expect(await titleAt(before + 1n)).toBe(`New ${title}`);
  });

  test("an entry that is pointed at another pair, as after a redeploy, keeps its public id", async () => {
    const both = registryOf({ a: escrow.address }, 3);
    const [first, ...rest] = both.listings;
    await service.publish({ ...both, listings: [{ ...first, onchainId: "4" }, ...rest] });
    await healthWhen(({ registry }) => registry.status === "ok");
    await expect
      .poll(() => shown(1), PATIENCE)
      .toMatchObject({ publicId: "lst_a_1", onchainId: "4", repayment: "default" });
  });
});

test("a block without events is no line of the log", async () => {
  for (let count = 0; count < 3; count++) await mine();
  expect(service.log.length).toBeGreaterThan(0);
  expect(service.log.filter((line) => /"Indexed block".*"event_count":0/.test(line))).toEqual([]);
});

describe("the two ports", () => {
  test.each(["/metrics", "/status", "/ready", "/health"])("%s is not public", async (path) => {
    const { status, text } = await service.get(path, { Accept: "application/json" });
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ code: "not_found", instance: path });
  });

  test("the operator's has the metrics, and begins audits", async () => {
    const metrics = await fetch(`${service.operatorUrl}/metrics`);
    expect(await metrics.text()).toContain("ponder_version_info");
    expect(await service.json("/v1/audit")).toMatchObject({ running: null, last: null });
    expect((await fetch(`${service.operatorUrl}/audit`, { method: "POST" })).status).toBe(202);
    await expect
      .poll(() => service.json("/v1/audit"), PATIENCE)
      .toMatchObject({ running: null, last: { status: expect.any(String) } });
  });

  test("every metric of the dashboard and the alerts is there to scrape, and the service's are not public", async () => {
    await expect
      .poll(() => service.json("/v1/audit"), PATIENCE)
      .toMatchObject({ running: null, last: { status: expect.any(String) } });
    for (let time = 0; time < 3; time++) await service.get("/v1/listings");
    const scraped = await Promise.all(
      ["/metrics", "/metrics/raisebook"].map(async (path) =>
        (await fetch(`${service.operatorUrl}${path}`)).text(),
      ),
    );
    const own = scraped[1] ?? "";
    const indexed = BigInt((await service.json<{ indexedBlock: string }>("/v1/health")).indexedBlock);
    expect(own).toContain(`raisebook_indexed_block ${indexed}`);
    expect(own).toMatch(
      /^raisebook_http_requests_total\{.*route="\/v1\/listings",status="200",lane="fast"\} [1-9]/m,
    );
    expect(own).toContain(`raisebook_rpc_requests_total{host="${new URL(chain.rpcUrl).host}"}`);
    expect(await missingMetrics(scraped, ["raisebook", "ponder", "nodejs", "process"])).toEqual([]);
    expect((await service.get("/metrics/raisebook", { Accept: "application/json" })).status).toBe(404);
  });

  test("the public one says which methods it takes", async () => {
    const response = await fetch(`${service.url}/v1/listings`, {
      method: "OPTIONS",
      headers: { Origin: "https://elsewhere.example", "Access-Control-Request-Method": "DELETE" },
    });
    expect(response.headers.get("access-control-allow-methods")).toBe("GET,HEAD,OPTIONS");
  });
});
