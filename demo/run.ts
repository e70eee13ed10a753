/**
 * The demo from its first child to its last: chain, market, service, living part, and the end of all of them.
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChain } from "./chain.ts";
import { live, standStill } from "./living/live.ts";
import { genesisOf } from "./market/plan.ts";
import { ACCOUNT_COUNT, playDemoMarket } from "./market/play.ts";
import { mine } from "./market/player.ts";
import type { DemoOptions } from "./options.ts";
import { HOST } from "./ports.ts";
import { createProgress } from "./progress.ts";
import { registryFileIn } from "./registry-file.ts";
import { startService } from "./service.ts";
import { startStandIn } from "./stand-in.ts";
import { welcome } from "./welcome.ts";

export type RunParameters = {
  readonly options: DemoOptions;
  readonly output: NodeJS.WriteStream;
  /** Aborts when somebody asks the demo to end. */
  readonly signal: AbortSignal;
};

/** Enough for any reorg that the indexer follows; the demo may run for days and must not fill memory or disk. */
const KEPT_STATES = 200;

type Closer = () => Promise<unknown>;

/** Resolves after the signal, when every child is gone. @throws when the demo cannot start or breaks */
export async function runDemo(parameters: RunParameters): Promise<void> {
  const { signal, output } = parameters;
  const closers: Closer[] = [];
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  const running = perform(parameters, closers);
  // On a terminal Ctrl-C reaches the children too, and what they leave undone may fail before we hear of it.
  const outcome = running.catch(async (error: unknown) => {
    await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 500))]);
    if (!signal.aborted) throw error;
  });
  try {
    await Promise.race([stopped, outcome]);
  } finally {
    if (signal.aborted) output.write("\nStopping …\n");
    await closeAll(closers);
  }
}

async function perform({ options, output, signal }: RunParameters, closers: Closer[]): Promise<void> {
  const { port, rpcPort, appPort, seed, still } = options;
  const startedAt = performance.now();
  const progress = createProgress(output);
  closers.push(async () => progress.end());
  const directory = await mkdtemp(join(tmpdir(), "raisebook-demo-"));
  closers.push(() => rm(directory, { recursive: true, force: true }));

  progress.stage("Starting a chain");
  const now = wallClock();
  signal.throwIfAborted();
  const starting = startChain({
    port: rpcPort,
    genesisTimestamp: genesisOf(now),
    accounts: ACCOUNT_COUNT,
    keptStates: KEPT_STATES,
  });
  closers.push(() =>
    starting.then(
      (chain) => chain.stop(),
      () => {},
    ),
  );
  const chain = await starting;

  progress.stage("Playing two years");
  const market = await playDemoMarket(chain, {
    seed,
    now,
    onProgress: ({ done, total }) => progress.update(done, total),
  });
  // Playing took a moment. The clock has to go on from here at the usual speed.
  await mine(chain, wallClock());

  progress.stage("Starting the indexer");
  const registryFile = registryFileIn(directory);
  await registryFile.write(market.registry);
  const app = await startStandIn({ port: appPort, siteUrl: `http://${HOST}:${port}` });
  closers.push(app.stop);
  signal.throwIfAborted();
  const service = startService({
    ...{ market, port, rpcUrl: chain.rpcUrl },
    registryPath: registryFile.path,
    appUrl: app.url,
  });
  closers.push(service.stop);
  await service.ready((indexed, head) => progress.update(indexed, head));
  progress.update(1, 1);
  progress.end();

  signal.throwIfAborted();
  const seconds = (performance.now() - startedAt) / 1000;
  output.write(
    welcome({
      options,
      market,
      url: service.url,
      operatorUrl: service.operatorUrl,
      appUrl: app.url,
      rpcUrl: chain.rpcUrl,
      seconds,
    }),
  );
  const say = (line: string) => output.write(`${line}\n`);
  const going = still
    ? standStill({ chain, signal })
    : live({ chain, market, seed, say, publish: registryFile.write, signal });
  await Promise.race([going, service.failed]);
}

/** The last that was started ends first. @throws the first failure, after all have been asked to end */
async function closeAll(closers: readonly Closer[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.toReversed()) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Unix seconds. */
function wallClock(): number {
  return Math.floor(Date.now() / 1000);
}
