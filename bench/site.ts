/**
 * Pages for people, while the market does not change.
 * @module
 */
import { againstBare } from "./harness/against-bare.ts";
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
}
