/**
 * Many followers of the stream, in a separate process: plain sockets that read everything and report when the last of them has an event.
 * @module
 */
import { spawnSync } from "node:child_process";
import { connect, type Socket } from "node:net";
import { setPriority } from "node:os";
import { answerOwner } from "./worker.ts";

/** `count` of them are open afterwards, new ones with this query; or the next event is waited for. */
export type CrowdMessage = { port: number; count: number; query?: string } | { next: true };

/** When the first and the last of them had the next event: milliseconds of the machine's clock. */
export type Reached = { id: string; first: number; last: number };

/** Milliseconds for all of them to be there, and for an event to reach them. */
const PATIENCE = 30_000;
/** At the same time, so that none is refused for the length of a queue. */
const AT_ONCE = 50;
/** They cost as little as they can: the server's machine is theirs too. Each block comes in one piece. */
const LEDGER = Buffer.from("event: ledger\nid: ");
const HEAD = Buffer.from("event: head\n");
const LINE_END = 10;

const followers = new Set<Socket>();
let awaited: ((id: string) => void) | null = null;

// They stand for as many other machines: what is measured goes first, at once where the system has a policy for that. With the lowest
// priority alone it waits for the end of their slice, some milliseconds.
setPriority(19);
spawnSync("chrt", ["--idle", "--all-tasks", "--pid", "0", `${process.pid}`]);
answerOwner((message: CrowdMessage) => ("next" in message ? nextEvent() : become(message)));

async function become({
  port,
  count,
  query = "",
}: {
  port: number;
  count: number;
  query?: string;
}): Promise<number> {
  for (const socket of [...followers].slice(count)) {
    followers.delete(socket);
    socket.destroy();
  }
  while (followers.size < count) {
    const more = Math.min(AT_ONCE, count - followers.size);
    await inTime(
      Promise.all(Array.from({ length: more }, () => follow(port, query))),
      "not all of them have got a head",
    );
  }
  return followers.size;
}

/** Resolves with the first head. */
function follow(port: number, query: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    followers.add(socket);
    let isThere = false;
    socket.once("error", reject);
    socket.once("close", () => {
      if (followers.delete(socket)) reject(new Error("a follower was cut off"));
    });
    socket.on("data", (bytes) => {
      if (!isThere) {
        isThere = bytes.includes(HEAD);
        if (isThere) resolve();
        return;
      }
      const at = bytes.indexOf(LEDGER);
      if (at === -1) return;
      const start = at + LEDGER.length;
      awaited?.(bytes.toString("latin1", start, bytes.indexOf(LINE_END, start)));
    });
    socket.write(`GET /v1/stream${query} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  });
}

function nextEvent(): Promise<Reached> {
  const all = new Promise<Reached>((resolve) => {
    let left = followers.size;
    let first = 0;
    awaited = (id) => {
      const now = performance.timeOrigin + performance.now();
      if (first === 0) first = now;
      left -= 1;
      if (left > 0) return;
      awaited = null;
      resolve({ id, first, last: now });
    };
  });
  return inTime(all, "not all of them have got an event");
}

function inTime<Result>(work: Promise<Result>, otherwise: string): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${otherwise} in ${PATIENCE / 1000} s`)), PATIENCE);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
