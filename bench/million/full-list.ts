/** @module All raises in one answer: how fast they come, and how much memory the reader takes for it. */
import { createWriteStream } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { inPairs, rowOf, soloRow } from "../harness/pairs.ts";
import { residentMegabytes } from "../harness/processes.ts";
import type { Row } from "../harness/report.ts";
import type { Reader } from "../harness/start-reader.ts";
import { startWorker } from "../harness/worker.ts";

const PATH = "/v1/listings";
/** Milliseconds between two looks at the memory. */
const INTERVAL = 20;

export async function* fullList(
  { port, pid }: Reader,
  folder: string,
  about: Pick<Row, "bench">,
): AsyncGenerator<Row> {
  const before = residentMegabytes(pid);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentMegabytes(pid));
  }, INTERVAL);
  const file = join(folder, "list.json");
  try {
    await download(port, file);
    await using bare = startWorker(new URL("bare-list.ts", import.meta.url));
    const bareAt = await bare.ask<number>(file);
    const pairs = await inPairs({ ours: () => download(port), other: () => download(bareAt) });
    const list = "the full list";
    yield rowOf(
      {
        ...about,
        case: list,
        unit: "MB/s",
        against: "bare node:http streaming the same bytes",
        bar: "≥ 0.7",
      },
      pairs,
    );
    yield soloRow({ ...about, case: `${list}: extra memory`, unit: "MB", bar: "≤ 100 MB" }, [most - before]);
  } finally {
    clearInterval(watch);
  }
}

/** Megabytes a second. @param file where to keep the body */
async function download(port: number, file?: string): Promise<number> {
  const startedAt = performance.now();
  const bytes = await new Promise<number>((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port, path: PATH, agent: false }, async (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${PATH} is answered ${response.statusCode}`));
      let count = 0;
      response.on("data", (chunk: Buffer) => {
        count += chunk.length;
      });
      response.once("error", reject);
      if (file === undefined) response.once("end", () => resolve(count));
      else await pipeline(response, createWriteStream(file)).then(() => resolve(count), reject);
    });
    request.once("error", reject);
  });
  return bytes / 1e6 / ((performance.now() - startedAt) / 1000);
}
