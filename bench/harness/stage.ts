/** @module Shared by all benches: one PostgreSQL, and a database for each size of market. */
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setup, startPostgres } from "../../test/harness/postgres.ts";
import { makeMarket } from "./market.ts";
import { fillTables } from "./tables.ts";

export type Size = {
  listings: number;
  /** rows of the ledger */
  events?: number;
};

type MarketDatabase = { connectionString: string; registry: string };

export type Stage = {
  /** Each call with this size gets the same database: benches only read it. */
  market(size: Size): Promise<MarketDatabase>;
  /** Starts the server, which the harness of the tests then finds. */
  startPostgres(): Promise<unknown>;
  /** null until a database was asked for */
  postgresVersion(): string | null;
  [Symbol.asyncDispose](): Promise<void>;
};

export function createStage(): Stage {
  const databases = new Map<string, Promise<MarketDatabase>>();
  let server: Promise<() => Promise<void>> | undefined;
  let version: string | null = null;
  const folder = mkdtempSync(join(tmpdir(), "raisebook-bench-"));
  // Also after a signal.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

  const startServer = () => {
    server ??= setup();
    return server;
  };

  async function make({ listings, events }: Size): Promise<MarketDatabase> {
    await startServer();
    const { connectionString, query } = await startPostgres();
    version ??= String((await query("SHOW server_version"))[0]?.server_version);
    const market = makeMarket(listings);
    const registry = join(folder, `registry-${databases.size}.json`);
    await writeFile(registry, JSON.stringify(market.registry));
    await fillTables(connectionString, market, events);
    return { connectionString, registry };
  }

  return {
    market(size) {
      const key = `${size.listings}/${size.events ?? 0}`;
      const database = databases.get(key) ?? make(size);
      databases.set(key, database);
      return database;
    },
    startPostgres: startServer,
    postgresVersion: () => version,
    async [Symbol.asyncDispose]() {
      await (await server)?.();
    },
  };
}
