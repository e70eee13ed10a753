/** @module The reference of the full list, in a separate process: a `node:http` server that streams the bytes of a file from memory. */
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { serve } from "../harness/serve.ts";
import { answerOwner } from "../harness/worker.ts";

const CHUNK = 256 * 1024;

answerOwner(async (path: string) => {
  const bytes = await readFile(path);
  return serve((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
    void pipeline(Readable.from(chunksOf(bytes)), response).catch(() => {});
  });
});

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK) yield bytes.subarray(start, start + CHUNK);
}
