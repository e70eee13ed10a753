/**
 * What `npm start -- --help` prints.
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

  --check   validate settings, registry, port, database, nodes and contracts, tell what a first indexing and a day take,
            then exit without starting
  --help    show this text

Environment (also read from .env.local and .env in the working directory; what is set already wins):
${variables}

Exit codes:
  0   stopped on request (SIGINT, SIGTERM or SIGHUP), or --check found nothing wrong (it may warn)
  1   something of the configuration cannot be used (each problem is printed), or the indexer refused to go on
  2   unknown option
  other codes are the indexer's own: it was started again several times and failed each time
`;
