/** @module The public HTTP server: the app on its own `node:http` server, with limits on clients' memory and connections. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { CLOSE_TIMEOUT, DEFAULT_MAX_STREAMS } from "../../config/defaults.ts";
import type { Logger } from "../../config/log.ts";
import { createBacklog } from "./backlog.ts";
import { createFastLane, lowercase } from "./fast-lane.ts";
import { channelTo } from "./open-ended.ts";
import { refuse } from "./problem.ts";
import { createRateLimiter, type RateLimit } from "./rate-limit.ts";
import type { RequestMetrics } from "./request-metrics.ts";
import type { Bindings, Headers, Kept } from "./respond.ts";

/** A name or an address, perhaps with a port: RFC 9112 section 3.2. */
const HOST = /^(?:(?:[\w.-]+|\[[\dA-Fa-f:.]+\])(?::\d{0,5})?)?$/;
/** The host in the URLs that the app gets. None is made of what a client sends: a path in it would be taken for the target's. */
const APP_HOST = "localhost";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Times are milliseconds. */
export const SERVER_LIMITS = {
  /** besides those of open-ended answers */
  connections: 2_000,
  /** open-ended answers, each of which keeps its connection */
  streams: DEFAULT_MAX_STREAMS,
  /** size of a request's headers; larger ones are answered with 431 */
  headerBytes: 16 * KIB,
  /** between checks for requests that arrive too slowly */
  checkInterval: 1_000,
  /** for a request's head to arrive */
  headersTimeout: 10_000,
  /** for a whole request to arrive */
  requestTimeout: 30_000,
  /** longer than the idle time of the usual load balancers, so that they close first */
  keepAliveTimeout: 65_000,
  /** for the remainder of a refused body, which is read and discarded so that its sender can read the answer */
  drainTimeout: 5_000,
  /** unanswered requests per connection; only pipelining clients have more than one */
  pipelined: 64,
  waitingBytes: 128 * MIB,
  readTimeout: 30_000,
  slowestPace: 32 * KIB,
  /** for open answers to end when the server closes */
  closeTimeout: CLOSE_TIMEOUT,
  /** meanwhile, for clients to end connections on which no answer is open */
  closeSilence: 5_000,
} as const;

export type ServerLimits = { readonly [Name in keyof typeof SERVER_LIMITS]: number };

export type PublicServerParameters = {
  app: Pick<Hono, "fetch">;
  hostname: string;
  /** 0 for any free port */
  port: number;
  /** headers of every answer, the same as the app's */
  commonHeaders: Headers;
  log: Pick<Logger, "info" | "warn">;
  /** limit per client; none by default */
  rateLimit?: RateLimit | null;
  /** counts what the fast lane answers; the app counts the rest */
  requests?: Pick<RequestMetrics, "fastTally"> | undefined;
  limits?: Partial<ServerLimits>;
};

export type PublicServer = {
  /** Resolves to the address once it listens. Rejects when it cannot, leaving nothing open. */
  listening: Promise<AddressInfo>;
  /** Stops accepting connections, gives open answers time to be made and read, and cuts off the rest. */
  close(): Promise<void>;
};

/**
 * Serves the app.
 *
 * @example
 * const server = startServer({ app, hostname: "127.0.0.1", port: 42069, commonHeaders: commonHeaders(publicUrl), log });
 * const { port } = await server.listening;
 */
export function startServer(parameters: PublicServerParameters): PublicServer {
  const { app, hostname, port, commonHeaders: common, log, rateLimit = null, requests } = parameters;
  const limits: ServerLimits = { ...SERVER_LIMITS, ...parameters.limits };
  const backlog = createBacklog(limits);
  const commonHere = lowercase(common);

  /** Adds the common headers to the app's answer, and reports it to the backlog when the socket does not take it at once. */
  const watch = (outgoing: ServerResponse) => {
    const { writeHead, write, end } = outgoing;
    // Their overloads differ only in which arguments are left out.
    const watched = {
      writeHead(...parts: unknown[]) {
        const headers = parts.at(-1);
        if (typeof headers === "object" && headers !== null) {
          // The adapter adds the length in another spelling, and some clients refuse a header that is there twice.
          if ("content-length" in headers) Reflect.deleteProperty(headers, "Content-Length");
          parts[parts.length - 1] = { ...commonHere, ...headers };
        }
        return Reflect.apply(writeHead, outgoing, parts);
      },
      write(...parts: unknown[]) {
        const taken = Reflect.apply(write, outgoing, parts);
        if (!taken) backlog.add(outgoing);
        return taken;
      },
      end(...parts: unknown[]) {
        Reflect.apply(end, outgoing, parts);
        const [body] = parts;
        backlog.add(outgoing, body instanceof Uint8Array ? body : undefined);
        return outgoing;
      },
    };
    Object.assign(outgoing, watched);
  };

  const mayGoOn = rateLimit === null ? null : createRateLimiter(rateLimit, commonHere);
  const lane = createFastLane(common, backlog, requests);
  const fetchFromApp: Parameters<typeof getRequestListener>[0] = (request, bindings) =>
    app.fetch(request, {
      ...bindings,
      addsCommonHeaders: true,
      keep(kept: Kept) {
        const { incoming } = bindings as HttpBindings;
        // The lane finds answers by the target alone, so it keeps none if URL parsing has changed the target.
        if (request.url === `http://${APP_HOST}${incoming.url}`) lane.keep(incoming, kept);
      },
      openEnded(events) {
        const { outgoing } = bindings as HttpBindings;
        const release = () => {
          // The adapter's, which holds the whole request.
          outgoing.removeAllListeners("close");
          connections.watch(outgoing);
        };
        return channelTo(outgoing, events, { backlog, release });
      },
    } satisfies Bindings);
  const answer = getRequestListener(fetchFromApp, {
    // It would cut the connection while the client still sends a refused body.
    autoCleanupIncoming: false,
  });
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      connectionsCheckingInterval: limits.checkInterval,
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      keepAliveTimeout: limits.keepAliveTimeout,
      // Opening and closing a stream for a body that is not there takes a tenth of a short answer.
      optimizeEmptyRequests: true,
    },
    (incoming, outgoing) => {
      const isRefused =
        (mayGoOn !== null && !mayGoOn(incoming, outgoing)) || refusesHost(incoming, outgoing, commonHere);
      if (!isRefused && lane.answer(incoming, outgoing)) return;
      outgoing.once("finish", () => drain(incoming, limits));
      if (isRefused) return backlog.add(outgoing);
      if (!connections.open(incoming, outgoing)) return;
      watch(outgoing);
      incoming.headers.host = APP_HOST;
      void answer(incoming, outgoing);
    },
  );
  const connections = watchConnections(server, limits);
  const most = limits.connections + limits.streams;
  server.maxConnections = most;
  let warnedOfDrops = false;
  server.on("drop", () => {
    if (!warnedOfDrops) log.warn({ msg: "Connections are refused: too many are open", most });
    warnedOfDrops = true;
  });
  server.listen({ host: hostname, port });

  return {
    listening: once(server, "listening").then(() => server.address() as AddressInfo),
    async close() {
      const closed = once(server, "close");
      connections.end();
      const inTime = await Promise.race([
        closed.then(() => true),
        sleep(limits.closeTimeout, false, { ref: false }),
      ]);
      if (!inTime) server.closeAllConnections();
      await closed;
      // It no longer listens: this ends its checks of slow requests.
      server.close();
      backlog.stop();
    },
  };
}

/** Whether the request has a malformed `Host`; it is answered with a problem. */
function refusesHost(incoming: IncomingMessage, outgoing: ServerResponse, common: Headers): boolean {
  const { host } = incoming.headers;
  if (host === undefined || HOST.test(host)) return false;
  const detail = "The Host header is not a host name or an address with or without a port.";
  const errors = [{ parameter: "Host", detail, allowed: ["a host name", "an IP address"] }];
  refuse(incoming, outgoing, common, { code: "invalid_parameter", detail, errors });
  return true;
}

/** Reads and discards the remainder of a body for a while: a client cut off while sending never reads the answer. */
function drain(incoming: IncomingMessage, { drainTimeout }: ServerLimits): void {
  if (incoming.complete || incoming.destroyed) return;
  const timer = setTimeout(() => incoming.destroy(), drainTimeout).unref();
  incoming.once("close", () => clearTimeout(timer));
  // A reader that stopped halfway would block the remainder.
  incoming.removeAllListeners("data");
  incoming.resume();
}

function watchConnections(server: Server, { pipelined: most, closeSilence }: ServerLimits) {
  const waiting = new Map<Socket, number>();
  let isEnding = false;

  /** Ends it with the last of its answers. Nothing may move on it while one is made, or read from the system's buffers. */
  const end = (socket: Socket, count: number) => {
    if (count > 0) return;
    const isWritten = socket.writableLength === 0;
    socket.end();
    // Node cuts it off then.
    if (isWritten) socket.setTimeout(closeSilence);
  };

  server.on("connection", (socket) => {
    waiting.set(socket, 0);
    // Each open-ended answer has one.
    socket.setMaxListeners(most + 10);
    socket.once("close", () => waiting.delete(socket));
  });

  /** Counts the answer no longer once it is over. */
  const watch = (outgoing: ServerResponse) => {
    const { socket } = outgoing.req;
    outgoing.once("close", () => {
      const left = (waiting.get(socket) ?? 1) - 1;
      if (waiting.has(socket)) waiting.set(socket, left);
      if (isEnding) end(socket, left);
    });
  };

  return {
    watch,
    /** Counts an answer that the app has yet to make. False when the connection waits for too many; it is then cut off. */
    open({ socket }: IncomingMessage, outgoing: ServerResponse): boolean {
      const count = (waiting.get(socket) ?? 0) + 1;
      if (count > most) {
        socket.destroy();
        return false;
      }
      waiting.set(socket, count);
      watch(outgoing);
      return true;
    },
    /** Refuses new connections; open ones end with the last of their answers. */
    end(): void {
      isEnding = true;
      // Not the server's own `close`: it cuts off connections whose answer is made and not yet read.
      NetServer.prototype.close.call(server);
      for (const [socket, count] of waiting) end(socket, count);
    },
  };
}
