import { readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { business } from "../../test/harness/market.ts";
import { entryDraft, HEAD, listingRow, NOW, registryOf } from "../../test/harness/rows.ts";
import { fixedRegistry, recordedLog, SITE, tablesOf } from "../../test/harness/snapshot.ts";
import { createProjection } from "../market/project.ts";
import type { Registry } from "../registry/schema.ts";
import { keepMarket, type MarketKeeper } from "./market-keeper.ts";
import { startMarketUpdater } from "./market-updater.ts";
import { savedMarketOf } from "./saved-files.ts";
import type { TableSnapshot } from "./tables.ts";

const IDS = Array.from({ length: 17 }, (_, at) => BigInt(at + 1));
const registry = registryOf(
  IDS.map((id) => entryDraft({ onchainId: `${id}` })),
  [business()],
);
/** Sixteen have ended, and go into the archive together; the last is open. */
const listings = IDS.map((onchainId) =>
  listingRow({
    onchainId,
    ...(onchainId < 17n ? { closeAt: NOW, terminalKind: "cancelled", terminalAt: NOW } : {}),
  }),
);
const { isWhole: _, rows, ...position } = tablesOf({ listings, finalized: HEAD });
const projection = createProjection({
  ...{ registry, publicSettings: SITE, start: HEAD, archive: { atOnce: 16 } },
});
projection.advance(rows, HEAD, HEAD.number);

const later = { number: HEAD.number + 1n, timestamp: HEAD.timestamp + 1n };
const CHANGED = listingRow({ onchainId: 17n, raisedAmount: 5n, updatedBlock: later.number });

const folder = temporaryFolder();
const path = join(folder, "one.market");

function keeper(origin = "one", writes = false) {
  const { log, lines } = recordedLog();
  return { ...keepMarket({ path, origin, writes, dropOthersAfter: 86_400_000, log }), lines };
}

/** The market of an updater over these tables, and the positions from which it read. @param first the error or result of the first read */
async function started(
  saved: MarketKeeper,
  read: TableSnapshot,
  { current = registry, first }: { current?: Registry; first?: Error | TableSnapshot } = {},
) {
  const asked: unknown[] = [];
  const updater = startMarketUpdater({
    tables: {
      position: async () => read,
      read: async (since) => {
        asked.push(since === null ? "all" : since.head.number);
        if (first === undefined || asked.length > 1) return read;
        if (first instanceof Error) throw first;
        return first;
      },
    },
    ...{ registry: fixedRegistry(current), publicSettings: SITE, log: recordedLog().log, saved },
  });
  await vi.waitFor(() => expect(updater.current()).not.toBeNull());
  updater.stop();
  const market = updater.current()?.market;
  return {
    asked,
    full: market?.listings.full.map(({ publicId }) => publicId),
    raised: market?.listings.map(({ raisedAmount }) => raisedAmount).sort(),
    head: market?.head.number,
  };
}

describe("a market that is kept in a file", () => {
  it("is written by the process that writes, once in a while, and not without an archive", async () => {
    const small = createProjection({ registry, publicSettings: SITE, start: HEAD });
    small.advance(rows, HEAD, HEAD.number);
    const one = keeper("one", true);
    keeper().offer(projection, { position, registry: registry.hash });
    one.offer(small, { position, registry: registry.hash });
    await expect(stat(path)).rejects.toThrow("ENOENT");
    one.offer(projection, { position, registry: registry.hash });
    await vi.waitFor(() => stat(path));
    const { mtimeMs } = await stat(path);
    one.offer(projection, { position, registry: registry.hash });
    expect((await stat(path)).mtimeMs).toBe(mtimeMs);
  });

  it("removes those of earlier releases once they were unused for as long as their schemas are kept", async () => {
    const yesterday = new Date(Date.now() - 90_000_000);
    const [old, unfinished] = ["raisebook_0123456789.market", "raisebook_0123456789.market.7.unfinished"];
    const kept = ["raisebook_fedcba9876.market", "operator.market", "raisebook_0123456789.registry"];
    for (const name of [old, unfinished, ...kept]) await writeFile(join(folder, name), "");
    for (const name of [old, unfinished, ...kept.slice(1)])
      await utimes(join(folder, name), yesterday, yesterday);
    keeper("one", true).offer(projection, { position, registry: registry.hash });
    await vi.waitFor(async () =>
      expect((await readdir(folder)).toSorted()).toEqual([...kept, "one.market"].toSorted()),
    );
  });

  const changed = tablesOf({
    ...{ listings: [CHANGED], head: later, finalized: HEAD },
    revisions: { listings: "2/b" },
  });
  const changes = { ...changed, isWhole: false };
  const grown = {
    ...{ full: ["lst_17"], head: later.number },
    raised: [...Array(16).fill("0"), "5"],
  };

  it("is what the next process starts from, with what changed since", async () => {
    expect(await started(keeper(), changes)).toEqual({ ...grown, asked: [HEAD.number] });
  });

  it.each([HEAD, later])("is used as it is where nothing has changed until block $number", async (head) => {
    const read = tablesOf({ head, finalized: HEAD });
    expect(await started(keeper(), read)).toMatchObject({ asked: [], full: ["lst_17"], head: head.number });
  });

  it.each([
    ["cannot be read", new Error("connection refused")],
    ["are read at an older block", { ...changes, head: HEAD, revisions: position.revisions }],
  ])("is kept while the tables %s", async (_, first) => {
    const found = await started(keeper(), changes, { first });
    expect(found).toEqual({ ...grown, asked: [HEAD.number, HEAD.number] });
  });

  it("is not waited for where the indexer starts again before it was shown", async () => {
    let looks = 0;
    const filling = { ...changed, backfilled: false };
    const updater = startMarketUpdater({
      tables: {
        position: async () => (++looks === 1 ? changed : filling),
        read: async () => {
          if (looks === 1) throw new Error("connection refused");
          return { ...filling, isWhole: false };
        },
      },
      ...{ registry: fixedRegistry(registry), publicSettings: SITE, log: recordedLog().log, saved: keeper() },
    });
    await vi.waitFor(() => expect(updater.current()).toMatchObject({ backfilled: false }));
    updater.stop();
  });

  it("is left for all rows where the tables do not continue it", async () => {
    expect(await started(keeper(), changed)).toMatchObject({ asked: [HEAD.number], raised: ["5"] });
  });

  it("is not used for another registry, by another release, before its block, with less that is final, or twice", async () => {
    const read = tablesOf({ listings, finalized: HEAD });
    const other = registryOf([entryDraft({ onchainId: "17" })], [business()]);
    expect(await started(keeper(), read, { current: other })).toMatchObject({ asked: ["all"] });
    expect(await started(keeper("two"), read)).toMatchObject({ asked: ["all"] });
    const earlier = { number: HEAD.number - 1n, timestamp: HEAD.timestamp - 1n };
    expect(await started(keeper(), { ...read, head: earlier })).toMatchObject({ asked: ["all"] });
    const lessFinal = { ...read, finalized: earlier };
    expect(await started(keeper(), lessFinal)).toMatchObject({ asked: ["all"] });
    const one = keeper();
    expect(await one.take(registry)).not.toBeNull();
    expect(await one.take(registry)).toBeNull();
  });

  it("is reported when it can be neither written nor read", async () => {
    const { log, lines } = recordedLog();
    const unusable = keepMarket({
      path: join(path, "below"),
      origin: "one",
      writes: true,
      dropOthersAfter: null,
      log,
    });
    expect([unusable.newFile(), unusable.newFile()]).toEqual([null, null]);
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).toContain("The market is kept in memory");
    unusable.offer(projection, { position, registry: registry.hash });
    await vi.waitFor(() => expect(JSON.stringify(lines)).toContain("The market cannot be saved"));
    expect(await unusable.take(registry)).toBeNull();
    expect(JSON.stringify(lines)).toContain("The saved market cannot be read");
  });
});

it("is only for a market of the same contracts, whatever the schema is called", async () => {
  const savedWith = (ESCROWS: string, writes: boolean) => {
    const settings = readSettings({
      ...{ RPC_URLS: "http://127.0.0.1:1", ESCROWS, REGISTRY: "r.json", MARKET_FILES: folder },
      ...{ DATABASE_URL: "postgres://127.0.0.1:1/none", DATABASE_SCHEMA: "ours" },
    });
    return savedMarketOf(settings, { writes, log: recordedLog().log }) ?? expect.unreachable();
  };
  const [ours, theirs] = ["a1", "b2"].map((byte) => `0x${byte.repeat(20)}@1`) as [string, string];
  savedWith(ours, true).offer(projection, { position, registry: registry.hash });
  await vi.waitFor(() => stat(join(folder, "ours.market")));
  expect(await savedWith(theirs, false).take(registry)).toBeNull();
  expect(await savedWith(ours, false).take(registry)).not.toBeNull();
});
