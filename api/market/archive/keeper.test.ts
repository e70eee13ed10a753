import { expect, it, vi } from "vitest";
import { ids, longMarket } from "../../../test/harness/long-market.ts";
import { business } from "../../../test/harness/market.ts";
import { noRows } from "../../../test/harness/random-blocks.ts";
import { DAY, entryDraft, HEAD, listingRow, NOW, registryOf } from "../../../test/harness/rows.ts";
import { SITE } from "../../../test/harness/snapshot.ts";
import type { Market } from "../market.ts";
import { createProjection } from "../project.ts";

it("a listing's key changes with the listing, and is known without reading it", () => {
  const raises = longMarket(16);
  raises.open(ids(1, 16));
  const market = raises.end(ids(1, 12));
  const { archived } = market.listings;
  if (archived === null) throw new Error("nothing is archived");
  const read = vi.spyOn(archived.view.archive, "read");
  const ended = Array.from(archived.walk(null), ({ originator, publicId }) => ({ originator, publicId }));
  const endedOf = (name: string) => ended.find(({ originator }) => originator === name)?.publicId ?? "";
  const [ofFirst, ofSecond] = [endedOf("org_northwind"), endedOf("org_sun")];
  const full = market.listings.full[0]?.publicId ?? "";
  const keysOf = ({ listingKey }: Market) => [ofFirst, ofSecond, full, "lst_none"].map(listingKey);
  const keys = keysOf(market);
  expect(new Set(keys).size).toBe(4);
  expect(keys[2]).toBe(market.listings.full[0]);
  expect(keys[3]).toBeUndefined();
  expect(keysOf(raises.pass())).toEqual(keys);
  expect(read).not.toHaveBeenCalled();

  const regraded = keysOf(raises.lose([13, 14]));
  expect([regraded[0] === keys[0], regraded[1] === keys[1]]).toEqual([false, true]);
  const touched = raises.touch([Number(ofFirst.slice("lst_".length))]);
  expect(touched.listingKey(ofFirst)).toBe(touched.listingByPublicId.get(ofFirst));

  const others = longMarket(16);
  others.open(ids(1, 16));
  expect(others.end(ids(1, 12)).listingKey(ofFirst)).not.toBe(keys[0]);
});

it("finds a raise again whose refnum has a line feed, after it has ended", () => {
  const only = registryOf([entryDraft({ onchainId: "1" })], [business()]);
  const archive = { atOnce: 1, block: 1 };
  const projection = createProjection({ registry: only, publicSettings: SITE, start: HEAD, archive });
  const ended = { terminalKind: "cancelled", terminalAt: NOW - DAY, updatedBlock: 1n } as const;
  const row = listingRow({ onchainId: 1n, refnum: "RB00001\nx", ...ended });
  projection.advance({ ...noRows(), listings: [row] }, HEAD, HEAD.number);
  const head = { number: HEAD.number + 1n, timestamp: NOW + 1n };
  const claimed = { ...row, claimedAmount: 1n, updatedBlock: head.number };
  const market = projection.advance({ ...noRows(), listings: [claimed] }, head, HEAD.number);
  expect(market.listings.map(({ publicId }) => publicId)).toEqual(["lst_1"]);
});

it("leaves it to all rows to change the entries of many raises that have ended, and saves no archive most of which has come out", () => {
  const numbers = Array.from({ length: 1_002 }, (_, index) => `${index + 1}`);
  const registryWith = (title: string, changed: number) =>
    registryOf(
      numbers.map((onchainId, at) => entryDraft({ onchainId, title: at < changed ? title : "One" })),
      [business()],
    );
  const archive = { atOnce: 1, block: 1 };
  const start = { registry: registryWith("One", 0), publicSettings: SITE, start: HEAD, archive };
  const projection = createProjection(start);
  const ended = { terminalKind: "cancelled", terminalAt: NOW - DAY, updatedBlock: 1n } as const;
  const listings = numbers.map((id) => listingRow({ onchainId: BigInt(id), ...ended }));
  const rows = { ...noRows(), flows: [] };
  projection.advance({ ...rows, listings }, HEAD, HEAD.number);
  expect(projection.useEntries(registryWith("Two", 1_001))).toBe(false);
  expect(projection.save()).not.toBeNull();
  for (const [title, isSaved] of [
    ["Two", true],
    ["Three", false],
  ] as const) {
    expect(projection.useEntries(registryWith(title, 600))).toBe(true);
    projection.advance(rows, HEAD, HEAD.number);
    expect(projection.save() !== null).toBe(isSaved);
  }
});
