/**
 * A large registry at each kind of source: what loading takes, polls without news and one changed entry, and how much memory an entry
 * takes in the process of a reader, of which each loads its own. The variable ENTRIES changes the size, SOURCES names some of file, url,
 * folder and table.
 * @module
 */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../test/harness/postgres.ts";
import { RUNS, soloRow } from "./harness/pairs.ts";
import type { Question, Told } from "./harness/registry-store.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startWorker } from "./harness/worker.ts";
import { entryOf, publicIdOf, type Shape, shapeOf } from "./million/shape.ts";
import { atUrl, inFile, inFolder, inTable, middleOf, type Source } from "./registry/sources.ts";

const isAsked = (source: string) => (process.env.SOURCES ?? source).split(",").includes(source);
const ENTRIES = Number(process.env.ENTRIES ?? 100_000);
/** Real folders have fewer files. */
const MOST_FILES = 100_000;
/** Entries whose text is measured. */
const SAMPLE = 1_000;

export async function* registry(stage: Stage): AsyncGenerator<Row> {
  await stage.startPostgres();
  const shape = shapeOf(ENTRIES);
  const database = await startPostgres();
  const folder = await mkdtemp(join(tmpdir(), "raisebook-registry-"));
  try {
    if (isAsked("file")) yield* measure(shape, await inFile(shape, folder), folder);
    if (isAsked("url")) yield* measure(shape, await atUrl(shape, folder), folder);
    if (isAsked("folder") && ENTRIES <= MOST_FILES)
      yield* measure(shape, await inFolder(shape, folder), folder);
    if (isAsked("table")) yield* measure(shape, await inTable(shape, database.connectionString), folder);
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const STORE = new URL("harness/registry-store.ts", import.meta.url);

async function* measure(shape: Shape, source: Source, folder: string): AsyncGenerator<Row> {
  await using worker = startWorker(STORE);
  const ask = (question: Question) => worker.ask<Told>(question);
  const publicId = publicIdOf(middleOf(shape));
  const size = `${shape.raises.toLocaleString("en")} entries in a ${source.kind}`;
  const row = (name: string, values: readonly number[], unit: string, bar = "reported") =>
    soloRow({ bench: "registry", case: `${size}, ${name}`, unit, bar }, values);
  const text = textOf(shape);
  const beyondText = ({ kept }: Told) => kept / shape.raises - text;

  const loaded = await ask({ load: source.registry });
  yield row("loaded and validated", [loaded.spent], "ms");
  yield row("the same, processor time", [loaded.busy], "ms");
  const name = `an entry beyond its ${Math.round(text)} bytes of text`;
  yield row(name, [beyondText(loaded)], "bytes", "≤ 400 bytes");
  yield row("resident memory", [loaded.resident], "MB");
  yield* laterStarts(join(folder, `${source.kind}.saved`), source, row);
  const polls: number[] = [];
  for (let run = 0; run < RUNS; run += 1) polls.push((await ask({ poll: publicId })).spent);
  yield row("a poll without news", polls, "ms");
  if (source.touch !== null) {
    await source.touch();
    yield row(
      "a poll after the same was written again",
      [(await ask({ poll: publicId })).busy],
      "ms of a core",
    );
  }
  const changes: Told[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const title = `Title ${run}`;
    await source.change(title);
    const told = await ask({ poll: publicId });
    if (told.title !== title) throw new Error(`the title is ${told.title}, not ${title}`);
    changes.push(told);
  }
  const spent = changes.map((told) => told.spent);
  yield row("one of them changed", spent, "ms", shape.raises <= 100_000 ? "≤ 2,000 ms" : "reported");
  const busy = changes.map((told) => told.busy);
  yield row("the same, processor time", busy, "ms");
  const last = changes.at(-1);
  if (last !== undefined) yield row(`${name}, after the changes`, [beyondText(last)], "bytes", "≤ 400 bytes");
}

type MakeRow = (name: string, values: readonly number[], unit: string, bar?: string) => Row;

/** Later processes, one after another: what they take until the registry is in use. */
async function* laterStarts(saved: string, source: Source, row: MakeRow): AsyncGenerator<Row> {
  // A short registry is not saved.
  if (ENTRIES <= 5_000) return;
  {
    await using first = startWorker(STORE);
    await first.ask<Told>({ load: source.registry, saved });
    while (!(await stat(saved).catch(() => null))) await sleep(100);
  }
  const starts: Told[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await using worker = startWorker(STORE);
    starts.push(await worker.ask<Told>({ load: source.registry, saved }));
  }
  yield row(
    "a later start, from the saved file",
    starts.map(({ spent }) => spent),
    "ms",
  );
  yield row(
    "the same, processor time",
    starts.map(({ busy }) => busy),
    "ms",
  );
}

/** Bytes of an entry's text, as it is written. */
function textOf(shape: Shape): number {
  let bytes = 0;
  for (let index = 0; index < SAMPLE; index += 1)
    bytes += Buffer.byteLength(JSON.stringify(entryOf(shape, Math.floor((index * shape.raises) / SAMPLE))));
  return bytes / SAMPLE;
}
