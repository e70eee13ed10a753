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
SET VARIABLE cohorts = (SELECT getvariable('root') || tables.cohorts.files[1].path FROM manifest);
CREATE VIEW ledger AS FROM read_parquet(getvariable('ledger'));
CREATE VIEW listings AS FROM read_parquet(getvariable('listings'));
CREATE VIEW originators AS FROM read_parquet(getvariable('originators'));
CREATE VIEW cohorts AS FROM read_parquet(getvariable('cohorts'));`;
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
    about:
      "Money committed, withdrawn or outbid, lent and repaid in each month, and refunded by raises that failed, from their events.",
    sql: `SELECT
  strftime(block_time, '%Y-%m') AS month,
  coalesce(sum(committed) FILTER (committed > 0), 0) AS committed,
  coalesce(-sum(committed) FILTER (committed < 0), 0) AS withdrawn,
  coalesce(sum(outstanding) FILTER (kind = 'drawn_down'), 0) AS lent,
  coalesce(sum(repaid_principal), 0) AS repaid_principal,
  coalesce(sum(repaid_interest), 0) AS repaid_interest,
  coalesce(sum(refunded) FILTER (committed IS NULL), 0) AS refunded
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
    id: "vintages",
    title: "Loans by the quarter of their drawdown",
    about:
      "What was lent, due and repaid, and what backers expected and really earned, as /v1/stats/cohorts.",
    sql: `SELECT
  cohort AS quarter,
  loans,
  (lent / 1e18)::DECIMAL(38, 2) AS lent,
  ((repaid_principal + repaid_interest) / 1e18)::DECIMAL(38, 2) AS repaid,
  (due / 1e18)::DECIMAL(38, 2) AS due,
  defaulted_bps,
  expected_return_bps,
  realised_return_bps
FROM cohorts
WHERE "by" = 'quarter'
ORDER BY quarter;`,
  },
  {
    id: "series",
    title: "The months of /v1/stats/series",
    about:
      "The flows of each month and the totals at its end, as /v1/stats/series?by=month&asOf= with the manifest's last block, digit for digit. Trades are left out: the files do not name sellers and buyers, so a trade with oneself cannot be told from any other.",
    sql: `WITH ended AS (
  SELECT
    escrow_address,
    onchain_id,
    min(block_time) AS ended_at,
    min(block_time) FILTER (kind IN ('listing_cancelled', 'listing_voided')) AS called_off_at
  FROM ledger
  WHERE kind IN ('listing_closed', 'listing_settled', 'listing_cancelled', 'listing_voided')
  GROUP BY ALL
), moments AS (
  SELECT
    opened_at,
    least(ended_at, CASE WHEN close_at <= manifest.at::TIMESTAMP THEN close_at END) AS closed_at,
    CASE
      WHEN raised_amount > 0 AND raised_amount >= min_raise AND coalesce(called_off_at > closed_at, true)
      THEN greatest(date_diff('second', opened_at, closed_at), 0)
    END AS seconds
  FROM listings
  CROSS JOIN manifest
  LEFT JOIN ended USING (escrow_address, onchain_id)
), changes AS (
  SELECT
    block_time AS time,
    kind, committed, repaid_principal, repaid_interest, outstanding, reserve, reason
  FROM ledger
  SEMI JOIN listings USING (escrow_address, onchain_id)
  WHERE kind = 'offer_created' OR committed <> 0 OR repaid_principal <> 0 OR repaid_interest <> 0
    OR outstanding <> 0 OR reserve <> 0
  UNION ALL BY NAME SELECT opened_at AS time, 1 AS opened FROM moments
  UNION ALL BY NAME SELECT closed_at AS time, 1 AS closed, seconds FROM moments
  UNION ALL BY NAME
  SELECT drawn_down_at AS time, drawn_amount AS lent, drawn_amount::HUGEINT * coupon_rate_bps AS weighted
  FROM listings
  UNION ALL BY NAME
  SELECT status_since AS time, written_off_amount AS written_off FROM listings WHERE status = 'matured'
), months AS (
  SELECT unnest(generate_series(date_trunc('month', min(time)), max(now), INTERVAL 1 MONTH)) AS month
  FROM changes CROSS JOIN (SELECT manifest.at::TIMESTAMP AS now FROM manifest)
), sums AS (
  SELECT
    month,
    coalesce(sum(opened), 0) AS opened,
    coalesce(sum(closed), 0) AS closed,
    count(seconds) AS reached_minimum,
    floor(median(seconds) / 3600)::BIGINT AS median_hours_to_fund,
    coalesce(sum(committed) FILTER (committed > 0), 0) AS committed,
    coalesce(-sum(committed) FILTER (committed < 0), 0) AS withdrawn,
    coalesce(sum(lent), 0) AS lent,
    sum(weighted)::HUGEINT // nullif(sum(lent)::HUGEINT, 0) AS average_coupon_bps,
    coalesce(sum(repaid_principal), 0) AS repaid_principal,
    coalesce(sum(repaid_interest), 0) AS repaid_interest,
    coalesce(sum(written_off), 0) AS written_off,
    coalesce(sum(reserve) FILTER (reason = 'posted'), 0) AS reserves_posted,
    coalesce(-sum(reserve) FILTER (reason = 'applied'), 0) AS reserves_used,
    coalesce(-sum(reserve) FILTER (reason = 'released'), 0) AS reserves_released,
    count(*) FILTER (kind = 'offer_created') AS offers,
    coalesce(sum(outstanding), 0) AS owed
  FROM months
  LEFT JOIN changes ON date_trunc('month', time) = month
  GROUP BY month
)
SELECT
  strftime(month, '%Y-%m') AS period,
  sums.* EXCLUDE (month, owed),
  sum(committed - withdrawn) OVER so_far AS raised_total,
  sum(lent) OVER so_far AS lent_total,
  sum(repaid_principal + repaid_interest) OVER so_far AS repaid_total,
  sum(written_off) OVER so_far AS written_off_total,
  sum(reserves_posted - reserves_used - reserves_released) OVER so_far AS reserves,
  sum(owed) OVER so_far AS outstanding
FROM sums
WINDOW so_far AS (ORDER BY month)
ORDER BY month;`,
  },
  {
    id: "owed",
    title: "Debt by state at the end of each month",
    about:
      "The rest of /v1/stats/series: what was owed at the end of each month, by how long it was overdue.",
    sql: `WITH changes AS (
  SELECT block_time AS time
  FROM ledger
  SEMI JOIN listings USING (escrow_address, onchain_id)
  WHERE kind IN ('offer_created', 'listing_closed', 'listing_settled', 'listing_cancelled', 'listing_voided')
    OR committed <> 0 OR repaid_principal <> 0 OR repaid_interest <> 0 OR outstanding <> 0 OR reserve <> 0
  UNION ALL SELECT opened_at FROM listings
), months AS (
  SELECT unnest(generate_series(date_trunc('month', min(time)), max(now), INTERVAL 1 MONTH)) AS month
  FROM changes CROSS JOIN (SELECT manifest.at::TIMESTAMP AS now FROM manifest)
), owed AS (
  SELECT
    month,
    sum(outstanding) AS amount,
    epoch(least(month + INTERVAL 1 MONTH - INTERVAL 1 SECOND, manifest.at::TIMESTAMP)
      - any_value(maturity_at)) / 86400 AS days
  FROM months
  CROSS JOIN manifest
  LEFT JOIN (
    SELECT block_time, outstanding, maturity_at, public_id
    FROM ledger JOIN listings USING (escrow_address, onchain_id)
  ) ON block_time < month + INTERVAL 1 MONTH
  GROUP BY month, manifest.at, public_id
)
SELECT
  strftime(month, '%Y-%m') AS period,
  coalesce(sum(amount) FILTER (days <= 0), 0) AS outstanding_current,
  coalesce(sum(amount) FILTER (days > 0 AND days <= 7), 0) AS outstanding_grace,
  coalesce(sum(amount) FILTER (days > 7 AND days <= 90), 0) AS outstanding_late,
  coalesce(sum(amount) FILTER (days > 90), 0) AS outstanding_in_default
FROM owed
GROUP BY month
ORDER BY month;`,
  },
  {
    id: "check",
    title: "Check the raises against their events",
    about:
      "Raises whose totals are not the sums of their events. The result is empty unless the contracts omit something.",
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
