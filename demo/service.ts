/** @module The real service on the demo's chain: the indexer and its API, as `npm start` runs them, with a database in memory. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { MEMORY, readSettings } from "../config/environment.ts";
import { type Indexer, startIndexer } from "../operate/daemon/indexer.ts";
import { HOST } from "./chain.ts";
import type { PlayedMarket } from "./market/play.ts";

const POLLING_INTERVAL = 500;
/** A few files of the two years. */
const DATA_BLOCKS = 200;
/** Milliseconds. */
const START_TIMEOUT = 120_000;
/** Lines of the log in an error message. */
const MOST_LINES = 40;

export type DemoServiceParameters = {
  readonly market: Pick<PlayedMarket, "settings">;
  readonly rpcUrl: string;
  readonly registryPath: string;
  /** The folder for the open data. */
  readonly dataDir: string;
  readonly port: number;
  /** Root of all links. Default: the address on which it listens. */
  readonly publicUrl?: string;
  /** The URL of the app for signing. Default: no app. */
  readonly appUrl?: string;
};

export type DemoService = {
  readonly url: string;
  /** The operator's server. */
  readonly operatorUrl: string;
  /** Resolves when the service is at the head of the chain. Rejects when it ends or takes too long. */
  ready(onProgress: (indexed: number, head: number) => void): Promise<void>;
  /** Rejects when the service ends on its own; never resolves. */
  readonly failed: Promise<never>;
  stop(): Promise<unknown>;
};

/** Starts the service, which answers some seconds later. */
export function startService(parameters: DemoServiceParameters): DemoService {
  const { market, rpcUrl, registryPath, dataDir, port } = parameters;
  const url = `http://${HOST}:${port}`;
  const settings = readSettings({
    RPC_URLS: rpcUrl,
    ...market.settings,
    AUDIT_EVERY: "60",
    REGISTRY: registryPath,
    PUBLIC_URL: parameters.publicUrl ?? url,
    APP_URL: parameters.appUrl,
    // The chain of the demo, so that a visitor can prove a raise with one click.
    PUBLIC_NODE: rpcUrl,
    RAISEBOOK_DATA_DIR: MEMORY,
    DATA_FILES: dataDir,
    DATA_BLOCKS: String(DATA_BLOCKS),
    DATA_LICENCE: "CC0-1.0",
    HOST,
    PORT: String(port),
    POLLING_INTERVAL: String(POLLING_INTERVAL),
  });
  const lines: string[] = [];
  const onLog = (line: string) => {
    lines.push(line);
    if (lines.length > MOST_LINES) lines.shift();
  };
  const indexer = startIndexer({ settings, onLog });
  const failed = failureOf(indexer, lines);
  return {
    url,
    operatorUrl: `http://${HOST}:${settings.operatorPort}`,
    failed,
    ready: (onProgress) => Promise.race([failed, waitUntilReady(url, onProgress, lines)]),
    stop: () => indexer.stop(),
  };
}

function failureOf({ exited }: Indexer, lines: readonly string[]): Promise<never> {
  const failed = exited.then((code): never => {
    throw new Error(`the indexer ended with code ${code}; the end of its log:\n${lines.join("\n")}`);
  });
  // Without a listener, the failure was a requested end.
  failed.catch(() => {});
  return failed;
}

const heads = z.object({ indexedBlock: z.string().nullable(), headBlock: z.string().nullable() });

async function waitUntilReady(
  url: string,
  onProgress: (indexed: number, head: number) => void,
  lines: readonly string[],
): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT;
  while (performance.now() < deadline) {
    const health = await tryFetch(`${url}/v1/health`);
    if (health?.ok) {
      const { indexedBlock, headBlock } = heads.parse(await health.json());
      if (headBlock !== null) onProgress(Number(indexedBlock ?? 0), Number(headBlock));
      // Ready allows for a few blocks behind, which may be days here.
      const atHead = indexedBlock !== null && indexedBlock === headBlock;
      if (atHead && (await tryFetch(`${url}/v1/ready`))?.ok) return;
    }
    await sleep(100);
  }
  throw new Error(
    `the service is not ready after ${START_TIMEOUT / 1000} s; the end of its log:\n${lines.join("\n")}`,
  );
}

/** Null when nothing answers. */
function tryFetch(url: string): Promise<Response | null> {
  return fetch(url).catch(() => null);
}
