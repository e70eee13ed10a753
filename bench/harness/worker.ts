/** @module Processes of a bench: each answers messages of its owner, one at a time, and ends with it. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

export type Worker = {
  readonly pid: number;
  /** Rejects when the worker fails or ends. */
  ask<Reply>(message: unknown): Promise<Reply>;
  [Symbol.asyncDispose](): Promise<void>;
};

type Answer = { reply: unknown } | { error: string };

/** Milliseconds that a worker has to end by itself. */
const PATIENCE = 3_000;

/** Starts a file that calls `answerOwner`. @param file URL of the file */
export function startWorker(file: URL): Worker {
  const child = fork(file, { serialization: "advanced", stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const exited = once(child, "exit");
  return {
    pid: child.pid ?? 0,
    async ask<Reply>(message: unknown) {
      child.send({ message });
      const [answer]: [Answer | number] = await Promise.race([
        once(child, "message") as Promise<[Answer]>,
        exited as Promise<[number]>,
      ]);
      if (typeof answer !== "object" || answer === null) throw new Error(`${file.pathname} ended: ${answer}`);
      if ("error" in answer) throw new Error(`${file.pathname}: ${answer.error}`);
      return answer.reply as Reply;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      if ((await Promise.race([exited, sleep(PATIENCE, "late", { ref: false })])) === "late") {
        child.kill("SIGKILL");
        await exited;
      }
    },
  };
}

/** The other end, for a worker's own file. */
export function answerOwner<Message>(answer: (message: Message) => Promise<unknown>): void {
  process.on("message", async ({ message }: { message: Message }) => {
    const found = await answer(message).then(
      (reply): Answer => ({ reply }),
      (error: unknown) => ({
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    );
    process.send?.(found);
  });
  process.on("disconnect", () => process.exit(0));
  process.on("SIGTERM", () => process.exit(0));
}
