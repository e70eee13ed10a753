/** @module Many events of a few listings, of every kind and in no sensible order, made up from a seed. */
import type { Address, Hex } from "viem";
import type { LocalChain } from "../../demo/chain.ts";
import { BACKER, emit, events, OTHER_BACKER, tokenOf } from "./emit.ts";

/** A whole number below `sides`; the same seed gives the same numbers. */
export type Roll = (sides: number) => number;

/** A linear congruential generator (Numerical Recipes): a test needs numbers that can be had again, not good ones. */
export function rollFrom(seed: number): Roll {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

export type LedgerStory = {
  /** Creates the listings, a transaction for each escrow. */
  begin(): Promise<void>;
  /** One block with this many events. Returns its number. */
  block(count: number): Promise<bigint>;
};

export type LedgerStoryParameters = {
  chain: LocalChain;
  /** rogue contracts */
  escrows: readonly Address[];
  desk: Address;
  /** how many listings each escrow has; the first has every second event */
  listings: number;
  roll: Roll;
};

/** A story that never ends. Token addresses differ between the escrows. */
export function ledgerStory({ chain, escrows, desk, listings, roll }: LedgerStoryParameters): LedgerStory {
  const tokenFor = (escrow: number, id: bigint) => tokenOf(BigInt(escrow) * 1_000n + id);
  /** of each escrow; an offer's id names its listing */
  const offers = escrows.map((): bigint[] => []);
  let nextOffer = 1n;

  const escrowCall = (id: bigint): Hex => {
    const amount = BigInt(roll(1_000));
    const calls: (() => Hex)[] = [
      () => events.termsUpdated(id, { minRaise: amount, closeAt: BigInt(roll(2)) * 4_000_000_000n }),
      () => events.refunded(id, roll(7), amount, amount * 2n, roll(2) === 0 ? BACKER : OTHER_BACKER),
      () => events.reserve(id, roll(4), amount, amount),
      () => events.closed(id, amount),
      () => events.drawnDown(id, amount, 4_000_000_000n),
      () => events.repaid(id, amount, 3n, amount),
      () => events.claimed(id, amount, amount),
      () => events.settled(id, roll(5), amount),
      () => events.cancelled(id),
      () => events.voided(id),
      () => events.created(id),
    ];
    const call = calls[roll(2 * calls.length)];
    return call === undefined ? events.subscribed(id, amount, amount * 3n, OTHER_BACKER) : call();
  };

  const deskCall = (escrow: number, id: bigint): Hex => {
    const own = offers[escrow] ?? [];
    const token = tokenFor(escrow, id);
    const offerId = own[roll(own.length)];
    const kind = roll(3);
    if (offerId === undefined || kind === 0) {
      own.push(nextOffer);
      nextOffer += 1n;
      return events.offered(nextOffer - 1n, token, BigInt(roll(100)), 2n ** BigInt(roll(200)));
    }
    if (kind === 1) return events.filled(offerId, token, BigInt(roll(50)), 1n, BigInt(roll(50)));
    return events.unoffered(offerId, BigInt(roll(50)));
  };

  return {
    async begin() {
      for (const [index, escrow] of escrows.entries()) {
        const ids = Array.from({ length: listings }, (_, id) => BigInt(id + 1));
        await emit(
          chain,
          escrow,
          ...ids.map((id) => {
            const refnum = `${"RB".repeat(index + 1)}${id.toString().padStart(5, "0")}`;
            return events.created(id, { refnum, token: tokenFor(index, id) });
          }),
        );
      }
    },
    block(count) {
      const escrow = roll(escrows.length);
      const idOf = () => (roll(2) === 0 ? 1n : BigInt(1 + roll(listings)));
      if (roll(5) === 0) {
        return emit(chain, desk, ...Array.from({ length: count }, () => deskCall(escrow, idOf())));
      }
      const address = escrows[escrow];
      if (address === undefined) throw new Error("a story needs an escrow");
      return emit(chain, address, ...Array.from({ length: count }, () => escrowCall(idOf())));
    },
  };
}
