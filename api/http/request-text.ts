/** @module The text of a request's body. */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";

/** Bytes of a query or a message: room for many calls of any tool. */
export const LARGEST_BODY = 64 * 1024;

/** From the socket if there is one: a web stream costs as much as some answers. Null beyond `LARGEST_BODY`; the rest stays unread. */
export async function requestText(c: Context): Promise<string | null> {
  // A length next to a transfer coding does not count.
  const length = c.req.header("Transfer-Encoding") === undefined ? c.req.header("Content-Length") : undefined;
  if (Number(length ?? 0) > LARGEST_BODY) return null;
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Ending early must not end the connection, on which the answer goes out.
  const source = incoming?.iterator({ destroyOnReturn: false }) ?? c.req.raw.body ?? [];
  for await (const chunk of source) {
    size += chunk.length;
    if (size > LARGEST_BODY) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
