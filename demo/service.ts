/**
 * The real service over the demo's chain: the indexer and its API, as `npm start` runs them, on a database in memory.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { MEMORY, readSettings } from "../config/environment.ts";
import { type Indexer, startIndexer } from "../daemon/indexer.ts";
import type { Deployment } from "./deploy.ts";
import type { DemoMarket } from "./market/play.ts";
import { HOST } from "./ports.ts";

/** Ponder sends at most 20 requests a second to an endpoint at first; named so often, ours gets as many more. */
const ENDPOINTS = 16;
const POLLING_INTERVAL = 500;
const PATIENCE = 120_000;
const LINES_KEPT = 40;

export type ServiceParameters = {
  readonly market: DemoMarket;
  readonly rpcUrl: string;
  readonly registryPath: string;
  readonly port: number;
  /** What links begin with; where it listens when not given. */
  readonly publicUrl?: string;
  /** Where a person would sign; no app when not given. */
  readonly appUrl?: string;
};

export type Service = {
  readonly url: string;
  /** Where the operator's own server listens. */
  readonly operatorUrl: string;
  /** Resolves when the answers are at the head of the chain. Rejects when the service ends or takes too long. */
  ready(onProgress: (indexed: number, head: number) => void): Promise<void>;
  /** Rejects when the service ends by itself; never resolves. */
  readonly failed: Promise<never>;
  stop(): Promise<unknown>;
};

/** Starts the service; it answers some seconds later. */
export function startService(parameters: ServiceParameters): Service {
  const { market, rpcUrl, registryPath, port } = parameters;
  const { escrows, factory, desk } = market;
  const url = `http://${HOST}:${port}`;
  const settings = readSettings({
    RPC_URLS: Array.from({ length: ENDPOINTS }, () => rpcUrl).join(","),
    // The factory announces both; naming the first one too shows that an escrow may be in both places.
    ESCROWS: from(escrows.legacy),
    ESCROW_FACTORY: from(factory),
    DESK: from(desk),
    HOLDERS: "true",
    AUDIT_EVERY: "300",
    REGISTRY: registryPath,
    PUBLIC_URL: parameters.publicUrl ?? url,
    APP_URL: parameters.appUrl,
    RAISEBOOK_DATA_DIR: MEMORY,
    HOST,
    PORT: String(port),
    POLLING_INTERVAL: String(POLLING_INTERVAL),
  });
  const lines: string[] = [];
  const onLog = (line: string) => {
    lines.push(line);
    if (lines.length > LINES_KEPT) lines.shift();
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

function from({ address, blockNumber }: Deployment): string {
  return `${address}@${blockNumber}`;
}

function failureOf({ exited }: Indexer, lines: readonly string[]): Promise<never> {
  const failed = exited.then((code): never => {
    throw new Error(`the indexer ended with code ${code}; its last words:\n${lines.join("\n")}`);
  });
  // Whoever waits for it hears of it; when nobody does, the end was asked for.
  failed.catch(() => {});
  return failed;
}

const heads = z.object({ indexedBlock: z.string().nullable(), headBlock: z.string().nullable() });

async function waitUntilReady(
  url: string,
  onProgress: (indexed: number, head: number) => void,
  lines: readonly string[],
): Promise<void> {
  const deadline = performance.now() + PATIENCE;
  while (performance.now() < deadline) {
    const health = await ask(`${url}/v1/health`);
    if (health?.ok) {
      const { indexedBlock, headBlock } = heads.parse(await health.json());
      if (headBlock !== null) onProgress(Number(indexedBlock ?? 0), Number(headBlock));
      // Ready is also who is a few blocks behind, and here a few blocks may be days.
      const atHead = indexedBlock !== null && indexedBlock === headBlock;
      if (atHead && (await ask(`${url}/v1/ready`))?.ok) return;
    }
    await sleep(100);
  }
  throw new Error(`the index is not ready after ${PATIENCE / 1000} s; its last words:\n${lines.join("\n")}`);
}

/** Null while nobody answers. */
function ask(url: string): Promise<Response | null> {
  return fetch(url).catch(() => null);
}
