/**
 * The same service on PostgreSQL: byte for byte the answers that it gives on the embedded database.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalChain, startChain } from "../../demo/chain.ts";
import type { Deployment } from "../../demo/deploy.ts";
import { emit, events, OTHER_BACKER } from "../harness/emit.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type Service, startService } from "../harness/service.ts";

let chain: LocalChain;
let postgres: Postgres;
let escrow: Deployment;
let onPostgres: Service;
let onPglite: Service;

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startChain(), startPostgres()]);
  escrow = await deployRogueEscrow(chain);
  const options = {
    rpcUrl: chain.rpcUrl,
    escrows: [`${escrow.address}@${escrow.blockNumber}`],
    registry: registryOf({ a: escrow.address }),
  };
  // What comes before the start goes down the historical path, what comes after it down the live one.
  await story(1n);
  await chain.testClient.mine({ blocks: 40 });
  onPostgres = await startService({ ...options, env: { DATABASE_URL: postgres.connectionString } });
  onPglite = await startService(options);
});

afterAll(async () => {
  await onPostgres?.stop();
  await onPglite?.stop();
  await postgres?.stop();
  await chain?.stop();
});

/** Huge amounts, anomalies, a whole life: what a database could store differently. Returns the last block. */
async function story(first: bigint): Promise<bigint> {
  const huge = 2n ** 200n + 1n;
  await emit(
    chain,
    escrow.address,
    events.created(first, { closeAt: 2n ** 64n - 1n, refnum: "RB\u000000001" }),
  );
  await emit(
    chain,
    escrow.address,
    events.subscribed(first, huge, huge),
    events.subscribed(first, 5n, huge + 9n, OTHER_BACKER),
    events.refunded(first, 0, huge * 2n, huge * 2n),
  );
  return emit(
    chain,
    escrow.address,
    events.created(first + 1n, { targetAmount: huge }),
    events.subscribed(first + 1n, huge, huge),
    events.closed(first + 1n, huge, 4_294_967_295),
    events.drawnDown(first + 1n, huge, 4_000_000_000n),
    events.repaid(first + 1n, huge - 1n, 3n, 1n),
    events.settled(first + 1n, 1, 1n),
  );
}

test("historical and live, the answers are the same bytes with the same tags", async () => {
  const head = await story(3n);
  await Promise.all([onPostgres.indexed(head), onPglite.indexed(head)]);
  for (const path of ["/v1/listings", "/v1/originators", "/v1/listings/lst_a_2", "/v1/originators/org_one"]) {
    const [one, other] = await Promise.all([onPostgres.get(path), onPglite.get(path)]);
    expect(one.status, path).toBe(200);
    expect(one.text, path).toBe(other.text);
    expect(one.headers.get("etag"), path).toBe(other.headers.get("etag"));
  }
  expect(await onPostgres.json("/v1/listings/lst_a_3")).toMatchObject({
    raisedAmount: "9",
    subscriberCount: 1,
    couponRateBps: 1450,
  });
  const health = await onPostgres.json<{ anomalies: unknown }>("/v1/health");
  expect(health.anomalies).toEqual((await onPglite.json<{ anomalies: unknown }>("/v1/health")).anomalies);
});
