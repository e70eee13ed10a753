/**
 * An app behind a real socket: the server that Ponder too puts before it, on a free port of 127.0.0.1, with a record of
 * what was asked. No chain, no database.
 * @module
 */
import { once } from "node:events";
import { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import type { Hono } from "hono";

export type Recorded = {
  method: string;
  path: string;
  /** names in lower case */
  headers: Readonly<Record<string, string>>;
  status: number;
};

export type ServedApp = {
  /** without a slash at the end */
  url: string;
  port: number;
  /** every request that was answered so far, in the order of the answers */
  requests: readonly Recorded[];
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Serves an app until it is disposed of; what is still open then is cut off.
 *
 * @example
 * await using served = await serveApp(await appIn());
 * await fetch(`${served.url}/v1/health`);
 */
export async function serveApp(app: Hono): Promise<ServedApp> {
  const requests: Recorded[] = [];
  const server = serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request, bindings) => {
      const { method, url, headers } = request;
      const response = await app.fetch(request, bindings);
      const { status } = response;
      requests.push({ method, path: new URL(url).pathname, headers: Object.fromEntries(headers), status });
      return response;
    },
  });
  if (!(server instanceof Server)) throw new Error("the app is not served over HTTP/1.1");
  if (!server.listening) await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
