/** The reader of anomalies over a large table on a real PostgreSQL: what it finds, and by which plans. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AnomalyQuery } from "../../api/ledger/read-anomalies.ts";
import type { Pair } from "../../api/registry/schema.ts";
import type { AnomalyKind } from "../../src/fold/vocabulary.ts";
import { type LargeLedger, pad, startLargeLedger } from "../harness/large-ledger.ts";

const ESCROW = `0x${"ab".repeat(20)}` as const;
const LISTINGS = 500;
const ANOMALIES = 30_000;
/** Two anomalies an event, one in ten thousand of a rare kind; every third event is of listing 1. */
function anomalyOf(n: number): { eventId: string; onchainId: bigint; kind: AnomalyKind } {
  const event = Math.floor(n / 2);
  const kind = n % 10_000 === 7 ? "bad_refnum" : n % 2 === 0 ? "total_mismatch" : "zero_amount";
  const onchainId = event % 3 === 0 ? 1n : BigInt(2 + (event % (LISTINGS - 1)));
  return { eventId: `${event}`.padStart(75, "0"), onchainId, kind };
}
const ANOMALIES_NEWEST_FIRST = Array.from({ length: ANOMALIES }, (_, index) => anomalyOf(index)).sort(
  (a, b) => (`${a.eventId} ${a.kind}` < `${b.eventId} ${b.kind}` ? 1 : -1),
);

const pairOf = (onchainId: bigint): Pair => ({ escrowAddress: ESCROW, onchainId });

let large: LargeLedger;
beforeAll(async () => {
  large = await startLargeLedger(`
    UPDATE _ponder_meta SET value = '{"is_ready": 1}';
    CREATE TABLE anomaly (
      escrow_address text NOT NULL, onchain_id numeric(78) NOT NULL, event_id text NOT NULL, kind text NOT NULL,
      event_kind text NOT NULL, differences json NOT NULL, block_number numeric(78) NOT NULL,
      block_time numeric(78) NOT NULL, tx_hash text NOT NULL,
      PRIMARY KEY (escrow_address, onchain_id, event_id, kind));
    INSERT INTO anomaly
    SELECT '${ESCROW}', CASE WHEN n / 2 % 3 = 0 THEN 1 ELSE 2 + n / 2 % ${LISTINGS - 1} END, ${pad("n / 2", 75)},
      CASE WHEN n % 10000 = 7 THEN 'bad_refnum' WHEN n % 2 = 0 THEN 'total_mismatch' ELSE 'zero_amount' END,
      'subscribed', '[]', n / 2, n / 2, '0x' || repeat('7a', 32)
    FROM generate_series(0, ${ANOMALIES - 1}) AS n;
    CREATE INDEX anomaly_by_event ON anomaly (event_id, kind);
    CREATE INDEX anomaly_by_kind ON anomaly (kind, event_id)`);
});
afterAll(() => large?.stop());

const ALL: AnomalyQuery = { kinds: null, pairs: null, before: null, limit: 50 };
const expectedAnomalies = ({ kinds, pairs, before, limit }: AnomalyQuery) =>
  ANOMALIES_NEWEST_FIRST.filter(({ eventId, kind, onchainId }) => {
    if (kinds !== null && !kinds.has(kind)) return false;
    if (pairs !== null && !pairs.some((pair) => pair.onchainId === onchainId)) return false;
    return before === null || `${eventId} ${kind}` < `${before.eventId} ${before.kind}`;
  }).slice(0, limit);
const old = { eventId: "10000".padStart(75, "0"), kind: "zero_amount" } as const;
const rare = new Set(["bad_refnum"] as const);
const two = new Set(["bad_refnum", "zero_amount"] as const);

test.each([
  ["the newest", {}],
  ["old ones", { before: old }],
  ["of a rare kind", { kinds: rare }],
  ["of a rare kind, old ones", { kinds: rare, before: old }],
  ["of two kinds", { kinds: two }],
  ["of two kinds, old ones", { kinds: two, before: old }],
  ["of one listing", { pairs: [pairOf(8n)] }],
  ["of one listing and kind, old ones", { pairs: [pairOf(1n)], kinds: two, before: old }],
  ["of none", { pairs: [] }],
] as [string, Partial<AnomalyQuery>][])("%s, by an index and no more than a page", async (_, part) => {
  const query = { ...ALL, ...part };
  const page = await large.reader.anomalies(query);
  if (typeof page === "string") throw new Error(page);
  expect(page.rows.map(({ eventId, kind, onchainId }) => ({ eventId, kind, onchainId }))).toEqual(
    expectedAnomalies(query),
  );
  if (query.pairs?.length === 0) return;
  const { steps, looked } = await large.planOf(() => large.reader.anomalies(query), "anomaly");
  expect(steps).not.toContain("Seq Scan");
  expect(looked).toBeLessThan(query.pairs === null ? 60 : ANOMALIES / LISTINGS + 60);
});

test("they are counted again when one has come, and not before", async () => {
  const counts = async () => {
    const page = await large.reader.anomalies(ALL);
    return typeof page === "string" ? page : page.byKind;
  };
  const first = { bad_refnum: 3, total_mismatch: 15_000, zero_amount: 14_997 };
  expect(await counts()).toEqual(first);
  await large.pool.query("DELETE FROM anomaly WHERE kind = 'bad_refnum'");
  expect(await counts()).toEqual(first);
  await large.pool.query("INSERT INTO tally VALUES ('anomalies', 1, '1', '0x01')");
  expect(await counts()).toEqual({ total_mismatch: 15_000, zero_amount: 14_997 });
});
