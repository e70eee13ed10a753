import { describe, expect, it } from "vitest";
import { project } from "../../test/harness/project.ts";
import { FINALIZED, HEAD, listingRow, offerRow, registryOf } from "../../test/harness/rows.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import type { ChainRows } from "../market/chain-rows.ts";
import type { Market } from "../market/market.ts";
import { createPastCache } from "./cache.ts";

function rowsWith(counts: { listings?: number; offers?: number }): ChainRows {
  const listings = Array.from({ length: counts.listings ?? 0 }, () => listingRow());
  const offers = Array.from({ length: counts.offers ?? 0 }, () => offerRow());
  return { listings, offers, repayments: [], trades: [], holders: new Map() };
}

const market: Market = project({
  rows: rowsWith({}),
  registry: registryOf([]),
  head: HEAD,
  finalized: FINALIZED.number,
  publicSettings: SITE,
});

describe("what is kept of the past", () => {
  it("is bounded by its rows, offers too", () => {
    const { rows } = createPastCache(100);
    for (const [id, counts] of [{ listings: 40 }, { offers: 40 }, { offers: 40 }].entries()) {
      rows.set(`${id}`, rowsWith(counts));
    }
    expect([...rows.keys()]).toEqual(["2", "1"]);
  });

  it("is the newest rows alone where they are above the bound", () => {
    const { rows, markets } = createPastCache(100);
    for (const id of ["1", "2"]) {
      rows.set(id, rowsWith({ listings: 101 }));
      markets.set(id, { rows: rowsWith({ listings: 101 }), registry: registryOf([]), market });
    }
    expect([[...rows.keys()], [...markets.keys()]]).toEqual([["2"], ["2"]]);
  });
});
