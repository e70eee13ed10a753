/**
 * Registries that are no short document: the tables of a real PostgreSQL, a server that answers in pages, and a document that
 * is read entry by entry.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { lastGoodFile } from "../../api/registry/copy.ts";
import { checkDocument } from "../../api/registry/document.ts";
import { changedListings } from "../../api/registry/schema.ts";
import {
  createRegistryStore,
  type RegistryStore,
  type RegistryStoreOptions,
} from "../../api/registry/store.ts";
import { readSettings } from "../../config/environment.ts";
import { redactorOf } from "../../config/redact.ts";
import { type RegistrySource, registrySource } from "../../config/values.ts";
import { checkRegistry } from "../../operate/daemon/check-files.ts";
import { readDocument } from "../harness/documents/document.ts";
import { parseRegistry } from "../harness/parsed-registry.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { serve as startServer } from "../harness/serve.ts";
import { DEPLOYMENT, documentHash, OPERATOR, signed } from "../harness/signed-registry.ts";
import { recordedLog } from "../harness/snapshot.ts";

const A = `0x${"a1".repeat(20)}`;
const NO_POLL = 3_600_000;

let postgres: Postgres;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(async () => {
  await postgres?.query("DROP OWNED BY raisebook_reads; DROP ROLE raisebook_reads");
  await postgres?.stop();
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
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

async function open(source: RegistrySource, options: Partial<RegistryStoreOptions> = {}) {
  const { log, lines } = recordedLog();
  const store = await createRegistryStore({ source, pollInterval: NO_POLL, ...options, log });
  cleanups.push(() => store.stop());
  return { store, lines };
}

const titles = (store: RegistryStore) => store.current().listings.map(({ title }) => title);
const eventually = (expected: () => void) => vi.waitFor(expected, { ...PATIENCE, interval: 20 });
const ids = (store: RegistryStore) => store.current().listings.map(({ publicId }) => publicId);

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
    await eventually(() => expect(titles(store)).toEqual(["Raise 1", "Second", "Raise 3"]));
    expect(store.current().listings.at(0)).toEqual(first);
    await postgres.query("DELETE FROM market.raise WHERE public_id = 'lst_1'");
    await eventually(() => expect(ids(store)).toEqual(["lst_2", "lst_3"]));
  });

  test("are served as they were left after many changes in a row, down to no rows", async () => {
    const { store } = await open(tables());
    const changes = 20;
    for (let i = 1; i <= changes; i++)
      await postgres.query(`UPDATE market.raise SET title = 'Change ${i}' WHERE public_id = 'lst_2'`);
    await eventually(() => expect(titles(store)[1]).toBe(`Change ${changes}`));
    // Whoever locks both is in no deadlock with a look that has begun.
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
    await eventually(() => expect(ids(store)).toEqual([]));
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
    await eventually(() => expect(titles(listening.store)[0]).toBe("After"));
  });

  test("may be views with columns as the fields are named, that a role can only read", async () => {
    await postgres.query(`
      CREATE SCHEMA published;
      CREATE VIEW published.listing AS SELECT public_id AS "publicId", originator, decode(substr(escrow_address, 3), 'hex') AS "escrowAddress",
        onchain_id::bigint AS "onchainId", title, description FROM market.raise WHERE onchain_id < 3;
      CREATE VIEW published.originator AS SELECT public_id, legal_name, jurisdiction, kyb_status, to_jsonb(addresses) AS addresses FROM market.business;
      ALTER ROLE raisebook_reads PASSWORD 'hunter22'; REVOKE SELECT ON market.raise FROM raisebook_reads;
      GRANT USAGE ON SCHEMA published TO raisebook_reads;
      GRANT SELECT ON ALL TABLES IN SCHEMA published TO raisebook_reads`);
    cleanups.push(() => postgres.query("DROP SCHEMA published CASCADE"));
    const names = "table=published.listing&originators=published.originator";
    const { store } = await open(tables(names, "raisebook_reads:hunter22"));
    expect([...store.current().listings]).toMatchObject(
      [1, 2].map((n) => ({ escrowAddress: A, onchainId: `${n}` })),
    );
    await postgres.query("UPDATE market.raise SET title = 'New' WHERE public_id = 'lst_1'");
    await eventually(() => expect(titles(store)).toEqual(["New", "Raise 2"]));

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
    const folder = await mkdtemp(join(tmpdir(), "raisebook-tables-"));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    const lastGood = lastGoodFile(join(folder, "kept.json"));
    const { store, lines } = await open(tables(), { lastGood });
    const { hash, version } = store.state();
    await postgres.query("UPDATE market.raise SET title = '' WHERE public_id = 'lst_3'");
    await eventually(() => expect(store.state().status).toBe("refused"));
    expect(titles(store)).toEqual(["Raise 1", "Raise 2", "Raise 3"]);
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

const originator = {
  publicId: "org_a",
  legalName: "A Ltd",
  jurisdiction: "SG",
  kybStatus: "approved",
  addresses: [A],
};
const raise = (n: number, description = "") => ({
  ...{ publicId: `lst_${n}`, originator: "org_a", escrowAddress: A, onchainId: `${n}` },
  ...{ title: `Raise ${n}`, description },
});

type Page = { body: unknown; headers?: Record<string, string> };

/** A server with these pages by their paths; the first is `/registry`. */
async function serve(pages: Record<string, Page>) {
  const state = { pages, requests: [] as IncomingMessage[] };
  const { port, stop } = await startServer((request, response) => {
    state.requests.push(request);
    const page = state.pages[request.url ?? ""];
    const tag = page?.headers?.etag;
    if (page === undefined) response.writeHead(404).end();
    else if (tag !== undefined && request.headers["if-none-match"] === tag) response.writeHead(304).end();
    else response.writeHead(200, page.headers).end(JSON.stringify(page.body));
  });
  cleanups.push(stop);
  return { state, source: { kind: "url", url: `http://me:hunter22@127.0.0.1:${port}/registry` } as const };
}

describe("a URL that answers in pages", () => {
  test("is one registry: pages follow `next` or a Link header, with the password", async () => {
    const { state, source } = await serve({
      "/registry": { body: { originators: [originator], listings: [raise(1)], next: "?page=2" } },
      "/registry?page=2": {
        body: { listings: [raise(2)] },
        headers: { link: '</first>; rel="first", </registry?page=3>; title="x"; rel="next"' },
      },
      "/registry?page=3": { body: { listings: [raise(3)], next: null } },
    });
    const { store } = await open(source);
    expect(ids(store)).toEqual(["lst_1", "lst_2", "lst_3"]);
    expect(state.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array(3).fill(`Basic ${Buffer.from("me:hunter22").toString("base64")}`),
    );
    expect(store.state().hash).toBe(
      documentHash({ originators: [originator], listings: [1, 2, 3].map((n) => raise(n)) }),
    );
  });

  test("is asked for its first page alone while that is unchanged", async () => {
    const { state, source } = await serve({
      "/registry": {
        body: { originators: [originator], listings: [raise(1)], next: "/2" },
        headers: { etag: '"one"' },
      },
      "/2": { body: { listings: [raise(2)] } },
    });
    const { store } = await open(source);
    await store.refresh();
    expect(state.requests.map(({ url }) => url)).toEqual(["/registry", "/2", "/registry"]);
    state.pages = {
      "/registry": { body: { originators: [originator], listings: [raise(3)] }, headers: { etag: '"two"' } },
    };
    await store.refresh();
    expect(ids(store)).toEqual(["lst_3"]);
  });

  test("may be signed: what is signed is the joined document", async () => {
    const listings = [raise(1), raise(2)];
    const { revision, signature } = await signed({ originators: [originator], listings }, 5);
    const first = { originators: [originator], listings: [raise(1)], revision, signature, next: "/2" };
    const { store } = await open(
      (await serve({ "/registry": { body: first }, "/2": { body: { listings: [raise(2)], revision } } }))
        .source,
      { signer: { address: OPERATOR, publicUrl: DEPLOYMENT, chainId: 97 } },
    );
    expect(store.state()).toMatchObject({ revision: 5, listings: 2 });
  });

  test.each<[string, unknown, unknown, string]>([
    [
      "a page of another server",
      { next: "http://127.0.0.1:1/2" },
      {},
      "next: of page 1 is of another server",
    ],
    ["no URL", { next: 7 }, {}, "next: of page 1 is not a URL"],
    ["a circle", { next: "/2" }, { next: "/registry" }, "next: of page 2 leads back to an earlier page"],
    ["a missing page", { next: "/nowhere" }, {}, "answered 404 for page 2"],
    [
      "a bad entry",
      { next: "/2" },
      { listings: [raise(2), { ...raise(3), title: "" }] },
      "(page 2, listings[1])",
    ],
    [
      "a duplicate",
      { next: "/2" },
      { listings: [raise(1)] },
      'listings[1].publicId: "lst_1" is already in listings[0]',
    ],
    [
      "another revision",
      { next: "/2", revision: 1 },
      { revision: 2 },
      'page 2 does not have what the first page says in "revision"',
    ],
    ["no document", { next: "/2" }, [], "page 2 is not an object"],
    ["no listings at all", { listings: undefined, next: "/2" }, {}, "listings: is missing"],
  ])("is refused as a whole for %s", async (_name, first, second, expected) => {
    const good = { originators: [originator], listings: [raise(1)] };
    const { state, source } = await serve({ "/registry": { body: good } });
    const { store, lines } = await open(source);
    state.pages = { "/registry": { body: { ...good, ...(first as object) } }, "/2": { body: second } };
    await store.refresh();
    expect(lines.at(-1)?.problem).toContain(expected);
    expect([store.state().status, ids(store)]).toEqual(["refused", ["lst_1"]]);
    state.pages = { "/registry": { body: good } };
    await store.refresh();
    expect(store.state().status).toBe("ok");
  });

  test("is read from its first page again after a later page was refused", async () => {
    const good = { originators: [originator], listings: [raise(1)] };
    const { state, source } = await serve({ "/registry": { body: good, headers: { etag: '"1"' } } });
    const { store } = await open(source);
    const first = { body: { ...good, next: "/2" }, headers: { etag: '"2"' } };
    state.pages = { "/registry": first, "/2": { body: [] } };
    await store.refresh();
    expect(store.state().status).toBe("refused");
    state.pages = { "/registry": first, "/2": { body: { listings: [raise(2)] } } };
    await store.refresh();
    expect([store.state().status, ids(store)]).toEqual(["ok", ["lst_1", "lst_2"]]);
  });
});

describe("a document of more than 16 MiB", () => {
  /** About 20 MB. */
  const document = (change = "") => ({
    originators: [originator],
    listings: Array.from({ length: 5_000 }, (_, n) => raise(n + 1, n === 4_000 ? change : "é".repeat(2_000))),
  });
  let folder: string;
  let path: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "raisebook-large-"));
    path = join(folder, "registry.json");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("is read entry by entry to the same registry, and unchanged entries are not validated again", async () => {
    const text = JSON.stringify(document(), null, 1);
    await writeFile(path, text);
    const lastGood = lastGoodFile(join(folder, "kept.json"));
    const { store } = await open({ kind: "file", path }, { lastGood });
    const whole = parseRegistry(Buffer.from(text));
    expect(store.current().hash).toBe(whole.hash);
    expect([...store.current().listings]).toEqual([...whole.listings]);
    const before = store.current();
    const kept = async () => parseRegistry((await lastGood.read()) ?? Buffer.from("{}")).hash;
    await writeFile(path, JSON.stringify(document("new")));
    await store.refresh();
    expect(store.current().listings.at(4_000)?.description).toBe("new");
    expect(changedListings(before, store.current())).toHaveLength(1);
    await expect.poll(kept, PATIENCE).toBe(store.state().hash);
    store.stop();
    await writeFile(path, "{");
    const later = await open({ kind: "file", path }, { lastGood });
    expect(later.store.state()).toMatchObject({
      status: "refused",
      hash: store.state().hash,
      listings: 5_000,
    });
  });

  test.each<[string, (text: string) => string | Buffer, string]>([
    ["an end too early", (text) => text.slice(0, -1), "the document is not JSON"],
    ["a comma too many", (text) => text.replace("}]", "},]"), "the document is not JSON"],
    [
      "bytes that are no UTF-8",
      (text) => Buffer.from(text.replaceAll("é", "\u00e9"), "latin1"),
      "the document is not UTF-8",
    ],
    ["an unknown member", (text) => `{"extra":1,${text.slice(1)}`, 'the document: unknown field "extra"'],
    ["a list twice", (text) => `${text.slice(0, -1)},"listings":[{}]}`, "listings: is in the document twice"],
    ["a bad entry", (text) => text.replace('"Raise 4500"', '""'), "listings[4499].title: not a text"],
    [
      "no list",
      (text) => text.replace('"originators":[', '"originators":7,"$schema":['),
      "originators: not a list",
    ],
    [
      "an entry without an end",
      (text) => text.replaceAll('"', "").replace("{", '{"listings":["'),
      "an entry of more than",
    ],
  ])("is refused for %s", async (_name, change, expected) => {
    await writeFile(path, change(JSON.stringify(document())));
    await expect(open({ kind: "file", path })).rejects.toThrow(expected);
  });

  test("may have a million listings, and no more", async () => {
    const entry = JSON.stringify(raise(1));
    const text = `{"originators":[],"listings":[${`${entry},`.repeat(1_000_000)}${entry}]}`;
    await writeFile(path, text);
    await expect(open({ kind: "file", path })).rejects.toThrow("listings: has more than 1000000 entries");
  });
});
