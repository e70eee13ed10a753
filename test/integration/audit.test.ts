/**
 * The audit: green over a random history through the real contracts, red by a single base unit, by a row too many
 * and by a log that the indexer's node kept to itself. The tables are on PostgreSQL, where a test can change them.
 */
import { createPublicClient, http, type PublicClient, toEventSelector } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import type { Audit } from "../../api/health/audit.ts";
import { createChainClient } from "../../chain/client.ts";
import { readSettings, type Settings } from "../../config/environment.ts";
import { followsHolders } from "../../config/sources.ts";
import {
  addressAndBlock,
  type Deployment,
  deployDesk,
  deployDollar,
  deployEscrow,
} from "../../demo/deploy.ts";
import { audit } from "../../operate/audit/audit.ts";
import { connectTables, readIndexedState } from "../../operate/audit/indexed-state.ts";
import { compareWithLogs } from "../../operate/audit/logs.ts";
import * as tables from "../../ponder.schema.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { indexBook, runAudit } from "../harness/audit-command.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { createHistory, type History } from "../harness/history/history.ts";
import { chosenSeed } from "../harness/history/random.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { type RpcLog, type RpcProxy, startRpcProxy } from "../harness/rpc-proxy.ts";

const ACTIONS = 450;

let chain: LocalChain;
let client: PublicClient;
let postgres: Postgres;
/** Its own database: the cache of what a node said must not meet that of another node. */
let liedTo: Postgres;
let proxy: RpcProxy;
let escrows: Deployment[];
let desk: Deployment;
let history: History;
let env: Record<string, string>;

beforeAll(async () => {
  [chain, postgres, liedTo] = await Promise.all([
    startChain({ genesisTimestamp: 1_600_000_000, keptStates: 200 }),
    startPostgres(),
    startPostgres(),
  ]);
  client = createPublicClient({ transport: http(chain.rpcUrl) });
  proxy = await startRpcProxy(chain.rpcUrl);
  const { address: dollar } = await deployDollar(chain);
  escrows = [await deployEscrow(chain, { dollar, feeBps: 150 }), await deployEscrow(chain, { dollar })];
  desk = await deployDesk(chain, { dollar });
  history = await createHistory({
    chain,
    dollar,
    desk: desk.address,
    escrows: escrows.map(({ address }) => address),
    seed: chosenSeed(2_027),
  });
  await history.playUntil(ACTIONS);
  await history.finish();
  // Hidden logs must be historical: at the head, a block's bloom shows the indexer that they are missing.
  await chain.testClient.mine({ blocks: 40 });
  env = {
    DATABASE_URL: postgres.connectionString,
    RPC_URLS: chain.rpcUrl,
    ESCROWS: escrows.map(addressAndBlock).join(","),
    DESK: `${desk.address}@${desk.blockNumber}`,
    DATABASE_SCHEMA: "book",
    HOLDERS: "true",
    REGISTRY: "registry.json",
  };
});

/** The settings of an audit of what was indexed into `tables` by a node. */
async function index(tables: Postgres, rpcUrl: string): Promise<Settings> {
  const options = { rpcUrl, escrows: env.ESCROWS?.split(",") ?? [], desk: `${env.DESK}` };
  const block = await chain.publicClient.getBlockNumber();
  // Proving would find what a node keeps to itself.
  await indexBook(tables, { ...options, registry: history.registry(), env: { LOGS_PROVEN: "none" } }, block);
  return readSettings({ ...env, DATABASE_URL: tables.connectionString });
}

/** Audits a schema against the honest node. */
async function auditOf(settings: Settings, logs = false, rpcUrl = chain.rpcUrl): Promise<Audit> {
  if (settings.database.kind !== "postgres") throw new Error("the tables are on PostgreSQL");
  const { database, end } = await connectTables(settings.database.connectionString, "book");
  try {
    return await audit({
      readState: () => readIndexedState(database, tables),
      client,
      contracts: contractsOf(settings),
      escrows: settings.escrows.map(({ address }) => address),
      followsHolders: (escrow) => followsHolders(settings, escrow),
      // Nothing changes between two looks here.
      wait: async () => {},
      compareMore: logs
        ? (state) =>
            compareWithLogs({
              state,
              client: createChainClient({ urls: [rpcUrl], concurrency: 2 }),
              settings,
              database,
              onProgress: () => {},
            })
        : undefined,
    });
  } finally {
    await end();
  }
}

describe("tables that are right", () => {
  let settings: Settings;
  beforeAll(async () => {
    settings = await index(postgres, chain.rpcUrl);
  });

  test("are green, by every comparison there is, logs included", async () => {
    const result = await auditOf(settings, true);
    expect(result.findings).toEqual([]);
    expect(result).toMatchObject({ status: "ok", notAuditable: [], surpluses: [], problem: null });
    expect(result.listings.length).toBeGreaterThan(20);
    expect(result.events).toBeGreaterThan(300);
    expect(result.block).toBe(`${await chain.publicClient.getBlockNumber()}`);
  });

  test("are green for the command: a table, JSON, exit code 0", async () => {
    const [text, json] = await Promise.all([runAudit(env), runAudit(env, "--json", "--logs")]);
    expect(text.errors).toBe("");
    expect(text.code).toBe(0);
    expect(text.output).toMatch(/^ +raised +refunded +reserve +outstanding +token supply$/m);
    expect(text.output).toMatch(
      /^No differences: [\d,]+ figures of \d+ listings? and [\d,]+ events at block \d+/m,
    );
    expect(json.code).toBe(0);
    const result: Audit = JSON.parse(json.output);
    expect(result).toMatchObject({ status: "ok", findings: [] });
    expect(result.checks).toBeGreaterThan((await auditOf(settings)).checks);
  });

  // Each changes one row by one base unit or one count; the row with the most is one that exists and matters.
  test.each([
    ["listing", "raised_amount", ["views", "supply", "sums", "refold"]],
    ["listing", "refunded_amount", ["views", "refold"]],
    ["listing", "reserve_balance", ["views", "balance", "refold"]],
    ["listing", "repaid_interest", ["balance", "refold"]],
    ["listing", "claimed_amount", ["views", "balance", "refold"]],
    ["listing", "subscriber_count", ["sums", "refold"]],
    ["listing", "close_at", ["refold"]],
    ["ledger", "committed", ["refold"]],
    ["ledger", "outstanding", ["refold"]],
    ["subscription", "amount", ["refold"]],
    ["refund", "amount", ["refold"]],
    ["repayment", "interest", ["refold"]],
    ["backer_position", "net_principal", ["sums", "refold"]],
    ["offer", "remaining", ["refold"]],
    ["trade", "cost", ["refold"]],
    ["token_holder", "balance", ["holders", "holders"]],
    ["listing_token", "holder_count", ["holders"]],
  ])("one more in %s.%s: red, by %j", async (table, column, checks) => {
    const name = `book.${table}`;
    const [row] = await postgres.query(
      `UPDATE ${name} SET ${column} = ${column} + 1 WHERE ctid = (
         SELECT ctid FROM ${name} WHERE ${column} IS NOT NULL ORDER BY ${column} DESC LIMIT 1
       ) RETURNING *, ctid`,
    );
    const result = await auditOf(settings);
    await postgres.query(`UPDATE ${name} SET ${column} = ${column} - 1 WHERE ctid = '${row?.ctid}'`);
    expect(result.status).toBe("red");
    expect([...new Set(result.findings.map(({ check }) => check))]).toEqual(expect.arrayContaining(checks));
    expect(result.findings).toHaveLength(checks.length);
    const block = `${await chain.publicClient.getBlockNumber()}`;
    for (const { check, escrowAddress, onchainId, expected, found, ...finding } of result.findings) {
      expect(finding.block).toBe(block);
      if (row?.escrow_address !== undefined) expect(escrowAddress).toBe(row.escrow_address);
      if (row?.onchain_id !== undefined && check !== "balance") expect(onchainId).toBe(row.onchain_id);
      expect(BigInt(found) - BigInt(expected), `${check} ${finding.field}`).toBe(
        // The difference has the other sign if the row is on the other side of the comparison.
        inverted(table, column, check) ? -1n : 1n,
      );
    }
  });

  test("a transfer between holders taken back: red by their balances alone", async () => {
    const [token] = await postgres.query(
      "SELECT token FROM book.token_holder WHERE balance > 1 GROUP BY token HAVING count(*) > 1 LIMIT 1",
    );
    const move = (units: number) =>
      postgres.query(
        `UPDATE book.token_holder AS own SET balance = balance + CASE WHEN holder = first THEN ${units} ELSE -(${units}) END
         FROM (SELECT min(holder) AS first, max(holder) AS last FROM book.token_holder WHERE token = '${token?.token}' AND balance > 1) AS ends
         WHERE token = '${token?.token}' AND holder IN (first, last)`,
      );
    await move(1);
    const result = await auditOf(settings);
    await move(-1);
    expect(result.findings).toMatchObject([
      { check: "holders", field: expect.stringMatching(/^token_holder\.balance of holder \d+ of \d+$/) },
      { check: "holders" },
    ]);
  });

  test("a ledger row twice: red, and named", async () => {
    const columns =
      "escrow_address, onchain_id, kind, block_number, block_time, tx_hash, log_index, part, args";
    const [row] = await postgres.query(
      "SELECT * FROM book.ledger WHERE kind = 'repaid' ORDER BY event_id DESC LIMIT 1",
    );
    const again = `${row?.event_id}`.replace(/.$/, (digit) => (digit === "9" ? "8" : `${Number(digit) + 1}`));
    await postgres.query(
      `INSERT INTO book.ledger (event_id, ${columns}) SELECT '${again}', ${columns} FROM book.ledger WHERE event_id = '${row?.event_id}'`,
    );
    const result = await auditOf(settings);
    const exit = await runAudit(env, "--json");
    const text = await runAudit(env);
    await postgres.query(`DELETE FROM book.ledger WHERE event_id = '${again}'`);

    expect(result.status).toBe("red");
    expect(result.findings).toContainEqual(
      expect.objectContaining({
        check: "refold",
        escrowAddress: row?.escrow_address,
        onchainId: row?.onchain_id,
        field: `repayment of event ${again}`,
        expected: "a row",
        found: "no row",
      }),
    );
    expect(exit.code).toBe(1);
    expect(JSON.parse(exit.output).findings).toEqual(result.findings);
    expect(text.code).toBe(1);
    expect(text.output).toContain(
      `repayment of event ${again} (refold)\n    expected a row\n    found    no row\n`,
    );
  });

  test("an argument of the ledger changed: red", async () => {
    const change = (by: string) =>
      postgres.query(
        `UPDATE book.ledger SET args = jsonb_set(args::jsonb, '{amount}', to_jsonb((((args ->> 'amount')::numeric) ${by})::text))
         WHERE event_id = (SELECT event_id FROM book.ledger WHERE kind = 'subscribed' ORDER BY event_id LIMIT 1)`,
      );
    await change("+ 1");
    const result = await auditOf(settings, true);
    await change("- 1");
    expect(result.status).toBe("red");
    expect(new Set(result.findings.map(({ check }) => check))).toEqual(new Set(["refold", "logs"]));
  });

  test("a block that is not among those with events, or with another hash: red", async () => {
    const [block] = await postgres.query(
      "SELECT event_block.* FROM book.event_block JOIN book.ledger ON block_number = number ORDER BY number DESC OFFSET 3 LIMIT 1",
    );
    const { number, hash } = block as { number: string; hash: string };
    const rows = await postgres.query(`SELECT FROM book.ledger WHERE block_number = ${number}`);
    await postgres.query(`DELETE FROM book.event_block WHERE number = ${number}`);
    const missing = await auditOf(settings);
    const other = `0x${"ab".repeat(32)}`;
    await postgres.query(`INSERT INTO book.event_block VALUES (${number}, '${other}')`);
    const wrong = await auditOf(settings, true);
    await postgres.query(`UPDATE book.event_block SET hash = '${hash}' WHERE number = ${number}`);
    expect(missing.findings).toMatchObject([
      { check: "ledger", field: `event_block of block ${number}`, expected: "a row", found: "no row" },
    ]);
    expect(wrong.findings.map(({ check }) => check)).toEqual(rows.map(() => "logs"));
    for (const { expected, found } of wrong.findings) expect(expected.replace(hash, other)).toBe(found);
  });

  test("a time that another node has otherwise: red", async () => {
    const [row] = await postgres.query("SELECT * FROM book.ledger ORDER BY event_id DESC OFFSET 5 LIMIT 1");
    const blockNumber = BigInt(`${row?.block_number}`);
    const block = await client.request({
      method: "eth_getBlockByNumber",
      params: [`0x${blockNumber.toString(16)}`, false],
    });
    const later = { ...block, timestamp: `0x${(BigInt(`${row?.block_time}`) + 1n).toString(16)}` };
    proxy.answers = ({ method, params }) =>
      method === "eth_getBlockByNumber" && BigInt(`${params?.[0]}`) === blockNumber ? later : undefined;
    const { findings } = await auditOf(settings, true, proxy.url);
    proxy.answers = null;
    expect(findings.map(({ check }) => check)).toContain("logs");
    for (const { expected, found } of findings)
      expect(expected.replace(/at \d+$/, "")).toBe(found.replace(/at \d+$/, ""));
  });

  test("are green again, now that every change was taken back", async () => {
    expect((await auditOf(settings, true)).findings).toEqual([]);
  });
});

/** Whether a change of this column raises the expected figure, instead of the found one. */
function inverted(table: string, column: string, check: string): boolean {
  if (check === "balance") return column === "claimed_amount";
  return table === "listing" && column === "raised_amount" && check === "sums";
}

describe("a log that the indexer's node kept to itself", () => {
  const selectorOf = new Map(listingEscrowEventsAbi.map((event) => [event.name, toEventSelector(event)]));
  type Name = (typeof listingEscrowEventsAbi)[number]["name"];
  type Hidden = { what: string; escrow: string; onchainId: string; place: string; block: string };

  const placeOf = (log: Pick<RpcLog, "blockNumber" | "logIndex">) => `${log.blockNumber}/${log.logIndex}`;
  let all: RpcLog[];
  let hidden: Hidden[];
  let settings: Settings;

  /** One log of each kind, each of another listing; and of the listings with several, one in the middle. */
  function choose(name: Name, position: "last" | "first of two"): Hidden {
    const taken = new Set(hidden.map(({ escrow, onchainId }) => `${escrow}/${onchainId}`));
    const ofKind = all.filter((log) => log.topics[0] === selectorOf.get(name));
    const byListing = Map.groupBy(ofKind, ({ address, topics }) => `${address}/${BigInt(`${topics[1]}`)}`);
    for (const [listing, logs] of byListing) {
      if (taken.has(listing)) continue;
      if (position === "first of two" && logs.length < 2) continue;
      const log = position === "first of two" ? logs[0] : logs.at(-1);
      if (log === undefined) continue;
      const [escrow = "", onchainId = ""] = listing.split("/");
      const what = `${name} ${position}`;
      return { what, escrow, onchainId, place: placeOf(log), block: log.blockNumber };
    }
    throw new Error(`the history has no ${name} to hide`);
  }

  beforeAll(async () => {
    all = await Promise.all(
      escrows.map(({ address }) =>
        client.request({
          method: "eth_getLogs",
          params: [{ address, fromBlock: "0x0", toBlock: "latest" }],
        }),
      ),
    ).then((logs) => logs.flat() as unknown as RpcLog[]);
    hidden = [];
    for (const [name, position] of [
      ["ListingCreated", "last"],
      ["Subscribed", "first of two"],
      ["Subscribed", "last"],
      ["Refunded", "last"],
      ["ReserveChanged", "last"],
      ["Repaid", "first of two"],
      ["PayoutClaimed", "last"],
      ["ListingTermsUpdated", "last"],
      ["ListingClosed", "last"],
    ] as const)
      hidden.push(choose(name, position));
    const places = new Set(hidden.map(({ place }) => place));
    proxy.alters = (logs) => logs.filter((log) => !places.has(placeOf(log)));
    settings = await index(liedTo, proxy.url);
  });

  test("shows in the figures of its listing, whatever moved money; in all of them with the logs", async () => {
    const result = await auditOf(settings, true);
    expect(result.status).toBe("red");
    const checksOf = ({ escrow, onchainId }: Hidden) =>
      new Set(
        result.findings
          .filter((finding) => finding.escrowAddress === escrow && finding.onchainId === onchainId)
          .map(({ check }) => check),
      );
    for (const one of hidden) {
      expect([...checksOf(one)], one.what).toContain("logs");
      const isMoney = !/TermsUpdated|Closed/.test(one.what);
      const figures = [...checksOf(one)].filter((check) => check !== "logs");
      if (isMoney) expect(figures, one.what).not.toEqual([]);
    }
    const missing = result.findings.filter(({ check, found }) => check === "logs" && found === "no row");
    expect(missing).toHaveLength(hidden.length);
    for (const { block } of hidden) {
      const number = BigInt(block).toString().padStart(12, "0");
      expect(missing.some(({ field }) => field.includes(`block ${number}`))).toBe(true);
    }
    // Interest is in no view of a listing: what the escrow must hold tells.
    expect(result.findings).toContainEqual(
      expect.objectContaining({ check: "balance", field: "requiredBalance", onchainId: null }),
    );
    expect((await runAudit({ ...env, DATABASE_URL: liedTo.connectionString })).code).toBe(1);
  });
});
