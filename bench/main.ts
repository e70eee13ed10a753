/** @module The benches' command: `npm run bench`. */
import { writeFileSync } from "node:fs";
import { Argument, Option } from "@commander-js/extra-typings";
import { commandOf, wholeNumber } from "../config/command.ts";
import { backfill, backfillMillion, backfillModule, backfillProven } from "./backfill.ts";
import { block } from "./block.ts";
import { book } from "./book.ts";
import { command as npmStart } from "./command.ts";
import { data } from "./data.ts";
import { dataQuery } from "./data-query.ts";
import { events } from "./events.ts";
import { faces } from "./faces.ts";
import { final } from "./final.ts";
import { followers } from "./followers.ts";
import { fullList } from "./full-list.ts";
import { graphql } from "./graphql.ts";
import { type Environment, environment, formatTable, type Row } from "./harness/report.ts";
import { createStage, type Stage } from "./harness/stage.ts";
import { hono } from "./hono.ts";
import { idle } from "./idle.ts";
import { live } from "./live.ts";
import { loop } from "./loop.ts";
import { mcp } from "./mcp.ts";
import { million } from "./million.ts";
import { page } from "./page.ts";
import { read } from "./read.ts";
import { readEmbedded } from "./read-embedded.ts";
import { readVs } from "./read-vs.ts";
import { registry } from "./registry.ts";
import { series } from "./series.ts";
import { shift } from "./shift.ts";
import { site } from "./site.ts";
import { standby } from "./standby.ts";
import { start } from "./start.ts";
import { whileBackfilling } from "./while-backfilling.ts";

type Options = { raises: number; followers?: number | undefined };
type Bench = { about: string; run(stage: Stage, options: Options): AsyncIterable<Row> };

const BENCHES: Readonly<Record<string, Bench>> = {
  read: { about: "one listing, full lists and 304, against a bare server with the same bytes", run: read },
  "full-list": {
    about:
      "the full list of 20,000 listings (LISTINGS), streamed, against a bare server that streams the same file",
    run: fullList,
  },
  page: { about: "pages of a list of 10,000 listings", run: page },
  events: { about: "the first and the thousandth page of a ledger of 1,000,000 events", run: events },
  site: { about: "the board and the page of a raise, in HTML", run: site },
  hono: { about: "answers that are made for the request", run: hono },
  "read-embedded": {
    about: "reads of the demo, in the indexer's process, against a bare server",
    run: readEmbedded,
  },
  "read-vs": { about: "a page of listings, against other ways to serve it", run: readVs },
  mcp: { about: "calls of a tool, against an empty one", run: mcp },
  graphql: { about: "a page in GraphQL, against a constant", run: graphql },
  faces: {
    about:
      "every face right after a block with one change, with 100,000 raises against 10,000, 1,000 alive in both",
    run: () => faces(),
  },
  series: { about: "series and cohorts of 20,000 raises and a million events, in memory", run: series },
  block: { about: "blocks that change 0, 1 and 100 of many listings", run: block },
  backfill: {
    about: "100,000 events, against plain Ponder and plain fetching; RUNS pairs, 1 by default",
    run: backfill,
  },
  "backfill-module": {
    about: "100,000 events through a contracts module, against the built-in one; RUNS pairs, 1 by default",
    run: backfillModule,
  },
  "backfill-proven": {
    about: "100,000 events with proven blocks, against unproven ones: time, calls and bytes",
    run: backfillProven,
  },
  "backfill-1m": { about: "a million events, against a hundred thousand", run: backfillMillion },
  command: {
    about:
      "npm start until it is ready, against plain Ponder, and with one node named fifty times; RUNS pairs, 1 by default",
    run: npmStart,
  },
  "while-backfilling": {
    about: "a reader's answers during a backfill on the same machine",
    run: whileBackfilling,
  },
  start: {
    about: "a reader, an indexer against plain Ponder, and the demo until they are ready",
    run: start,
  },
  standby: {
    about: "from the end of the indexing machine to the next block of the other one; TRIES, 9 by default",
    run: standby,
  },
  idle: { about: "processor time of a reader and of the demo without requests", run: idle },
  loop: { about: "how long our code keeps the indexer's event loop busy while the demo lives", run: loop },
  followers: {
    about: "reads of a reader with 10,000 followers (--followers), and of one without any",
    run: followers,
  },
  registry: {
    about: "a registry of 100,000 entries (ENTRIES) at each kind of source: loading, polls, a change, memory",
    run: registry,
  },
  million: {
    about:
      "a market in Kiva's shape of a million raises (--raises): its indexing, a reader's memory, start, blocks and answers",
    run: million,
  },
  data: {
    about: "the open data of a million events (EVENTS): size, core time, and reads in the same process",
    run: data,
  },
  book: {
    about: "the root of a book of 300,000 events (EVENTS): memory and time of the first read",
    run: book,
  },
  "data-query": {
    about:
      "queries of these open data (EVENTS) and of 20,000 raises, fetched over HTTP, from nothing to the answer",
    run: dataQuery,
  },
  final: { about: "from a mined event to an answer that calls it final", run: final },
  live: { about: "from a mined event to an answer that has it, idle and under load", run: live },
  shift: { about: "what moves by itself on the board of the living demo in five minutes", run: shift },
};

const command = commandOf(
  "raisebook bench",
  "The benches of Raisebook: each figure against a reference that runs in turn with it, on loopback (npm run bench).",
  { more: `Benches:\n${list()}`, exitCodes: { 0: "all have run", 1: "one failed" } },
)
  .addArgument(new Argument("[name...]", "without a name all of them run").choices(Object.keys(BENCHES)))
  .option("--followers <number>", "followers in the bench of that name", wholeNumber(1, 999_999))
  .option("--json <file>", "write the results to a file as well")
  .addOption(
    new Option("--raises <number>", "the size of the bench million")
      .choices(["1000", "10000", "100000", "1000000"])
      .default("1000000"),
  );

function list(): string {
  const width = Math.max(...Object.keys(BENCHES).map((name) => name.length));
  return Object.entries(BENCHES)
    .map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`)
    .join("\n");
}

async function run(
  names: readonly string[],
  { json, ...options }: Options & { json?: string | undefined },
): Promise<number> {
  const rows: Row[] = [];
  const failures: string[] = [];
  const before = environment();
  await using stage = createStage();
  for (const name of names) {
    try {
      for await (const row of BENCHES[name]?.run(stage, options) ?? []) {
        rows.push(row);
        process.stderr.write(`${name}: ${describe(row)}\n`);
      }
    } catch (error) {
      failures.push(name);
      process.stderr.write(`${name} failed: ${error instanceof Error ? error.stack : error}\n`);
    }
  }
  const about: Environment = { ...before, postgres: stage.postgresVersion() ?? "not used" };
  process.stdout.write(`\n${formatTable(rows)}\n${JSON.stringify(about)}\n`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ ...about, rows }, null, 2)}\n`);
  return failures.length > 0 ? 1 : 0;
}

/** A row while others are yet to come. */
function describe({ case: name, ours, unit, ratio }: Row): string {
  const beside = Number.isNaN(ratio) ? "" : `, ratio ${ratio.toPrecision(3)}`;
  return `${name}: ${ours.toPrecision(4)} ${unit}${beside}`;
}

command.parse();
const [names] = command.processedArgs;
const wanted = names.length > 0 ? [...new Set(names)] : Object.keys(BENCHES);
// Servers of this process would keep it alive.
const { json, raises, ...options } = command.opts();
process.exit(await run(wanted, { json, ...options, raises: Number(raises) }));
