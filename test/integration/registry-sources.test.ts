import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { lastGoodFile } from "../../api/registry/copy.ts";
import { checkDocument } from "../../api/registry/document.ts";
import type { RegistryStoreOptions } from "../../api/registry/store.ts";
import { readSettings } from "../../config/environment.ts";
import { redactorOf } from "../../config/redact.ts";
import { type RegistrySource, registrySource } from "../../config/values.ts";
import { checkRegistry } from "../../operate/daemon/check-files.ts";
import { readDocument } from "../harness/documents/document.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { A } from "../harness/registry-document.ts";
import { idsIn, NO_POLL, openStore, titlesIn } from "../harness/registry-store.ts";

let postgres: Postgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(async () => {
  await postgres?.query("DROP OWNED BY raisebook_reads; DROP ROLE raisebook_reads");
});

beforeEach(async () => {
  await postgres.query("DROP SCHEMA IF EXISTS market CASCADE; DROP ROLE IF EXISTS raisebook_reads");
  for (const { language, text } of readDocument("docs/registry-sources.md").snippets)
    if (language === "sql") await postgres.query(text);
  await postgres.query(`
    INSERT INTO market.business VALUES ('org_a', 'A Ltd', 'SG', 'approved', ARRAY['${A}']);
    INSERT INTO market.raise SELECT 'lst_' || n, 'org_a', '${A}', n, 'Raise ' || n, '' FROM generate_series(1, 3) AS n`);
});

/** @param role with its password; the owner of the tables by default */
function tables(names = "table=market.raise&originators=market.business", role?: string): RegistrySource {
  const url = new URL(postgres.connectionString);
  const at = role === undefined ? url.href : url.href.replace(/\/\/[^@]*@/, `//${role}@`);
  return registrySource.parse(`${at}?${names}`);
}

const open = (source: RegistrySource, options: Partial<RegistryStoreOptions> = {}) =>
  openStore({ source, pollInterval: NO_POLL, ...options });

const eventually = (expected: () => void) => vi.waitFor(expected, { ...PATIENCE, interval: 20 });

describe("tables of PostgreSQL", () => {
  test("set up as in the document serve as the registry, and a trigger announces changes", async () => {
    const { store } = await open(tables());
    expect([...store.current().originators]).toEqual([
      { publicId: "org_a", legalName: "A Ltd", jurisdiction: "SG", kybStatus: "approved", addresses: [A] },
    ]);
    expect([...store.current().listings]).toMatchObject(
      [1, 2, 3].map((n) => ({ publicId: `lst_${n}`, onchainId: `${n}`, title: `Raise ${n}` })),
    );
    expect(store.state()).toMatchObject({ status: "ok", signer: null, revision: null, problem: null });
    const [first] = store.current().listings;
    await postgres.query("UPDATE market.raise SET title = 'Second' WHERE public_id = 'lst_2'");
    await eventually(() => expect(titlesIn(store)).toEqual(["Raise 1", "Second", "Raise 3"]));
    expect(store.current().listings.at(0)).toEqual(first);
    await postgres.query("DELETE FROM market.raise WHERE public_id = 'lst_1'");
    await eventually(() => expect(idsIn(store)).toEqual(["lst_2", "lst_3"]));
  });

  test("are served as they were left after many changes in a row, down to no rows", async () => {
    const { store } = await open(tables());
    const changes = 20;
    for (let i = 1; i <= changes; i++)
      await postgres.query(`UPDATE market.raise SET title = 'Change ${i}' WHERE public_id = 'lst_2'`);
    await eventually(() => expect(titlesIn(store)[1]).toBe(`Change ${changes}`));
    // Locking both tables causes no deadlock with a read that has begun.
    const writer = new pg.Client({ connectionString: postgres.connectionString });
    await writer.connect();
    await writer.query("BEGIN; LOCK TABLE market.raise IN ACCESS EXCLUSIVE MODE");
    const looked = store.refresh();
    await eventually(async () => {
      const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'market.raise'::regclass";
      expect(await postgres.query(waiting)).toHaveLength(1);
    });
    // Empty tables have a digest, too.
    await writer.query("TRUNCATE market.business, market.raise; COMMIT");
    await writer.end();
    await looked;
    await eventually(() => expect(idsIn(store)).toEqual([]));
    await store.refresh();
    await postgres.query(`INSERT INTO market.business VALUES ('org_b', 'B Ltd', 'SG', 'approved')`);
    await eventually(() => expect(store.current().originators.length).toBe(1));
    expect(store.state().problem).toBeNull();
  });

  test("are polled where nothing announces a change, and hear of it again after the connection has broken", async () => {
    const { store } = await open(tables(), { pollInterval: 50 });
    await postgres.query("UPDATE market.business SET legal_name = 'B Ltd'");
    await eventually(() => expect(store.current().originators.at(0)?.legalName).toBe("B Ltd"));
    store.stop();

    const listening = await open(tables());
    await postgres.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()",
    );
    await eventually(() => expect(listening.store.state().status).toBe("ok"));
    await postgres.query("UPDATE market.raise SET title = 'After' WHERE public_id = 'lst_1'");
    await eventually(() => expect(titlesIn(listening.store)[0]).toBe("After"));
  });

  test("may be views with columns as the fields are named, that a role can only read", async () => {
    await postgres.query(`
      CREATE SCHEMA published;
      CREATE VIEW published.listing AS SELECT public_id AS "publicId", ORIGINATOR, decode(substr(escrow_address, 3), 'hex') AS "escrowAddress",
        onchain_id::bigint AS "onchainId", title, description FROM market.raise WHERE onchain_id < 3;
      CREATE VIEW published.originator AS SELECT public_id, legal_name, jurisdiction, kyb_status, to_jsonb(addresses) AS addresses FROM market.business;
      ALTER ROLE raisebook_reads PASSWORD 'hunter22'; REVOKE SELECT ON market.raise FROM raisebook_reads;
      GRANT USAGE ON SCHEMA published TO raisebook_reads;
      GRANT SELECT ON ALL TABLES IN SCHEMA published TO raisebook_reads`);
    onTestFinished(async () => void (await postgres.query("DROP SCHEMA published CASCADE")));
    const names = "table=published.listing&originators=published.originator";
    const { store } = await open(tables(names, "raisebook_reads:hunter22"));
    expect([...store.current().listings]).toMatchObject(
      [1, 2].map((n) => ({ escrowAddress: A, onchainId: `${n}` })),
    );
    await postgres.query("UPDATE market.raise SET title = 'New' WHERE public_id = 'lst_1'");
    await eventually(() => expect(titlesIn(store)).toEqual(["New", "Raise 2"]));

    const forbidden = tables("table=market.raise&originators=market.business", "raisebook_reads:hunter22");
    await expect(open(forbidden)).rejects.toThrow("may not be read by the role in REGISTRY");
    const wrong = tables(names, "raisebook_reads:wrong-password");
    const { problems } = await checkRegistry({
      registry: wrong,
      registrySigner: null,
      publicUrl: "http://a",
      chainId: 97,
    });
    expect(problems[0]?.problem).toContain("cannot be used (table published.listing at 127.0.0.1:");
    expect(JSON.stringify(problems)).not.toMatch(/wrong-password|hunter22/);
  });

  test("are refused as a whole with the row of each problem, and the last good copy is kept for a restart", async () => {
    const folder = temporaryFolder();
    const lastGood = lastGoodFile(join(folder, "kept.json"));
    const { store, lines } = await open(tables(), { lastGood });
    const { hash, version } = store.state();
    await postgres.query("UPDATE market.raise SET title = '' WHERE public_id = 'lst_3'");
    await eventually(() => expect(store.state().status).toBe("refused"));
    expect(titlesIn(store)).toEqual(["Raise 1", "Raise 2", "Raise 3"]);
    expect(lines.at(-1)?.problem).toMatch(/^listings\[2\]\.title: not a text.*\(row lst_3\)$/);
    expect(store.state().problem).toBe("listings[2].title (the log says what is wrong)");
    const checked = await checkDocument(tables(), {
      registrySigner: null,
      publicUrl: "http://a",
      chainId: 97,
    });
    expect(checked.problems).toEqual([{ text: lines.at(-1)?.problem }]);
    store.stop();

    const later = await open(tables(), { lastGood });
    expect(later.store.state()).toMatchObject({ status: "refused", hash, version, listings: 3 });
    await postgres.query("UPDATE market.raise SET title = 'Good' WHERE public_id = 'lst_3'");
    await eventually(() => expect(later.store.state().status).toBe("ok"));
  });

  test.each([
    ["ALTER TABLE market.raise ADD COLUMN note text DEFAULT 'x'", 'unknown field "note"'],
    ["ALTER TABLE market.raise RENAME COLUMN public_id TO id", "listings: has no column public_id"],
    ['ALTER TABLE market.raise ADD COLUMN "publicId" text', "listings: has the column publicId twice"],
    ["DROP TABLE market.raise", "the registry's table does not exist"],
    [
      "ALTER TABLE market.raise ALTER COLUMN description DROP NOT NULL; UPDATE market.raise SET description = NULL",
      "description: is missing",
    ],
  ])("say what is wrong: %s", async (change, expected) => {
    await postgres.query(change);
    await expect(open(tables())).rejects.toThrow(expected);
  });

  test("need names of both tables and no signer, and their password is never printed", () => {
    const least = { RPC_URLS: "http://127.0.0.1:1", ESCROWS: `${A}@0` };
    const url = "postgres://reader:hunter2@db.example/market?table=a.b&originators=a.c";
    const settings = readSettings({ ...least, REGISTRY: url });
    expect(settings.registry).toMatchObject({
      ...{ listings: { schema: "a", name: "b" }, originators: { schema: "a", name: "c" } },
      connectionString: "postgres://reader:hunter2@db.example/market",
    });
    expect(redactorOf(settings)(`${url} hunter2 is bad`)).not.toContain("hunter2");
    for (const bad of [
      url.replace("&originators=a.c", ""),
      url.replace("a.b", "a.b;DROP"),
      url.replace("a.b", "a.b.c"),
    ])
      expect(() => readSettings({ ...least, REGISTRY: bad })).toThrow("must name one table or view in ?");
    expect(() => readSettings({ ...least, REGISTRY: url, REGISTRY_SIGNER: A })).toThrow(
      "REGISTRY_SIGNER cannot be used with a table: rows carry no signature",
    );
  });
});
