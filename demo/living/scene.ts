/** @module The setting of the live market: the contracts, their raises, chance, and the way to act on the chain. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex, TransactionReceipt } from "viem";
import type { LocalChain } from "../chain.ts";
import type { Actor } from "../market/cast.ts";
import type { CallableAction, MarketContracts } from "../market/contracts.ts";
import { send } from "../market/player.ts";
import type { Random } from "../market/random.ts";
import type { LiveRaise, Raises } from "./raises.ts";

export type Scene = {
  readonly contracts: MarketContracts;
  readonly raises: Raises;
  readonly random: Random;
  /** Time of the last block, unix seconds. */
  now(): number;
  /**
   * Performs the action and waits for its block. Null when the contracts have no such action, or would refuse it: others act on
   * the chain too, so figures may be outdated.
   */
  perform(by: Actor, action: CallableAction): Promise<TransactionReceipt | null>;
};

/** An action in words. */
export type MarketEvent = {
  /** Null for the desk, whose offers name no raise. */
  readonly raise: LiveRaise | null;
  readonly text: string;
};

/** Performs one kind of action, if it is possible at the moment. */
export type Play = (scene: Scene) => Promise<MarketEvent | null>;

/** Milliseconds. */
const MINING_TIMEOUT = 10_000;

export function createPerform(
  chain: LocalChain,
  contracts: Pick<MarketContracts, "callsOf">,
): Scene["perform"] {
  return async (by, action) => {
    let receipt: TransactionReceipt | null = null;
    for (const call of await contracts.callsOf(by, action)) {
      const { from, to, data } = call;
      const allowed = await chain.publicClient.call({ account: from, to, data }).catch(() => null);
      if (allowed === null) return null;
      receipt = await receiptOf(chain, await send(chain, call));
      if (receipt.status !== "success") return null;
    }
    return receipt;
  };
}

async function receiptOf(chain: LocalChain, hash: Hex): Promise<TransactionReceipt> {
  const deadline = performance.now() + MINING_TIMEOUT;
  while (performance.now() < deadline) {
    const receipt = await chain.publicClient.getTransactionReceipt({ hash }).catch(() => null);
    if (receipt !== null) return receipt;
    await sleep(100);
  }
  throw new Error("the chain has stopped mining");
}
