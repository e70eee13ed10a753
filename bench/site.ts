/** @module Pages for people, while the market does not change. */
import lighthouse from "lighthouse";
import { launchChromium } from "../test/browser/chromium.ts";
import { freePort } from "../test/harness/free-port.ts";
import { againstBare } from "./harness/against-bare.ts";
import { RUNS, soloRow } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";

const BAR = "≥ 0.5";

export async function* site(stage: Stage): AsyncGenerator<Row> {
  await using reader = await startReader(stage, { listings: 10_000 });
  const page = (path: string) => ({ path, headers: { Accept: "text/html" } });
  yield* againstBare("site", reader.port, [
    { case: "the board, HTML", requests: [page("/")], bar: BAR },
    { case: "a raise, HTML", requests: [page("/listings/lst_000003")], bar: BAR },
  ]);
  const port = await freePort();
  await using _browser = await launchChromium({ debuggingPort: port });
  for (const path of ["/", "/listings/lst_000003"]) {
    const scores: number[] = [];
    for (let run = 0; run < RUNS; run++)
      scores.push(await performanceOf(`http://127.0.0.1:${reader.port}${path}`, port));
    const about = { bench: "site", case: `Lighthouse's performance of ${path}`, unit: "of 100", bar: "≥ 95" };
    yield soloRow(about, scores);
  }
}

/** As Lighthouse measures a phone on a slow network. */
async function performanceOf(url: string, port: number): Promise<number> {
  const flags = { port, output: "json" as const, logLevel: "silent" as const };
  const score = (await lighthouse(url, { ...flags, onlyCategories: ["performance"] }))?.lhr.categories
    .performance?.score;
  return (score ?? Number.NaN) * 100;
}
