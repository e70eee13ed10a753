/** @module Pages of a list of 10,000 listings. */
import { againstBare } from "./harness/against-bare.ts";
import { capture, type Request } from "./harness/capture.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";

const BAR = "≥ 0.5";

export async function* page(stage: Stage): AsyncGenerator<Row> {
  await using reader = await startReader(stage, { listings: 10_000 });
  const of = (path: string) => ({ case: path, requests: [{ path: `/v1/listings${path}` }], bar: BAR });
  yield* againstBare("page", reader.port, [
    of("?limit=50"),
    of("?status=live&limit=20"),
    of("?sort=most_raised&limit=50"),
    { case: "?limit=50 with each cursor in turn", requests: await everyPage(reader.port), bar: BAR },
  ]);
}

async function everyPage(port: number): Promise<Request[]> {
  const pages: Request[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path: string = `/v1/listings?limit=50${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    pages.push({ path });
    cursor = JSON.parse((await capture(port, { path })).body.toString()).page.nextCursor;
  }
  return pages;
}
