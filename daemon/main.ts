/**
 * The daemon: checks everything, then runs the indexer until it is told to stop.
 *
 *     npm start [-- --check | --help]
 * @module
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadEnvFile } from "node:process";
import {
  formatProblems,
  type Problem,
  readSettings,
  type Settings,
  SettingsError,
} from "../config/environment.ts";
import { createLog, type Log } from "../config/log.ts";
import { rememberChain } from "./chain-identity.ts";
import { startIndexer } from "./indexer.ts";
import { preflight } from "./preflight.ts";
import { supervise } from "./supervise.ts";
import { USAGE } from "./usage.ts";

const OPTIONS = ["--check", "--help"];

async function main(options: readonly string[]): Promise<number> {
  const unknown = options.find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined) {
    process.stderr.write(`Unknown option ${JSON.stringify(unknown)}.\n\n${USAGE}`);
    return 2;
  }
  if (options.includes("--help")) {
    process.stdout.write(USAGE);
    return 0;
  }
  // Ponder reads .env.local alone. What is set already wins, then the first file that sets it.
  for (const file of [".env.local", ".env"]) if (existsSync(file)) loadEnvFile(file);
  const settings = readSettings(process.env);
  const log = createLog({ format: settings.logFormat, level: settings.logLevel });
  const { problems, node } = await preflight(settings, { log });
  if (problems.length > 0 || node === null) {
    report(problems, settings, log);
    return 1;
  }
  if (options.includes("--check")) {
    log.info({ msg: "Everything checked, nothing wrong" });
    return 0;
  }
  await rememberChain(settings, node);
  const folder = await mkdtemp(join(tmpdir(), "raisebook-"));
  const env = { RAISEBOOK_LAST_GOOD_REGISTRY: join(folder, "registry.json") };
  try {
    return await supervise({ start: () => startIndexer({ settings, env }), log, signal: stopRequest(log) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Aborts on the first SIGINT or SIGTERM. Later ones change nothing: the indexer has its time to end. */
function stopRequest(log: Log): AbortSignal {
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (stopping.signal.aborted) return;
      log.info({ msg: "Stopping", signal: name });
      stopping.abort();
    });
  }
  return stopping.signal;
}

function report(problems: readonly Problem[], { logFormat }: Settings, log: Log): void {
  if (logFormat === "pretty") process.stderr.write(`${formatProblems(problems)}\n`);
  else for (const problem of problems) log.error({ msg: "The configuration cannot be used", ...problem });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\nnpm start -- --help lists every variable.\n`);
  process.exitCode = 1;
}
