/** @module The reader of the ledger over large tables on a real PostgreSQL, and the plans by which the database answers it. */
import type { SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Database } from "../../api/database/checkpoint.ts";
import { createLedgerQueries, type LedgerQueries } from "../../api/ledger/read.ts";
import * as tables from "../../ponder.schema.ts";
import { LEDGER_INDEXES, LEDGER_TABLE } from "./ledger-table.ts";
import { startPostgres } from "./postgres.ts";

type Plan = {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Relation Name"?: string;
  Plans?: Plan[];
};

export type LargeLedger = {
  readonly pool: pg.Pool;
  readonly reader: LedgerQueries;
  /** The steps of the last query of some work, and how many rows of the table it looks at. */
  planOf(
    run: () => Promise<unknown>,
    relation?: "ledger" | "anomaly",
  ): Promise<{ steps: string[]; looked: number }>;
  stop(): Promise<void>;
};

/** SQL of a number with leading zeros. */
export const pad = (sql: string, digits: number) => `lpad((${sql})::text, ${digits}, '0')`;

/** @param fill statements that fill the table of the ledger, which has no indexes yet */
export async function startLargeLedger(fill: string): Promise<LargeLedger> {
  const postgres = await startPostgres();
  const pool = new pg.Pool({ connectionString: postgres.connectionString });
  // It ends without waiting for its connections, which the end of the database may cut off.
  pool.on("error", () => {});
  for (const statement of LEDGER_TABLE) if (!LEDGER_INDEXES.includes(statement)) await pool.query(statement);
  await pool.query(fill);
  let asked: { text: string; values: unknown[] } | undefined;
  const logger = {
    logQuery: (text: string, values: unknown[]) => {
      if (/from "?(ledger|anomaly)"?\b/i.test(text)) asked = { text, values };
    },
  };
  // It reads as Ponder's does; the compiler sees another package's type.
  const drizzled = drizzle(pool, { casing: "snake_case", logger });
  const database = {
    transaction: (read: never, config: object) => drizzled.transaction(read, config),
    statement: async (_: string, query: SQL) => (await drizzled.execute(query)).rows,
  } as unknown as Database;
  return {
    pool,
    reader: createLedgerQueries({ database, tables, blockTimes: { of: async () => null } }),

    async planOf(run, relation = "ledger") {
      await run();
      if (asked === undefined) throw new Error("nothing was asked");
      const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${asked.text}`, asked.values);
      const steps: string[] = [];
      let looked = 0;
      const visit = (plan: Plan) => {
        // Ponder's own tables have a row each, the tally one for each family.
        if (!/^(_ponder|tally$)/.test(plan["Relation Name"] ?? "")) steps.push(plan["Node Type"]);
        if (plan["Relation Name"] === relation)
          looked += (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
        for (const below of plan.Plans ?? []) visit(below);
      };
      visit(rows[0]["QUERY PLAN"][0].Plan);
      return { steps, looked };
    },

    async stop() {
      await pool.end();
      await postgres.stop();
    },
  };
}
