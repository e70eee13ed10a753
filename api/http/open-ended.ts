/**
 * Answers without an end, such as Server-Sent Events. Each costs its client's socket and little else: pieces that many clients get
 * are encoded once and written to the sockets directly.
 * @module
 */
import type { ServerResponse } from "node:http";
import type { Context } from "hono";
import type { Backlog } from "./backlog.ts";

/** Bytes for any number of clients: as they are, and as a chunk of HTTP/1.1. Both share the memory. */
export type Piece = { readonly bytes: Uint8Array; readonly chunk: Uint8Array };

/** The client of an open-ended answer. */
export type Channel = {
  /** Whether the client has taken what was written before, but for some kilobytes. False before the head is sent. */
  isReady(): boolean;
  write(piece: Piece): void;
  /** Ends the answer, if it has begun. */
  end(): void;
};

/** A channel whose answer has not begun. */
export type Opening = Channel & {
  /** Sends the head of the answer: 200 with these headers. Null if it has been sent, else the body to send it with. */
  begin(headers: Headers): ReadableStream<Uint8Array> | null;
};

type Headers = Record<string, string>;

/** The server's offer to requests with a socket. */
export type OpenEndedBindings = { openEnded?: ((events: ChannelEvents) => Opening) | undefined };

export type ChannelEvents = {
  /** `isReady` may have become true */
  ready(): void;
  /** The client has gone, or the answer has ended; called once. */
  gone(): void;
};

/** The adapter of the server sends nothing for an answer with this header. */
const ALREADY_SENT = "x-hono-already-sent";
const LINE_END = Buffer.from("\r\n");

/** The bytes of the parts as one piece. An empty one would end the answer. */
export function pieceOf(parts: readonly Uint8Array[]): Piece {
  const length = parts.reduce((total, part) => total + part.length, 0);
  if (length === 0) throw new Error("a piece has at least one byte");
  const size = Buffer.from(`${length.toString(16)}\r\n`);
  const chunk = Buffer.concat([size, ...parts, LINE_END]);
  return { bytes: chunk.subarray(size.length, size.length + length), chunk };
}

/** The channel to the client of a request. The answer may still become another one until `begin` is called. */
export function openEnded(c: Context, events: ChannelEvents): Pick<Opening, "begin"> & { channel: Channel } {
  const opening =
    (c.env as OpenEndedBindings | undefined)?.openEnded?.(events) ??
    channelInMemory(c.req.raw.signal, events);
  const begin: Opening["begin"] = (headers) => {
    // With those that the app gives every answer.
    const body = opening.begin(Object.fromEntries(c.newResponse(null, 200, headers).headers));
    if (body === null) c.header(ALREADY_SENT, "true");
    return body;
  };
  // `begin` holds the request: the channel must not.
  const { isReady, write, end } = opening;
  return { begin, channel: { isReady, write, end } };
}

/**
 * A channel to the socket of a response.
 * @param release drops what only the start of the answer needed
 */
export function channelTo(
  outgoing: ServerResponse,
  events: ChannelEvents,
  { backlog, release }: { backlog: Pick<Backlog, "add">; release: () => void },
): Opening {
  let hasBegun = false;
  let isWaiting = false;
  const ready = () => {
    isWaiting = false;
    events.ready();
  };
  const { socket: client } = outgoing.req;
  let isOver = false;
  const gone = () => {
    client.off("close", gone);
    if (!isOver) events.gone();
    isOver = true;
  };
  outgoing.once("close", gone);
  // Node 20 tells a pipelined answer nothing of a socket that closes before its turn.
  client.once("close", gone);
  return {
    begin(headers) {
      release();
      outgoing.once("close", gone);
      outgoing.writeHead(200, headers);
      outgoing.flushHeaders();
      hasBegun = true;
      // A pipelined request gets the socket after the answers before it.
      if (outgoing.socket === null) outgoing.once("socket", ready);
      return null;
    },
    isReady: () => hasBegun && !isWaiting && outgoing.socket?.writable === true,
    write({ bytes, chunk }) {
      const { socket } = outgoing;
      if (socket?.write(outgoing.chunkedEncoding ? chunk : bytes) !== false) return;
      isWaiting = true;
      socket.once("drain", ready);
      backlog.add(socket);
    },
    end() {
      if (hasBegun) outgoing.end();
    },
  };
}

/** A channel for a request without a socket: each piece is read before the next is written. */
function channelInMemory(signal: AbortSignal, { ready, gone }: ChannelEvents): Opening {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let isAsked = false;
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    isAsked = false;
    gone();
  };
  signal.addEventListener("abort", over);
  return {
    begin: () =>
      new ReadableStream<Uint8Array>(
        {
          start(own) {
            controller = own;
          },
          pull() {
            isAsked = true;
            ready();
          },
          cancel: over,
        },
        { highWaterMark: 0 },
      ),
    isReady: () => isAsked,
    write({ bytes }) {
      isAsked = false;
      controller?.enqueue(bytes);
    },
    end() {
      if (controller === null || isOver) return;
      over();
      controller.close();
    },
  };
}
