/** Nothing that a hostile request brings is kept: after thousands of them the heap is what it was. */
import { Agent, get } from "node:http";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { commonHeaders } from "../../api/http/common-headers.ts";
import { startServer } from "../../api/http/server.ts";
import { encodeEventCursor } from "../../api/ledger/cursor.ts";
import type { Snapshot } from "../../api/market/snapshot.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import { appShowing } from "../harness/app.ts";
import { asking } from "../harness/asking.ts";
import { fixedLedger } from "../harness/fixed-ledger.ts";
import { casesOf, casesOfNoRoute } from "../harness/hostile/cases.ts";
import type { HostileCase } from "../harness/hostile/request.ts";
import { sampleHostile } from "../harness/hostile/run.ts";
import { createWorld } from "../harness/hostile/world.ts";
import { ids, longMarket } from "../harness/long-market.ts";
import { business } from "../harness/market.ts";
import { FINALIZED, listingRow } from "../harness/rows.ts";
import { serveApp } from "../harness/serve-app.ts";
import { recordedLog, SITE, snapshotOf, tablesOf } from "../harness/snapshot.ts";

const CASES_OF_A_ROUTE = 12;
const REQUESTS = 3_000;
const LONG_REQUESTS = 1_200;
/** Bytes. A quarter of a megabyte is usual; what was sent is many times more than this. */
const MOST_GROWTH = 10_000_000;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes. */
async function heap(): Promise<number> {
  // Objects that wait for a turn of the event loop, or for a finalizer, are not kept either.
  for (let turn = 0; turn < 5; turn++) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it("memory stays flat", async () => {
  const world = await createWorld({ isEmpty: false });
  const cases = [
    ...world.routes.flatMap((route) => sampleHostile(casesOf(route, world.cursors), CASES_OF_A_ROUTE)),
    ...sampleHostile(casesOfNoRoute(world.cursors), CASES_OF_A_ROUTE),
  ];
  const sendAll = async (requests: number) => {
    // Each with an id of its own: a store by request or by input would grow with every one.
    for (let index = 0; index < requests; index++) {
      const one = cases[index % cases.length];
      if (one === undefined) throw new Error("there are no cases");
      await world.send(withNonce(one, index));
    }
  };

  await sendAll(REQUESTS / 3);
  const before = await heap();
  await sendAll(REQUESTS);
  expect((await heap()) - before).toBeLessThan(MOST_GROWTH);
  expect(world.failures()).toEqual([]);
});

it("long Accept headers are not kept with the answers", async () => {
  const { app } = await createWorld({ isEmpty: false });
  const commonHere = commonHeaders(SITE.publicUrl);
  const { log } = recordedLog();
  const server = startServer({ app, hostname: "127.0.0.1", port: 0, commonHeaders: commonHere, log });
  const { port } = await server.listening;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const headers = { Accept: `application/json, ${`${index}`.padEnd(15_000, "x")}/*` };
      get(`http://127.0.0.1:${port}/v1/stats`, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${response.statusCode}`));
        response.resume().on("end", resolve);
      }).on("error", reject);
    });
  const sendAll = async (requests: number) => {
    for (let index = 0; index < requests; index++) await send(requests + index);
  };
  await sendAll(LONG_REQUESTS / 4);
  const before = await heap();
  await sendAll(LONG_REQUESTS);
  expect((await heap()) - before).toBeLessThan(MOST_GROWTH);
  agent.destroy();
  await server.close();
});

/** Paths of all kinds of answers that are kept for as long as their market is the same. */
const KEPT_PATHS = [
  "/",
  "/listings/lst_1",
  "/md/listings/lst_1",
  "/statistics",
  "/feed.atom",
  "/feed.atom?status=live",
  "/listings/lst_1/feed.atom",
  "/calendar.ics",
  "/share.png",
  "/embed/listings/lst_1",
  "/sitemap.xml",
  "/v1/listings",
  "/v1/listings.csv",
  "/v1/listings?limit=3",
  "/v1/listings/lst_1",
  "/v1/listings/RB00001",
  "/v1/listings/lst_1/schedule",
  "/v1/listings/lst_1/proof",
  "/v1/listings/lst_1/events",
  "/v1/originators",
  "/v1/originators/org_northwind",
  "/v1/stats",
  "/v1/stats/series",
  "/v1/events",
  `/v1/events?cursor=${encodeEventCursor({ blockNumber: 5n, logIndex: 1 })}`,
  `/v1/events/${FINALIZED.number}-1/proof`,
];

/** A final event of a visible raise, in whatever is asked of the ledger. */
function ledgerOfOne() {
  const { escrowAddress, onchainId } = listingRow();
  const at = { blockNumber: FINALIZED.number, blockTime: FINALIZED.timestamp, logIndex: 1, part: 0 };
  const row: LedgerRow = {
    ...{ escrowAddress, onchainId, eventId: "1".repeat(75), ...at },
    ...{ kind: "listing_cancelled", args: { reason: "0x" }, txHash: "0x7a" },
  };
  return fixedLedger({ events: { rows: [row] } });
}

it("old markets are not kept by answers that are never requested again", async () => {
  const { app, show } = await appShowing({ ledger: ledgerOfOne() });
  await using served = await serveApp(app);
  const shown: WeakRef<object>[] = [];
  const askAll = async (snapshot: Snapshot, round: number) => {
    show(snapshot);
    shown.push(new WeakRef(snapshot), new WeakRef(snapshot.market));
    for (const path of KEPT_PATHS) {
      // Another address for each snapshot.
      const address = `${path}${path.includes("?") ? "" : "?"}${"&".repeat(round)}`;
      const response = await fetch(served.url + address);
      await response.arrayBuffer();
      expect(response.status, address).toBe(200);
    }
  };
  for (let round = 1; round <= 6; round++) {
    const made = await snapshotOf(tablesOf());
    await askAll(made, round);
    // Many of the answers are still current, and are sent again.
    await askAll({ ...made, market: { ...made.market } }, round);
  }
  await heap();
  // The last ones are still shown.
  expect(shown.slice(0, -8).filter((one) => one.deref() !== undefined)).toEqual([]);
});

it("answers of businesses whose raises have ended are not all kept", async () => {
  const [businesses, each] = [60, 24];
  const owners = Array.from({ length: businesses }, (_, index) => business({ publicId: `org_${index}` }));
  const raises = longMarket(businesses * each, "炉".repeat(4_000), owners);
  raises.open(ids(1, businesses * each));
  const market = raises.end(ids(1, businesses * each));
  const { app, show } = await appShowing({});
  show({ ...(await snapshotOf(tablesOf())), market });
  const ask = asking(app);
  const askAll = async (from: number, to: number) => {
    let bytes = 0;
    for (const { publicId } of owners.slice(from, to))
      bytes += Buffer.byteLength((await ask(`/v1/originators/${publicId}`)).text);
    return bytes;
  };
  await askAll(0, businesses / 4);
  const before = await heap();
  expect(await askAll(businesses / 4, businesses)).toBeGreaterThan(MOST_GROWTH);
  expect((await heap()) - before).toBeLessThan(MOST_GROWTH);
});

/** The case in a form that was not sent before: with one more parameter, and in a GraphQL document one more comment. */
function withNonce({ path, body, ...one }: HostileCase, nonce: number): HostileCase {
  const marked = typeof body === "string" ? body.replace('"query":"', `"query":"#${nonce}\\n`) : body;
  const glue = path.includes("?") ? "&" : "?";
  return { ...one, path: `${path}${glue}nonce=${nonce}`, ...(marked === undefined ? {} : { body: marked }) };
}
