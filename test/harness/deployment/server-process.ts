/** @module A server of the system as a process of a test: started, waited for, and ended. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isListening } from "../demo.ts";

export type ServerProcess = {
  /** what it has written to its standard error */
  output(): string;
  stop(): Promise<void>;
};

/** Resolves once it listens. @throws when it ends before */
export async function startServerProcess({
  command,
  args,
  port,
  env = process.env,
}: {
  command: string;
  args: readonly string[];
  port: number;
  env?: NodeJS.ProcessEnv;
}): Promise<ServerProcess> {
  const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk) => {
    output += String(chunk);
  });
  const ended = once(child, "close");
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${command} did not start:\n${output}`);
    await sleep(20);
  }
  return {
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
