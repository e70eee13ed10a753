/** @module A market of many rows, made with pauses: to project 100,000 raises at once would stop all other answers for seconds. */
import { type ChainRows, NO_ROWS } from "../market/chain-rows.ts";
import type { Head, Market } from "../market/market.ts";
import { createProjection } from "../market/project.ts";
import type { ProjectionParameters } from "../market/project-form.ts";
import { pairKey, type Registry } from "../registry/schema.ts";

/** Raises of a part: some tens of milliseconds. */
const RAISES = 250;

/** The market at the block of `start`, of all of its rows. @param pause called after each part */
export async function projectInParts(
  of: Pick<ProjectionParameters, "registry" | "publicSettings" | "contracts"> & { start: Head },
  { rows, finalized }: { rows: ChainRows; finalized: bigint },
  pause: () => Promise<void>,
): Promise<Market> {
  const projection = createProjection({ ...of, keepsDays: false, archive: { atOnce: null } });
  for (const part of partsOf(rows, of.registry)) {
    projection.advance(part, of.start, finalized);
    await pause();
  }
  return projection.advance(NO_ROWS, of.start, finalized);
}

/** The raises of a business are in one part, or in parts that follow each other: each part computes the grade of the business again. */
function* partsOf(rows: ChainRows, { listingByPair }: Registry): Generator<ChainRows> {
  const owned = rows.listings.map((row) => ({
    row,
    owner: listingByPair.get(pairKey(row))?.originator ?? "",
  }));
  owned.sort((a, b) => (a.owner === b.owner ? 0 : a.owner < b.owner ? -1 : 1));
  const partOf = new Map(owned.map(({ row }, at) => [pairKey(row), Math.floor(at / RAISES)]));
  const inParts = <Row>(some: Iterable<Row>, keyOf: (row: Row) => string) =>
    Map.groupBy(some, (row) => partOf.get(keyOf(row)) ?? 0);
  const parts = {
    listings: inParts(rows.listings, pairKey),
    repayments: inParts(rows.repayments, pairKey),
    offers: inParts(rows.offers, pairKey),
    trades: inParts(rows.trades, pairKey),
    events: inParts(rows.events ?? [], pairKey),
    flows: inParts(rows.flows ?? [], pairKey),
    bids: inParts(rows.bids ?? [], ([pair]) => pair),
  };
  for (let part = 0; part === 0 || part * RAISES < owned.length; part++) {
    const of = <Row>(some: ReadonlyMap<number, Row[]>) => some.get(part) ?? [];
    yield {
      listings: of(parts.listings),
      repayments: of(parts.repayments),
      offers: of(parts.offers),
      trades: of(parts.trades),
      events: of(parts.events),
      flows: rows.flows == null ? null : of(parts.flows),
      bids: new Map(of(parts.bids)),
      holders: rows.holders,
    };
  }
}
