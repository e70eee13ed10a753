import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { expect, it } from "vitest";
import { ledger } from "../../ponder.schema.ts";
import { eventsOfListing, eventsOfMarket } from "./event-filter.ts";

const dialect = new PgDialect({ casing: "snake_case" });
const PAIR = { escrowAddress: `0x${"e1".repeat(20)}`, onchainId: 1n } as const;
const BEFORE = { kinds: null, since: null, until: null, before: { blockNumber: 120n, logIndex: 3, part: 1 } };

// The last event of a page is its cursor: the next page begins strictly below that place, block, log and part together.
it.each<[string, SQL | undefined]>([
  ["one listing", eventsOfListing(ledger, PAIR, BEFORE, true)],
  ["one listing, without indexes", eventsOfListing(ledger, PAIR, BEFORE, false)],
  ["the market", eventsOfMarket(ledger, BEFORE, null)],
])("a page of %s leaves out the place that its cursor names", (_of, condition) => {
  if (condition === undefined) throw new Error("there is a condition");
  const { sql, params } = dialect.sqlToQuery(condition);
  const numbers =
    /\("ledger"\."block_number", "ledger"\."log_index", "ledger"\."part"\) < \(\$(\d+)::numeric, \$(\d+)::integer, \$(\d+)::integer\)/.exec(
      sql,
    ) ?? [];
  expect(
    numbers.slice(1).map((number) => params[Number(number) - 1]),
    sql,
  ).toEqual(["120", 3, 1]);
});

// A page that ends within a block goes on with the rest of it.
it.each([
  [true, /"event_id" < coalesce\(\(SELECT[\s\S]*?block_number >= \$(\d+)::numeric/, "121"],
  [false, /"ledger"\."block_number" <= \$(\d+)/, 120n],
])("a page of one listing may begin in its cursor's own block (indexed: %s)", (indexed, bound, expected) => {
  const condition = eventsOfListing(ledger, PAIR, BEFORE, indexed);
  if (condition === undefined) throw new Error("there is a condition");
  const { sql, params } = dialect.sqlToQuery(condition);
  expect(`${params[Number(bound.exec(sql)?.[1]) - 1]}`, sql).toBe(`${expected}`);
});
