import { setTimeout as sleep } from "node:timers/promises";
import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { appIn } from "../../../test/harness/app.ts";
import { ids } from "../../../test/harness/long-market.ts";
import { business } from "../../../test/harness/market.ts";
import { PATIENCE } from "../../../test/harness/patience.ts";
import { noRows } from "../../../test/harness/random-blocks.ts";
import { entryDraft, HEAD, listingRow, NOW, registryOf } from "../../../test/harness/rows.ts";
import { SITE } from "../../../test/harness/snapshot.ts";
import { has, readStream } from "../../../test/harness/stream-reader.ts";
import { createStreamedChain, heldAfter, type StreamedChain } from "../../../test/harness/streamed-chain.ts";
import type { Market } from "../../market/market.ts";
import { createProjection } from "../../market/project.ts";
import type { Registry } from "../../registry/schema.ts";

let chain: StreamedChain;
let app: Hono;

async function begin(): Promise<void> {
  chain = await createStreamedChain();
  app = await appIn({ overrides: { updater: chain.updater, onward: chain.reader } });
}
beforeEach(begin);
afterEach(() => void vi.useRealTimers());

const open = async (query = "") => readStream(await app.request(`http://raises.example/v1/stream${query}`));

/** A market of raises that have ended, all in the archive, with its registry. */
function publishedIn(entries: Parameters<typeof registryOf>[0]): [Market, Registry] {
  const registry = registryOf(entries, [business()]);
  const ended = { terminalKind: "cancelled", terminalAt: NOW, updatedBlock: 1n } as const;
  const listings = ids(1, 24).map((id) => listingRow({ onchainId: BigInt(id), ...ended }));
  const projection = createProjection({ registry, publicSettings: SITE, start: HEAD, archive: { block: 1 } });
  return [projection.advance({ ...noRows(), listings }, HEAD, HEAD.number), registry];
}

describe("a follower", () => {
  it("waits its turn: reads run one at a time for all followers, and equal reads are shared", async () => {
    chain.mine(1, 1);
    chain.finalise(1n);
    let running = 0;
    let most = 0;
    for (const name of ["page", "continue", "place", "lastRow", "firstBlock"] as const) {
      const read = chain.reader[name] as (...asked: unknown[]) => Promise<unknown>;
      const counted = async (...asked: unknown[]) => {
        running += 1;
        most = Math.max(most, running);
        await sleep(5);
        running -= 1;
        return read(...asked);
      };
      Object.assign(chain.reader, { [name]: counted });
    }
    const queries = ["?after=0", "?after=0", "?after=0&kind=repaid", `?after=${chain.ids()[0]}`, ""];
    const streams = await Promise.all(queries.map(open));
    await Promise.all(streams.map((stream) => stream.until(has("head"))));
    expect(most).toBe(1);
    // Two of the four that read final rows ask for the same.
    expect(chain.reads.filter((name) => name === "page")).toHaveLength(3);
    for (const stream of streams) await stream.close();
  });

  it("is resent the rows after one that the tables had lacked", async () => {
    chain.mine(1, 1, 1, 1);
    chain.finalise(1n);
    const stream = await open("?after=0");
    await stream.until(has("ledger", 4));
    await stream.until(has("head"));
    chain.fill(3n);
    await stream.until(has("reorg"));
    await stream.until(has("ledger", 7));
    expect(heldAfter(stream.frames())).toEqual(chain.ids());
    chain.finalise(4n);
    await stream.until(has("final"));
    await stream.close();
  });

  it("is disconnected if such a row precedes rows sent as final", async () => {
    chain.mine(1, 1, 1);
    chain.finalise(2n);
    const stream = await open("?after=0");
    await stream.until(has("head"));
    chain.fill(1n);
    await stream.toEnd();
  });

  it("hears of an opening before the raise's rows on later pages, since earlier ones could not follow", async () => {
    chain.show([]);
    chain.mine(500, 500, 500);
    chain.finalise(3n);
    const { page } = chain.reader;
    chain.reader.page = async (query) => {
      const rows = await page(query);
      if (query.after === null) {
        chain.show(chain.market.listings.all());
        // It is shown while later pages are still being read.
        await sleep(100);
      }
      return rows;
    };
    const stream = await open("?after=0");
    await stream.until(has("ledger", 1_500));
    const rows = Array.from({ length: 1_500 }, () => "ledger");
    expect(stream.frames().map(({ event }) => event)).toEqual(["reorg", ...rows]);
    expect(heldAfter(stream.frames())).toEqual(chain.ids());
    await stream.close();
  });

  it("is resent an ended raise's rows when it is published or renamed, and told when it is withdrawn", async () => {
    const { onchainId } = chain.listing;
    const named = (publicId: string | null) =>
      publishedIn(
        ids(1, 24).flatMap((id) => {
          const own = `${id}` === onchainId ? publicId : `lst_${id}`;
          return own === null ? [] : entryDraft({ onchainId: `${id}`, publicId: own });
        }),
      );
    chain.republish(...named(null));
    chain.mine(1, 1, 1);
    chain.finalise(2n);
    const stream = await open("?after=0");
    await stream.until(has("head"));
    expect(heldAfter(stream.frames())).toEqual([]);
    chain.republish(...named("lst_early"));
    await stream.until(has("ledger", 3));
    chain.republish(...named("lst_late"));
    await stream.until(has("ledger", 6));
    expect(heldAfter(stream.frames())).toEqual(chain.ids());
    expect(stream.frames().at(-2)?.data.publicId).toBe("lst_late");
    chain.republish(...named(null));
    await stream.until(has("reorg", 3));
    expect(heldAfter(stream.frames())).toEqual([]);
  });

  it("that wants final rows gets each once, even if the row of its id is not final yet", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    await begin();
    chain.mine(2, 1, 1);
    const ids = chain.ids();
    const stream = await open(`?after=${ids[1]}&finality=final`);
    const reading = stream.until(has("ledger", 2));
    await sleep(100);
    chain.finalise(3n);
    // At each keep-alive it looks whether the row is final by now.
    await vi.waitFor(() => {
      vi.advanceTimersByTime(10_000);
      expect(has("ledger", 2)(stream.frames())).toBe(true);
    }, PATIENCE);
    await reading;
    await stream.until(has("final"));
    expect(heldAfter(stream.frames())).toEqual(ids.slice(2));
    await stream.close();
  });

  it("is given signs of life while their page waits, and when nothing comes", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    await begin();
    chain.mine(1, 1);
    chain.finalise(1n);
    const held = Promise.withResolvers<void>();
    const { page } = chain.reader;
    const asked = vi.fn<typeof page>(async (query) => {
      await held.promise;
      return page(query);
    });
    chain.reader.page = asked;
    const stream = await open("?after=0&heads=rows");
    const reading = stream.until(has("head"));
    await vi.waitFor(() => expect(asked).toHaveBeenCalled(), PATIENCE);
    vi.advanceTimersByTime(9_000);
    await sleep(50);
    expect(stream.text()).toBe(":\n\n");
    held.resolve();
    await reading;
    expect(heldAfter(stream.frames())).toEqual(chain.ids());
    const all = await open();
    await all.until(has("head"));
    chain.mine(0);
    const following = stream.until(has("head", 2));
    await all.until(has("head", 2));
    expect(has("head", 2)(stream.frames())).toBe(false);
    vi.advanceTimersByTime(10_000);
    // In place of the keep-alive, since it was not told of that block.
    await following;
    expect(stream.frames().at(-1)).toMatchObject({ id: chain.ids().at(-1), data: { blockNumber: "3" } });
    const { length } = stream.text();
    const waiting = stream.until(() => stream.text().length > length);
    vi.advanceTimersByTime(10_000);
    await waiting;
    expect(stream.text().slice(length)).toBe(":\n\n");
    for (const one of [stream, all]) await one.close();
  });
});
