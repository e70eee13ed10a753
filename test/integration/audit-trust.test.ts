/**
 * Cases by which an audit must not be fooled: a node of another chain, one that runs no batch, a reorg that the index is in
 * the middle of, a ledger that says the same thing twice; and the persons whom its findings name.
 */
import { createPublicClient, http, numberToHex } from "viem";
import { afterAll, describe, expect, test } from "vitest";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import type { Audit } from "../../api/health/audit.ts";
import { pairKey } from "../../api/registry/schema.ts";
import { readSettings } from "../../config/environment.ts";
import { createAuditor } from "../../operate/audit/audit.ts";
import { readFigures } from "../../operate/audit/figures.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { runAudit } from "../harness/audit-command.ts";
import { startAuditedChain } from "../harness/audited-chain.ts";
import { recordedLog } from "../harness/snapshot.ts";

const { chain, otherChain, postgres, proxy, lonely, env, look, withLogs, stop } = await startAuditedChain();
afterAll(stop);

describe("a node", () => {
  // A request of calls is code that a node creates: it refuses more than 49,152 bytes (EIP-3860).
  test("is asked for the figures of hundreds of raises, escrows and tokens", async () => {
    const client = createPublicClient({ transport: http(chain.rpcUrl) });
    const block = await client.getBlockNumber();
    const escrow = { address: lonely.address, nextId: 2n };
    const token = await client.readContract({
      address: lonely.address,
      abi: listingEscrowAbi,
      functionName: "tokenOf",
      args: [1n],
    });
    const figuresOf = (count: number) => {
      const listings = Array.from({ length: count }, (_, index) => ({
        escrowAddress: lonely.address,
        onchainId: BigInt(index + 1),
      }));
      const holders = listings.map((_, index) => ({ token, holder: numberToHex(index, { size: 20 }) }));
      const tokens = listings.map(() => token);
      const targets = { listings, escrows: listings.map(() => escrow), tokens, holders };
      return readFigures(client, contractsOf({ contracts: null }).escrow, targets, { block });
    };
    const [one, many] = [await figuresOf(1), await figuresOf(300)];
    expect(many.views.size).toBe(300);
    const key = (onchainId: bigint) => pairKey({ escrowAddress: lonely.address, onchainId });
    expect(one.views.get(key(1n))).toBeDefined();
    expect(many.views.get(key(1n))).toEqual(one.views.get(key(1n)));
    expect(many.views.get(key(300n))?.raisedAmount).toBe("reverted");
    expect([many.escrows, many.supplies]).toEqual([one.escrows, one.supplies]);
    expect([...many.balances.values()]).toEqual(Array.from({ length: 300 }, () => 0n));
  });

  test("of another chain makes an audit fail without a check", async () => {
    const client = createPublicClient({ transport: http(otherChain.rpcUrl) });
    expect(await look({ client })).toMatchObject({
      status: "failed",
      checks: 0,
      problem: expect.stringContaining("does not have the indexed blocks"),
    });
  });

  test("of another chain makes the command exit with code 2", async () => {
    const { code, errors } = await runAudit(env, "--rpc-url", otherChain.rpcUrl);
    expect(code).toBe(2);
    expect(errors).toContain("it is on another chain: check RPC_URLS or --rpc-url");
  });

  test("that answers nothing to a batch does not prove that there are no views", async () => {
    const client = createPublicClient({ transport: http(proxy.url) });
    proxy.answers = ({ method }) => (method === "eth_call" ? "0x" : undefined);
    const result = await look({ client });
    proxy.answers = null;
    expect(result).toMatchObject({ status: "failed", notAuditable: [] });
    expect((await look({ client })).status).toBe("ok");
  });
});

describe("a difference", () => {
  const change = (by: string) =>
    postgres.query(
      `UPDATE book.listing SET raised_amount = raised_amount ${by}
       WHERE onchain_id = (SELECT min(onchain_id) FROM book.listing)`,
    );

  test("does not count if it passes while the index is behind the chain", async () => {
    const client = createPublicClient({ transport: http(chain.rpcUrl) });
    await change("+ 1");
    const id = await chain.testClient.snapshot();
    await chain.testClient.mine({ blocks: 1 });
    const pauses: number[] = [];
    const wait = async (milliseconds: number) => {
      pauses.push(milliseconds);
      if (pauses.length === 4) await change("- 1");
    };
    const result = await look({ client, wait });
    await chain.testClient.revert({ id });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(result).toMatchObject({ status: "ok", findings: [] });
  });

  test("counts after a minute if the index stands still", async () => {
    await change("+ 1");
    const id = await chain.testClient.snapshot();
    await chain.testClient.mine({ blocks: 1 });
    const pauses: number[] = [];
    const result = await look({ wait: async (milliseconds) => void pauses.push(milliseconds) });
    await chain.testClient.revert({ id });
    await change("- 1");
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(63_000);
    expect(result.status).toBe("red");
  });

  test("counts at the second look if it is at the head of the chain", async () => {
    await change("+ 1");
    const pauses: number[] = [];
    const result = await look({ wait: async (milliseconds) => void pauses.push(milliseconds) });
    await change("- 1");
    expect(pauses).toEqual([1_000]);
    expect(result.status).toBe("red");
    expect((await look()).status).toBe("ok");
  });
});

describe("the ledger", () => {
  const COLUMNS =
    "escrow_address, onchain_id, kind, block_number, block_time, tx_hash, log_index, part, args";

  /** A change of terms that another event of its listing follows: folded twice, or not at all, it shows in the count of updates alone. */
  async function changeOfTerms(): Promise<string> {
    const [row] = await postgres.query(
      `SELECT event_id FROM book.ledger l WHERE kind = 'listing_terms_updated' AND EXISTS (
         SELECT 1 FROM book.ledger later WHERE later.escrow_address = l.escrow_address
           AND later.onchain_id = l.onchain_id AND later.event_id > l.event_id) LIMIT 1`,
    );
    return `${row?.event_id}`;
  }

  const ofUpdates = { check: "refold", field: expect.stringMatching(/^termsUpdate/) };

  test("with an event twice that leaves hardly a trace is red, and the event is named", async () => {
    const id = await changeOfTerms();
    const again = id.replace(/.$/, (digit) => `${(Number(digit) + 1) % 10}`);
    await postgres.query(
      `INSERT INTO book.ledger (event_id, ${COLUMNS}) SELECT '${again}', ${COLUMNS} FROM book.ledger WHERE event_id = '${id}'`,
    );
    const result = await look();
    await postgres.query(`DELETE FROM book.ledger WHERE event_id = '${again}'`);
    expect(result.status).toBe("red");
    const [ofLedger, others] = [true, false].map((is) =>
      result.findings.filter(({ check }) => (check === "ledger") === is),
    );
    expect(others).toEqual(others?.map(() => expect.objectContaining(ofUpdates)));
    expect(ofLedger?.map(({ field }) => field)).toEqual([
      `ledger.logIndex of event ${again}`,
      expect.stringMatching(/^ledger\.place of event \d{75}$/),
      "ledger rows of listings",
    ]);
    expect((await look()).status).toBe("ok");
  });

  test("without an event that leaves hardly a trace is red by its number of rows, and the logs name the event", async () => {
    const id = await changeOfTerms();
    await postgres.query(`CREATE TABLE book.kept AS SELECT * FROM book.ledger WHERE event_id = '${id}'`);
    await postgres.query(`DELETE FROM book.ledger WHERE event_id = '${id}'`);
    const [result, logs] = [await look(), await withLogs()];
    await postgres.query("INSERT INTO book.ledger SELECT * FROM book.kept");
    await postgres.query("DROP TABLE book.kept");
    expect(result.findings).toMatchObject([
      { check: "ledger", escrowAddress: null, onchainId: null, field: "ledger rows of listings" },
      ...result.findings.slice(1).map(() => ofUpdates),
    ]);
    expect(logs.findings).toContainEqual(expect.objectContaining({ check: "logs", found: "no row" }));
    expect((await withLogs()).findings).toEqual([]);
  });
});

describe("what the tables say of the ledger", () => {
  test.each([
    ["no amount", `args = (args::jsonb - 'amount')`],
    ["a kind that there is not", `kind = 'something_else'`],
  ])("is red where an event has %s, which is named", async (_, change) => {
    const which = "(SELECT min(event_id) FROM book.ledger WHERE kind = 'subscribed')";
    await postgres.query(`CREATE TABLE book.kept AS SELECT * FROM book.ledger WHERE event_id = ${which}`);
    const [row] = await postgres.query("SELECT event_id FROM book.kept");
    await postgres.query(`UPDATE book.ledger SET ${change} WHERE event_id = ${which}`);
    const result = await look();
    await postgres.query(`DELETE FROM book.ledger WHERE event_id = '${row?.event_id}'`);
    await postgres.query("INSERT INTO book.ledger SELECT * FROM book.kept");
    await postgres.query("DROP TABLE book.kept");
    expect(result).toMatchObject({ status: "red", problem: null });
    expect(result.findings).toContainEqual(
      expect.objectContaining({ check: "ledger", field: `ledger.args of event ${row?.event_id}` }),
    );
  });

  /** An event in the block after the last one that has any, in SQL. */
  const LATER = `(SELECT overlay(last placing lpad((substr(last, 27, 16)::int + 1)::text, 16, '0') from 27)
    FROM (SELECT max(last_event_id) AS last FROM book.tally))`;

  test.each([
    ["lastBlockHash", "last_block_hash", `'0x${"ab".repeat(32)}'`],
    ["lastEventId", "last_event_id", "(SELECT min(event_id) FROM book.ledger)"],
    ["lastEventId", "last_event_id", LATER],
    ["lastEventId", "last_event_id", `repeat('9', 75)`],
    ["lastEventId", "last_event_id", "'nonsense'"],
  ])("is red where tally.%s is not the ledger's", async (field, column, value) => {
    const family = "family = 'listings'";
    const [before] = await postgres.query(`SELECT ${column} AS was FROM book.tally WHERE ${family}`);
    await postgres.query(`UPDATE book.tally SET ${column} = ${value} WHERE ${family}`);
    const result = await look();
    await postgres.query(`UPDATE book.tally SET ${column} = '${before?.was}' WHERE ${family}`);
    expect(result.findings).toMatchObject([{ check: "ledger", field: `tally.${field} of listings` }]);
    expect(result.findings[0]?.expected).toBe(before?.was);
    expect((await look()).status).toBe("ok");
  });
});

test("an escrow whose only creation was kept back is named by the first audit on schedule, since it is configured", async () => {
  const escrows = readSettings(env).escrows.map(({ address }) => address);
  const { log, lines } = recordedLog();
  const first = Promise.withResolvers<Audit>();
  const auditor = createAuditor({
    audit: () => look({ escrows }),
    every: 1,
    log,
    onChange: ({ last }) => last && first.resolve(last),
  });
  const result = await first.promise.finally(auditor.stop);
  const finding = {
    check: "listings",
    escrowAddress: lonely.address,
    onchainId: "1",
    field: "a listing under this id",
    expected: "there is one",
    found: "none",
  };
  expect(result).toMatchObject({ status: "red", findings: [finding] });
  expect(lines).toMatchObject([
    { level: "error", findings: 1 },
    { level: "error", msg: "A figure is wrong", escrowAddress: lonely.address },
  ]);
});

test("findings name no person, unless they are for whoever reads the tables anyway", async () => {
  const [row] = await postgres.query("SELECT * FROM book.backer_position ORDER BY backer LIMIT 1");
  const where = `escrow_address = '${row?.escrow_address}' AND onchain_id = ${row?.onchain_id}`;
  const put = async (backer: unknown, by: unknown) => {
    await postgres.query(
      `UPDATE book.backer_position SET backer = '${by}' WHERE ${where} AND backer = '${backer}'`,
    );
    await postgres.query(`UPDATE book.subscription SET payer = '${by}' WHERE payer = '${backer}'`);
  };
  const nobody = `0x${"ee".repeat(20)}`;
  await put(row?.backer, nobody);
  const [silent, open] = [await look(), await look({ namesPersons: true })];
  await put(nobody, row?.backer);

  const text = JSON.stringify(silent.findings);
  expect(silent.status).toBe("red");
  expect(text).toMatch(/"backer_position of backer 1 of \d+"/);
  expect(text).toContain('"expected":"an address","found":"another address"');
  expect(text).not.toContain(`${row?.backer}`);
  expect(text).not.toContain(nobody);
  expect(open.findings).toHaveLength(silent.findings.length);
  expect(open.findings.map(({ field }) => field)).toContainEqual(
    expect.stringMatching(new RegExp(`^backer_position of backer ${row?.backer} \\(\\d+ of \\d+\\)$`)),
  );
  expect((await look()).findings).toEqual([]);
});
