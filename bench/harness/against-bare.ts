/** @module Compares a server with a bare one that sends the same answers. */
import { bytesOf, capture, type Request } from "./capture.ts";
import type { Job, Load } from "./generator.ts";
import { inPairs, type Pair, rowOf } from "./pairs.ts";
import type { Row } from "./report.ts";
import { startWorker, type Worker } from "./worker.ts";

export const CONNECTIONS = 16;
/** Seconds of one side of a run. */
const DURATION = 1.5;

export type Case = {
  case: string;
  /** sent in turn */
  requests: readonly Request[];
  /** of every answer; default 200 */
  status?: number;
  bar: string;
  /** bar of the 99th percentile; it is reported where there is one */
  p99?: string;
};

/** Two ports under the same requests, in pairs. */
export async function loadBoth(
  generator: Worker,
  ports: { ours: number; other: number },
  requests: { ours: readonly Request[]; other: readonly Request[] },
): Promise<Pair<Load>[]> {
  const side = async (name: "ours" | "other") => {
    const port = ports[name];
    const [first] = requests[name];
    if (first === undefined) throw new Error("there is nothing to ask");
    const { status } = await capture(port, first);
    const bytes = requests[name].map((request) => bytesOf(port, request));
    const job: Job = { port, requests: bytes, connections: CONNECTIONS, duration: DURATION };
    return async () => {
      const load = await generator.ask<Load>(job);
      const others = Object.keys(load.statuses).filter((found) => found !== String(status));
      if (others.length > 0) throw new Error(`${name} answered ${others}, not ${status}, to ${first.path}`);
      return load;
    };
  };
  return inPairs({ ours: await side("ours"), other: await side("other") });
}

/** Compares each case with a bare server that sends the same status, headers and bytes. */
export async function* againstBare(bench: string, port: number, cases: readonly Case[]): AsyncGenerator<Row> {
  await using generator = startGenerator();
  for (const { case: name, requests, bar, p99, status = 200 } of cases) {
    await using bare = startWorker(new URL("bare.ts", import.meta.url));
    const answers = [];
    for (const request of requests) {
      const answer = await capture(port, request);
      if (answer.status !== status)
        throw new Error(`${request.path} is answered ${answer.status}, not ${status}`);
      answers.push(answer);
    }
    const ports = { ours: port, other: await bare.ask<number>(answers) };
    const pairs = await loadBoth(generator, ports, { ours: requests, other: requests });
    const about = { bench, case: name, against: "bare node:http, same bytes" };
    yield rateRow({ ...about, bar }, pairs);
    if (p99 === undefined) continue;
    const late = pairs.map(({ ours, other }) => ({ ours: ours.p99, other: other.p99 }));
    yield rowOf({ ...about, case: `${name}: p99`, unit: "ms", bar: p99 }, late);
  }
}

export function rateRow(
  about: Pick<Row, "bench" | "case" | "against" | "bar">,
  pairs: readonly Pair<Load>[],
): Row {
  const rates = pairs.map(({ ours, other }) => ({ ours: ours.rate, other: other.rate }));
  return rowOf({ ...about, unit: "answers/s" }, rates);
}

export function startGenerator(): Worker {
  return startWorker(new URL("generator.ts", import.meta.url));
}
