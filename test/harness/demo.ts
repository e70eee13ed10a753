/** @module The demo as a user runs it: a separate process, controlled by its command line and by signals. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PATIENCE } from "./patience.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const COMMAND = ["--import", "./config/require-node.mjs", "--import", "./config/bundle.mjs", "demo/main.ts"];

export type DemoProcess = {
  process: ChildProcess;
  /** standard output and standard error so far */
  said(): string;
  /** resolves when the demo has said it; rejects when it ends before */
  says(text: string): Promise<void>;
  /** the exit code; null when a signal ended it */
  exited: Promise<number | null>;
  /** the processes that it has started, where the system tells */
  children(): number[];
};

/** Starts the demo as the leader of a process group, so that a test can press Ctrl-C on the whole group. */
export function startDemo(...args: string[]): DemoProcess {
  const child = spawn(process.execPath, [...COMMAND, ...args], {
    cwd: PROJECT,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  let ended = false;
  const exited = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      ended = true;
      resolve(code);
    });
  });
  return {
    process: child,
    said: () => text,
    exited,
    async says(wanted) {
      const deadline = performance.now() + PATIENCE.timeout;
      while (!text.includes(wanted)) {
        if (ended || performance.now() > deadline) throw new Error(`never said "${wanted}":\n${text}`);
        await sleep(50);
      }
    },
    children: () => childrenOf(child.pid ?? 0),
  };
}

/** All descendants; none where there is no `/proc`. */
function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    const own = text.split(" ").filter(Boolean).map(Number);
    return own.flatMap((child) => [child, ...childrenOf(child)]);
  } catch {
    return [];
  }
}

/** Whether a process is there; one that only waits for its exit code to be read is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
