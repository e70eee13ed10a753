/**
 * The world of a run: a chain behind two upstreams, a database, and the real service: the daemon as `npm start` runs it, and a
 * reader of its own as `npm run serve` does.
 * @module
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createDaemons, descendants, ROOT } from "../harness/daemon.ts";
import { isAlive } from "../harness/demo.ts";
import { freePort } from "../harness/free-port.ts";
import { startTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";
import type { RegistryDocument } from "../model/registry.ts";
import { type RunChain, startRunChain } from "./chain.ts";
import { TRAIL } from "./chain-finality.ts";
import { type RunDatabase, startRunDatabase } from "./database.ts";
import { APP_URL, createExpectations, PUBLIC_URL } from "./expected.ts";
import { type Kept, keep } from "./processes.ts";
import type { RecordedBlock } from "./record.ts";
import type { Setup } from "./schedule.ts";

/** Streams that one of its processes has places for. */
export const MAX_STREAMS = 200;

export type Server = {
  name: "daemon" | "reader";
  url: string;
  /** Whether it may be unreachable: before its first answer, and from a kill until the next one. */
  mayBeDown(): boolean;
  /** It may be unreachable until it answers again, after a moment for running requests. */
  goesDown(): void;
  answered(): void;
};

export type World = {
  chain: RunChain;
  /** null: embedded in the indexer */
  database: RunDatabase | null;
  /** before the chain's WebSocket; null: new blocks are polled for */
  socket: TcpProxy | null;
  servers: readonly Server[];
  operatorUrl: string;
  expected: ReturnType<typeof createExpectations>;
  /** the current document */
  registry(): RegistryDocument;
  /** the documents with which the service may have answered as of a block between two moments, by `performance.now()` */
  registriesAt(block: RecordedBlock, from: number, to: number): RegistryDocument[];
  /** Publishes what the market has announced by now. */
  publish(): void;
  /** Puts any text in the registry's place; the last document stays the right one. */
  publishText(text: string): void;
  /** Puts the last document back. */
  publishAgain(): void;
  /** Sets the date of all processes off, milliseconds. */
  setClock(offset: number): void;
  schema(): string;
  /** Starts the daemon and a separate reader. */
  start(): void;
  daemon(): Kept;
  reader(): Kept | null;
  /** Stops everything, and starts it again over another schema, the same one when not told. */
  restartInto(schema?: string, between?: (env: Record<string, string>) => Promise<void>): Promise<void>;
  /** of the daemon, of what it runs, and of the reader */
  restarts(): number;
  /** what the processes wrote */
  output(): string;
  stop(): Promise<void>;
};

/** Milliseconds for which a refused or a slow registry may be the one before. */
const RELOADING = 15_000;
/** Milliseconds for which a process that was signalled may still answer. */
const ENDING = 4_000;

export type WorldOptions = {
  /** Connects the service to chain and database themselves: the proxies for faults are in this process, and wait while the judge counts. */
  isDirect?: boolean;
  /** The published part of the market's document; all of it when not given. */
  published?: (document: RegistryDocument) => RegistryDocument;
};

export async function startWorld(
  seed: number,
  setup: Setup,
  { isDirect = false, published: publishedOf = (document) => document }: WorldOptions = {},
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "raisebook-simulation-"));
  const [chain, database] = await Promise.all([
    startRunChain(seed, setup.trail ?? TRAIL),
    setup.database === "postgres" ? startRunDatabase(folder) : null,
  ]);
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  process.on("exit", removeFolder);
  for (let block = 0; block < setup.prefix; block++) await chain.mine();
  if (setup.trail !== undefined) await chain.idle(setup.trail);
  const socket = setup.webSocket ? await startTcpProxy(chain.port) : null;
  const daemons = createDaemons();
  const port = await freePort();
  const operatorPort = await freePort();
  const readerPort = await freePort();
  const clock = join(folder, "clock");
  const registryPath = join(folder, "registry.json");

  const write = (path: string, text: string) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  const published: { document: RegistryDocument; from: number }[] = [];
  const publish = () => {
    const document = publishedOf(chain.history.registry());
    published.push({ document, from: performance.now() });
    write(registryPath, JSON.stringify(document));
  };
  const registry = () => {
    const last = published.at(-1);
    if (last === undefined) throw new Error("nothing was published");
    return last.document;
  };
  publish();
  write(clock, "0");

  let generation = 1;
  let schema = `simulation_${generation}`;
  const { factory, escrows, desk, upstreams } = chain;
  const [, listed] = escrows;
  const environment = (): Record<string, string> => ({
    RPC_URLS: isDirect ? `http://127.0.0.1:${chain.port}` : upstreams.map(({ url }) => url).join(),
    ...(socket && { WS_URL: `ws://127.0.0.1:${socket.port}` }),
    ESCROW_FACTORY: `${factory.address}@${factory.blockNumber}`,
    ESCROWS: `${listed.address}@${listed.blockNumber}`,
    DESK: `${desk.address}@${desk.blockNumber}`,
    HOLDERS: String(setup.holders),
    REGISTRY: registryPath,
    PUBLIC_URL,
    APP_URL,
    ...(database
      ? {
          DATABASE_URL: isDirect ? database.directString : database.connectionString,
          DATABASE_SCHEMA: schema,
        }
      : { RAISEBOOK_DATA_DIR: join(folder, schema) }),
    PORT: String(port),
    OPERATOR_PORT: String(operatorPort),
    MAX_STREAMS: `${MAX_STREAMS}`,
    POLLING_INTERVAL: "100",
    LOG_FORMAT: "json",
    SIMULATION_CLOCK: clock,
    NODE_OPTIONS: `--import ${pathToFileURL(join(ROOT, "test/simulation/clock.mjs")).href}`,
  });
  const readerEnvironment = () => ({
    ...environment(),
    ...{ PORT: String(readerPort), OPERATOR_PORT: String(readerPort + 1) },
  });
  const servers = [
    serverAt("daemon", port, database === null),
    ...(database ? [serverAt("reader", readerPort, false)] : []),
  ];
  let daemon: Kept | null = null;
  let reader: Kept | null = null;
  const started = () => {
    if (daemon === null) throw new Error("the service was not started");
    return daemon;
  };

  return {
    ...{ chain, database, socket, servers, publish, registry },
    operatorUrl: `http://127.0.0.1:${operatorPort}`,
    expected: createExpectations(chain, setup.holders),
    registriesAt: (block, from, to) =>
      published.flatMap(({ document, from: since }, index) => {
        const until = (published[index + 1]?.from ?? Number.POSITIVE_INFINITY) + RELOADING;
        // A market that waits for the next block, after a reorg or over a restarted indexer, keeps its registry.
        return since <= to && until >= Math.min(from, block.since) ? [document] : [];
      }),
    publishText: (text) => write(registryPath, text),
    publishAgain: () => write(registryPath, JSON.stringify(registry())),
    setClock: (offset) => write(clock, String(offset)),
    schema: () => schema,
    start() {
      daemon = keep((env) => daemons.run(folder, env), environment());
      if (database) reader = keep((env) => daemons.serve(folder, env), readerEnvironment());
    },
    daemon: started,
    reader: () => reader,
    async restartInto(next = `simulation_${++generation}`, between) {
      for (const server of servers) server.goesDown();
      await Promise.all([started().stop(), reader?.stop()]);
      await between?.(environment());
      schema = next;
      await Promise.all([started().restart(environment()), reader?.restart(readerEnvironment())]);
      for (const server of servers) server.goesDown();
    },
    restarts() {
      const own = [daemon, reader].reduce((total, kept) => total + (kept ? kept.starts() - 1 : 0), 0);
      return own + (daemon?.output().match(/will be (?:re)?started again|will be restarted/g)?.length ?? 0);
    },
    output: () => [daemon, reader].map((one) => one?.output() ?? "").join("\n======== reader\n"),
    async stop() {
      const left = daemon ? descendants(daemon.current().child.pid) : [];
      await Promise.all([daemon?.stop(), reader?.stop()]);
      for (const pid of left) if (isAlive(pid)) process.kill(pid, "SIGKILL");
      daemons.killAll();
      await socket?.stop();
      await Promise.all([chain.stop(), database?.stop()]);
      process.off("exit", removeFolder);
      removeFolder();
    },
  };
}

/** @param isIndexer whether it is gone whenever the indexer is */
function serverAt(name: Server["name"], port: number, isIndexer: boolean): Server {
  let downSince: number | null = 0;
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    mayBeDown: () => isIndexer || downSince !== null,
    goesDown() {
      downSince = performance.now();
    },
    answered() {
      if (downSince !== null && performance.now() - downSince > ENDING) downSince = null;
    },
  };
}
