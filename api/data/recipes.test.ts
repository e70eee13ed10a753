import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDocument } from "../../test/harness/documents/document.ts";
import { type Duck, openDuck } from "../../test/harness/duckdb.ts";
import { RECIPES, tablesSql } from "./recipes.ts";

/** A raise that is created in January, opens in March and has money from April on; and one that only the registry tells of. */
const TABLES = `
CREATE TABLE manifest AS SELECT '2026-05-10T00:00:00Z' AS at;
CREATE TABLE listings (
  escrow_address VARCHAR, onchain_id VARCHAR, public_id VARCHAR, status VARCHAR, opened_at TIMESTAMP, close_at TIMESTAMP,
  drawn_down_at TIMESTAMP, maturity_at TIMESTAMP, status_since TIMESTAMP, raised_amount HUGEINT, min_raise HUGEINT,
  drawn_amount HUGEINT, written_off_amount HUGEINT, coupon_rate_bps BIGINT
);
INSERT INTO listings (escrow_address, onchain_id, public_id, status, opened_at, raised_amount, min_raise) VALUES
  ('0xe1', '1', 'lst_1', 'funding', '2026-03-15', 5, 9), ('0xe1', '2', 'lst_2', 'listed', '2026-03-02', 0, 9);
CREATE TABLE ledger (
  escrow_address VARCHAR, onchain_id VARCHAR, block_time TIMESTAMP, kind VARCHAR, committed HUGEINT, repaid_principal HUGEINT,
  repaid_interest HUGEINT, outstanding HUGEINT, reserve HUGEINT, reason VARCHAR
);
INSERT INTO ledger (escrow_address, onchain_id, block_time, kind, committed) VALUES
  ('0xe1', '1', '2026-01-10', 'listing_created', NULL), ('0xe1', '1', '2026-02-10', 'listing_terms_updated', NULL),
  ('0xe1', '1', '2026-04-20', 'subscribed', 5);`;

describe("the months", () => {
  let duck: Duck;
  beforeAll(async () => {
    duck = await openDuck();
    await duck.rows(TABLES);
  });
  afterAll(() => duck.close());

  it.each(["series", "owed"])("begin with the first figure in %s", async (id) => {
    const rows = await duck.rows(RECIPES.find((one) => one.id === id)?.sql ?? "");
    expect(rows.map(({ period }) => period)).toEqual(["2026-03", "2026-04", "2026-05"]);
    if (id === "series") expect(rows.map(({ opened }) => opened)).toEqual(["2", "0", "0"]);
  });
});

it("are in the document word for word; test/integration/open-data.test.ts runs them", () => {
  const { snippets } = readDocument("docs/open-data.md");
  const found = snippets.filter(({ language }) => language === "sql").map(({ text }) => text.trim());
  expect(found).toEqual([tablesSql("https://raises.example/data/"), ...RECIPES.map(({ sql }) => sql)]);
});
