/**
 * The log of registry revisions in PostgreSQL, next to the last good copy. Every process of the service appends to it: the first one
 * that has a registry in use adds it.
 * @module
 */
import { dirname, join } from "node:path";
import type pg from "pg";
import { sql } from "ponder";
import { connectPostgres } from "../../api/database/postgres.ts";
import {
  type ListingTexts,
  type RevisionLog,
  revisionLogFile,
  type Texts,
} from "../../api/registry/revisions.ts";
import type { Settings } from "../../config/environment.ts";
import type { BlockOrTime } from "../../config/format/time.ts";
import type { Logger } from "../../config/log.ts";
import { postgresClientOf, withClient } from "../../config/postgres-client.ts";
import { serviceKeyOf } from "../../config/schema-name.ts";
import { REGISTRY_COPIES, REGISTRY_REVISIONS } from "../../config/table-names.ts";
import { lastGoodPathOf, MAY_NOT_WRITE } from "./registry-copy.ts";

/** Milliseconds to connect, and for each query. */
const TIMEOUT = 30_000;
/** Connections on which the past is read. */
const READERS = 2;
/** Listings whose texts are added by one statement. */
const AT_ONCE = 2_000;

/** The log of the service with these settings; undefined for an embedded database in memory. */
export function revisionLogOf(settings: Settings, log: Pick<Logger, "debug">): RevisionLog | undefined {
  if (settings.database.kind === "postgres")
    return revisionLogInPostgres(settings.database.connectionString, settings, log);
  const lastGood = lastGoodPathOf(settings);
  return lastGood === null ? undefined : revisionLogBeside(lastGood);
}

/** The log next to a last good copy that is a file. */
export function revisionLogBeside(lastGood: string): RevisionLog {
  return revisionLogFile(join(dirname(lastGood), "registry.revisions.jsonl"));
}

export function revisionLogInPostgres(
  connectionString: string,
  settings: Settings,
  log: Pick<Logger, "debug">,
): RevisionLog {
  const service = serviceKeyOf(settings);
  // Not the readers' own connections: those may read as of a snapshot from before the last revision.
  const reading = connectPostgres({
    ...{ connectionString, schema: REGISTRY_REVISIONS.schema, connections: READERS, timeout: TIMEOUT, log },
  });
  const connected = <Result>(work: (client: pg.Client) => Promise<Result>) =>
    withClient(postgresClientOf(connectionString, TIMEOUT), work);
  return {
    async append({ hash, signer, revision, block }, changed) {
      const values = [service, hash, signer, revision, block.number, block.timestamp];
      try {
        await connected(async (client) => {
          const columns = columnsIn(await client.query<Column>(COLUMNS));
          const isThere = columns.size > 0;
          const lastHash = async (): Promise<string | null> => {
            const last = `SELECT hash FROM ${REVISIONS} WHERE service = $1 ORDER BY number DESC LIMIT 1`;
            return (await client.query(last, [service])).rows[0]?.hash ?? null;
          };
          if (isThere && (await lastHash()) === hash) return;
          await client.query("BEGIN");
          // Serialised: each revision has one number, and readers that start together would collide.
          await client.query("SELECT pg_advisory_xact_lock(hashtext($1))", [REGISTRY_COPIES.table]);
          if (!isThere) await client.query(TABLES);
          else if (!columns.has("facts")) await client.query(ADD_FACTS);
          const last = await lastHash();
          const { rowCount } = await client.query(APPEND, values);
          // All of a large registry are not in memory together.
          if (rowCount === 1)
            for (const some of chunked(changed(last), AT_ONCE))
              await client.query(APPEND_TEXTS, [service, ...columnsOf(some)]);
          await client.query("COMMIT");
        });
      } catch (error) {
        if (!MAY_NOT_WRITE.has((error as { code?: string }).code ?? "")) throw error;
        log.debug({ msg: "This role cannot log the registry in use", error: error as Error });
      }
    },
    textsAt: (moment) =>
      reading.transaction(async (tx) => {
        const columns = columnsIn(await tx.execute<Column>(sql.raw(COLUMNS)));
        if (columns.size === 0) return new Map();
        const { rows } = await tx.execute<TextsRow>(textsAt(service, moment, columns.has("facts")));
        return new Map(rows.map(({ public_id: id, ...one }) => [id, one]));
      }),
  };
}

function* chunked<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    if (chunk.push(item) < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

function columnsOf(some: readonly ListingTexts[]) {
  return [
    some.map(([publicId]) => publicId),
    some.map(([, { title }]) => withoutNul(title)),
    some.map(([, { description }]) => withoutNul(description)),
    some.map(([, { facts }]) => facts && JSON.stringify(facts)),
  ];
}

/** PostgreSQL has no texts with NUL, which every answer leaves out. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}

const { revisions: REVISIONS, texts: TEXTS } = REGISTRY_REVISIONS;

type Column = { name: string };

/** The columns of the texts; none before there is a log. A log from before entries could have terms lacks `facts`. */
const COLUMNS = `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass('${TEXTS}') AND attnum > 0 AND NOT attisdropped`;

const columnsIn = ({ rows }: { rows: Column[] }) => new Set(rows.map(({ name }) => name));

const TABLES = `
  CREATE SCHEMA IF NOT EXISTS ${REGISTRY_REVISIONS.schema};
  CREATE TABLE IF NOT EXISTS ${REVISIONS} (service INTEGER, number INTEGER, hash TEXT NOT NULL, signer TEXT, revision BIGINT,
    block NUMERIC NOT NULL, time NUMERIC NOT NULL, PRIMARY KEY (service, number));
  CREATE TABLE IF NOT EXISTS ${TEXTS} (service INTEGER, public_id TEXT, number INTEGER, title TEXT NOT NULL,
    description TEXT NOT NULL, facts JSONB, PRIMARY KEY (service, public_id, number))`;

const ADD_FACTS = `ALTER TABLE ${TEXTS} ADD COLUMN IF NOT EXISTS facts JSONB`;

/** Adds no row if the last revision has this hash: another process was quicker. */
const APPEND = `
  INSERT INTO ${REVISIONS} (service, number, hash, signer, revision, block, time)
  SELECT $1::integer, coalesce(max(number), 0) + 1, $2::text, $3::text, $4::bigint, $5::numeric, $6::numeric
  FROM ${REVISIONS} WHERE service = $1
  HAVING (array_agg(hash ORDER BY number DESC))[1] IS DISTINCT FROM $2::text`;

/** Adds the texts that differ from the last ones of their listing. */
const APPEND_TEXTS = `
  INSERT INTO ${TEXTS} (service, public_id, number, title, description, facts)
  SELECT $1, given.public_id, (SELECT max(number) FROM ${REVISIONS} WHERE service = $1), given.title, given.description,
    given.facts
  FROM unnest($2::text[], $3::text[], $4::text[], $5::jsonb[]) AS given (public_id, title, description, facts)
  LEFT JOIN LATERAL (SELECT title, description, facts FROM ${TEXTS} AS one
    WHERE one.service = $1 AND one.public_id = given.public_id ORDER BY number DESC LIMIT 1) AS last ON true
  WHERE (given.title, given.description, given.facts) IS DISTINCT FROM (last.title, last.description, last.facts)`;

type TextsRow = Texts & { public_id: string };

/** The last texts up to the moment, or else the earliest; only of listings that have had others since. */
function textsAt(service: number, moment: BlockOrTime, hasFacts: boolean) {
  const [column, bound] = "block" in moment ? ["block", moment.block] : ["time", moment.time];
  const [revisions, texts] = [sql.raw(REVISIONS), sql.raw(TEXTS)];
  return sql`
  WITH moment AS (SELECT coalesce(max(number), 0) AS number FROM ${revisions}
      WHERE service = ${service} AND ${sql.identifier(column)} <= ${bound}::numeric),
    changed AS (SELECT public_id FROM ${texts} WHERE service = ${service} GROUP BY public_id
      HAVING count(*) > 1 AND max(number) > (SELECT number FROM moment))
  SELECT DISTINCT ON (public_id) public_id, title, description, ${sql.raw(hasFacts ? "facts" : "NULL AS facts")}
  FROM ${texts} AS one JOIN changed USING (public_id) CROSS JOIN moment
  WHERE service = ${service}
  ORDER BY public_id, one.number <= moment.number DESC,
    CASE WHEN one.number <= moment.number THEN -one.number ELSE one.number END`;
}
