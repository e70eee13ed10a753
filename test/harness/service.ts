/** @module The real service for a test: the indexer and its API as `npm start` runs them, over the test's own chain. */
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Environment, readSettings } from "../../config/environment.ts";
import { openEmbedded } from "../../operate/daemon/check-database.ts";
import { startIndexer } from "../../operate/daemon/indexer.ts";
import { endsWithFile } from "./ending.ts";
import { freePort } from "./free-port.ts";
import { hasPostgres, startPostgres } from "./postgres.ts";
import { until } from "./until.ts";

export type ServiceOptions = {
  rpcUrl: string;
  /** `0x…@startBlock`, as the environment has them */
  escrows?: readonly string[];
  factory?: string;
  desk?: string;
  /** the registry document */
  registry: unknown;
  /** where an embedded database is kept over a restart */
  dataDirectory?: string;
  /**
   * An embedded database in memory. Without this, a directory or a URL the database is on the run's PostgreSQL, which
   * takes half the time to start; in a run without one it is in memory too.
   */
  isEmbedded?: boolean;
  env?: Environment;
};

type Answer = { status: number; headers: Headers; text: string };

export type Service = {
  url: string;
  /** of the operator's own server */
  operatorUrl: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  json<Body = Record<string, unknown>>(path: string): Promise<Body>;
  /** resolves once the answers are as of `block` or later */
  indexed(block: bigint): Promise<void>;
  /** replaces the registry's file, as an operator does */
  publish(registry: unknown): Promise<void>;
  log: readonly string[];
  /** whether a line of the log has this text */
  hasSaid(text: string): boolean;
  /** resolves to the first line of the log that has this text, once there is one */
  says(text: string): Promise<string>;
  /** Has the market compared with one made of all rows; the log has the result. */
  check(): void;
  stop(): Promise<number>;
  /** kill −9 */
  kill(): Promise<number>;
};

/** Starts the service and waits until it answers at all; not yet until it is at the head. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), "raisebook-"));
  const registryPath = join(folder, "registry.json");
  const publish = async (registry: unknown) => {
    const text = typeof registry === "string" ? registry : JSON.stringify(registry);
    await writeFile(`${registryPath}.new`, text);
    await rename(`${registryPath}.new`, registryPath);
  };
  await publish(options.registry);

  const port = await freePort();
  const log: string[] = [];
  const { dataDirectory, isEmbedded = !hasPostgres() } = options;
  const hasOwnDatabase = isEmbedded || dataDirectory !== undefined || options.env?.DATABASE_URL !== undefined;
  const postgres = hasOwnDatabase ? null : await startPostgres();
  const settings = readSettings({
    RPC_URLS: options.rpcUrl,
    ESCROWS: options.escrows?.join(","),
    ESCROW_FACTORY: options.factory,
    DESK: options.desk,
    REGISTRY: registryPath,
    PUBLIC_URL: "http://raises.localhost",
    APP_URL: "http://app.localhost",
    RAISEBOOK_DATA_DIR: dataDirectory ?? "memory://",
    DATABASE_URL: postgres?.connectionString,
    PORT: String(port),
    OPERATOR_PORT: String(await freePort()),
    POLLING_INTERVAL: "100",
    LOG_FORMAT: "json",
    ...options.env,
  });
  // Like the daemon: no other process uses the directory.
  await openEmbedded(settings);
  const indexer = startIndexer({
    settings,
    env: { RAISEBOOK_LAST_GOOD_REGISTRY: join(folder, "registry.last-good.json") },
    onLog: (line) => log.push(line),
  });
  let exitCode: number | null = null;
  void indexer.exited.then((code) => {
    exitCode = code;
  });

  const url = `http://127.0.0.1:${port}`;
  const get = async (path: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const waitUntil = (what: string, isSo: () => Promise<boolean>, interval = 25) =>
    until(what, isSo, {
      ...{ interval, isOver: () => exitCode !== null },
      report: () =>
        `${exitCode === null ? "" : `the indexer ended with ${exitCode}:\n`}${log.slice(-30).join("\n")}`,
    });
  let finished: Promise<number> | null = null;
  const finish = (end: () => Promise<number>) => {
    finished ??= end().then(async (code) => {
      await postgres?.stop();
      await rm(folder, { recursive: true, force: true });
      return code;
    });
    return finished;
  };

  const lineWith = (text: string) => log.find((line) => line.includes(text));
  await waitUntil("answering", async () => (await get("/v1/health")).status === 200);
  return endsWithFile<Service>({
    url,
    operatorUrl: `http://127.0.0.1:${settings.operatorPort}`,
    get,
    json: async (path) => JSON.parse((await get(path)).text),
    indexed: (block) =>
      waitUntil(`block ${block}`, async () => {
        const { indexedBlock } = JSON.parse((await get("/v1/health")).text) as {
          indexedBlock: string | null;
        };
        return indexedBlock !== null && BigInt(indexedBlock) >= block;
      }),
    publish,
    log,
    hasSaid: (text) => lineWith(text) !== undefined,
    says: async (text) => {
      // A test may kill it at that very moment.
      await waitUntil(`"${text}" in the log`, async () => lineWith(text) !== undefined, 5);
      return lineWith(text) ?? "";
    },
    check: () => void indexer.process.kill("SIGUSR2"),
    stop: () => finish(() => indexer.stop()),
    kill: () =>
      finish(() => {
        indexer.process.kill("SIGKILL");
        return indexer.exited;
      }),
  });
}
