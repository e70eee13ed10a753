/** @module A block that changes some listings, compared with the projection of all of them. */

import type { ChainRows } from "../api/market/chain-rows.ts";
import type { Market } from "../api/market/market.ts";
import { createProjection } from "../api/market/project.ts";
import type { Registry } from "../api/registry/schema.ts";
import type { Block } from "../src/fold/events.ts";
import type { ListingRow } from "../src/fold/state.ts";
import { parseRegistry } from "../test/harness/parsed-registry.ts";
import { project } from "../test/harness/project.ts";
import { DOLLAR, HEAD } from "../test/harness/rows.ts";
import { SITE } from "../test/harness/snapshot.ts";
import { makeMarket } from "./harness/market.ts";
import { inPairs, rowOf } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";

/** The state after a block, and what it changed. */
type NextBlock = { rows: ChainRows; changed: readonly ListingRow[]; registry: Registry; head: Block };

/** Takes blocks in their order. */
type Engine = (block: NextBlock) => Market;

const finalizedAt = ({ number }: Block) => number - 30n;

const whole: Engine = ({ rows, registry, head }) =>
  project({ rows, registry, head, finalized: finalizedAt(head), publicSettings: SITE });

/** The engine of the service: it has taken all rows before the first block. */
function startEngine(rows: ChainRows, registry: Registry): Engine {
  const projection = createProjection({ registry, publicSettings: SITE, start: HEAD });
  projection.advance(rows, HEAD, finalizedAt(HEAD));
  return ({ changed, head }) =>
    projection.advance({ ...NO_ROWS, listings: changed }, head, finalizedAt(head));
}

const NO_ROWS: ChainRows = { listings: [], repayments: [], offers: [], trades: [], holders: new Map() };

/** Milliseconds of one side of a run; at least one block. */
const DURATION = 400;
const BARS = [
  { changed: 0, bar: "≤ 1 ms" },
  { changed: 1, bar: "≤ 0.02" },
  { changed: 100, bar: "≤ 0.05" },
];

export async function* block(): AsyncGenerator<Row> {
  for (const size of [10_000, 100_000]) {
    const made = makeMarket(size);
    const registry = parseRegistry(Buffer.from(JSON.stringify(made.registry)));
    const { listing, repayment, offer, trade } = made.rows;
    const rows = {
      listings: listing,
      repayments: repayment,
      offers: offer,
      trades: trade,
      holders: new Map(),
    };
    for (const { changed, bar } of BARS) {
      const pairs = await inPairs({
        ours: blocksOn(startEngine(rows, registry), { rows, registry }, changed),
        other: blocksOn(whole, { rows, registry }, changed),
      });
      yield rowOf(
        {
          ...{
            bench: "block",
            case: `${changed} of ${size.toLocaleString("en")} changed`,
            unit: "ms a block",
          },
          ...{ against: "the whole projection", bar },
        },
        pairs,
      );
    }
  }
}

/** Milliseconds for a block that changes this many listings, spread over all of them. */
function blocksOn(
  engine: Engine,
  start: { rows: ChainRows; registry: Registry },
  count: number,
): () => Promise<number> {
  let { rows } = start;
  let head = HEAD;
  return async () => {
    let spent = 0;
    let blocks = 0;
    while (spent < DURATION) {
      head = { number: head.number + 1n, timestamp: head.timestamp + 1n };
      const next = changeSome(rows, count, head);
      rows = next.rows;
      const startedAt = performance.now();
      engine({ ...next, registry: start.registry, head });
      spent += performance.now() - startedAt;
      blocks += 1;
    }
    return spent / blocks;
  };
}

function changeSome(rows: ChainRows, count: number, head: Block): Pick<NextBlock, "rows" | "changed"> {
  const listings = [...rows.listings];
  const step = Math.floor(listings.length / Math.max(1, count));
  const first = Number(head.number % BigInt(step));
  const changed: ListingRow[] = [];
  for (let index = first; changed.length < count; index += step) {
    const row = listings[index];
    if (row === undefined) throw new Error("a change of a listing that is not there");
    const raised = { raisedAmount: row.raisedAmount + DOLLAR, subscriberCount: row.subscriberCount + 1 };
    const next = { ...row, ...raised, updatedBlock: head.number, updatedAt: head.timestamp };
    listings[index] = next;
    changed.push(next);
  }
  return { rows: { ...rows, listings }, changed };
}
