/** @module Histories that no honest escrow would have: any event in any order, totals that do not add up. */
import type { Address, Hex } from "viem";
import type { LocalChain } from "../../demo/chain.ts";
import { BACKER, emit, events, OTHER_BACKER } from "./emit.ts";
import type { Random } from "./history/random.ts";

/** The figures that an honest escrow would have for a listing so far. */
type Totals = { raised: bigint; refunded: bigint };

/** Has `rogue` emit `blocks` blocks of events about the ids from 1 to `ids`; some ids are never created. */
export async function playRogueHistory(
  chain: LocalChain,
  rogue: Address,
  { random, ids, blocks }: { random: Random; ids: number; blocks: number },
): Promise<void> {
  const { timestamp: start } = await chain.publicClient.getBlock();
  const terms = () => ({
    closeAt: random.chance(0.3) ? 0n : start + BigInt(random.between(100, 3_000)),
    pricingMode: random.below(2),
    minRaise: BigInt(random.one([0, 100, 500])),
  });
  for (let id = 1n; id <= ids; id += 1n) {
    if (random.chance(0.9)) await emit(chain, rogue, events.created(id, terms()));
  }
  const totals = Array.from({ length: ids + 1 }, (): Totals => ({ raised: 0n, refunded: 0n }));
  let now = start + 100n;
  for (let block = 0; block < blocks; block += 1) {
    now += BigInt(random.between(0, 60));
    const calls = Array.from({ length: random.between(1, 6) }, () => {
      const index = random.between(1, ids);
      return randomEvent(random, BigInt(index), totals[index] ?? { raised: 0n, refunded: 0n }, now, terms);
    });
    await chain.testClient.setNextBlockTimestamp({ timestamp: now });
    await emit(chain, rogue, ...calls);
  }
}

function randomEvent(
  random: Random,
  id: bigint,
  totals: Totals,
  now: bigint,
  terms: () => Parameters<typeof events.termsUpdated>[1],
): Hex {
  const amount = BigInt(random.one([0, 50, 100, 300, 500]));
  const backer = () => random.one([BACKER, OTHER_BACKER]);
  const told = (total: bigint) => (random.chance(0.85) ? total : BigInt(random.below(2_000)));
  const refund = () => {
    const reason = random.below(5);
    totals.refunded += amount;
    if (reason < 2) totals.raised -= amount < totals.raised ? amount : totals.raised;
    return events.refunded(id, reason, amount, told(totals.refunded), backer());
  };
  const subscribe = () => {
    totals.raised += amount;
    return events.subscribed(id, amount, told(totals.raised), backer());
  };
  const option = random.weighted<() => Hex>([
    [20, subscribe],
    [8, refund],
    [2, () => events.closed(id, told(totals.raised), random.below(3_000))],
    [1, () => events.created(id, terms())],
    [3, () => events.termsUpdated(id, terms())],
    [3, () => events.drawnDown(id, amount, now + BigInt(random.between(0, 1_000)))],
    [6, () => events.repaid(id, amount, amount / 10n, BigInt(random.one([0, 1, 50, 200])))],
    [3, () => events.reserve(id, random.below(3), amount, BigInt(random.below(500)))],
    [1, () => events.settled(id, random.below(3), BigInt(random.one([0, 40])))],
    [1, () => events.cancelled(id)],
    [1, () => events.voided(id)],
  ]);
  return (option ?? subscribe)();
}
