/**
 * Audits the tables against the chain.
 *
 *     npm run audit [-- --url <url> | --rpc-url <url> | --logs | --json | --help]
 * @module
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Audit } from "../../api/health/audit.ts";
import { createChainClient } from "../../chain/client.ts";
import { createViewClient } from "../../chain/views.ts";
import { print } from "../../config/command.ts";
import { loadEnvFiles, readSettings, type Settings } from "../../config/environment.ts";
import { SettingsError } from "../../config/problems.ts";
import { progressBar } from "../../config/progress-bar.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { followsHolders } from "../../config/sources.ts";
import * as tables from "../../ponder.schema.ts";
import { contractsOf } from "../../src/contracts/contracts.ts";
import { askService } from "./ask-service.ts";
import { audit, failed, type OnProgress } from "./audit.ts";
import { connectTables, type IndexedState, readIndexedState } from "./indexed-state.ts";
import { compareWithLogs, READ_AHEAD } from "./logs.ts";
import { type AuditOptions, auditCommand } from "./options.ts";
import { reportOf } from "./report.ts";

const EXIT_CODES = { ok: 0, red: 1, failed: 2 } as const;

/** Milliseconds for an answer of a node, and until a request that keeps failing is given up. */
const TIMEOUT = 30_000;
const PATIENCE = 60_000;
/** Seconds to wait for the end of a backfill. */
const ATTEMPTS = 60;

async function main(): Promise<number> {
  const options = auditCommand().parse().opts();
  const progress = progressBar("Reading the chain");
  const result = await run(options, progress.update);
  progress.end();
  if (options.json) print(`${JSON.stringify(result, null, 2)}\n`);
  else if (result.status === "failed") process.stderr.write(reportOf(result));
  else print(reportOf(result));
  return EXIT_CODES[result.status];
}

async function run(options: AuditOptions, onProgress: OnProgress): Promise<Audit> {
  if (options.url !== undefined) return askService(options.url, onProgress);
  loadEnvFiles();
  let settings: Settings;
  try {
    settings = readSettings(process.env);
    // A module that is read may still not be usable.
    contractsOf(settings);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return failed(
      `${error.message}\nWith --url <url> a running service audits itself, and no settings are needed.`,
    );
  }
  const { database } = settings;
  if (database.kind === "postgres")
    return auditTables(settings, database.connectionString, options, onProgress);
  if (options.logs || options.rpcUrl !== undefined)
    return failed("The embedded database belongs to the service: --logs and --rpc-url need DATABASE_URL.");
  return askService(`http://127.0.0.1:${settings.operatorPort}`, onProgress);
}

async function auditTables(
  settings: Settings,
  connectionString: string,
  { rpcUrl, logs }: AuditOptions,
  onProgress: OnProgress,
): Promise<Audit> {
  const urls = rpcUrl === undefined ? settings.rpcUrls : [rpcUrl];
  const client = createChainClient({ urls, concurrency: READ_AHEAD, timeout: TIMEOUT, patience: PATIENCE });
  const schema = schemaNameOf(settings);
  const connection = await connectTables(connectionString, schema).catch((error: Error) => error);
  if (connection instanceof Error) return failed(`The tables cannot be read: ${connection.message}`);
  try {
    return await audit({
      readState: () =>
        untilBackfilled(() =>
          readIndexedState(connection.database, tables, contractsOf(settings).unknowable),
        ),
      client: createViewClient(urls, TIMEOUT),
      escrows: settings.escrows.map(({ address }) => address),
      followsHolders: (escrow) => followsHolders(settings, escrow),
      contracts: contractsOf(settings),
      // Anyone who reads the tables sees them anyway.
      namesPersons: true,
      compareMore: logs
        ? (state) => compareWithLogs({ state, client, settings, database: connection.database, onProgress })
        : undefined,
      onProgress,
    });
  } finally {
    await connection.end();
  }
}

/** A restarted indexer needs some seconds, during which readers are ready. */
async function untilBackfilled(read: () => Promise<IndexedState | null>): Promise<IndexedState | null> {
  for (let attempt = 1; ; attempt++) {
    const state = await read();
    if (state === null || state.backfilled || attempt === ATTEMPTS) return state;
    await sleep(1_000);
  }
}

process.exitCode = await main().catch((error: Error) => {
  // Not Node's 1, which says that there are differences.
  process.stderr.write(`${error.stack}\n`);
  return EXIT_CODES.failed;
});
