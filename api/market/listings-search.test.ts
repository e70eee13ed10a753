import { expect, it } from "vitest";
import { business, marketOf } from "../../test/harness/market.ts";
import { entryDraft, listingRow, NOW } from "../../test/harness/rows.ts";
import { queryListings } from "./listings-query.ts";

const rows = [1n, 2n, 3n, 10n].map((onchainId) => {
  const blocks = onchainId % 9n;
  return listingRow({ onchainId, updatedBlock: 100n + blocks, updatedAt: NOW - 100n + blocks });
});
const { listings, originatorByPublicId } = marketOf(
  rows,
  [
    entryDraft({ onchainId: "1", title: "A second oven" }),
    entryDraft({ onchainId: "2", title: "The truck of RB00001" }),
    entryDraft({ onchainId: "3", title: "A third oven" }),
    entryDraft({ onchainId: "10", publicId: "lst_1Ten", title: "A tenth" }),
  ],
  [business()],
);
const found = (query: Parameters<typeof queryListings>[1]) =>
  queryListings(listings, query, originatorByPublicId)
    .listings.map(({ publicId }) => publicId)
    .sort();

it.each([
  ["second OVEN", ["lst_1"]],
  ["oven", ["lst_1", "lst_3"]],
  // One id is a word: it is also in a title.
  ["RB00001", ["lst_1", "lst_2"]],
  ["rb00001 second", ["lst_1"]],
  // Several are the raises that they name, not those whose texts have them.
  ["RB00003 RB00001", ["lst_1", "lst_3"]],
  ["lst_1 lst_3", ["lst_1", "lst_3"]],
  ["lst_1,LST_1TEN", ["lst_1", "lst_1Ten"]],
  ["lst_1", ["lst_1", "lst_1Ten"]],
  ["lst_3 RB00002", ["lst_2", "lst_3"]],
  ["RB00002 RB00003 oven", ["lst_3"]],
  ["RB00003 RB99999", ["lst_3"]],
  ["RB99998 RB99999", []],
  [" ", ["lst_1", "lst_1Ten", "lst_2", "lst_3"]],
])("%j finds %j", (q, expected) => {
  expect(found({ q })).toEqual(expected);
});

it("a raise that changed since a block or a time has its last event there or later", () => {
  expect(found({ changedSince: { block: 102n } })).toEqual(["lst_2", "lst_3"]);
  expect(found({ changedSince: { block: 104n } })).toEqual([]);
  expect(found({ changedSince: { time: NOW - 97n } })).toEqual(["lst_3"]);
  expect(found({ changedSince: { time: NOW - 99n } })).toEqual(["lst_1", "lst_1Ten", "lst_2", "lst_3"]);
});
