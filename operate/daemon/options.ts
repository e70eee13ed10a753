/** @module The command lines of the daemon, its readers and the pruning of schemas. */
import { commandWithSettings, SETTINGS_TEXT, wholeNumber } from "../../config/command.ts";
import { VARIABLE_NAMES, VARIABLES } from "../../config/variables.ts";

const MOST_PROCESSES = 64;
const STOPPED = "stopped on request (SIGINT, SIGTERM or SIGHUP)";

const WIDEST_NAME = Math.max(...VARIABLE_NAMES.map((name) => name.length));

const variables = VARIABLE_NAMES.map((name) => {
  const { about, fallback } = VARIABLES[name];
  return `  ${name.padEnd(WIDEST_NAME)}  ${about}\n  ${"".padEnd(WIDEST_NAME)}  default: ${fallback}`;
}).join("\n");

export const startCommand = () =>
  commandWithSettings(
    "raisebook start",
    "Indexes the escrows of a fundraising marketplace, and serves its public read interface (npm start).",
    {
      more: `A second start over the same PostgreSQL (DATABASE_URL), with the same settings, stands by: it answers, and indexes when
the first one is gone (docs/operations/deploying.md).

Environment (also read from --env-file, then .env.local and .env here; variables that are already set win):
${variables}`,
      exitCodes: {
        0: `${STOPPED}, or --check passed (perhaps with warnings)`,
        1: "the configuration is unusable or not that of the start that indexes, or the indexer gave up",
        other: "the indexer's own: it was restarted several times and failed each time",
      },
    },
  )
    .option(
      "--check",
      "validate settings, registry, ports, database, nodes and contracts, estimate the calls of a first indexing and of each day after it, and exit without starting",
    )
    .option(
      "--processes <N>",
      "with DATABASE_URL: number of processes that answer, all on PORT (default: 1)",
      wholeNumber(1, MOST_PROCESSES),
    );

export const serveCommand = () =>
  commandWithSettings(
    "raisebook serve",
    "A reader: serves the public read interface from PostgreSQL (DATABASE_URL), without indexing (npm run serve).",
    {
      more: `raisebook start with DATABASE_URL runs one with the indexer. This is for more of them: with the settings of the
indexer, on another port or another machine. kill -USR2 of a process makes it compare its market with all rows of the
tables.
${SETTINGS_TEXT}`,
      exitCodes: { 0: STOPPED, 1: "the configuration is unusable" },
    },
  ).option(
    "--processes <N>",
    "number of processes, all on PORT (default: 1)",
    wholeNumber(1, MOST_PROCESSES),
  );

export const statusCommand = () =>
  commandWithSettings(
    "raisebook db status",
    "Shows what is in the database: tables, how far they are, their size.",
    {
      more: `This command only reads. For the embedded database (no DATABASE_URL), it shows only the directory and the process that uses
it, because only one process can open that database at a time. ${SETTINGS_TEXT}`,
      exitCodes: { 0: "the database was read", 1: "it cannot be read, or the configuration is unusable" },
    },
  ).option("--json", "print it as JSON");

export const pruneCommand = () =>
  commandWithSettings(
    "raisebook db prune",
    "Drops the PostgreSQL schemas (DATABASE_URL) of earlier code and earlier contracts (npm run db:prune).",
    {
      more: `It keeps the current schema, schemas in use, those of another service (another PUBLIC_URL or chain), those named by
DATABASE_SCHEMA, the RPC cache (ponder_sync), and everything of other applications.
${SETTINGS_TEXT}`,
      exitCodes: {
        0: "all old schemas were dropped, or there were none",
        1: "some were not dropped: not confirmed, or impossible",
      },
    },
  )
    .option("--yes", "drop them without asking")
    .option(
      "--start-over",
      "drop the current schema, too, and what the RPC cache has of the chain: after a reorganisation deeper than what is taken for final, or when in doubt; the next start indexes again. Other services of that chain in this database have to start over too",
    );
