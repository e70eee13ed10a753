/** @module Ports of 127.0.0.1 that nothing listens on. */
import { createServer, type Server } from "node:net";

/** Below the ports that the system gives to outgoing connections: one of these could take a port before its server does. */
const FIRST = 11_000;
const BLOCKS = 70;
/** A service, its operator's server and its metrics. */
const STEP = 3;
const TRIPLES = 100;
const BLOCK_SIZE = 1 + STEP * TRIPLES;

/**
 * Each process has a block of ports to itself: between the moment a port is found free and the moment its server listens, a
 * worker of another run could take it. Listening on the block's first port is the claim, which ends with the process.
 */
let claimed: Promise<number> | undefined;
/** Not always the same first one: the servers of the previous file may need a moment to release their ports. */
let next = STEP * Math.floor(Math.random() * TRIPLES);

/** A port that is free together with the two above it, where the operator's server and the metrics are unless told otherwise. */
export async function freePort(): Promise<number> {
  claimed ??= claimBlock();
  const first = await claimed;
  for (let tries = 0; tries < TRIPLES; tries++) {
    const port = first + next;
    next = (next + STEP) % (STEP * TRIPLES);
    if ((await isFree(port)) && (await isFree(port + 1)) && (await isFree(port + 2))) return port;
  }
  throw new Error(`none of the ports from ${first} to ${first + STEP * TRIPLES - 1} is free`);
}

async function claimBlock(): Promise<number> {
  const start = Math.floor(Math.random() * BLOCKS);
  for (let tries = 0; tries < BLOCKS; tries++) {
    const first = FIRST + ((start + tries) % BLOCKS) * BLOCK_SIZE;
    const claim = await listen(first);
    if (claim === null) continue;
    claim.unref();
    return first + 1;
  }
  throw new Error("all blocks of ports are in use");
}

async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (server === null) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** Null if the port is in use. */
function listen(port: number): Promise<Server | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
