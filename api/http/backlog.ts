/**
 * Answers that wait for slow readers: how long, and how much memory in all.
 * @module
 */
import type { ServerResponse } from "node:http";

/** Milliseconds between two looks. */
const INTERVAL = 1_000;

export type BacklogLimits = {
  /** of answers that wait for slow readers, in all; bytes that several answers share count once */
  readonly waitingBytes: number;
  /** milliseconds for an answer to be read, beside what its size takes at the slowest pace */
  readonly readTimeout: number;
  /** bytes a second */
  readonly slowestPace: number;
};

export type Backlog = {
  /**
   * Watches an answer until its last byte has left, or cuts it off.
   * @param body its bytes, which other answers may share; without them what the answer itself holds counts
   */
  add(response: ServerResponse, body?: Uint8Array): void;
  /** Bytes that are held; those that several answers share count once. */
  bytes(): number;
  stop(): void;
};

type Waiting = { memory: object; bytes: number; deadline: number };

/**
 * Cuts off an answer that is read more slowly than `slowestPace`; and, when all together hold more than
 * `waitingBytes`, those that have waited longest.
 */
export function createBacklog({ waitingBytes, readTimeout, slowestPace }: BacklogLimits): Backlog {
  // In the order in which they began to wait.
  const waiting = new Map<ServerResponse, Waiting>();
  const holders = new Map<object, number>();
  let held = 0;

  const release = (response: ServerResponse) => {
    const entry = waiting.get(response);
    if (entry === undefined) return;
    waiting.delete(response);
    const { memory, bytes } = entry;
    const others = (holders.get(memory) ?? 1) - 1;
    if (others > 0) return void holders.set(memory, others);
    holders.delete(memory);
    held -= bytes;
  };
  const cutOff = (response: ServerResponse) => {
    release(response);
    response.destroy();
  };

  const timer = setInterval(() => {
    const now = performance.now();
    for (const [response, { deadline }] of waiting) if (deadline <= now) cutOff(response);
  }, INTERVAL).unref();

  return {
    add(response, body) {
      if (waiting.has(response)) return;
      const memory = body?.buffer ?? response;
      const bytes = body?.buffer.byteLength ?? response.writableLength;
      const deadline = performance.now() + readTimeout + (1000 * bytes) / slowestPace;
      waiting.set(response, { memory, bytes, deadline });
      const others = holders.get(memory) ?? 0;
      holders.set(memory, others + 1);
      if (others === 0) held += bytes;
      response.once("close", () => release(response));
      for (const [oldest] of waiting) {
        if (held <= waitingBytes || oldest === response) break;
        cutOff(oldest);
      }
    },
    bytes: () => held,
    stop: () => clearInterval(timer),
  };
}
