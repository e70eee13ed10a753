/** @module The work of one request: what takes long is done piece by piece, and the tests of its filters are limited. */
import { setImmediate as pause } from "node:timers/promises";
import { createTurns } from "../../config/in-turn.ts";
import {
  type Accepts,
  FILTERS,
  type ListingsFilters,
  mapFilters,
  type Originators,
} from "../market/listings-filters.ts";
import { overLimit } from "./errors.ts";
import { LIMITS } from "./limits.ts";

/** Milliseconds of a request's work after which other requests get a turn. */
const SLICE = 20;

export type Work = {
  /** the filters of listings; each test of a raise is counted */
  filters: ListingsFilters;
  /** Does a piece of work after those before it. @throws a `QUERY_TOO_COSTLY` once there were too many tests */
  inTurn<Result>(piece: () => Result): Promise<Result>;
};

export function createWork({
  tests: most = LIMITS.tests,
  slice = SLICE,
}: {
  tests?: number;
  slice?: number;
} = {}): Work {
  let tests = 0;
  let resumedAt = performance.now();
  const inTurn = createTurns();
  const filters = mapFilters(FILTERS, (filter) => ({
    ...filter,
    accepts(value: never, originators: Originators): Accepts | null {
      const accepts = filter.accepts(value, originators);
      if (accepts === null) return null;
      return (listing) => {
        tests++;
        return accepts(listing);
      };
    },
  }));
  return {
    filters,
    inTurn: (piece) =>
      inTurn(async () => {
        if (performance.now() - resumedAt >= slice) {
          await pause();
          resumedAt = performance.now();
        }
        if (tests < most) return piece();
        const message = `The filters of the query have made ${most} tests of raises: ask for fewer filtered lists at once.`;
        throw overLimit("QUERY_TOO_COSTLY", message, most);
      }),
  };
}
