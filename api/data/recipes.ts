/**
 * Queries of the open data in SQL, for DuckDB. A test runs each of them on the files of a service, and compares what they find with
 * what the service answers.
 * @module
 */
export type Recipe = { id: string; title: string; about: string; sql: string };

/** Statements that give the tables their names. @param root address of the folder with the manifest, with a slash at its end */
export function tablesSql(root: string): string {
  return `SET VARIABLE root = '${root}';
CREATE TEMP TABLE manifest AS FROM read_json(getvariable('root') || 'manifest.json');
SET VARIABLE ledger = (
  SELECT [getvariable('root') || file.path FOR file IN tables.ledger.files] FROM manifest
);
SET VARIABLE listings = (SELECT getvariable('root') || tables.listings.files[1].path FROM manifest);
SET VARIABLE originators = (SELECT getvariable('root') || tables.originators.files[1].path FROM manifest);
CREATE VIEW ledger AS FROM read_parquet(getvariable('ledger'));
CREATE VIEW listings AS FROM read_parquet(getvariable('listings'));
CREATE VIEW originators AS FROM read_parquet(getvariable('originators'));`;
}

export const RECIPES: readonly Recipe[] = [
  {
    id: "default-rate",
    title: "Default rate by grade",
    about:
      "Principal written off per principal lent, over settled raises, by the grade that the business has now.",
    sql: `SELECT
  originator_grade AS grade,
  count(*) AS settled_raises,
  (sum(drawn_amount) / 1e18)::DECIMAL(38, 2) AS lent,
  (sum(written_off_amount) / 1e18)::DECIMAL(38, 2) AS written_off,
  10000 * sum(written_off_amount)::HUGEINT // nullif(sum(drawn_amount)::HUGEINT, 0) AS default_rate_bps
FROM listings
WHERE status = 'matured'
GROUP BY grade
ORDER BY grade;`,
  },
  {
    id: "monthly-flows",
    title: "Flows by month",
    about: "Money committed, lent, repaid and refunded in each month, from the events of the raises.",
    sql: `SELECT
  strftime(block_time, '%Y-%m') AS month,
  coalesce(sum(committed), 0) AS committed,
  coalesce(sum(outstanding) FILTER (kind = 'drawn_down'), 0) AS lent,
  coalesce(sum(repaid_principal), 0) AS repaid_principal,
  coalesce(sum(repaid_interest), 0) AS repaid_interest,
  coalesce(sum(refunded), 0) AS refunded
FROM ledger
JOIN listings USING (escrow_address, onchain_id)
GROUP BY month
ORDER BY month;`,
  },
  {
    id: "concentration",
    title: "Concentration",
    about: "The businesses that owe most, with their share of all outstanding principal.",
    sql: `SELECT
  originator,
  jurisdiction AS country,
  rating_grade AS grade,
  sum(outstanding_principal) AS outstanding,
  10000 * sum(outstanding_principal)::HUGEINT
    // (SELECT sum(outstanding_principal)::HUGEINT FROM listings) AS share_bps
FROM listings
JOIN originators ON originators.public_id = originator
GROUP BY ALL
HAVING outstanding > 0
ORDER BY outstanding DESC, originator
LIMIT 10;`,
  },
  {
    id: "statistics",
    title: "The figures of /v1/stats",
    about: "The same totals as /v1/stats?asOf= with the manifest's last block, digit for digit.",
    sql: `SELECT
  sum(raised_amount) AS raised,
  sum(drawn_amount) AS lent,
  sum(refunded_amount) AS refunded,
  sum(withdrawn_amount) AS withdrawn,
  sum(returned_amount) AS returned,
  sum(refundable_amount) AS refundable,
  sum(repaid_amount) AS repaid,
  sum(outstanding_principal) AS outstanding,
  sum(reserve_balance) AS reserves,
  sum(written_off_amount) AS written_off,
  sum(subscriber_count) AS subscribers,
  10000 * sum(written_off_amount)::HUGEINT
    // nullif(sum(drawn_amount) FILTER (status = 'matured')::HUGEINT, 0) AS default_rate_bps,
  10000 * coalesce(sum(outstanding_principal) FILTER (repayment = 'default'), 0)::HUGEINT
    // nullif(sum(outstanding_principal)::HUGEINT, 0) AS outstanding_in_default_bps,
  sum(drawn_amount::HUGEINT * coupon_rate_bps)::HUGEINT
    // nullif(sum(drawn_amount)::HUGEINT, 0) AS average_coupon_bps,
  count(*) FILTER (status IN ('live', 'matured', 'refunding')) AS decided,
  10000 * count(*) FILTER (status IN ('live', 'matured'))
    // nullif(count(*) FILTER (status IN ('live', 'matured', 'refunding')), 0) AS minimum_reached_bps,
  sum(seconds_to_fund) // nullif(3600 * count(seconds_to_fund), 0) AS average_hours_to_fund
FROM listings;`,
  },
  {
    id: "states",
    title: "Raises and debt by state",
    about: "The rest of /v1/stats: raises by status, and what is owed by the state of its repayment.",
    sql: `SELECT status, repayment, count(*) AS raises, sum(outstanding_principal) AS outstanding
FROM listings
GROUP BY status, repayment
ORDER BY status, repayment;`,
  },
  {
    id: "check",
    title: "Check the raises against their events",
    about:
      "Raises whose totals are not the sums of their events. None, unless the contracts leave something out.",
    sql: `SELECT public_id
FROM listings
LEFT JOIN ledger USING (escrow_address, onchain_id)
GROUP BY public_id, raised_amount, refunded_amount, repaid_amount, outstanding_principal
HAVING coalesce(sum(committed), 0) <> raised_amount
  OR coalesce(sum(refunded), 0) <> refunded_amount
  OR coalesce(sum(repaid_principal), 0) + coalesce(sum(repaid_interest), 0) <> repaid_amount
  OR coalesce(sum(outstanding), 0) <> outstanding_principal
ORDER BY public_id;`,
  },
];
