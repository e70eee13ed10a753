import { expect, it, vi } from "vitest";
import { fixedLedger } from "../../../test/harness/fixed-ledger.ts";
import { ids, longMarket } from "../../../test/harness/long-market.ts";
import { listingRow, NOW } from "../../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { visibleIn, visibleMatching, visibleOf } from "../../ledger/pages.ts";
import { readActivity } from "./activity.ts";

const RAISES = 120;
const raises = longMarket(RAISES);
raises.open(ids(1, RAISES));
const market = raises.end(ids(1, 100));
const { escrowAddress } = listingRow();
const NO_MONEY = { committed: 0n, refunded: 0n, repaidPrincipal: 0n, repaidInterest: 0n, outstanding: 0n };
const rows = ids(1, RAISES + 5).map((id) => ({
  ...{ escrowAddress, onchainId: BigInt(id), kind: "subscribed" as const, events: 1 + (id % 30) },
  ...NO_MONEY,
}));
const ofSun = [...market.originators].filter(({ publicId }) => publicId === "org_sun");

it.each([
  ["all", visibleIn(market), ids(1, RAISES)],
  ["some businesses", visibleOf(market, ofSun), ids(1, RAISES).filter((id) => id % 4 === 0)],
  ["a query", visibleMatching(market, { status: ["voided"] }), ids(1, 100)],
] as const)(
  "the activity of %s is that of its raises, which are not read for it",
  async (_, listings, own) => {
    const { archived } = market.listings;
    if (archived === null) throw new Error("nothing is archived");
    const reading = vi.spyOn(archived.view.archive, "read");
    const found = await readActivity({
      ...{ snapshot: { ...(await snapshotOf(tablesOf())), market }, exposeAccounts: false },
      ...{
        ledger: fixedLedger({ sums: { rows } }),
        listings,
        since: { time: NOW },
        until: undefined,
        kinds: null,
      },
    });
    if ("advice" in found) throw new Error(found.advice);
    const counted = own.map((id) => ({ publicId: `lst_${id}`, events: 1 + (id % 30) }));
    counted.sort((a, b) => b.events - a.events || (a.publicId < b.publicId ? -1 : 1));
    expect(found.raises).toBe(own.length);
    expect(found.events).toBe(counted.reduce((sum, { events }) => sum + events, 0));
    expect(found.changed.map(({ publicId, events }) => ({ publicId, events }))).toEqual(counted.slice(0, 20));
    expect(reading).not.toHaveBeenCalled();
  },
);
