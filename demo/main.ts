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
  const ports = [
    { port: options.port, owner: "the API", option: "--port" },
    { port: defaultOperatorPort(options.port), owner: "the operator", option: "--port" },
    { port: options.rpcPort, owner: "the chain", option: "--rpc-port" },
    { port: options.appPort, owner: "the stand-in for the app", option: "--app-port" },
  ];
  const problems = (await Promise.all(ports.map(portProblem))).filter((problem) => problem !== null);
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

/** A port, its user, and the option for another one. */
type WantedPort = { readonly port: number; readonly owner: string; readonly option: string };

/** A sentence for an unavailable port. */
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
