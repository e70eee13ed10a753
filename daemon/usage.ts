/**
 * The text of `npm start -- --help`.
 * @module
 */
import { VARIABLE_NAMES, VARIABLES } from "../config/variables.ts";

const WIDEST_NAME = Math.max(...VARIABLE_NAMES.map((name) => name.length));

const variables = VARIABLE_NAMES.map((name) => {
  const { about, fallback } = VARIABLES[name];
  return `  ${name.padEnd(WIDEST_NAME)}  ${about}\n  ${"".padEnd(WIDEST_NAME)}  default: ${fallback}`;
}).join("\n");

export const USAGE = `Raisebook: indexes the escrows of a fundraising marketplace and serves its public read interface.

Usage: npm start [-- --check | --help]

  --check   validate settings, registry, ports, database, nodes and contracts, estimate the calls of a first indexing
            and of each day after it, and exit without starting
  --help    show this text

Environment (also read from .env.local and .env in the working directory; variables that are already set win):
${variables}

Exit codes:
  0   stopped on request (SIGINT, SIGTERM or SIGHUP), or --check passed (perhaps with warnings)
  1   the configuration is unusable (each problem is printed), or the indexer gave up for good
  2   unknown option
  other codes are the indexer's own: it was restarted several times and failed each time
`;
