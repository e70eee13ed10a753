/**
 * The indexer that waits, loaded, for its turn: it takes over tables that are empty, or that lack an event, and fills them as one that
 * is started for them does. The second time with more text than the thread that reads may be ahead of the one that writes.
 */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { readSettings } from "../../config/environment.ts";
import { type Indexer, startIndexer } from "../../operate/daemon/indexer.ts";
import { takeTables } from "../../operate/daemon/lease.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { emit, events } from "../harness/emit.ts";
import { freePort } from "../harness/free-port.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { recordedLog } from "../harness/snapshot.ts";

const SCHEMA = "spare";
/** Rows of 10,000 characters: 60 MB. */
const ROWS = 6_000;

let chain: LocalChain;
let postgres: Postgres;
let env: Record<string, string>;
let created: bigint;
let indexer: Indexer | null = null;

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startChain({ genesisTimestamp: 1_600_000_000 }), startPostgres()]);
  const escrow = await deployRogueEscrow(chain);
  created = await emit(chain, escrow.address, events.created(1n));
  await chain.testClient.mine({ blocks: 5 });
  await emit(chain, escrow.address, events.subscribed(1n, 5n, 5n));
  await chain.testClient.mine({ blocks: 80 });
  env = {
    RPC_URLS: chain.rpcUrl,
    ESCROWS: `${escrow.address}@${escrow.blockNumber}`,
    REGISTRY: "registry.example.json",
    DATABASE_URL: postgres.connectionString,
    DATABASE_SCHEMA: SCHEMA,
    POLLING_INTERVAL: "100",
  };
});
afterAll(async () => {
  indexer?.process.kill("SIGKILL");
  await indexer?.exited;
});

const countOf = async (table: string) =>
  Number((await postgres.query(`SELECT count(*) FROM ${SCHEMA}.${table}`))[0]?.count);

/** Starts one, gives it its turn once it is loaded, and waits until it has written the history. */
async function takeOver(): Promise<void> {
  const ports = { PORT: String(await freePort()), OPERATOR_PORT: String(await freePort()) };
  const settings = readSettings({ ...env, ...ports });
  const tenure = await takeTables({
    ...{ connectionString: postgres.connectionString, schema: SCHEMA, service: 7, instance: "0000aaaa" },
    ...{ shared: {}, log: recordedLog().log, signal: new AbortController().signal },
  });
  if (tenure === null) throw new Error("the tables are another start's");
  const lines: string[] = [];
  const spare = startIndexer({ settings, waits: "everything", onLog: (line) => lines.push(line) });
  indexer = spare;
  const says = (message: string) => vi.waitFor(() => expect(lines.join("\n")).toContain(message), PATIENCE);
  await says("waits for its turn");
  spare.begin(tenure.token);
  await says("Wrote the history");
  spare.process.kill("SIGKILL");
  await spare.exited;
  await tenure.release();
}

it("fills tables that are empty", async () => {
  await takeOver();
  expect(await countOf("ledger")).toBe(2);
});

it("fills tables that lack an event again, from a ledger that is larger than what waits in memory", async () => {
  await postgres.query(`INSERT INTO ${SCHEMA}.ledger (escrow_address, onchain_id, event_id, kind, block_number, block_time, tx_hash, log_index, part, args)
    SELECT escrow_address, onchain_id, left(event_id, 59) || lpad((100 + n)::text, 16, '0'), 'unmapped', block_number, block_time, tx_hash, 100 + n, 0,
      json_build_object('logName', repeat('x', 10000))
    FROM ${SCHEMA}.ledger, generate_series(1, ${ROWS}) AS n WHERE block_number = ${created}`);
  await postgres.query(
    `CREATE TABLE IF NOT EXISTS ${SCHEMA}._gap (block BIGINT NOT NULL); INSERT INTO ${SCHEMA}._gap VALUES (${created + 1n})`,
  );
  await takeOver();
  // Those of the ledger, and from the chain what comes after them.
  expect(await countOf("ledger")).toBe(2 + ROWS);
  expect(await countOf("_gap")).toBe(0);
  expect(await countOf("_fast_forward")).toBe(1);
});
