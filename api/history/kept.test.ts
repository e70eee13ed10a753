import { describe, expect, it, vi } from "vitest";
import { SITE } from "../../test/harness/app.ts";
import { HEAD, listingRow, offerRow, registryOf } from "../../test/harness/rows.ts";
import { createBody } from "../http/body.ts";
import { type ChainRows, type Market, project } from "../market/project.ts";
import { keepPasts } from "./kept.ts";

function rowsWith(counts: { listings?: number; offers?: number }): ChainRows {
  const listings = Array.from({ length: counts.listings ?? 0 }, () => listingRow());
  const offers = Array.from({ length: counts.offers ?? 0 }, () => offerRow());
  return { listings, offers, repayments: [], trades: [], holders: new Map() };
}

const market: Market = project({ rows: rowsWith({}), registry: registryOf([]), head: HEAD, site: SITE });

describe("what is kept of the past", () => {
  it("is bounded by its rows, offers too", () => {
    const { rows } = keepPasts({ mostRows: 100 });
    for (const [id, counts] of [{ listings: 40 }, { offers: 40 }, { offers: 40 }].entries()) {
      rows.set(`${id}`, rowsWith(counts));
    }
    expect([...rows.keys()]).toEqual(["2", "1"]);
  });

  it("is the newest rows alone where they are above the bound", () => {
    const { rows, moments } = keepPasts({ mostRows: 100 });
    for (const id of ["1", "2"]) {
      rows.set(id, rowsWith({ listings: 101 }));
      const past = { market, body: vi.fn() };
      moments.set(id, { rows: rowsWith({ listings: 101 }), registry: registryOf([]), past });
    }
    expect([[...rows.keys()], [...moments.keys()]]).toEqual([["2"], ["2"]]);
  });

  it("is bounded by the bytes of its bodies, of all moments together", () => {
    const kept = keepPasts({ mostBytes: 1_000 });
    const make = (bytes: number) => vi.fn(() => createBody("text/plain", Buffer.alloc(bytes)));
    const [one, other] = [kept.pastOf(market), kept.pastOf(market)];
    const made = { small: make(200), elsewhere: make(200), more: make(200), large: make(5_000) };
    one.body("a", made.small);
    other.body("a", made.elsewhere);
    one.body("a", made.small);
    expect([made.small, made.elsewhere].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);

    // Three with room for their compressed forms are too many: the one that was not asked for again goes.
    other.body("b", made.more);
    one.body("a", made.small);
    expect(made.small).toHaveBeenCalledTimes(1);
    other.body("a", made.elsewhere);
    expect(made.elsewhere).toHaveBeenCalledTimes(2);

    one.body("large", made.large);
    one.body("large", made.large);
    expect(made.large).toHaveBeenCalledTimes(1);
  });
});
