/**
 * The texts of `npm start -- --help` and `npm run serve -- --help`.
 * @module
 */
import { VARIABLE_NAMES, VARIABLES } from "../config/variables.ts";

const WIDEST_NAME = Math.max(...VARIABLE_NAMES.map((name) => name.length));

const variables = VARIABLE_NAMES.map((name) => {
  const { about, fallback } = VARIABLES[name];
  return `  ${name.padEnd(WIDEST_NAME)}  ${about}\n  ${"".padEnd(WIDEST_NAME)}  default: ${fallback}`;
}).join("\n");

export const USAGE = `Raisebook: indexes the escrows of a fundraising marketplace and serves its public read interface.

Usage: npm start [-- --check | --processes N | --help]

  --check        validate settings, registry, ports, database, nodes and contracts, estimate the calls of a first
                 indexing and of each day after it, and exit without starting
  --processes N  with DATABASE_URL: number of processes that answer, all on PORT (default 1)
  --help         show this text

Environment (also read from .env.local and .env in the working directory; variables that are already set win):
${variables}

Exit codes:
  0   stopped on request (SIGINT, SIGTERM or SIGHUP), or --check passed (perhaps with warnings)
  1   the configuration is unusable (each problem is printed), or the indexer gave up for good
  2   unknown option
  other codes are the indexer's own: it was restarted several times and failed each time
`;

export const SERVE_USAGE = `A reader of Raisebook: serves the public read interface from PostgreSQL (DATABASE_URL), without indexing.

Usage: npm run serve [-- --processes N | --help]

  --processes N  number of processes, all on PORT (default 1)
  --help         show this text

npm start with DATABASE_URL runs one beside the indexer. This is for more of them: with the settings of the indexer,
on another port or another machine. kill -USR2 of a process makes it compare its market with all rows of the tables.
The settings are those of npm start (from the environment, .env.local and .env).

Exit codes:
  0   stopped on request (SIGINT, SIGTERM or SIGHUP)
  1   the configuration is unusable
  2   unknown option
`;
