/** @module A plain server on a free port of 127.0.0.1. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** As long as the public server keeps a connection, so that both send the same `Keep-Alive`. */
const KEEP_ALIVE = 65_000;

/** Resolves to the server's port. */
export async function serve(listener: RequestListener): Promise<number> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE }, listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
