/** @module The full list of a market that is too large to be joined in memory. */
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { inPairs, rowOf, soloRow } from "./harness/pairs.ts";
import { residentMegabytes } from "./harness/processes.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";
import { startWorker } from "./harness/worker.ts";

const LISTINGS = Number(process.env.LISTINGS ?? 20_000);
const PATH = "/v1/listings";
/** Milliseconds between looks at the memory. */
const INTERVAL = 20;
const MEGABYTE = 1e6;

type Read = { seconds: number; bytes: number; headers: Record<string, string> };

export async function* fullList(stage: Stage): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), "raisebook-full-list-"));
  try {
    await using reader = await startReader(stage, { listings: LISTINGS });
    // A page, so that the orders are there.
    await read(reader.port, "/v1/listings?limit=1");
    const before = residentMegabytes(reader.pid);
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, residentMegabytes(reader.pid));
    }, INTERVAL);
    const file = join(folder, "list.json");
    const first = await read(reader.port, PATH, file);
    const { headers, bytes: length } = await read(reader.port, PATH);
    if (length !== first.bytes) throw new Error("the first list is not the second");
    if (headers.etag === undefined || headers["content-length"] === undefined)
      throw new Error("a prepared list has no tag or no length");
    await using bare = startWorker(new URL("harness/bare-stream.ts", import.meta.url));
    const port = await bare.ask<number>({ file, headers });
    const side = (from: number) => async () => {
      const { bytes, seconds } = await read(from, PATH);
      if (bytes !== length) throw new Error("the lists differ");
      return bytes / MEGABYTE / seconds;
    };
    const pairs = await inPairs({ ours: side(reader.port), other: side(port) });
    clearInterval(timer);
    const name = `${LISTINGS.toLocaleString("en")} listings, ${Math.round(first.bytes / MEGABYTE)} MB`;
    const about = { bench: "full-list", case: name };
    const against = "bare node:http that streams the same file";
    yield rowOf({ ...about, against, unit: "MB/s", bar: "≥ 0.7" }, pairs);
    yield soloRow({ ...about, case: `${name}: first list after the start`, unit: "s", bar: "" }, [
      first.seconds,
    ]);
    yield soloRow({ ...about, case: `${name}: more memory`, unit: "MB", bar: "≤ 100" }, [most - before]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads an answer as fast as it comes. @param file to keep it in */
async function read(port: number, path: string, file?: string): Promise<Read> {
  const startedAt = performance.now();
  const request = get({ host: "127.0.0.1", port, path, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${path} is answered ${response.statusCode}`);
  const kept = file === undefined ? null : createWriteStream(file);
  let bytes = 0;
  response.on("data", (part: Buffer) => {
    bytes += part.length;
    kept?.write(part);
  });
  await once(response, "end");
  const seconds = (performance.now() - startedAt) / 1000;
  kept?.end();
  if (kept !== null) await finished(kept);
  return { seconds, bytes, headers: response.headers as Record<string, string> };
}
