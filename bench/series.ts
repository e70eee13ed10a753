/** @module Series of a thousand days and cohorts, of a market of 20,000 raises and a million events, in memory; and what a block costs. */
import type { ChainRows } from "../api/market/chain-rows.ts";
import type { FlowRow } from "../api/market/flows.ts";
import { dayOf } from "../api/market/periods.ts";
import { createProjection } from "../api/market/project.ts";
import type { ListingRow } from "../src/fold/state.ts";
import { parseRegistry } from "../test/harness/parsed-registry.ts";
import { DAY, DOLLAR, HEAD, NOW } from "../test/harness/rows.ts";
import { SITE } from "../test/harness/snapshot.ts";
import { makeMarket } from "./harness/market.ts";
import { RUNS, soloRow } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";

const LISTINGS = 20_000;
/** Days of a raise with events, each of which makes several: a million events in all. */
const DAYS = 25;
const SPAN = 1_000;

/** A market of 20,000 raises with a million events. */
export function longMarket() {
  const made = makeMarket(LISTINGS);
  const registry = parseRegistry(Buffer.from(JSON.stringify(made.registry)));
  const rows: ChainRows = {
    listings: made.rows.listing,
    repayments: made.rows.repayment,
    ...{ offers: made.rows.offer, trades: made.rows.trade, holders: new Map() },
    flows: made.rows.listing.flatMap(flowsOf),
  };
  const memory = process.memoryUsage().heapUsed;
  const startedAt = performance.now();
  const projection = createProjection({ registry, publicSettings: SITE, start: HEAD });
  const market = projection.advance(rows, HEAD, HEAD.number);
  const start = performance.now() - startedAt;
  return { made, projection, market, start, memory: process.memoryUsage().heapUsed - memory };
}

export async function* series(): AsyncGenerator<Row> {
  const { made, projection, start, memory, ...first } = longMarket();
  let { market } = first;
  const about = { bench: "series", unit: "ms" };
  yield soloRow({ ...about, case: "the start of 20,000 raises", bar: "reported" }, [start]);
  yield soloRow({ ...about, case: "memory of the start", unit: "MiB", bar: "reported" }, [memory / 2 ** 20]);

  const from = NOW - BigInt(SPAN - 1) * DAY;
  const cases = {
    [`${SPAN} days`]: () => market.overTime?.series({ by: "day", from }),
    [`${SPAN} days of a grade`]: () => market.overTime?.series({ by: "day", from, grade: ["NR"] }),
    [`${SPAN} days of a business`]: () => market.overTime?.series({ by: "day", from, originator: "org_1" }),
    "cohorts by month": () => market.overTime?.cohorts({ by: "month" }),
    "cohorts by grade": () => market.overTime?.cohorts({ by: "grade" }),
  };
  for (const [name, ask] of Object.entries(cases)) {
    const times: number[] = [];
    for (let run = 0; run <= RUNS; run++) {
      market = nextBlock(run);
      const began = performance.now();
      const text = JSON.stringify(ask());
      // The first is a warm-up.
      if (run > 0 && text.length > 0) times.push(performance.now() - began);
    }
    yield soloRow({ ...about, case: name, bar: name === `${SPAN} days` ? "≤ 20 ms" : "reported" }, times);
  }

  /** Ten raises change in each block, so nothing is answered from what was kept of the last one. */
  function nextBlock(run: number) {
    const { number, timestamp } = market.head;
    const head = { number: number + 1n, timestamp: timestamp + 1n };
    const changed = made.rows.listing.slice(run * 10, run * 10 + 10);
    const listings = changed.map((row): ListingRow => ({ ...row, updatedBlock: head.number }));
    const flows = changed.flatMap((row) => flowsOf(row).slice(0, 1));
    return projection.advance(
      { ...{ listings, flows }, ...{ repayments: [], offers: [], trades: [] }, holders: new Map() },
      head,
      HEAD.number,
    );
  }
}

function flowsOf({ escrowAddress, onchainId, drawnDownAt }: ListingRow): FlowRow[] {
  const pair = { escrowAddress, onchainId };
  const first = dayOf(NOW) - (Number(onchainId) % (SPAN - DAYS));
  const measures =
    drawnDownAt === null ? (["committed"] as const) : (["outstanding", "repaidPrincipal"] as const);
  return Array.from({ length: DAYS }, (_, day) =>
    measures.map((measure) => ({ ...pair, day: first - day, measure, amount: BigInt(day + 1) * DOLLAR })),
  ).flat();
}
