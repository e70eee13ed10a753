/** @module The daemon as an operator runs it: a separate process, in its own folder and environment. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type LocalChain, startChain } from "./chain.ts";
import { endsWithFile } from "./ending.ts";
import { freePort } from "./free-port.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const REQUIRE_NODE = pathToFileURL(join(ROOT, "config/require-node.mjs")).href;
export const ESCROWS = [`0x${"c0".repeat(20)}`, `0x${"c1".repeat(20)}`] as const;
export const BUNDLE = pathToFileURL(join(ROOT, "config/bundle.mjs")).href;

export type DaemonRun = {
  readonly child: ChildProcess;
  output(): string;
  /** the exit code; -1 when a signal ended it */
  readonly ended: Promise<number>;
};

/** A folder to run in, and an environment with which the daemon starts. */
export type DaemonPlace = { folder: string; port: number; env: Record<string, string> };

/** A chain with code at the addresses of the escrows. */
export async function startDaemonChain(): Promise<LocalChain> {
  const chain = await startChain();
  for (const address of ESCROWS) await chain.testClient.setCode({ address, bytecode: "0x00" });
  await chain.testClient.mine({ blocks: 5 });
  return chain;
}

/** Daemons over one chain, which end with the test file. */
export function createDaemons() {
  const running = new Set<ChildProcess>();
  const folders: string[] = [];
  const killAll = () => {
    for (const child of running) child.kill("SIGKILL");
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };

  function runCommand(
    folder: string,
    env: Record<string, string>,
    command: string,
    args: string[],
  ): DaemonRun {
    const child = spawn(command, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...env },
    });
    running.add(child);
    endsWithFile({ stop: killAll });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += String(chunk);
      });
    }
    const ended = once(child, "close").then(([code]) => {
      running.delete(child);
      return typeof code === "number" ? code : -1;
    });
    return { child, output: () => output, ended };
  }

  const runMain =
    (main: string) =>
    (folder: string, env: Record<string, string>, ...options: string[]): DaemonRun => {
      const imports = ["--import", REQUIRE_NODE, "--import", BUNDLE];
      return runCommand(folder, env, process.execPath, [...imports, join(ROOT, main), ...options]);
    };

  return {
    runCommand,
    /** Runs the daemon as `npm start` does. */
    run: runMain("operate/daemon/main.ts"),
    /** Runs a reader as `npm run serve` does. */
    serve: runMain("operate/daemon/serve-main.ts"),
    /** Delivers webhooks as `npm run deliver` does. */
    deliver: runMain("operate/webhooks/main.ts"),
    async place(rpcUrl: string): Promise<DaemonPlace> {
      const folder = mkdtempSync(join(tmpdir(), "raisebook-daemon-"));
      folders.push(folder);
      endsWithFile({ stop: killAll });
      const port = await freePort();
      const env = {
        RPC_URLS: rpcUrl,
        ESCROWS: `${ESCROWS[0]}@0`,
        REGISTRY: join(ROOT, "registry.example.json"),
        PORT: String(port),
        RAISEBOOK_DATA_DIR: "data",
        POLLING_INTERVAL: "100",
      };
      return { folder, port, env };
    },
    killAll,
  };
}

function processes(columns: string): string[] {
  return spawnSync("ps", ["-eo", columns], { encoding: "utf8" }).stdout.trim().split("\n");
}

/** Every process below, the nearest first. */
export function descendants(pid: number | undefined): number[] {
  const pairs = processes("pid=,ppid=").map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) {
    for (const [child, of] of pairs) if (of === parent) found.push(child);
  }
  return found.slice(1).filter((one) => one !== undefined);
}

/** The indexer of a daemon: the one of its children that runs Ponder. */
export function indexerOf(daemon: ChildProcess): number {
  const own = new Set(descendants(daemon.pid));
  const lines = processes("pid=,args=").map((line) =>
    /^\s*(\d+) (.*(?:ponder\.js|backfill\/main\.mjs) start.*)$/.exec(line),
  );
  const pid = lines.map((line) => Number(line?.[1])).find((one) => own.has(one));
  if (pid === undefined) throw new Error("there is no indexer");
  return pid;
}
