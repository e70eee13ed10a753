/**
 * Ports of 127.0.0.1 that nothing listens on.
 * @module
 */
import { createHash } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that the system gives to outgoing connections: one of these could take a port before its server does. */
const FIRST = 11_000;
const OF_A_WORKER = 1_500;
const BLOCKS = 14;

/** Two clones that run tests at once start in different blocks, most likely. */
const clone = createHash("sha256").update(process.cwd()).digest().readUInt32BE();
const first = FIRST + ((clone + Number(process.env.VITEST_POOL_ID ?? 0)) % BLOCKS) * OF_A_WORKER;
/** Not always from the same one: what the file before has ended may take a moment to let go of its ports. */
let next = 3 * Math.floor((Math.random() * OF_A_WORKER) / 3);

/** A port that is free together with the two above it, where the operator's server and the metrics are unless told otherwise. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < OF_A_WORKER / 3; tries++) {
    const port = first + next;
    next = (next + 3) % OF_A_WORKER;
    if ((await isFree(port)) && (await isFree(port + 1)) && (await isFree(port + 2))) return port;
  }
  throw new Error("no free port");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
