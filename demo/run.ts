/** @module Runs the demo: chain, market, service and live market, and ends all of them in order. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DemoOptions } from "../operate/cli/demo-options.ts";
import { HOST } from "./chain.ts";
import { playExample } from "./contracts/example.ts";
import { EXAMPLES } from "./contracts/examples.ts";
import { live, standStill } from "./living/live.ts";
import { playDemoMarket, startDemoChain } from "./market/play.ts";
import { mine } from "./market/player.ts";
import { registryFileIn } from "./market/registry.ts";
import { startService } from "./service.ts";
import { createStageDisplay } from "./stage-display.ts";
import { startStandIn } from "./stand-in.ts";
import { welcome } from "./welcome.ts";

export type RunParameters = {
  readonly options: DemoOptions;
  readonly output: NodeJS.WriteStream;
  /** Aborts on a request to end the demo. */
  readonly signal: AbortSignal;
};

type Closer = () => Promise<unknown>;

/** Milliseconds for running work to notice the end. */
const LONGEST_END = 3_000;

/** Resolves after the signal, when every child has ended. @throws if the demo cannot start or fails */
export async function runDemo(parameters: RunParameters): Promise<void> {
  const { signal, output } = parameters;
  const closers: Closer[] = [];
  const directory = await mkdtemp(join(tmpdir(), "raisebook-demo-"));
  const stopped = signal.aborted ? Promise.resolve() : once(signal, "abort");
  // On a terminal Ctrl-C reaches the children too, and calls to them may fail before our own signal arrives.
  const outcome = prepareAndPlay(parameters, directory, closers).catch(async (error: unknown) => {
    await Promise.race([stopped, sleep(500)]);
    if (!signal.aborted) throw error;
  });
  try {
    await Promise.race([stopped, outcome]);
  } finally {
    if (signal.aborted) output.write("\nStopping …\n");
    try {
      await closeAll(closers);
    } finally {
      // Work that has no closer yet fails at its next call; waiting for a receipt would take longer.
      await Promise.race([outcome.catch(() => {}), sleep(LONGEST_END)]);
      await closeAll(closers);
      await rm(directory, { recursive: true, force: true });
    }
  }
}

async function prepareAndPlay(
  { options, output, signal }: RunParameters,
  directory: string,
  closers: Closer[],
): Promise<void> {
  const { port, rpcPort, appPort, seed, still, contracts } = options;
  const startedAt = performance.now();
  const display = createStageDisplay(output);
  closers.push(async () => display.end());
  display.begin("Starting a chain");
  const now = wallClock();
  signal.throwIfAborted();
  const starting = startDemoChain({ end: now, port: rpcPort });
  closers.push(async () => (await starting.catch(() => null))?.stop());
  const chain = await starting;

  display.begin("Playing two years");
  const played = { seed, now, onProgress: display.update };
  const market =
    contracts === undefined
      ? await playDemoMarket(chain, played)
      : await playExample(EXAMPLES[contracts], chain, played);
  // Playing took a while: the chain's clock catches up with ours.
  await mine(chain, wallClock());

  display.begin("Starting the indexer");
  const registryFile = registryFileIn(directory);
  await registryFile.write(market.registry);
  const app = await startStandIn({ port: appPort, siteUrl: `http://${HOST}:${port}` });
  closers.push(app.stop);
  signal.throwIfAborted();
  const { rpcUrl } = chain;
  const service = startService({
    ...{ market, port, rpcUrl, registryPath: registryFile.path, appUrl: app.url },
    dataDir: join(directory, "data"),
  });
  closers.push(service.stop);
  await service.ready(display.update);
  display.update(1, 1);
  display.end();

  signal.throwIfAborted();
  const seconds = (performance.now() - startedAt) / 1000;
  const { url, operatorUrl } = service;
  const urls = { url, operatorUrl, appUrl: app.url, rpcUrl };
  output.write(welcome({ options, market, ...urls, seconds }));
  const print = (line: string) => output.write(`${line}\n`);
  const playing = still
    ? standStill({ chain, signal })
    : live({ chain, market, seed, print, publish: registryFile.write, signal });
  await Promise.race([playing, service.failed]);
}

/** In reverse order of start. @throws the first failure, after all have been closed */
async function closeAll(closers: Closer[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.splice(0).toReversed())
    await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Unix seconds. */
function wallClock(): number {
  return Math.floor(Date.now() / 1000);
}
