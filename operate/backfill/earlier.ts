/**
 * An existing ledger from which a new schema is folded, so that only later events are read from the chain. It is the ledger of an
 * earlier schema of the same database, or an imported ledger file (`imported.ts`).
 *
 * It must have recorded the same events of the same contracts. A key in the earlier schema's mark or in the file tells: it is
 * derived from the contracts and from the code that decides which events are recorded, and how; the fold of an event into the other
 * tables may differ. Transfers have no ledger rows, so an earlier ledger cannot be used with holders.
 * @module
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Hex } from "viem";
import { COMPLETENESS_COLUMN, type Completeness } from "../../config/completeness.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { postgresClientOf } from "../../config/postgres-client.ts";
import { PROJECT_ROOT } from "../../config/schema-name.ts";
import { FAST_FORWARD_TABLE } from "../../config/table-names.ts";
import { blockOf } from "../../src/fold/event-id.ts";
import { firstGap } from "./gaps.ts";
import type { FiledEvent } from "./ledger-line.ts";
import { type Query, readSchemaLedger } from "./schema-ledger.ts";

export type PriorLedger = {
  /** its origin, for the log */
  of: "an earlier version" | "an imported file";
  /** the last block whose events are final in it */
  last: number;
  /** the factory's escrows, by the block of their announcement */
  escrowChildren: ReadonlyMap<Hex, number>;
  /** a block whose hash identifies the chain; null without events */
  knownBlock: { number: number; hash: string } | null;
  /** what is proven of its blocks; null where that is not known */
  completeness: Completeness | null;
  /** Every event up to that block, in the order of the chain, with the hash of its block. */
  rows(): AsyncGenerator<FiledEvent>;
  close(): Promise<void>;
};

/** The code that decides on the rows of the ledger. `lifecycle.ts` binds tokens, and so decides with `step.ts` on the desk's events. */
const RECORDING = [
  "chain/contracts.ts",
  "config/sources.ts",
  "src/handlers.ts",
  "src/record.ts",
  ...["abi", "announcement", "built-in", "compile", "contracts", "market-event"].map(
    (name) => `src/contracts/${name}.ts`,
  ),
  ...["events", "event-id", "event-kinds", "ledger", "lifecycle", "step", "vocabulary"].map(
    (name) => `src/fold/${name}.ts`,
  ),
];

/** Equal for schemas whose ledgers have the same rows; null if the ledger does not have all events. */
export function ledgerKey(settings: Settings): string | null {
  const { chainId, contracts, escrows, escrowFactory, desk, holders } = settings;
  if (holders) return null;
  const hash = createHash("sha256").update(JSON.stringify({ chainId, escrows, escrowFactory, desk }));
  if (contracts !== null) hash.update(contracts.text);
  const abis = readdirSync(join(PROJECT_ROOT, "abis")).map((file) => `abis/${file}`);
  for (const file of [...abis.sort(), ...RECORDING])
    hash.update(`\n${file}\n`).update(withoutComments(readFileSync(join(PROJECT_ROOT, file), "utf8")));
  return hash.digest("hex");
}

/** The code without lines that are comments, empty lines and indentation, which do not decide what is recorded. */
export function withoutComments(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => !/^($|\/\/|\/\*|\*( |\/|$))/.test(line)).join(" ");
}

const OTHER_CODE =
  "Earlier ledgers are of other contracts, or were recorded by other code: they are not folded";

/** The earlier schema that has come furthest, or null. Only on PostgreSQL. */
export async function findPriorLedger(
  settings: Settings,
  log: Pick<Logger, "info">,
): Promise<PriorLedger | null> {
  const key = ledgerKey(settings);
  if (key === null || settings.database.kind !== "postgres") return null;
  const client = postgresClientOf(settings.database.connectionString, 0);
  await client.connect();
  const query = async (text: string, values: unknown[] = []) =>
    (await client.query<Record<string, string>>(text, values)).rows;
  try {
    // One snapshot: the earlier version may still be running.
    await query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    let found:
      | (Pick<PriorLedger, "last" | "completeness"> & {
          schema: string;
          mark: number;
        })
      | null = null;
    const schemas = await query(
      "SELECT table_schema AS schema FROM information_schema.tables WHERE table_name = $1",
      [FAST_FORWARD_TABLE],
    );
    const names = schemas.map(({ schema }) => pg.escapeIdentifier(schema ?? ""));
    // The same event may be missing in each of them.
    const gap = await firstGap(query, names);
    let others = 0;
    for (const name of names) {
      const [mark] = await query(
        `SELECT last_block, finalized_checkpoint, to_jsonb(own) ->> '${COMPLETENESS_COLUMN}' AS completeness, ledger_key
        FROM ${name}.${FAST_FORWARD_TABLE}, ${name}._ponder_checkpoint AS own WHERE ledger_key IS NOT NULL`,
      );
      if (mark?.finalized_checkpoint === undefined) continue;
      if (mark.ledger_key !== key) {
        others += 1;
        continue;
      }
      const checkpoint = gap === null ? mark.finalized_checkpoint : await lastEventBefore(query, name, gap);
      if (checkpoint === null) continue;
      const last = Number(blockOf(checkpoint).number);
      const completeness = JSON.parse(mark.completeness ?? "null") as Completeness | null;
      if (found === null || last > found.last)
        found = { schema: name, last, mark: Number(mark.last_block), completeness };
    }
    if (found === null) {
      if (others > 0) log.info({ msg: OTHER_CODE, schemas: others });
      await client.end();
      return null;
    }
    const { escrowChildren, lastEventBlock, rows } = await readSchemaLedger({ query, settings, ...found });
    const close = () => client.end();
    const of = "an earlier version";
    const { last, completeness } = found;
    return { of, last, completeness, escrowChildren, knownBlock: lastEventBlock, rows, close };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** The id of the last event before a block; null without one. */
async function lastEventBefore(query: Query, schema: string, block: number): Promise<string | null> {
  const [row] = await query(`SELECT max(event_id) AS last FROM ${schema}.ledger WHERE block_number < $1`, [
    block,
  ]);
  return typeof row?.last === "string" ? row.last : null;
}
