/**
 * The demo: `npm run demo`. See `options.ts` for what can be chosen.
 * @module
 */
import { defaultOperatorPort } from "../config/environment.ts";
import { stopRequest } from "../daemon/stop-request.ts";
import { OptionError, readOptions, USAGE } from "./options.ts";
import { busyPorts } from "./ports.ts";
import { runDemo } from "./run.ts";

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const problems = await busyPorts([
    { port: options.port, what: "the API", option: "--port" },
    { port: defaultOperatorPort(options.port), what: "the operator", option: "--port" },
    { port: options.rpcPort, what: "the chain", option: "--rpc-port" },
    { port: options.appPort, what: "the stand-in for the app", option: "--app-port" },
  ]);
  if (problems.length > 0) {
    process.stderr.write(`${problems.join("\n")}\n`);
    return 1;
  }
  const signal = stopRequest(() => {});
  try {
    await runDemo({ options, output: process.stdout, signal });
    return 0;
  } catch (error) {
    process.stderr.write(`\nThe demo broke: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

try {
  // Whatever still waits for an answer of a chain that is gone must not hold the end up.
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  process.stderr.write(`${error.message}\n\n${USAGE}`);
  process.exit(2);
}
