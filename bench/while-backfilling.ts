/** @module The answers of a reader while an indexer on the same machine fetches and folds a history, and while that does nothing. */
import { setTimeout as sleep } from "node:timers/promises";
import { SIZE } from "./backfill.ts";
import { CONNECTIONS, startGenerator } from "./harness/against-bare.ts";
import { bytesOf } from "./harness/capture.ts";
import type { Job, Load } from "./harness/generator.ts";
import { measureOurs, startChain } from "./harness/indexing.ts";
import { inPairs, rowOf } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";

const LISTINGS = 1_000;
const READS = 1_000;
/** Seconds: less than the backfill takes. */
const DURATION = 5;
/** Milliseconds until the backfill's process has loaded its modules. */
const HEAD_START = 1_000;

export async function* whileBackfilling(stage: Stage): AsyncGenerator<Row> {
  const { connectionString } = await stage.market({ listings: LISTINGS });
  await using reader = await startReader(stage, { listings: LISTINGS });
  await using generator = startGenerator();
  const chain = await startChain(SIZE);
  const { port } = reader;
  const reads: Job = {
    ...{ port, requests: [bytesOf(port, { path: "/v1/listings/lst_000003" })], connections: CONNECTIONS },
    ...{ duration: DURATION, rate: READS },
  };
  const ask = () => generator.ask<Load>(reads);
  let schemas = 0;
  const askBeside = async () => {
    schemas += 1;
    // Otherwise a later one would fold the ledger of the one before it.
    const env = { DATABASE_SCHEMA: `beside_${schemas}`, HOLDERS: "true" };
    const backfilled = measureOurs(chain, connectionString, env, { isServing: false });
    await sleep(HEAD_START);
    const load = await ask();
    await backfilled;
    return load;
  };
  try {
    const pairs = await inPairs({ ours: askBeside, other: ask });
    for (const [figure, bar] of [
      ["p50", "reported"],
      ["p99", "≤ 2"],
    ] as const) {
      yield rowOf(
        {
          ...{
            bench: "while-backfilling",
            case: `${READS.toLocaleString("en")} reads/s, ${figure}`,
            unit: "ms",
          },
          ...{ against: "no backfill", bar },
        },
        pairs.map(({ ours, other }) => ({ ours: ours[figure], other: other[figure] })),
      );
    }
  } finally {
    chain.stop();
  }
}
