/** @module Answers waiting for slow readers: how long they may take, and how much memory they may hold together. */
import type { Writable } from "node:stream";

/** Milliseconds between checks of the deadlines. */
const INTERVAL = 1_000;

export type BacklogLimits = {
  /** held by all waiting answers together; bytes shared by several answers count once */
  readonly waitingBytes: number;
  /** milliseconds to read an answer, in addition to what its size takes at the slowest pace */
  readonly readTimeout: number;
  /** bytes a second */
  readonly slowestPace: number;
};

/** The response, or the socket that its bytes are written to directly. */
type Answer = Pick<Writable, "writableLength" | "destroy" | "once" | "off">;

export type Backlog = {
  /** Watches an answer until its last byte has left or its time is up. @param body its bytes, which other answers may share */
  add(response: Answer, body?: Uint8Array): void;
  /** Bytes held; those shared by several answers count once. */
  bytes(): number;
  stop(): void;
};

type Waiting = { memory: object; bytes: number; deadline: number };

/** Cuts off answers read too slowly, and those that have waited longest once all hold more than `waitingBytes`. */
export function createBacklog({ waitingBytes, readTimeout, slowestPace }: BacklogLimits): Backlog {
  // In the order in which they began to wait.
  const waiting = new Map<Answer, Waiting>();
  const holders = new Map<object, number>();
  let held = 0;

  const release = (response: Answer) => {
    const entry = waiting.get(response);
    if (entry === undefined) return;
    waiting.delete(response);
    const { memory, bytes } = entry;
    const others = (holders.get(memory) ?? 1) - 1;
    if (others > 0) return void holders.set(memory, others);
    holders.delete(memory);
    held -= bytes;
  };
  const cutOff = (response: Answer) => {
    release(response);
    response.destroy();
  };

  const timer = setInterval(() => {
    const now = performance.now();
    for (const [response, { deadline }] of waiting) if (deadline <= now) cutOff(response);
  }, INTERVAL).unref();

  return {
    add(response, body) {
      if (response.writableLength === 0 || waiting.has(response)) return;
      const memory = body?.buffer ?? response;
      const bytes = body?.buffer.byteLength ?? response.writableLength;
      const deadline = performance.now() + readTimeout + (1000 * bytes) / slowestPace;
      waiting.set(response, { memory, bytes, deadline });
      const others = holders.get(memory) ?? 0;
      holders.set(memory, others + 1);
      if (others === 0) held += bytes;
      // A stream that has caught up is no answer that waits, until it does again.
      const over = () => {
        response.off("close", over).off("drain", over);
        release(response);
      };
      response.once("close", over).once("drain", over);
      for (const [oldest] of waiting) {
        if (held <= waitingBytes || oldest === response) break;
        cutOff(oldest);
      }
    },
    bytes: () => held,
    stop: () => clearInterval(timer),
  };
}
