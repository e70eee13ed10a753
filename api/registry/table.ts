/**
 * Loads a registry from two tables or views of PostgreSQL: a row per raise, and a row per originator. Columns have the names of
 * the schema's fields, in snake_case or as they are. The role only needs to read them.
 * @module
 */
import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { postgresClientOf } from "../../config/postgres-client.ts";
import { errorCode } from "../../config/safe-fetch.ts";
import type { RegistrySource, TableName } from "../../config/values.ts";
import { createDraft, type Draft, MOST_ENTRIES } from "./draft.ts";
import { RegistryError } from "./error.ts";
import { type EntryList, findKnown, type KnownEntries } from "./known.ts";
import type { Loaded, LoadOptions } from "./loaded.ts";

type TableSource = Extract<RegistrySource, { kind: "table" }>;

/** Milliseconds for a query; a view over large tables may take a while. */
const TIMEOUT = 30_000;
/**
 * Milliseconds to wait for a lock, and before the next attempt. A writer that locks both tables must not be held up by a reader, nor
 * deadlock with one: PostgreSQL looks for deadlocks after a second.
 */
const LOCK_TIMEOUT = 500;
const LOCKED_PAUSE = 200;
const LOCKED = "55P03";
/** Rows of a fetch. */
const AT_ONCE = 2_000;
/** Rows up to which those that changed are asked for by their ids, instead of reading all rows. */
const MOST_BY_ID = 1_000;
/** The hash of a row; md5 is missing where only approved algorithms are allowed. */
const ROW_HASH = "encode(substr(sha256(convert_to(entry::text, 'UTF8')), 1, 18), 'base64')";

/** @throws {RegistryError} when the tables cannot be read. The message has no address, name or password. */
export async function loadTable(source: TableSource, options: LoadOptions): Promise<Loaded> {
  const until = performance.now() + (options.timeout ?? TIMEOUT);
  for (;;) {
    try {
      return await tryTable(source, options);
    } catch (error) {
      if (error instanceof RegistryError) throw error;
      const isPatient = performance.now() < until && options.signal?.aborted !== true;
      if (!isPatient || errorCode(error) !== LOCKED) throw new RegistryError([describeError(error)]);
      await sleep(LOCKED_PAUSE);
    }
  }
}

async function tryTable(source: TableSource, options: LoadOptions): Promise<Loaded> {
  const { validators = null, timeout = TIMEOUT, isAnnounced = false, signal } = options;
  const client = postgresClientOf(source.connectionString, timeout);
  const stop = () => void client.end().catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await client.connect();
    // One state of both tables, and nothing that a read-only role or a standby would refuse.
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query(`SET LOCAL statement_timeout = ${timeout}; SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
    const originators = await describe(client, "originators", source.originators);
    const listings = await describe(client, "listings", source.listings);
    const isUnchanged = async (table: Table) => validators?.[table.list] === (await digestOf(client, table));
    if (
      validators !== null &&
      !isAnnounced &&
      (await isUnchanged(originators)) &&
      (await isUnchanged(listings))
    )
      return { kind: "unchanged" };
    const known = await options.known?.();
    const draft = createDraft({ known, digest: "entries" });
    const digests = {
      originators: await readTable(client, originators, draft, known),
      listings: await readTable(client, listings, draft, known),
    };
    draft.setTop({});
    return { kind: "document", draft, validators: digests };
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
}

type Table = {
  readonly list: EntryList;
  /** Escaped, with its schema. */
  readonly name: string;
  /** The escaped column with the public id. */
  readonly id: string;
  /** A hash of the columns' names, which the hash of a row does not cover. */
  readonly columns: string;
};

async function describe(client: pg.Client, list: EntryList, { schema, name }: TableName): Promise<Table> {
  const table = [...(schema === null ? [] : [schema]), name].map(pg.escapeIdentifier).join(".");
  const { fields } = await client.query(`SELECT * FROM ${table} AS entry LIMIT 0`);
  const columns = fields.map((field) => field.name);
  const twice = columns.find((one, index) =>
    columns.some((other, at) => at < index && fieldOf(other) === fieldOf(one)),
  );
  if (twice !== undefined) throw new RegistryError([`${list}: has the column ${fieldOf(twice)} twice`]);
  const id = columns.find((column) => fieldOf(column) === "publicId");
  if (id === undefined) throw new RegistryError([`${list}: has no column public_id`]);
  return {
    list,
    name: table,
    id: pg.escapeIdentifier(id),
    columns: hash("sha256", columns.join(","), "hex").slice(0, 8),
  };
}

/** `escrow_address` as `escrowAddress`. */
function fieldOf(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

type Key = { readonly id: string | null; readonly hash: string };

/** A query for the `Key` of each row. */
function keysOf({ name, id }: Table): string {
  return `SELECT ${id}::text AS id, ${ROW_HASH} AS hash FROM ${name} AS entry`;
}

/**
 * A query for a text that differs when any row does, whatever their order: of the hashes of the rows' hashes, of which 64 bits are enough
 * to tell that something has changed.
 */
function digestOfKeys(keys: string): string {
  return `SELECT concat_ws(' ', count(*), 'rows', sum(sum::numeric), bit_xor(sum)) AS hash
    FROM (SELECT hashtextextended(hash, 0) AS sum FROM ${keys} AS keys) AS sums`;
}

/** Computed by the server, so that a poll without news fetches a line. */
async function digestOf(client: pg.Client, table: Table): Promise<string> {
  const { rows } = await client.query<{ hash: string }>(digestOfKeys(`(${keysOf(table)})`));
  return `${table.columns} ${rows[0]?.hash}`;
}

/** Adds the rows in the order of their ids. Only those whose hash is unknown are fetched. @returns the digest of the table */
async function readTable(
  client: pg.Client,
  table: Table,
  draft: Draft,
  known: KnownEntries | undefined,
): Promise<string> {
  const { list, name, id, columns } = table;
  const keys: Key[] = [];
  const keyOf = (hash: string) => `${columns} ${hash}`;
  let digest = "";
  // The digest comes along: turning 100,000 rows into texts takes most of the time, and is done once.
  const allKeys = `WITH keys AS MATERIALIZED (${keysOf(table)})
    SELECT NULL AS id, hash FROM (${digestOfKeys("keys")}) AS digest
    UNION ALL (SELECT id, hash FROM keys ORDER BY id COLLATE "C", hash)`;
  for await (const rows of rowsOf<Key>(client, allKeys, [])) {
    for (const { id, hash } of rows) {
      // No hash of a row has a space.
      if (hash.includes(" ")) digest = `${columns} ${hash}`;
      else keys.push({ id, hash });
    }
    if (keys.length > MOST_ENTRIES) throw new RegistryError([`${list}: has more than ${MOST_ENTRIES} rows`]);
  }
  const unknown = keys.filter(
    ({ hash }, index) => findKnown(known, list, `${list} ${keyOf(hash)}`, index) === null,
  );
  const ids = unknown.length <= MOST_BY_ID ? unknown.map(({ id }) => id) : [null];
  const isById = !ids.includes(null);
  const entries = new Map<string, Record<string, unknown>>();
  if (unknown.length > 0) {
    const wanted = new Set(unknown.map(({ hash }) => hash));
    const where = isById ? ` WHERE ${id}::text = ANY($1::text[])` : "";
    const query = `SELECT ${ROW_HASH} AS "row hash", entry.* FROM ${name} AS entry${where}`;
    for await (const rows of rowsOf(client, query, isById ? [ids] : [])) {
      for (const { "row hash": hash, ...row } of rows)
        if (wanted.has(String(hash))) entries.set(String(hash), entryOf(row));
    }
  }
  for (const { id, hash } of keys) {
    const place = id === null ? "a row without public_id" : `row ${id}`;
    const entry = entries.get(hash);
    if (entry === undefined) draft.addKnown(list, `${list} ${keyOf(hash)}`, place);
    else draft.add(list, entry, place, keyOf(hash));
  }
  return digest;
}

/** Some rows at a time. */
async function* rowsOf<Row extends pg.QueryResultRow>(
  client: pg.Client,
  query: string,
  values: unknown[],
): AsyncGenerator<Row[]> {
  await client.query(`DECLARE registry NO SCROLL CURSOR FOR ${query}`, values);
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${AT_ONCE} FROM registry`);
    yield rows;
    if (rows.length < AT_ONCE) break;
  }
  await client.query("CLOSE registry");
}

/** NULL is a missing field; numbers and bytes become the texts that the schema wants. */
function entryOf(row: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(row).flatMap(([column, value]): [string, unknown][] => {
    if (value === null) return [];
    if (typeof value === "number") return [[fieldOf(column), String(value)]];
    return [[fieldOf(column), Buffer.isBuffer(value) ? `0x${value.toString("hex")}` : value]];
  });
  return Object.fromEntries(fields);
}

function describeError(error: unknown): string {
  const code = errorCode(error);
  if (code === "42P01" || code === "3F000") return "the registry's table does not exist";
  if (code === "42501") return "the registry's table may not be read by the role in REGISTRY";
  if (code === "28P01" || code === "28000") return "the registry's database refuses the role or its password";
  if (code === "57014") return "the registry's table took too long to read";
  return `the registry's database could not be read${code ? ` (${code})` : ""}`;
}
