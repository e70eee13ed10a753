/** @module The reference of a streamed list, in a separate process: a `node:http` server that streams a file and does nothing else. */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { serve } from "./serve.ts";
import { answerOwner } from "./worker.ts";

/** As large as the pieces that it is compared with. */
const PIECE = 256 * 1024;

answerOwner(async ({ file, headers }: { file: string; headers: Record<string, string> }) =>
  serve((_, response) => {
    response.writeHead(200, headers);
    pipeline(createReadStream(file, { highWaterMark: PIECE }), response, () => {});
  }),
);
