/**
 * Drops the PostgreSQL schemas of earlier code and earlier contracts.
 *
 *     npm run db:prune [-- --yes | --start-over | --help]
 * @module
 */

import { createInterface } from "node:readline/promises";
import type pg from "pg";
import { print } from "../../config/command.ts";
import type { Settings } from "../../config/environment.ts";
import { withClient } from "../../config/postgres-client.ts";
import { runCommand } from "../../config/run-command.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { forgetImport } from "../backfill/imported.ts";
import { pruneCommand } from "./options.ts";
import {
  clearCache,
  describeSchemas,
  divided,
  dropSchema,
  findSchemas,
  type IndexSchema,
  prunerOf,
  schemaExists,
} from "./prune.ts";

const EMBEDDED = `DATABASE_URL is not set, and the embedded database belongs to the service. To free its space, stop the service and
remove the folder pglite in RAISEBOOK_DATA_DIR: the next start indexes again.`;

async function main(settings: Settings): Promise<number> {
  const { database } = settings;
  if (database.kind !== "postgres") return fail(EMBEDDED);
  const work = isFresh ? startOver : prune;
  return withClient(prunerOf(database.connectionString), (client) => work(client, settings, yes));
}

async function prune(client: pg.Client, settings: Settings, yes: boolean): Promise<number> {
  const { kept, old = [] } = divided(await findSchemas(client, settings));
  print(describeSchemas("Kept", kept));
  if (old.length === 0) {
    print("No old schema to drop.\n");
    return 0;
  }
  print(describeSchemas("To be dropped", old));
  if (!yes && !(await confirmed())) return fail("Nothing was dropped.");
  return (await dropAll(client, old)) ? 0 : 1;
}

/** Says what becomes of each schema. @returns whether all were dropped */
async function dropAll(client: pg.Client, schemas: readonly Pick<IndexSchema, "name">[]): Promise<boolean> {
  let failures = 0;
  for (const { name } of schemas) {
    const reason = await dropSchema(client, name);
    if (reason !== null) failures += 1;
    print(reason === null ? `Dropped ${name}.\n` : `Kept ${name}: ${reason}.\n`);
  }
  return failures === 0;
}

/** Removes all data of the chain: all tables, including earlier ones, and the cache from which new ones would be filled. */
async function startOver(client: pg.Client, settings: Settings, yes: boolean): Promise<number> {
  const current = schemaNameOf(settings);
  print(
    `To be dropped: ${current}, all old schemas of this service, a ledger file imported for its contracts and this release, and the RPC cache of chain ${settings.chainId}.
Without that cache no indexer can go on with other schemas of the chain.\n`,
  );
  if (!yes && !(await confirmed())) return fail("Nothing was dropped.");
  const isThere = await schemaExists(client, current);
  if (isThere && !(await dropAll(client, [{ name: current }]))) return 1;
  const { old = [] } = divided(await findSchemas(client, settings));
  const isAllDropped = await dropAll(client, old);
  for (const name of await clearCache(client, settings.chainId))
    print(`Kept ${name}, which has to be started over too.\n`);
  for (const key of await forgetImport(settings))
    print(`Kept the imported ledger file of other contracts or code: ${key}\n`);
  if (!isAllDropped)
    return fail("Not everything was dropped: stop what uses the schemas that are kept, and try again.");
  print("Dropped. The next start reads everything from the chain again.\n");
  return 0;
}

/** Asks on a terminal. Without one the answer is no. */
async function confirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    process.stderr.write("There is no terminal to ask on; --yes drops them.\n");
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D are a no.
  const answer = await terminal.question("Drop them? [y/N] ").catch(() => "");
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}

const { yes = false, startOver: isFresh = false } = pruneCommand().parse().opts();
process.exitCode = await runCommand(main, (error) => `The database cannot be pruned: ${error}`);
