/**
 * Disturbances while webhooks are delivered: blocks, reorganisations, kills of the deliverer and of its reader, a lost database
 * connection, and a receiver that is away.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, vi } from "vitest";
import type { Kept } from "../simulation/processes.ts";
import type { World } from "../simulation/world.ts";
import type { DaemonRun } from "./daemon.ts";
import type { Random } from "./history/random.ts";
import { PATIENCE } from "./patience.ts";
import { bookIn, eventsAt, ids } from "./webhook-books.ts";
import type { Receiver } from "./webhook-receiver.ts";

export type DisturbanceParameters = {
  deliverer: Kept;
  world: World;
  /** the root of the URL of the reader that messages are made from */
  reader: string;
  mortal: Receiver;
  /** takes rows that are not final */
  pending: Receiver;
  random: Pick<Random, "between" | "chance">;
  actions: number;
};

const DELIVERS = "Delivering webhooks";
const LOST = "The connection to the database was lost; webhooks go on when it is back";
const CUT_OFF = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'raisebook_webhooks'`;

/** Waits until a process delivers. */
export const delivers = (run: DaemonRun) =>
  vi.waitFor(() => expect(run.output()).toContain(DELIVERS), PATIENCE);

/** Each disturbance waits until there is something to disturb, however slowly a process starts. */
export async function disturb(parameters: DisturbanceParameters): Promise<void> {
  const { deliverer, world, mortal, random, actions } = parameters;
  const { between, chance } = random;
  for (let action = 0; action < actions; action++) {
    if (action === 3) await reorganiseSent(parameters);
    else if (action % 8 === 3 || chance(0.06)) {
      await indexed(parameters);
      await world.chain.reorganise(between(1, 8), { seen: chance(0.3), disagreement: 0 });
    } else await world.chain.mine();
    if (action % 15 === 7) {
      await delivers(deliverer.current());
      deliverer.kill("SIGKILL");
    }
    if (action === 20) world.reader()?.kill("SIGKILL");
    if (action === 32) await cutOff(parameters);
    if (action === 10) await mortal.die();
    if (action === 25) await mortal.comeBack();
    await sleep(between(20, 120));
  }
}

/**
 * Waits until the reader has the chain's head. An indexer that is behind has nothing to take back, and gives up each head that a reorg
 * has removed only after seconds: on a loaded machine many such heads wait for their turn.
 */
const indexed = ({ world, reader }: DisturbanceParameters) =>
  vi.waitFor(async () => {
    const { indexedBlock } = await (await fetch(`${reader}/v1/health`)).json();
    expect(indexedBlock).toBe(`${world.chain.record.head().number}`);
  }, PATIENCE);

/** Takes back a row that the receiver of pending rows has. */
async function reorganiseSent({ world, reader, pending }: DisturbanceParameters): Promise<void> {
  const newest = await vi.waitFor(async () => {
    const last = (await eventsAt(reader)).slice(-1);
    expect(last).toHaveLength(1);
    expect(ids(bookIn(pending.kept()).rows.slice(-1))).toEqual(ids(last));
    return BigInt(last[0]?.blockNumber ?? 0);
  }, PATIENCE);
  const depth = Number(world.chain.record.head().number - newest) + 1;
  await world.chain.reorganise(depth, { seen: false, disagreement: 0 });
}

/** Ends the database connections of the running deliverer, or of the next one if that was killed meanwhile. */
async function cutOff({ deliverer, world }: DisturbanceParameters): Promise<void> {
  await vi.waitFor(async () => {
    expect(deliverer.current().output()).toContain(DELIVERS);
    await world.database?.query(CUT_OFF);
    await sleep(1_000);
    expect(deliverer.output()).toContain(LOST);
  }, PATIENCE);
}
