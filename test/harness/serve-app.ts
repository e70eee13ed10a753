/**
 * An app behind a real socket: the public server, on a free port of 127.0.0.1, with a record of what was asked. No
 * chain, no database.
 * @module
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Hono } from "hono";
import { commonHeaders } from "../../api/http/common-headers.ts";
import { type PublicServerParameters, type ServerLimits, startServer } from "../../api/http/server.ts";
import { recordedLog, SITE } from "./snapshot.ts";

export type Recorded = {
  method: string;
  path: string;
  /** names in lower case */
  headers: Readonly<Record<string, string>>;
  status: number;
  /** whether the answer has ended, or its reader has gone */
  isOver: boolean;
};

export type ServedApp = {
  /** without a slash at the end */
  url: string;
  port: number;
  /** every request so far; its status once it is answered */
  requests: readonly Recorded[];
  /** how many of them the app answered; the others went by the fast lane */
  askedApp(): number;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Serves an app until it is disposed of; what is still open then is cut off.
 *
 * @example
 * await using served = await serveApp(await appIn());
 * await fetch(`${served.url}/v1/health`);
 */
export async function serveApp(
  app: Pick<Hono, "fetch">,
  {
    hasFastLane = true,
    rateLimit,
    ...limits
  }: Partial<ServerLimits> & Pick<PublicServerParameters, "rateLimit"> & { hasFastLane?: boolean } = {},
): Promise<ServedApp> {
  const requests: Recorded[] = [];
  let askedApp = 0;
  const server = startServer({
    app: {
      fetch(request, bindings) {
        askedApp += 1;
        return app.fetch(request, hasFastLane ? bindings : {});
      },
    },
    hostname: "127.0.0.1",
    port: 0,
    commonHeaders: commonHeaders(SITE.publicUrl),
    log: recordedLog().log,
    limits: { closeTimeout: 0, ...limits },
    ...(rateLimit === undefined ? {} : { rateLimit }),
  });
  const { port } = await server.listening;
  const record = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const { method = "", url = "", headers, socket } = request;
    if (socket.localPort !== port) return;
    const named = Object.entries(headers).map(([name, value]) => [name, `${value}`]);
    const path = URL.canParse(url, HERE) ? new URL(url, HERE).pathname : url;
    requests.push({
      ...{ method, path, headers: Object.fromEntries(named) },
      get status() {
        return response.statusCode;
      },
      get isOver() {
        return response.destroyed || response.writableFinished;
      },
    });
  };
  subscribe(ASKED, record);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= server.close();
    return closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    askedApp: () => askedApp,
    close,
    async [Symbol.asyncDispose]() {
      unsubscribe(ASKED, record);
      await close();
    },
  };
}

/** A target is a path, mostly. */
const HERE = "http://127.0.0.1";
/** Node's own notice of each request. */
const ASKED = "http.server.request.start";
