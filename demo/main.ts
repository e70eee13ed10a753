/** @module The demo's command: `npm run demo`. */
import { defaultOperatorPort } from "../config/environment.ts";
import { readOptions } from "../operate/cli/demo-options.ts";
import { listenOnce } from "../operate/daemon/check-port.ts";
import { stopRequest } from "../operate/daemon/stop-request.ts";
import { HOST } from "./chain.ts";
import { runDemo } from "./run.ts";

/** Distance from a port that is taken to the one that is suggested. */
const STEP = 10;

async function main(): Promise<number> {
  const options = readOptions();
  const { port, rpcPort, appPort } = options;
  const ports: WantedPort[] = [
    { port, owner: "the API", option: "--port", from: port },
    { port: defaultOperatorPort(port), owner: "the operator", option: "--port", from: port },
    { port: rpcPort, owner: "the chain", option: "--rpc-port", from: rpcPort },
    { port: appPort, owner: "the stand-in for the app", option: "--app-port", from: appPort },
  ];
  const problems: string[] = [];
  // One after another: looking for a free port takes it for a moment.
  for (const wanted of ports) {
    const problem = await portProblem(wanted);
    if (problem !== null) problems.push(problem);
  }
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

/** A port, its user, and the option for another one, whose value is `from`. */
type WantedPort = Readonly<{ port: number; owner: string; option: string; from: number }>;

/** A sentence for an unavailable port. */
async function portProblem({ port, owner, option, from }: WantedPort): Promise<string | null> {
  const code = await listenOnce(HOST, port);
  if (code === null) return null;
  const another = `choose another with ${option} (for example ${option} ${await freeFrom(from)})`;
  if (code === "EADDRINUSE")
    return `Port ${port} of ${owner} is in use on ${HOST}: stop what listens there, or ${another}.`;
  if (code === "EACCES") return `Port ${port} of ${owner} needs another account: ${another}.`;
  return `Port ${port} of ${owner} cannot be used (${code}): ${another}.`;
}

/** A free port at some distance, whose successor is free as well: the operator's port follows that of the API. */
async function freeFrom(port: number): Promise<number> {
  const isFree = async (one: number) => (await listenOnce(HOST, one)) === null;
  for (let other = port + STEP; other + 1 < 65_536; other += STEP)
    if ((await isFree(other)) && (await isFree(defaultOperatorPort(other)))) return other;
  return port - STEP;
}

// Pending calls to a stopped chain must not delay the end.
process.exit(await main());
