/** @module Sends an answer that is too large for memory, piece by piece as its client reads it. */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { BacklogLimits } from "./backlog.ts";
import { VARY } from "./common-headers.ts";
import { createBody } from "./etagged-body.ts";
import { routeOf } from "./request-metrics.ts";
import {
  type Bindings,
  type Headers,
  type Indexed,
  indexedHeaders,
  isCurrent,
  notModifiedHeaders,
  type Validity,
} from "./respond.ts";
import { NoSlotError } from "./slots.ts";

export type StreamedBody = {
  type: string;
  /** the tag and the bytes, if they are known before the end */
  known: { etag: string; length: number } | null;
  /**
   * Makes the pieces; each may be written to again once the next but one is asked for. It is not called for a client that wants
   * none, and is ended early for one that leaves.
   */
  pieces(): AsyncGenerator<Uint8Array, unknown>;
  /** Called once, when no piece will be asked for any more. */
  over?(): void;
};

type StreamedOptions = {
  headers?: Headers;
  /** set when a 304 may be repeated without calling the handler */
  lasting?: Validity | undefined;
};

type Streams = {
  /** Sends a body as of `head`. @throws {NoSlotError} when too many are being sent */
  answer(c: Context, body: StreamedBody, head: Indexed, options?: StreamedOptions): Response;
  /** answers that are being sent */
  size(): number;
};

/** The bytes that a client has taken of an answer, and the milliseconds it needed for them. */
type Taken = { bytes: number; time: number };
type Sending = { taken(): Taken; cutOff(): void };

/**
 * @param most answers at a time: each holds a few pieces, however slowly it is read
 * @param pace an answer read more slowly than this on average, after the time to read any, leaves its place to another
 */
export function createStreams(
  most: number,
  { readTimeout, slowestPace }: Pick<BacklogLimits, "readTimeout" | "slowestPace">,
): Streams {
  // In the order in which they began.
  const open = new Set<Sending>();
  const isSlow = ({ bytes, time }: Taken) => time > readTimeout && 1000 * bytes < slowestPace * time;
  const hasPlace = () => {
    if (open.size < most) return true;
    const slow = [...open].find(({ taken }) => isSlow(taken()));
    if (slow === undefined) return false;
    open.delete(slow);
    slow.cutOff();
    return true;
  };
  return {
    size: () => open.size,
    answer(c, { type, known, pieces, over = () => {} }, head, { headers = {}, lasting } = {}) {
      const own = { ...headers, "Cache-Control": "public, max-age=1" };
      const all = { ...own, ...indexedHeaders(head) };
      if (known !== null && lasting !== undefined) {
        const body = createBody(type, Buffer.alloc(0), known.etag);
        const kept = { ...lasting, body, route: routeOf(c), headers: own, isStreamed: true };
        (c.env as Bindings | undefined)?.keep?.(kept);
      }
      if (known !== null && isCurrent(c.req.header("If-None-Match"), known.etag)) {
        over();
        return c.body(null, 304, notModifiedHeaders({ etag: known.etag, type }, all));
      }
      const full = {
        ...all,
        ...VARY,
        "Content-Type": type,
        ...(known === null ? {} : { ETag: known.etag, "Content-Length": String(known.length) }),
      };
      if (c.req.method === "HEAD") {
        over();
        return c.body(null, 200, full);
      }
      if (!hasPlace()) {
        over();
        throw new NoSlotError();
      }
      const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
      // Only a socket has sent a piece when it asks for another.
      const isSent = outgoing !== undefined;
      const { readable, stop, taken } = streamOf(pieces, isSent, () => {
        open.delete(sending);
        over();
      });
      const sending = { taken, cutOff: () => outgoing?.destroy() };
      open.add(sending);
      // The adapter does not say when the connection ends before the first piece.
      if (outgoing?.destroyed) stop();
      else outgoing?.once("close", stop);
      return c.body(readable, 200, full);
    },
  };
}

/** @param over called once, when the last piece is read or the client has left */
function streamOf(pieces: StreamedBody["pieces"], isSent: boolean, over: () => void) {
  let iterator: AsyncGenerator<Uint8Array, unknown> | null = null;
  let isOver = false;
  const taken = { bytes: 0, time: 0 };
  /** when the client got what it has not taken yet; null while the next piece is made */
  let since: number | null = null;
  const sinceThen = () => (since === null ? 0 : performance.now() - since);
  const stop = () => {
    if (isOver) return;
    isOver = true;
    // It settles after the piece that is being made.
    const ended = iterator?.return(undefined) ?? Promise.resolve();
    ended.then(over, over);
  };
  const readable = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (isOver) return controller.close();
        taken.time += sinceThen();
        since = null;
        iterator ??= pieces();
        try {
          const { done, value } = await iterator.next();
          if (isOver) return;
          if (!done) {
            taken.bytes += value.length;
            since = performance.now();
            return controller.enqueue(isSent ? value : Uint8Array.from(value));
          }
          stop();
          controller.close();
        } catch (error) {
          stop();
          throw error;
        }
      },
      cancel: stop,
    },
    // Nothing is made before it is asked for.
    { highWaterMark: 0 },
  );
  return { readable, stop, taken: () => ({ ...taken, time: taken.time + sinceThen() }) };
}
