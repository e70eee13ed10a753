/** @module Shows the state of the database: `raisebook db status`. */
import { existsSync } from "node:fs";
import { readCheckpoint } from "../../api/database/checkpoint.ts";
import { type InstanceRow, type Instances, instancesIn, instancesQuery } from "../../api/health/instances.ts";
import { print } from "../../config/command.ts";
import type { Settings } from "../../config/environment.ts";
import { isoTime } from "../../config/format/time.ts";
import { withClient } from "../../config/postgres-client.ts";
import { runCommand } from "../../config/run-command.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { connectTables } from "../audit/indexed-state.ts";
import { dataDirectoryOf } from "./check-database.ts";
import { findHolder } from "./data-lock.ts";
import { statusCommand } from "./options.ts";
import { describeSchemas, divided, findSchemas, type IndexSchema, prunerOf, schemaExists } from "./prune.ts";

/** The position of the current schema's tables; null if nothing is indexed yet. */
type IndexStatus = {
  readonly block: string;
  /** chain time, ISO 8601 */
  readonly at: string;
  readonly finalBlock: string;
  /** whether the backfill is over */
  readonly isLive: boolean;
} | null;

/** The output of `--json`. */
type Status =
  | {
      readonly kind: "postgres";
      readonly server: string;
      /** such as "84 MB": of the whole database, and of Ponder's cache of the chain's blocks and logs in it */
      readonly size: string;
      readonly cacheSize: string;
      readonly schema: string;
      readonly position: IndexStatus;
      /** which start indexes, and which ones stand by; null if there has been none */
      readonly instances: Instances | null;
      readonly schemas: readonly IndexSchema[];
    }
  | {
      readonly kind: "embedded";
      /** null: nothing is persisted */
      readonly directory: string | null;
      readonly exists: boolean;
      /** null: unused */
      readonly usedBy: string | null;
    };

async function statusOf(settings: Settings): Promise<Status> {
  const { database } = settings;
  if (database.kind !== "postgres") {
    const directory = dataDirectoryOf(settings);
    const usedBy = directory === null ? null : findHolder(directory);
    return { kind: "embedded", directory, exists: directory !== null && existsSync(directory), usedBy };
  }
  const schema = schemaNameOf(settings);
  const client = prunerOf(database.connectionString);
  return withClient(client, async () => {
    const { rows } = await client.query<{ server: string; size: string; cache: string }>(SIZES);
    const { server = "", size = "", cache = "" } = rows[0] ?? {};
    const schemas = await findSchemas(client, settings);
    const isThere = await schemaExists(client, schema);
    const position = isThere ? await positionOf(database.connectionString, schema) : null;
    const instances = await client.query<InstanceRow>(instancesQuery(schema)).then(
      ({ rows }) => instancesIn(rows),
      () => null,
    );
    return { kind: "postgres", server, size, cacheSize: cache, schema, position, instances, schemas };
  });
}

const SIZES = `SELECT current_setting('server_version') AS server,
  pg_size_pretty(pg_database_size(current_database())) AS size,
  pg_size_pretty(coalesce((SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE nspname = 'ponder_sync' AND c.relkind = 'r'), 0)) AS cache`;

async function positionOf(connectionString: string, schema: string): Promise<IndexStatus> {
  const { database, end } = await connectTables(connectionString, schema);
  try {
    const checkpoint = await database.transaction(readCheckpoint);
    if (checkpoint === null) return null;
    const { head, finalized, backfilled } = checkpoint;
    return {
      block: `${head.number}`,
      at: isoTime(head.timestamp),
      finalBlock: `${finalized.number}`,
      isLive: backfilled,
    };
  } finally {
    await end();
  }
}

function instancesText({ indexing, standby }: Instances): string {
  const one = indexing === null ? "no start" : `start ${indexing.id} since ${indexing.since}`;
  const others = standby.map(({ id, since }) => `${id} since ${since}`).join(", ");
  return `Indexed by ${one}; standing by: ${others || "none"}.\n`;
}

function textOf(status: Status): string {
  if (status.kind === "embedded") {
    const { directory, exists, usedBy } = status;
    if (directory === null) return "The embedded database is in memory: nothing is persisted.\n";
    if (!exists) return `The embedded database is not there yet: ${directory}\n`;
    return `The embedded database is in ${directory}, used by ${usedBy ?? "no process"}.\n`;
  }
  const { server, size, cacheSize, schema, position, instances, schemas } = status;
  const { kept, old } = divided(schemas);
  const tables =
    position === null
      ? "nothing is indexed yet"
      : `at block ${position.block} of ${position.at}, final up to ${position.finalBlock}${position.isLive ? "" : ", still in the backfill"}`;
  return [
    `PostgreSQL ${server}, ${size}; ${cacheSize} of it is the RPC cache.\n`,
    `Current schema ${schema}: ${tables}.\n`,
    instances === null ? "" : instancesText(instances),
    describeSchemas("Schemas that db prune keeps", kept),
    describeSchemas("Schemas that db prune drops", old),
  ].join("");
}

const { json } = statusCommand().parse().opts();
process.exitCode = await runCommand(
  async (settings) => {
    const status = await statusOf(settings);
    print(json ? `${JSON.stringify(status, null, 2)}\n` : textOf(status));
    return 0;
  },
  (error) => `The database cannot be read: ${error}`,
);
