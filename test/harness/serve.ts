/** @module A plain HTTP server on a free port of 127.0.0.1. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export type Served = AsyncDisposable & {
  /** without a slash at the end */
  url: string;
  port: number;
  /** Cuts off what is still open. */
  stop(): Promise<void>;
};

/**
 * Answers with `listener` until it is stopped or disposed of.
 *
 * @example
 * await using served = await serve((_, response) => response.end("a page"));
 */
export async function serve(listener: RequestListener, server: Server = createServer()): Promise<Served> {
  server.on("request", listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, port, stop, [Symbol.asyncDispose]: stop };
}
