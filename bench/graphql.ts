/** @module A page of listings in GraphQL, compared with a constant. */
import { loadBoth, rateRow, startGenerator } from "./harness/against-bare.ts";
import type { Request } from "./harness/capture.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";
import { startWorker } from "./harness/worker.ts";

const FIELDS = "publicId refnum title status targetAmount raisedAmount couponRateBps tenorDays";

export async function* graphql(stage: Stage): AsyncGenerator<Row> {
  await using reader = await startReader(stage, { listings: 10_000 });
  await using constant = startWorker(new URL("harness/yoga-constant.ts", import.meta.url));
  await using generator = startGenerator();
  const ports = { ours: reader.port, other: await constant.ask<number>(null) };
  for (const first of [1, 20]) {
    const ours = [ask(`{ listings(first: ${first}) { nodes { ${FIELDS} } } }`)];
    const pairs = await loadBoth(generator, ports, { ours, other: [ask("{ constant }")] });
    const about = { bench: "graphql", case: `a page of ${first}`, bar: "reported" };
    yield rateRow({ ...about, against: "yoga with a constant" }, pairs);
  }
}

function ask(query: string): Request {
  return {
    method: "POST",
    path: "/graphql",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query }),
  };
}
