import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Hono } from "hono";
import type { ReadAnswer } from "./validate.ts";

const DECODE: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

export type Ask = (path: string, init?: RequestInit) => Promise<ReadAnswer>;

/** The bytes of an answer; of a stream, which does not end by itself, the first piece. */
export async function bodyOf(response: Response): Promise<Buffer> {
  if (response.headers.get("content-type") !== "text/event-stream")
    return Buffer.from(await response.arrayBuffer());
  const reader = response.body?.getReader();
  const piece = await reader?.read();
  await reader?.cancel();
  return Buffer.from(piece?.value ?? "");
}

/** Asks the app and reads the whole answer; decodes it, as `fetch` does. Of a stream it reads the first piece. */
export function asking(app: Hono): Ask {
  return async (path, init) => {
    const response = await app.request(`http://raises.example${path}`, init);
    // First: the HTTP adapter's Response forgets what was set on its headers once its body is read.
    const { status, headers } = response;
    const bytes = await bodyOf(response);
    const decode = DECODE[headers.get("content-encoding") ?? ""];
    const text = (bytes.length === 0 || decode === undefined ? bytes : decode(bytes)).toString("utf8");
    return { status, headers, text };
  };
}
