/**
 * The reader of the ledger over a large table on a real PostgreSQL: what it finds, against a plain filter over all
 * rows; and how it finds it, against the plans of the database.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LedgerPage, LedgerQueries, NoPage } from "../../api/ledger/read.ts";
import { type LedgerQuery, setOf } from "../../api/ledger/read-events.ts";
import type { Pair } from "../../api/registry/schema.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import { type LargeLedger, pad, startLargeLedger } from "../harness/large-ledger.ts";
import { rollFrom } from "../harness/ledger-story.ts";
import { LEDGER_INDEXES } from "../harness/ledger-table.ts";

const ROWS = 100_000;
const FIRST_TIME = 1_700_000_000n;
const ESCROW = `0x${"ab".repeat(20)}` as const;
const LISTINGS = 500;
const KINDS = ["subscribed", "refunded", "repaid", "listing_voided"] as const;

type Row = { onchainId: bigint; kind: EventKind; blockNumber: bigint; blockTime: bigint; logIndex: number };

/**
 * The n-th row, as the SQL below makes it: five rows a block, of which two have one time; every third is of listing
 * 1, and one of ten thousand is of a kind of its own.
 */
function rowOf(n: number): Row {
  const block = BigInt(Math.floor(n / 5));
  return {
    onchainId: n % 3 === 0 ? 1n : BigInt(2 + (n % (LISTINGS - 1))),
    kind: n % 10_000 === 7 ? "listing_voided" : (KINDS[n % 3] ?? "repaid"),
    blockNumber: block,
    blockTime: FIRST_TIME + block / 2n,
    logIndex: (n % 5) * 3,
  };
}

const NEWEST_FIRST = Array.from({ length: ROWS }, (_, index) => rowOf(ROWS - 1 - index));
const INDEXES = [...LEDGER_INDEXES, "CREATE INDEX by_kind ON ledger (kind, block_number, log_index, part)"];
let large: LargeLedger;
let reader: LedgerQueries;

beforeAll(async () => {
  large = await startLargeLedger(`
    UPDATE _ponder_meta SET value = '{"is_ready": 0}';
    INSERT INTO ledger
    SELECT '${ESCROW}', CASE WHEN n % 3 = 0 THEN 1 ELSE 2 + n % ${LISTINGS - 1} END,
      ${pad(`${FIRST_TIME} + n / 10`, 10)} || ${pad("97", 16)} || ${pad("n / 5", 16)} || ${pad("n % 5", 16)} || '5' || ${pad("n % 5 * 3", 16)},
      CASE WHEN n % 10000 = 7 THEN 'listing_voided' ELSE (ARRAY['subscribed', 'refunded', 'repaid'])[1 + n % 3] END,
      n / 5, ${FIRST_TIME} + n / 10, '0x' || repeat('7a', 32), n % 5 * 3, 0, '{"outcome": "repaid"}'
    FROM generate_series(0, ${ROWS - 1}) AS n`);
  reader = large.reader;
});

afterAll(() => large?.stop());

const ALL = Array.from(
  { length: LISTINGS },
  (_, id): Pair => ({ escrowAddress: ESCROW, onchainId: BigInt(id + 1) }),
);
const WHOLE: LedgerQuery = { kinds: null, since: null, until: null, before: null, limit: 50 };

/** The rows that a query means, by its definition. */
function expected(pairs: readonly Pair[], { kinds, since, until, before, limit }: LedgerQuery): Row[] {
  const ids = new Set(pairs.map(({ onchainId }) => onchainId));
  const fits = (row: Row) => {
    if (!ids.has(row.onchainId) || (kinds !== null && !kinds.has(row.kind))) return false;
    if (since !== null && ("block" in since ? row.blockNumber < since.block : row.blockTime < since.time))
      return false;
    if (until !== null && ("block" in until ? row.blockNumber > until.block : row.blockTime > until.time))
      return false;
    if (before === null || row.blockNumber < before.blockNumber) return true;
    return row.blockNumber === before.blockNumber && row.logIndex < before.logIndex;
  };
  return NEWEST_FIRST.filter(fits).slice(0, limit);
}

function rowsOf(page: LedgerPage | NoPage): Row[] {
  if (typeof page === "string") throw new Error(`no page: ${page}`);
  return page.rows.map(({ onchainId, kind, blockNumber, blockTime, logIndex }) => ({
    onchainId,
    kind,
    blockNumber,
    blockTime,
    logIndex,
  }));
}

/** Queries from a seed: every filter, alone and together, inside the ledger and outside of it. */
function queries(seed: number, count: number): LedgerQuery[] {
  const roll = rollFrom(seed);
  const block = () => BigInt(roll(3) === 0 ? roll(60) : roll(ROWS / 5 + 50));
  const moment = () => (roll(2) === 0 ? { block: block() } : { time: FIRST_TIME - 20n + block() / 2n });
  return Array.from({ length: count }, () => ({
    kinds: roll(2) === 0 ? null : new Set(KINDS.filter(() => roll(2) === 0).concat("listing_voided")),
    since: roll(2) === 0 ? null : moment(),
    until: roll(2) === 0 ? null : moment(),
    before: roll(2) === 0 ? null : { blockNumber: block(), logIndex: roll(14) },
    limit: 1 + roll(200),
  }));
}

describe("what it finds", () => {
  const beyond: LedgerQuery[] = [
    WHOLE,
    { ...WHOLE, since: { time: -62_135_596_800n } },
    { ...WHOLE, until: { time: -1n } },
    { ...WHOLE, since: { time: 253_402_300_799n } },
    { ...WHOLE, until: { time: 253_402_300_799n } },
    { ...WHOLE, since: { block: 10n ** 20n - 1n } },
    { ...WHOLE, until: { block: 10n ** 20n - 1n } },
    { ...WHOLE, before: { blockNumber: 10n ** 20n - 1n, logIndex: 999_999_999 } },
    { ...WHOLE, before: { blockNumber: 0n, logIndex: 0 } },
    { ...WHOLE, since: { block: 20n }, until: { block: 10n } },
  ];

  test("while it backfills, without any index: the events of one listing, and no feed", async () => {
    for (const query of [...queries(1, 60), ...beyond]) {
      for (const pair of [ALL[0], ALL[7]] as [Pair, Pair]) {
        expect(rowsOf(await reader.ofListing(pair, query))).toEqual(expected([pair], query));
      }
      expect(await reader.ofListings(setOf(ALL), query)).toBe("backfilling");
    }
  });

  test("afterwards, the same of one listing", async () => {
    await large.pool.query(`UPDATE _ponder_meta SET value = '{"is_ready": 1}'`);
    for (const index of INDEXES) await large.pool.query(index);
    for (const query of [...queries(1, 60), ...queries(2, 200), ...beyond]) {
      for (const pair of [ALL[0], ALL[7]] as [Pair, Pair]) {
        expect(rowsOf(await reader.ofListing(pair, query))).toEqual(expected([pair], query));
      }
    }
  });

  test.each([
    ["all listings", ALL],
    ["half of them", ALL.filter((_, index) => index % 2 === 0)],
    ["a few", ALL.slice(3, 6)],
    ["none", []],
  ])("the feed of %s", async (_, pairs) => {
    for (const query of [...queries(3, 120), ...beyond]) {
      expect(rowsOf(await reader.ofListings(setOf(pairs), query))).toEqual(expected(pairs, query));
    }
  });

  test("whether there is more, and where", async () => {
    const last = { kinds: null, since: null, until: null, before: { blockNumber: 2n, logIndex: 0 } };
    const exact = await reader.ofListings(setOf(ALL), { ...last, limit: 10 });
    expect(exact).toMatchObject({ next: null });
    const short = await reader.ofListings(setOf(ALL), { ...last, limit: 9 });
    expect(short).toMatchObject({ next: { blockNumber: 0n, logIndex: 3 } });
  });
});

/** So many listings without an event. */
const quiet = (count: number) =>
  Array.from({ length: count }, (_, id): Pair => ({ escrowAddress: ESCROW, onchainId: BigInt(9_000 + id) }));
/** Listings of which the chain knows one, with an event in 750. */
const HARDLY_ANY = [...ALL.slice(1, 2), ...quiet(2_100)];

describe("where nearly all events are of others", () => {
  test("a page looks at a bounded number of rows, and the pages together have each event once", async () => {
    for (const kinds of [null, new Set<EventKind>(["refunded", "listing_voided"])]) {
      const query = { ...WHOLE, kinds, limit: 20 };
      const walked: Row[] = [];
      let before: LedgerQuery["before"] = null;
      let pages = 0;
      do {
        const page = await reader.ofListings(setOf(HARDLY_ANY), { ...query, before });
        if (typeof page === "string") throw new Error(page);
        walked.push(...rowsOf(page));
        before = page.next;
        pages += 1;
      } while (before !== null);
      expect(walked).toEqual(expected(ALL.slice(1, 2), { ...query, limit: ROWS }));
      const looked = NEWEST_FIRST.filter(({ kind }) => kinds?.has(kind) ?? true).length;
      expect(pages).toBeGreaterThan(looked / 2_100);
    }
  });

  test("a page of no more listings than rows are looked at is whole", async () => {
    const some = [...ALL.slice(1, 4), ...quiet(1_900)];
    for (const limit of [1, 20, 200]) {
      for (const before of [null, { blockNumber: BigInt(ROWS / 10), logIndex: 3 }]) {
        const query = { ...WHOLE, before, limit };
        const page = await reader.ofListings(setOf(some), query);
        expect(page).toMatchObject({ next: expect.objectContaining({ part: 0 }) });
        expect(rowsOf(page)).toEqual(expected(ALL.slice(1, 4), query));
        const { steps, looked } = await large.planOf(() => reader.ofListings(setOf(some), query));
        expect(steps).not.toContain("Seq Scan");
        expect(looked).toBeLessThan(2_000);
      }
    }
  });

  test("the newest page of few listings has the newest of each, once", async () => {
    const few = [...ALL.slice(1, 4), ...quiet(41)];
    for (const limit of [1, 20, 150]) {
      const query = { ...WHOLE, limit };
      const page = await reader.ofListings(setOf(few), query);
      expect(rowsOf(page)).toEqual(expected(ALL.slice(1, 4), query));
      const { steps, looked } = await large.planOf(() => reader.ofListings(setOf(few), query));
      expect(steps).not.toContain("Seq Scan");
      expect(looked).toBeLessThan(2 * (few.length + 3) * (limit + 1));
    }
  });
});

describe.each([
  ["before the database has counted its rows", "SELECT 1"],
  ["after", "ANALYZE ledger"],
])("how it finds it, %s", (_, statement) => {
  beforeAll(async () => {
    await large.pool.query(statement);
  });

  const middle = { blockNumber: BigInt(ROWS / 10), logIndex: 3 };
  const old = { blockNumber: 200n, logIndex: 3 };
  const oldTimes = { since: { time: FIRST_TIME + 20n }, until: { time: FIRST_TIME + 60n } };
  const mostTimes = { since: { time: FIRST_TIME + 20n }, until: { time: FIRST_TIME + 9_000n } };
  const oldBlocks = { since: { block: 40n }, until: { block: 120n } };
  const mostBlocks = { since: { block: 40n }, until: { block: 19_000n } };

  test.each([
    ["the newest", {}],
    ["from the middle", { before: middle }],
    ["old ones by cursor", { before: old }],
    ["old ones by time", oldTimes],
    ["most by time", mostTimes],
    ["old ones by block", oldBlocks],
    ["most by block", mostBlocks],
    ["what is yet to come", { since: { time: FIRST_TIME + 90_000n } }],
  ] as [string, Partial<LedgerQuery>][])(
    "it walks an index and no more of it than a page: %s",
    async (_, part) => {
      const query = { ...WHOLE, ...part };
      const rare = new Set(["listing_voided"] as const);
      // For a kind with a third of all events, the planner may take the index of all kinds.
      for (const [kinds, most] of [
        [null, 60],
        [rare, 60],
        [new Set<EventKind>([...rare, "subscribed"]), 200],
      ] as const) {
        const feed = await large.planOf(() => reader.ofListings(setOf(ALL), { ...query, kinds }));
        expect(feed.steps).not.toContain("Seq Scan");
        expect(feed.steps).not.toContain("Sort");
        expect(feed.looked).toBeLessThan(most);
      }
      const few = await large.planOf(() => reader.ofListings(setOf(ALL.slice(3, 6)), query));
      expect(few.steps).not.toContain("Seq Scan");
      expect(few.looked).toBeLessThan(ROWS / 50);
      for (const pair of [ALL[0], ALL[7]] as [Pair, Pair]) {
        const one = await large.planOf(() => reader.ofListing(pair, query));
        expect(one.steps).not.toContain("Seq Scan");
        // By its sample of the table the planner may take the events of all listings, a third of which are this
        // one's, or the thousand below the old cursor: a hundredth of the table, never the table.
        expect(one.looked).toBeLessThan(ROWS / 50);
      }
    },
  );
});

describe("hundreds of listings with hundreds of events each, all of them older than those of others", () => {
  const EACH = 210;
  const rowsOfEach = Array.from({ length: EACH * EACH }, (_, n) => n);

  test.each([
    ["by turns", `0x${"cd".repeat(20)}`, (n: number) => n % EACH, `n % ${EACH}`],
    ["one after the other", `0x${"ef".repeat(20)}`, (n: number) => Math.floor(n / EACH), `n / ${EACH}`],
  ] as const)(
    "a page of events %s is whole, and looks at a bounded number of rows",
    async (_, escrow, idOf, id) => {
      const log = escrow.startsWith("0xcd") ? 20 : 40;
      await large.pool.query(`INSERT INTO ledger
      SELECT '${escrow}', ${id}, lpad((${FIRST_TIME} + n / 10)::text, 10, '0') || lpad('97', 16, '0')
        || lpad((n / 5)::text, 16, '0') || lpad((${log} + n % 5)::text, 16, '0') || '5' || lpad((${log} + n % 5)::text, 16, '0'),
        'subscribed', n / 5, ${FIRST_TIME} + n / 10, '0x' || repeat('7a', 32), ${log} + n % 5, 0, '{}'
      FROM generate_series(0, ${EACH * EACH - 1}) AS n`);
      const pairs = Array.from(
        { length: EACH },
        (_, n): Pair => ({ escrowAddress: escrow, onchainId: BigInt(n) }),
      );
      for (const limit of [20, 200]) {
        const query = { ...WHOLE, limit };
        const found = rowsOf(await reader.ofListings(setOf(pairs), query));
        expect(
          found.map(({ onchainId, logIndex, blockNumber }) => [onchainId, blockNumber, logIndex]),
        ).toEqual(
          rowsOfEach
            .toReversed()
            .slice(0, limit)
            .map((n) => [BigInt(idOf(n)), BigInt(Math.floor(n / 5)), log + (n % 5)]),
        );
        const { steps, looked } = await large.planOf(() => reader.ofListings(setOf(pairs), query));
        expect(steps).not.toContain("Seq Scan");
        expect(looked).toBeLessThan(7_000);
      }
    },
  );
});
