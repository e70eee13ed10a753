/** @module The last point of a series against the statistics of the same block, which both state what there is in all. */
import type { Stats } from "../../api/market/schema.ts";
import type { SeriesPoint } from "../../api/market/series-schema.ts";

/** The last point of a series, from the statistics at its end. */
export function totalsOf(stats: Stats): Partial<SeriesPoint> {
  const { current, grace, late, default: inDefault } = stats.outstandingByRepayment;
  return {
    raisedTotal: stats.raised,
    lentTotal: stats.lent,
    repaidTotal: stats.repaid,
    writtenOffTotal: stats.writtenOff,
    reserves: stats.reserves,
    outstanding: stats.outstanding,
    outstandingCurrent: current.amount,
    outstandingGrace: grace.amount,
    outstandingLate: late.amount,
    outstandingInDefault: inDefault.amount,
  };
}
