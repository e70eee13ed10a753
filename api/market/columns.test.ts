import { expect, it } from "vitest";
import { publishedOf } from "../../test/harness/published.ts";
import { listingRow } from "../../test/harness/rows.ts";
import { columnsOf } from "./columns.ts";
import { Listings } from "./listings.ts";

it("the dates of raises in full are found without reading their texts", () => {
  const full = publishedOf(listingRow(), listingRow({ onchainId: 2n })).map(({ listing }, index) =>
    Object.defineProperty({ ...listing, updatedBlock: `${index}` }, "description", {
      enumerable: true,
      get() {
        throw new Error("the whole raise is read");
      },
    }),
  );
  const times = ["2026-01-02T00:00:00Z", "2026-03-01T00:00:00Z"];
  const timeOf = ({ updatedBlock }: { updatedBlock: string | null }) => times[Number(updatedBlock)] as string;
  const columns = columnsOf({
    ...{ listings: new Listings(full), originatorByPublicId: new Map() },
    ...{ createdAt: timeOf, changedAt: timeOf },
  });
  expect(columns.latestChange()).toBe(Date.parse("2026-03-01") / 1_000);
  expect([...columns.months().values()].map(({ count }) => count)).toEqual([1, 1]);
  expect([...columns.changesByOriginator().values()]).toEqual([Date.parse("2026-03-01") / 1_000]);
});
