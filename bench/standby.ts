/**
 * From the end of the machine that indexes to the next block that the other one has indexed: killed, frozen and partitioned in turn,
 * while readers are asked all the time. Each becomes the standby of the other before the next try.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import {
  FROM_DATABASE,
  IN_MEMORY,
  keepAsking,
  startTwoMachines,
  type TwoMachines,
  type Way,
} from "../test/harness/two-machines.ts";
import { soloRow } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";

const WAYS = ["killed", "frozen", "partitioned"] as const satisfies Way[];
const TRIES = Number(process.env.TRIES ?? 9);
/** Milliseconds for which the standby has stood by before a try. */
const STEADY = 2_000;

export async function* standby(): AsyncGenerator<Row> {
  const two = await startTwoMachines();
  const times = new Map<Way, number[]>(WAYS.map((way) => [way, []]));
  const faults = { answers: [] as string[], rows: [] as string[] };
  let asked = 0;
  try {
    for (let index = 0; index < TRIES; index++) {
      const way = WAYS[index % WAYS.length] ?? "killed";
      await sleep(STEADY);
      const tried = await attempt(two, way);
      times.get(way)?.push(tried.seconds);
      asked += tried.asked;
      const wrong = await two.wrongRows();
      faults.answers.push(...tried.bad);
      faults.rows.push(...wrong);
      const found = `${tried.bad.length} bad of ${tried.asked} answers, ${wrong.length} wrong sums`;
      process.stderr.write(`standby: try ${index + 1}, ${way}: ${tried.seconds.toFixed(2)} s, ${found}\n`);
    }
  } finally {
    await two.stop();
  }
  for (const fault of [...faults.answers, ...faults.rows]) process.stderr.write(`standby: ${fault}\n`);
  const about = { bench: "standby", unit: "s" };
  for (const [way, seconds] of times)
    if (seconds.length > 0)
      yield soloRow({ ...about, case: `the indexing machine ${way}`, bar: "≤ 10" }, seconds);
  const all = [...times.values()].flat();
  yield soloRow({ ...about, case: `the longest of ${all.length}`, bar: "≤ 10" }, [Math.max(...all)]);
  const count = { bench: "standby", unit: "", bar: "0" };
  yield soloRow({ ...count, case: `bad answers of ${asked}` }, [faults.answers.length]);
  yield soloRow({ ...count, case: "sums that a gap or a double write has changed" }, [faults.rows.length]);
}

async function attempt(two: TwoMachines, way: Way) {
  const gone = await two.indexing();
  const other = gone === two.first ? two.second : two.first;
  const asking = [keepAsking(other, FROM_DATABASE)];
  if (way === "partitioned") asking.push(keepAsking(gone, IN_MEMORY));
  // One block is being written.
  const written = two.raise();
  const startedAt = performance.now();
  await two.hurt(gone, way);
  await written;
  await two.untilRaised(other, await two.raise());
  const seconds = (performance.now() - startedAt) / 1000;
  const answers = await Promise.all(asking.map((one) => one.stop()));
  await two.heal(gone, way);
  await two.untilRaised(other, await two.raise());
  await two.untilRaised(gone, two.raised());
  return {
    seconds,
    asked: answers.reduce((sum, { asked }) => sum + asked, 0),
    bad: answers.flatMap(({ bad }) => bad),
  };
}
