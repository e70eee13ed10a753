/**
 * The demo's command: `npm run demo`.
 * @module
 */
import { defaultOperatorPort } from "../config/environment.ts";
import { readOptions } from "../operate/cli/demo-options.ts";
import { listenOnce } from "../operate/daemon/check-port.ts";
import { stopRequest } from "../operate/daemon/stop-request.ts";
import { HOST } from "./chain.ts";
import { runDemo } from "./run.ts";

async function main(): Promise<number> {
  const options = readOptions();
  const problems = await busyPorts([
    { port: options.port, owner: "the API", option: "--port" },
    { port: defaultOperatorPort(options.port), owner: "the operator", option: "--port" },
    { port: options.rpcPort, owner: "the chain", option: "--rpc-port" },
    { port: options.appPort, owner: "the stand-in for the app", option: "--app-port" },
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
    process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

type WantedPort = {
  readonly port: number;
  /** Its user, for the message. */
  readonly owner: string;
  /** The option for another port. */
  readonly option: string;
};

/** A sentence for each unavailable port. */
async function busyPorts(wanted: readonly WantedPort[]): Promise<string[]> {
  const sentences = await Promise.all(wanted.map(portProblem));
  return sentences.filter((sentence) => sentence !== null);
}

async function portProblem({ port, owner, option }: WantedPort): Promise<string | null> {
  const code = await listenOnce(HOST, port);
  if (code === null) return null;
  const another = `choose another with ${option} (for example ${option} ${port < 65_535 ? port + 1 : port - 1})`;
  if (code === "EADDRINUSE")
    return `Port ${port} of ${owner} is in use on ${HOST}: stop what listens there, or ${another}.`;
  if (code === "EACCES") return `Port ${port} of ${owner} needs another account: ${another}.`;
  return `Port ${port} of ${owner} cannot be used (${code}): ${another}.`;
}

// Pending calls to a stopped chain must not delay the end.
process.exit(await main());
