/**
 * An app behind a real socket: the public server, on a free port of 127.0.0.1, with a record of what was asked. No
 * chain, no database.
 * @module
 */
import type { Hono } from "hono";
import { type ServerLimits, startServer } from "../../api/http/server.ts";
import { recordedLog } from "./app.ts";

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
export async function serveApp(
  app: Pick<Hono, "fetch">,
  limits: Partial<ServerLimits> = {},
): Promise<ServedApp> {
  const requests: Recorded[] = [];
  const server = startServer({
    app: {
      fetch: async (request, bindings) => {
        const { method, url, headers } = request;
        const response = await app.fetch(request, bindings);
        const { status } = response;
        requests.push({ method, path: new URL(url).pathname, headers: Object.fromEntries(headers), status });
        return response;
      },
    },
    hostname: "127.0.0.1",
    port: 0,
    log: recordedLog().log,
    limits: { closeTimeout: 0, ...limits },
  });
  const { port } = await server.listening;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    [Symbol.asyncDispose]: () => server.close(),
  };
}
