/** Log lines about a new market. */
import { expect, it } from "vitest";
import { at, follow, showing, useFakeTime } from "../../test/harness/market-updater.ts";
import { entryDraft, listingRow, registryOf } from "../../test/harness/rows.ts";

useFakeTime();

it("logs a listing that cannot be shown once, however often it is projected", async () => {
  const broken = { listings: [listingRow({ refnum: null })] };
  const { show, said, updater } = await showing(at(0n, 1n, broken));
  for (let block = 1n; block < 5n; block++) await show(at(block, 1n, broken));
  expect(updater.current()?.market.unprojectable).toHaveLength(1);
  expect(said().filter(({ level }) => level === "error")).toHaveLength(1);
  expect(said()[0]).toMatchObject({ onchainId: "1" });
});

it("logs once that the registry contradicts the chain", async () => {
  const { show, said, updater, registry } = follow(at(0n, 1n));
  registry.use(registryOf([entryDraft({ refnum: "RB99999" })]));
  for (let block = 1n; block < 5n; block++) await show(at(block, 1n));
  expect(updater.current()?.market.listings.at(0)?.refnum).toBe("RB00001");
  expect(said().filter(({ level }) => level === "warn")).toMatchObject([
    { publicId: "lst_1", fields: ["refnum"] },
  ]);
});
