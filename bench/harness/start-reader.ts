/** @module Starts a reader, as `npm run serve` does, over a filled database. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { YOUNG_HEAP } from "../../operate/daemon/keep-running.ts";
import { freePort } from "../../test/harness/free-port.ts";
import { DESK, listingRow } from "../../test/harness/rows.ts";
import { chainStub } from "./chain-stub.ts";
import type { Size, Stage } from "./stage.ts";
import { SCHEMA } from "./tables.ts";

export type Reader = {
  port: number;
  pid: number;
  [Symbol.asyncDispose](): Promise<void>;
};

export type ReaderParameters = Size & {
  /** whether the secondary desk is followed: every list then ends with the loans once more */
  desk?: boolean;
  /** The source of the registry, if it is not the market's document. */
  registry?: string;
};

const MAIN = fileURLToPath(new URL("../../operate/daemon/serve-main.ts", import.meta.url));
const BUNDLE = new URL("../../config/bundle.mjs", import.meta.url).href;
/** Milliseconds between checks whether it is ready, and until it has to be. */
const INTERVAL = 10;
const PATIENCE = 60_000;

/** Resolves when it is ready. */
export async function startReader(
  stage: Stage,
  { desk, registry: elsewhere, ...size }: ReaderParameters,
): Promise<Reader> {
  const { connectionString, registry } = await stage.market(size);
  return startReaderWith({
    DATABASE_URL: connectionString,
    DATABASE_SCHEMA: SCHEMA,
    REGISTRY: elsewhere ?? registry,
    RPC_URLS: await chainStub(),
    ESCROWS: `${listingRow().escrowAddress}@1`,
    ...(desk ? { DESK: `${DESK}@1` } : {}),
  });
}

/** The same over any database. @param patience milliseconds until it has to be ready */
export async function startReaderWith(
  settings: Readonly<Record<string, string>>,
  patience = PATIENCE,
): Promise<Reader> {
  const port = await freePort();
  const env = {
    PUBLIC_URL: "https://raises.example",
    PORT: String(port),
    LOG_LEVEL: "warn",
    ...settings,
  };
  const child = spawn(process.execPath, [YOUNG_HEAP, "--import", BUNDLE, MAIN], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exited = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  const deadline = performance.now() + patience;
  while (!(await isReady(port))) {
    const end = child.exitCode ?? child.signalCode;
    if (end !== null) throw new Error(`the reader ended with ${end}`);
    if (performance.now() > deadline) {
      await stop();
      throw new Error("the reader is not ready");
    }
    await sleep(INTERVAL);
  }
  return { port, pid: child.pid ?? 0, [Symbol.asyncDispose]: stop };
}

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/ready`).catch(() => null);
  return response?.status === 200;
}
