/** @module Faults of PostgreSQL, each in its own database and with its own user. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readSettings } from "../../../config/environment.ts";
import { schemaNameOf } from "../../../config/schema-name.ts";
import { freePort } from "../free-port.ts";
import { startPostgres } from "../postgres.ts";
import type { Fault } from "./fault.ts";
import { type SetUp, startPooler } from "./set-up.ts";

type Names = { user: string; database: string; schema: string };
const PASSWORD = "secret-password";
const RIGHTS = ({ database, user }: Names) => `GRANT CREATE ON DATABASE ${database} TO ${user}`;
let users = 0;

/** A database, and a user that may do in it what the service does; then these statements of a superuser. */
const database =
  (...statements: ((names: Names) => string)[]) =>
  async (setUp: SetUp, onEnd: (end: () => unknown) => void) => {
    const postgres = await startPostgres();
    const url = new URL(postgres.connectionString);
    users += 1;
    const user = `doctor_${process.pid}_${users}`;
    onEnd(async () => {
      await postgres.query(`DROP OWNED BY ${user} CASCADE`);
      await postgres.stop();
      await (await startPostgres()).query(`DROP ROLE ${user}`);
    });
    const env = { ...setUp.env, RAISEBOOK_DATA_DIR: "", DATABASE_URL: postgres.connectionString };
    const names = { user, database: url.pathname.slice(1), schema: schemaNameOf(readSettings(env)) };
    await postgres.query(`CREATE ROLE ${user} LOGIN PASSWORD '${PASSWORD}'`);
    for (const statement of statements) await postgres.query(statement(names));
    Object.assign(url, { username: user, password: PASSWORD });
    return { env: { RAISEBOOK_DATA_DIR: "", DATABASE_URL: url.href } };
  };

/** The healthy one. */
export const healthyDatabase = database(RIGHTS);

/** A database in which this user may do everything, with another encoding. */
const encoded =
  (encoding: "LATIN1" | "SQL_ASCII") => async (setUp: SetUp, onEnd: (end: () => unknown) => void) => {
    const seeded = await healthyDatabase(setUp, onEnd);
    const postgres = await startPostgres();
    const { username: user } = new URL(seeded.env.DATABASE_URL);
    const name = `${encoding.toLowerCase()}_${user}`;
    await postgres.query(
      `CREATE DATABASE ${name} ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
    );
    await postgres.query(RIGHTS({ database: name, user, schema: "" }));
    // First of all: the user cannot be dropped while it has rights there.
    onEnd(async () => {
      await postgres.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await postgres.stop();
    });
    return { env: { ...seeded.env, DATABASE_URL: seeded.env.DATABASE_URL.replace(/[^/]*$/, name) } };
  };

/** Functions and views that the user finds before PostgreSQL's own. */
const shadowing = (...definitions: string[]) =>
  database(
    RIGHTS,
    () => "CREATE SCHEMA shadow",
    ({ user }) => `GRANT USAGE ON SCHEMA shadow TO ${user}`,
    ...definitions.map((definition) => () => `CREATE ${definition}`),
    ({ user }) => `GRANT SELECT ON ALL TABLES IN SCHEMA shadow TO ${user}`,
    ({ user }) => `ALTER ROLE ${user} SET search_path = shadow, pg_catalog`,
  );

/** A server that claims to be a standby. */
const inRecovery = shadowing(
  "FUNCTION shadow.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true'",
);
const elsewhere = shadowing(
  "FUNCTION shadow.pg_control_system() RETURNS TABLE (system_identifier bigint) LANGUAGE sql AS 'SELECT 7::bigint'",
);

/** A healthy database, and the URL of its notices. */
const noticesFrom =
  (urlOf: (setUp: SetUp, onEnd: (end: () => unknown) => void) => Promise<string>) =>
  async (setUp: SetUp, onEnd: (end: () => unknown) => void) => {
    const { env } = await healthyDatabase(setUp, onEnd);
    return { env: { ...env, NOTICES_DATABASE_URL: await urlOf(setUp, onEnd) } };
  };

export const DATABASE_FAULTS: readonly Fault[] = [
  {
    name: "a PostgreSQL that is down",
    seed: async () => ({
      env: {
        RAISEBOOK_DATA_DIR: "",
        DATABASE_URL: `postgres://user:${PASSWORD}@127.0.0.1:${await freePort()}/market`,
      },
    }),
    finds: [["problem", "DATABASE_URL", /cannot be used \(connect ECONNREFUSED/, /Start PostgreSQL there/]],
  },
  {
    name: "a wrong password",
    seed: database(RIGHTS, ({ user }) => `ALTER ROLE ${user} PASSWORD 'another'`),
    finds: [["problem", "DATABASE_URL", /password authentication failed/, /user and the password/]],
  },
  {
    name: "a database that is not there",
    seed: async (setUp, onEnd) => {
      const { env } = await healthyDatabase(setUp, onEnd);
      return { env: { ...env, DATABASE_URL: env.DATABASE_URL.replace(/[^/]*$/, "nowhere") } };
    },
    finds: [["problem", "DATABASE_URL", /database "nowhere" does not exist/, /Create the database/]],
  },
  {
    name: "a user that may create no schema",
    seed: database(),
    finds: [
      [
        "problem",
        "DATABASE_URL",
        /^does not let the user doctor_\w+ create schemas/,
        /^GRANT CREATE ON DATABASE "test_/,
      ],
    ],
  },
  {
    name: "transactions that are read-only",
    seed: database(RIGHTS, ({ user }) => `ALTER ROLE ${user} SET default_transaction_read_only = on`),
    finds: [
      [
        "problem",
        "DATABASE_URL",
        /^opens its transactions read-only/,
        /^ALTER ROLE "doctor_\w+" SET \w+read_only = off/,
      ],
    ],
  },
  {
    name: "statements that are ended early",
    seed: database(RIGHTS, ({ user }) => `ALTER ROLE ${user} SET statement_timeout = '5s'`),
    finds: [["warning", "DATABASE_URL", /^ends statements after 5000 ms/, /SET statement_timeout = 0/]],
  },
  {
    name: "a user with few connections",
    seed: database(RIGHTS, ({ user }) => `ALTER ROLE ${user} CONNECTION LIMIT 10`),
    finds: [["warning", "DATABASE_URL", /^has \d+ connections left/, /Raise max_connections/]],
  },
  {
    name: "an encoding without any letters of its own",
    seed: encoded("SQL_ASCII"),
    finds: [["problem", "DATABASE_URL", /with the encoding SQL_ASCII/, /createdb --encoding=UTF8/]],
  },
  {
    name: "an encoding without most letters",
    seed: encoded("LATIN1"),
    finds: [["problem", "DATABASE_URL", /with the encoding LATIN1/, /createdb --encoding=UTF8/]],
  },
  {
    name: "a PostgreSQL that is too old",
    seed: shadowing(`VIEW shadow.pg_settings AS SELECT name, CASE name WHEN 'server_version_num' THEN '130011'
      WHEN 'server_version' THEN '13.11' ELSE setting END AS setting FROM pg_catalog.pg_settings`),
    finds: [["problem", "DATABASE_URL", /^is PostgreSQL 13\.11; 14 or newer/, /Upgrade the server/]],
  },
  {
    name: "a standby that is late",
    seed: shadowing(
      "FUNCTION shadow.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true'",
      "FUNCTION shadow.pg_last_xact_replay_timestamp() RETURNS timestamptz LANGUAGE sql AS $$SELECT now() - interval '90 s'$$",
    ),
    finds: [
      ["warning", "DATABASE_URL", /^is a standby, which cannot be written/, /Name the primary/],
      ["warning", "DATABASE_URL", /^is a standby that is 90 s behind/, /pg_stat_replication/],
      ["warning", "NOTICES_DATABASE_URL", /^is not set, and DATABASE_URL is a standby/, /to the primary/],
    ],
  },
  {
    name: "notices from where nothing listens",
    seed: noticesFrom(async () => `postgres://user:${PASSWORD}@127.0.0.1:${await freePort()}/market`),
    finds: [["warning", "NOTICES_DATABASE_URL", /ECONNREFUSED.*ten times a second/, /Start PostgreSQL/]],
  },
  {
    name: "notices from a standby",
    seed: noticesFrom(async (setUp, onEnd) => (await inRecovery(setUp, onEnd)).env.DATABASE_URL),
    finds: [
      ["warning", "NOTICES_DATABASE_URL", /^is a standby, which announces no blocks/, /to the primary/],
    ],
  },
  {
    name: "notices from another server",
    seed: noticesFrom(async (setUp, onEnd) => (await elsewhere(setUp, onEnd)).env.DATABASE_URL),
    finds: [["warning", "NOTICES_DATABASE_URL", /^is not the primary of DATABASE_URL/, /to the primary/]],
  },
  {
    name: "notices through a pooler that lets none through",
    seed: noticesFrom(async (setUp, onEnd) => {
      const url = new URL((await healthyDatabase(setUp, onEnd)).env.DATABASE_URL);
      const pooler = await startPooler(Number(url.port));
      onEnd(pooler.stop);
      url.port = String(pooler.port);
      return url.href;
    }),
    finds: [["warning", "NOTICES_DATABASE_URL", /^lets no notices through/, /pool_mode=session/]],
  },
  {
    name: "a pooler that lets no notice through",
    seed: async (setUp, onEnd) => {
      const { env } = await healthyDatabase(setUp, onEnd);
      const url = new URL(env.DATABASE_URL);
      const pooler = await startPooler(Number(url.port));
      onEnd(pooler.stop);
      url.port = String(pooler.port);
      return { env: { ...env, DATABASE_URL: url.href } };
    },
    finds: [["warning", "DATABASE_URL", /^lets no notices through/, /pool_mode=session/]],
  },
  {
    name: "a schema of another user",
    seed: database(RIGHTS, () => "CREATE SCHEMA ponder_sync"),
    finds: [["problem", "DATABASE_URL", /schema ponder_sync of the user raisebook/, /Connect as raisebook/]],
  },
  {
    name: "tables of blocks that are gone",
    seed: database(
      RIGHTS,
      ({ schema, user }) => `CREATE SCHEMA ${schema} AUTHORIZATION ${user}`,
      ({ schema }) => `CREATE TABLE ${schema}._deep_reorg (finalized_block BIGINT)`,
      ({ schema, user }) => `ALTER TABLE ${schema}._deep_reorg OWNER TO ${user}`,
    ),
    finds: [["problem", "DATABASE_URL", /of blocks that a deep reorganisation/, /db prune --start-over/]],
  },
  {
    name: "a note of a reorganisation that the endpoints may deny",
    seed: database(
      RIGHTS,
      ({ schema, user }) => `CREATE SCHEMA ${schema} AUTHORIZATION ${user}`,
      ({ schema }) =>
        `CREATE TABLE ${schema}._deep_reorg AS SELECT 9::bigint AS finalized_block, '0xa'::text AS finalized_hash`,
      ({ schema, user }) => `ALTER TABLE ${schema}._deep_reorg OWNER TO ${user}`,
    ),
    finds: [["warning", "DATABASE_URL", /another chain below the final block 9$/, /Remove an endpoint/]],
  },
];

/** The folder in which a small disk can be made. */
export const DISK_FAULT: Fault = {
  name: "a full disk",
  seed: async ({ folder }, onEnd) => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]);
    onEnd(() => spawnSync("umount", ["-l", disk]));
    return { env: { RAISEBOOK_DATA_DIR: join(disk, "data") } };
  },
  finds: [["problem", "RAISEBOOK_DATA_DIR", /^is on a full disk .*: 1 MB left/, /^Make room on that disk/]],
};
