/** @module From a mined event to an answer that has it, of the daemon with an indexer and a reader as separate processes. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Address } from "viem";
import { rogueEscrowAbi } from "../contracts/artifacts/RogueEscrow.ts";
import { type LocalChain, startChain } from "../demo/chain.ts";
import { createDaemons, type DaemonRun } from "../test/harness/daemon.ts";
import { emit, events } from "../test/harness/emit.ts";
import { freePort } from "../test/harness/free-port.ts";
import { rollFrom } from "../test/harness/ledger-story.ts";
import { startPostgres } from "../test/harness/postgres.ts";
import { deployRogueEscrow } from "../test/harness/rogue.ts";
import { registryOf } from "../test/harness/rogue-market.ts";
import { until } from "../test/harness/until.ts";
import { CONNECTIONS, startGenerator } from "./harness/against-bare.ts";
import { bytesOf, capture } from "./harness/capture.ts";
import type { Job, Load } from "./harness/generator.ts";
import { median, RUNS, rowOf } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";

/** Milliseconds between polls, about the block time of the chain. */
const INTERVAL = 450;
const LISTINGS = 40;
/** Seconds of a run. */
const DURATION = 8;
/** Reads a second while events come. */
const READS = 1_000;
/** Milliseconds after which an event counts as lost. */
const PATIENCE = 20_000;
const LISTING = { path: "/v1/listings/lst_a_1" };

export async function* live(stage: Stage): AsyncGenerator<Row> {
  await stage.startPostgres();
  const chain = await startChain();
  const { address, blockNumber } = await deployRogueEscrow(chain);
  const creations = Array.from({ length: LISTINGS }, (_, id) => events.created(BigInt(id + 1)));
  await emit(chain, address, ...creations);
  const { connectionString } = await startPostgres();
  const daemons = createDaemons();
  const { folder, port, env } = await daemons.place(chain.rpcUrl);
  await writeFile(join(folder, "registry.json"), JSON.stringify(registryOf({ a: address })));
  const daemon = daemons.run(folder, {
    ...env,
    ...{ DATABASE_URL: connectionString, ESCROWS: `${address}@${blockNumber}`, REGISTRY: "registry.json" },
    ...{ POLLING_INTERVAL: String(INTERVAL), OPERATOR_PORT: String(await freePort()) },
  });
  await using generator = startGenerator();
  try {
    await untilListed(port, daemon);
    const subscribe = subscriber(chain, address, port);
    const reads: Job = {
      ...{ port, requests: [bytesOf(port, LISTING)], connections: CONNECTIONS },
      ...{ duration: DURATION, rate: READS },
    };
    for (const isBusy of [false, true]) {
      const runs: number[][] = [];
      for (let run = 0; run < RUNS; run++) {
        const [times] = await Promise.all([
          inARow(subscribe),
          isBusy ? generator.ask<Load>(reads) : undefined,
        ]);
        runs.push(times);
      }
      const name = isBusy ? `under ${READS.toLocaleString("en")} reads/s` : "idle";
      const row = (figure: string, ofRun: (times: readonly number[]) => number, bar: string) =>
        rowOf(
          { bench: "live", case: `${name}, ${figure}`, unit: "ms", against: "the poll interval", bar },
          runs.map((times) => ({ ours: ofRun(times), other: INTERVAL })),
        );
      yield row("p50", median, "≤ interval + 30 ms");
      yield row("longest of a run", (times) => Math.max(...times), "reported");
    }
  } finally {
    daemon.child.kill("SIGTERM");
    await daemon.ended;
    daemons.killAll();
    await chain.stop();
  }
}

/** Resolves when the listing is answered. */
async function untilListed(port: number, { output }: DaemonRun): Promise<void> {
  const isListed = async () => (await capture(port, LISTING)).status === 200;
  await until("listed", isListed, { timeout: PATIENCE, report: output });
}

/** Milliseconds of one event after another, at all moments between two polls. */
async function inARow(subscribe: () => Promise<number>): Promise<number[]> {
  const endsAt = performance.now() + DURATION * 1000;
  const roll = rollFrom(1);
  const times: number[] = [];
  while (performance.now() < endsAt) {
    times.push(await subscribe());
    await sleep(roll(INTERVAL));
  }
  return times;
}

/** Subscribes once, and resolves to the milliseconds until an answer has it. */
function subscriber(chain: LocalChain, address: Address, port: number): () => Promise<number> {
  let raised = 0n;
  return async () => {
    raised += 1n;
    await chain.walletClient(0).writeContract({
      ...{ address, abi: rogueEscrowAbi, functionName: "batch" },
      args: [[events.subscribed(1n, 1n, raised)]],
    });
    // The chain mines a transaction before it answers with its hash.
    const minedAt = performance.now();
    while (performance.now() - minedAt < PATIENCE) {
      const { body } = await capture(port, LISTING);
      if (JSON.parse(body.toString()).raisedAmount === raised.toString()) return performance.now() - minedAt;
      await sleep(2);
    }
    throw new Error(`not visible after ${PATIENCE / 1000} s`);
  };
}
