/**
 * Where the living part takes place: the chain, the book, chance, and the one way to do something on the chain.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex, TransactionReceipt } from "viem";
import type { LocalChain } from "../chain.ts";
import { type CallableAction, type Contracts, callOf } from "../market/calls.ts";
import type { Actor } from "../market/cast.ts";
import { send } from "../market/player.ts";
import type { Random } from "../market/random.ts";
import type { Book, LivingRaise } from "./book.ts";

export type Scene = {
  readonly chain: LocalChain;
  readonly contracts: Contracts;
  readonly book: Book;
  readonly random: Random;
  /** The time of the last block, unix seconds. */
  now(): number;
  /**
   * Does it, and waits for the block. Null when the contracts would refuse it: others act on the chain too, so that
   * what was true a moment ago may not be any more.
   */
  perform(by: Actor, action: CallableAction): Promise<TransactionReceipt | null>;
};

/** Something that happened, for people to read. */
export type Happening = {
  /** Null for the desk, whose offers name no raise. */
  readonly raise: LivingRaise | null;
  readonly text: string;
};

/** One thing that may happen next; null when nothing of the kind is possible at the moment. */
export type Play = (scene: Scene) => Promise<Happening | null>;

const MINED_WITHIN = 10_000;

export function createPerform(chain: LocalChain, contracts: Contracts): Scene["perform"] {
  return async (by, action) => {
    const call = await callOf(by, action, contracts);
    const { from, to, data } = call;
    const allowed = await chain.publicClient.call({ account: from, to, data }).then(
      () => true,
      () => false,
    );
    if (!allowed) return null;
    const receipt = await mined(chain, await send(chain, call));
    return receipt.status === "success" ? receipt : null;
  };
}

async function mined(chain: LocalChain, hash: Hex): Promise<TransactionReceipt> {
  const deadline = performance.now() + MINED_WITHIN;
  while (performance.now() < deadline) {
    const receipt = await chain.publicClient.getTransactionReceipt({ hash }).catch(() => null);
    if (receipt !== null) return receipt;
    await sleep(100);
  }
  throw new Error("the chain mines no blocks any more");
}
