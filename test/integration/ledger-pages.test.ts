/**
 * The ledger and the anomalies as two real services answer them, on the embedded database and on PostgreSQL: held
 * against the logs of the chain.
 */
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { addressAndBlock } from "../../demo/deploy.ts";
import { EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { type ChainEvent, readChainLedger } from "../harness/chain-ledger.ts";
import { BACKER, emit, events, OTHER_BACKER } from "../harness/emit.ts";
import { keyOf, type ShownEvent, walk } from "../harness/ledger-pages.ts";
import { ledgerStory, rollFrom } from "../harness/ledger-story.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { startRpcProxy } from "../harness/rpc-proxy.ts";
import { type Service, type ServiceOptions, startService } from "../harness/service.ts";
import { type AssertAnswer, createAnswerValidator } from "../harness/validate.ts";

const LISTINGS = 6;
const PERSONS = /"(backer|payer|holder|to|account|seller|buyer)":"0x[0-9a-f]{40}",?/g;

let chain: LocalChain;
let postgres: Postgres;
let published: Deployment;
let hidden: Deployment;
let desk: Deployment;
let options: ServiceOptions;
/** on the embedded database; shows no person */
let service: Service;
/** on PostgreSQL; names persons */
let open: Service;
let assertAnswer: AssertAnswer;
/** the published listings' events, newest first */
let onChain: ChainEvent[];
const roll = rollFrom(7);

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startChain(), startPostgres()]);
  published = await deployRogueEscrow(chain);
  hidden = await deployRogueEscrow(chain);
  desk = await deployRogueEscrow(chain);
  const escrows = [published.address, hidden.address];
  const story = ledgerStory({ chain, escrows, desk: desk.address, listings: LISTINGS, roll });
  await story.begin();
  for (let block = 0; block < 30; block++) await story.block(1 + roll(60));
  await chain.testClient.mine({ blocks: 40 });
  options = {
    rpcUrl: chain.rpcUrl,
    escrows: [published, hidden].map(addressAndBlock),
    desk: `${desk.address}@${desk.blockNumber}`,
    registry: registryOf({ a: published.address }, LISTINGS),
  };
  const env = { DATABASE_URL: postgres.connectionString, EXPOSE_ACCOUNTS: "true" };
  open = await startService({ ...options, env });
  service = await startService({ ...options, isEmbedded: true });
  assertAnswer = createAnswerValidator(await service.json("/openapi.json"));
  for (let block = 0; block < 10; block++) await story.block(1 + roll(30));
  await settled();
  const all = await readChainLedger(chain, { escrows, desk: desk.address });
  onChain = all.filter(({ escrowAddress }) => escrowAddress === published.address.toLowerCase());
  expect(all.length).toBeGreaterThan(onChain.length + 100);
  // The project's contracts have no event that cannot be mapped.
  expect(new Set(all.map(({ kind }) => kind))).toEqual(
    new Set(EVENT_KINDS.filter((kind) => kind !== "unmapped")),
  );
});

/** Mines until nothing can be reorganised away any more, and waits for both services. */
async function settled(): Promise<void> {
  await chain.testClient.mine({ blocks: 70 });
  const head = await chain.publicClient.getBlockNumber();
  await Promise.all([service.indexed(head), open.indexed(head)]);
}

function isoTime(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString();
}

describe("filters", () => {
  const moments = () => {
    const { blockNumber, blockTime } = onChain[roll(onChain.length)] ?? { blockNumber: 0n, blockTime: 0n };
    return roll(2) === 0 ? `${blockNumber}` : isoTime(blockTime);
  };
  const isFrom = (event: ChainEvent, moment: string) =>
    /^\d+$/.test(moment)
      ? event.blockNumber >= BigInt(moment)
      : Number(event.blockTime) * 1000 >= Date.parse(moment);
  const isUpTo = (event: ChainEvent, moment: string) =>
    /^\d+$/.test(moment)
      ? event.blockNumber <= BigInt(moment)
      : Number(event.blockTime) * 1000 <= Date.parse(moment);

  test("find what a plain filter over the chain's logs finds, on both databases", async () => {
    for (let round = 0; round < 60; round++) {
      const id = roll(3) === 0 ? 1 + roll(LISTINGS) : null;
      const kinds = EVENT_KINDS.filter(() => roll(3) === 0);
      const query = new URLSearchParams();
      if (kinds.length > 0 && roll(2) === 0) query.set("kind", kinds.join(","));
      if (roll(2) === 0) query.set("since", moments());
      if (roll(2) === 0) query.set("until", moments());
      const [kind, since, until] = ["kind", "since", "until"].map((name) => query.get(name));
      const expected = onChain.filter(
        (event) =>
          (id === null || event.onchainId === BigInt(id)) &&
          (!kind || kind.split(",").includes(event.kind)) &&
          (!since || isFrom(event, since)) &&
          (!until || isUpTo(event, until)),
      );
      const path = `${id === null ? "/v1/events" : `/v1/listings/lst_a_${id}/events`}?${query}`;
      const found = await walk({ service, path, limit: 1 + roll(200), assertAnswer });
      expect(found.map(keyOf), path).toEqual(expected.map(keyOf));
      expect(
        found.map(({ kind, publicId, blockTime }) => [kind, publicId, Date.parse(blockTime) / 1000]),
      ).toEqual(
        expected.map(({ kind, onchainId, blockTime }) => [kind, `lst_a_${onchainId}`, Number(blockTime)]),
      );
      const again = await walk({ service: open, path, limit: 1 + roll(200), assertAnswer });
      expect(again.map(keyOf), path).toEqual(expected.map(keyOf));
    }
  });

  test("PostgreSQL and the embedded database give the same bytes, but for the persons", async () => {
    for (const path of [
      "/v1/events?limit=200",
      "/v1/listings/RB00002/events?limit=120",
      "/v1/anomalies?limit=200",
    ]) {
      const [one, other] = await Promise.all([service.get(path), open.get(path)]);
      assertAnswer(path, other);
      expect(other.text.replace(PERSONS, ""), path).toBe(one.text);
      expect(other.headers.get("etag") === one.headers.get("etag"), path).toBe(path.includes("anomalies"));
    }
  });
});

describe("persons", () => {
  test("are not named unless EXPOSE_ACCOUNTS is set", async () => {
    for (const accept of ["application/json", "text/csv"]) {
      const [closed, opened] = await Promise.all(
        [service, open].map((one) => one.get("/v1/events?limit=200", { accept })),
      );
      for (const person of [BACKER, OTHER_BACKER]) {
        expect(closed?.text.toLowerCase()).not.toContain(person);
        expect(opened?.text).toContain(person);
      }
    }
  });
});

describe("CSV", () => {
  test.each(["/v1/events", "/v1/listings/lst_a_1/events"])(
    "has the JSON of %s in its cells",
    async (path) => {
      for (const one of [service, open]) {
        const { events } = await one.json<{ events: Record<string, unknown>[] }>(`${path}?limit=200`);
        const csv = await one.get(`${path}.csv?limit=200`);
        assertAnswer(`${path}.csv`, csv);
        const records: Record<string, string>[] = parse(csv.text, { columns: true });
        expect(events).not.toEqual([]);
        expect(records).toHaveLength(events.length);
        for (const [index, event] of events.entries()) {
          const cells = Object.entries(records[index] ?? {}).filter(([, cell]) => cell !== "");
          const values = Object.entries(event).filter(([, value]) => value !== null);
          expect(Object.fromEntries(cells)).toEqual(
            Object.fromEntries(values.map(([name, value]) => [name, String(value)])),
          );
        }
      }
    },
  );
});

describe("finality", () => {
  test("an event is pending until no reorg can reach it, and final from then on", async () => {
    const block = await emit(chain, published.address, events.subscribed(1n, 5n, 5n));
    const finality = async () => {
      const answer = await service.get(`/v1/events?since=${block}&until=${block}`);
      assertAnswer("/v1/events", answer);
      const [event] = (JSON.parse(answer.text) as { events: ShownEvent[] }).events;
      return event?.finality ?? "none";
    };
    // The local chain calls a block final that is 30 blocks below its head.
    for (let mined = 0; mined < 30; mined += 5) {
      await service.indexed(block + BigInt(mined));
      expect(await finality(), `${mined} blocks`).toBe("pending");
      await chain.testClient.mine({ blocks: 5 });
    }
    await vi.waitFor(async () => expect(await finality()).toBe("final"), PATIENCE);
    for (let mined = 30; mined < 70; mined += 5) {
      await chain.testClient.mine({ blocks: 5 });
      await service.indexed(block + BigInt(mined + 5));
      expect(await finality(), `${mined} blocks`).toBe("final");
    }
    await settled();
  });
});

describe("/v1/anomalies", () => {
  type Shown = {
    kind: string;
    publicId: string | null;
    escrowAddress: string;
    onchainId: string;
    txHash: string;
  };
  type Body = { byKind: Record<string, number>; anomalies: Shown[]; page: { nextCursor: string | null } };

  async function all(
    one: Service,
    query: string,
    limit: number,
  ): Promise<{ shown: Shown[]; byKind: Body["byKind"] }> {
    const shown: Shown[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < 2_000; pages++) {
      const path: string = `/v1/anomalies?${query}&limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`;
      const answer = await one.get(path);
      assertAnswer(path, answer);
      const body = JSON.parse(answer.text) as Body;
      shown.push(...body.anomalies);
      cursor = body.page.nextCursor;
      if (cursor === null) return { shown, byKind: body.byKind };
    }
    throw new Error("the walk does not end");
  }

  test("has each of them once, as health counts them; pages and filters are parts of the whole", async () => {
    const health = await service.json<{ anomalies: { total: number; byKind: Record<string, number> } }>(
      "/v1/health",
    );
    const { shown, byKind } = await all(service, "", 200);
    expect(byKind).toEqual(health.anomalies.byKind);
    expect(shown).toHaveLength(health.anomalies.total);
    expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(shown.length);
    for (const [kind, count] of Object.entries(byKind)) {
      expect(shown.filter((one) => one.kind === kind)).toHaveLength(count);
    }
    expect((await all(service, "", 7)).shown).toEqual(shown);
    expect((await all(open, "", 33)).shown).toEqual(shown);
    const kinds = ["zero_amount", "second_terminal"];
    const ofKinds = await all(service, `kind=${kinds.join(",")}`, 9);
    expect(ofKinds.shown).toEqual(shown.filter(({ kind }) => kinds.includes(kind)));
    expect(ofKinds.byKind).toEqual(byKind);
    const ofOne = await all(service, "listing=RB00001", 50);
    expect(ofOne.shown).toEqual(shown.filter(({ publicId }) => publicId === "lst_a_1"));
    expect(ofOne.shown.length).toBeGreaterThan(10);
    expect((await all(service, "listing=lst_nowhere", 50)).shown).toEqual([]);
  });

  test("names what is not published by escrow and id alone", async () => {
    const { shown } = await all(service, "", 200);
    const address = hidden.address.toLowerCase();
    const invisible = shown.filter(({ escrowAddress }) => escrowAddress === address);
    expect(invisible.length).toBeGreaterThan(10);
    expect(shown.filter(({ publicId }) => publicId === null)).toEqual(invisible);
  });
});

describe("while it backfills", () => {
  test("the feed says so, and answers once it is over", async () => {
    const slow = await startRpcProxy(chain.rpcUrl);
    slow.delay = 150;
    const starting = await startService({ ...options, rpcUrl: slow.url });
    try {
      const codes = new Set<string>();
      for (let looks = 0; looks < 2_000 && !codes.has("backfilling"); looks++) {
        const answer = await starting.get("/v1/events");
        assertAnswer("/v1/events", answer);
        if (answer.status === 503) {
          codes.add((JSON.parse(answer.text) as { code: string }).code);
          expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
        }
      }
      expect(codes).toContain("backfilling");
      const meanwhile = await starting.get("/v1/anomalies");
      assertAnswer("/v1/anomalies", meanwhile);
      expect(meanwhile.status).toBe(200);
      slow.delay = 0;
      await starting.indexed(await chain.publicClient.getBlockNumber());
      const feed = await walk({ service: starting, path: "/v1/events", limit: 200 });
      expect(feed).toEqual(await walk({ service, path: "/v1/events", limit: 200 }));
    } finally {
      await starting.stop();
      await slow.stop();
    }
  });
});
