/** Log lines about a new market. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { at, follow, INTERVAL, pass, useFakeTime, useRealTime } from "../../test/harness/market-updater.ts";
import { entryDraft, listingRow, registryOf } from "../../test/harness/rows.ts";

beforeEach(useFakeTime);
afterEach(useRealTime);

it("logs a listing that cannot be shown once, however often it is projected", async () => {
  const broken = { listings: [listingRow({ refnum: null })] };
  const { tables, said, updater } = follow(at(0n, 1n, broken));
  await pass(0);
  for (let block = 1n; block < 5n; block++) {
    tables.now = at(block, 1n, broken);
    await pass(INTERVAL);
  }
  expect(updater.current()?.market.unprojectable).toHaveLength(1);
  expect(said().filter(({ level }) => level === "error")).toHaveLength(1);
  expect(said()[0]).toMatchObject({ onchainId: "1" });
});

it("logs once that the registry contradicts the chain", async () => {
  const { tables, said, updater, registry } = follow(at(0n, 1n));
  registry.use(registryOf([entryDraft({ refnum: "RB99999" })]));
  for (let block = 1n; block < 5n; block++) {
    tables.now = at(block, 1n);
    await pass(INTERVAL);
  }
  expect(updater.current()?.market.listings.at(0)?.refnum).toBe("RB00001");
  expect(said().filter(({ level }) => level === "warn")).toMatchObject([
    { publicId: "lst_1", fields: ["refnum"] },
  ]);
});
