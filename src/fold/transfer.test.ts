import fc from "fast-check";
import { type Hex, zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import { ALICE, BOB, ESCROW, kindsOf, placeAt, ROUTER, TOKEN } from "../../test/harness/book.ts";
import type { HolderRow, TokenRow } from "./state.ts";
import { foldTransfer } from "./transfer.ts";

const MAX = 2n ** 256n - 1n;
const NEW: TokenRow = {
  token: TOKEN,
  escrowAddress: ESCROW,
  onchainId: 1n,
  holderCount: 0,
  updatedBlock: 1n,
};

type Move = { from: Hex; to: Hex; value: bigint };

/** Folds moves one after the other, as the handler does with its tables. */
function play(moves: readonly Move[]) {
  let token = NEW;
  const balances = new Map<Hex, HolderRow>();
  const anomalies: string[] = [];
  for (const [index, move] of moves.entries()) {
    const state = { token, from: balances.get(move.from) ?? null, to: balances.get(move.to) ?? null };
    const result = foldTransfer(state, { ...move, at: placeAt(index + 1, 10n) });
    token = result.token;
    for (const row of result.holders) balances.set(row.holder, row);
    anomalies.push(...kindsOf(result));
  }
  return { token, balance: (holder: Hex) => balances.get(holder)?.balance ?? 0n, balances, anomalies };
}

describe("foldTransfer", () => {
  it("mints, moves and burns, and counts who is left with something", () => {
    const minted = play([{ from: zeroAddress, to: ALICE, value: 100n }]);
    expect([minted.balance(ALICE), minted.token.holderCount]).toEqual([100n, 1]);
    const moved = play([
      { from: zeroAddress, to: ALICE, value: 100n },
      { from: ALICE, to: BOB, value: 40n },
    ]);
    expect([moved.balance(ALICE), moved.balance(BOB), moved.token.holderCount]).toEqual([60n, 40n, 2]);
    const burned = play([
      { from: zeroAddress, to: ALICE, value: 100n },
      { from: ALICE, to: BOB, value: 100n },
      { from: BOB, to: zeroAddress, value: 100n },
    ]);
    expect([burned.balance(ALICE), burned.balance(BOB), burned.token.holderCount]).toEqual([0n, 0n, 0]);
    expect([...burned.balances.keys()]).not.toContain(zeroAddress);
    expect(burned.anomalies).toEqual([]);
  });

  it("changes nothing when an address sends to itself, or sends nothing", () => {
    const { token, balance, anomalies } = play([
      { from: zeroAddress, to: ALICE, value: 5n },
      { from: ALICE, to: ALICE, value: 5n },
      { from: ALICE, to: BOB, value: 0n },
    ]);
    expect([balance(ALICE), balance(BOB), token.holderCount]).toEqual([5n, 0n, 1]);
    expect(anomalies).toEqual([]);
  });

  it("never makes a balance negative or wider than a table keeps, and says so", () => {
    const over = play([
      { from: zeroAddress, to: ALICE, value: 5n },
      { from: ALICE, to: BOB, value: 7n },
    ]);
    expect([over.balance(ALICE), over.balance(BOB), over.token.holderCount]).toEqual([0n, 7n, 1]);
    expect(over.anomalies).toEqual(["total_mismatch"]);
    const wide = play([
      { from: zeroAddress, to: ALICE, value: MAX },
      { from: zeroAddress, to: ALICE, value: 1n },
    ]);
    expect(wide.balance(ALICE)).toBe(MAX);
    expect(wide.anomalies).toEqual(["total_mismatch"]);
  });

  it("tells an anomaly in 18 decimals, as all amounts are told", () => {
    const move = { from: ALICE, to: BOB, value: 7n, scale: 10n ** 12n, at: placeAt(1, 10n) };
    const held: HolderRow = { token: TOKEN, holder: ALICE, balance: 5n };
    const { anomalies, holders } = foldTransfer({ token: NEW, from: held, to: null }, move);
    expect(anomalies.map(({ differences }) => differences)).toEqual([
      [{ field: "balance", expected: "5000000000000", found: "7000000000000" }],
    ]);
    expect(holders.map(({ balance }) => balance)).toEqual([0n, 7n]);
  });

  it("agrees with the sums over all transfers of an honest token", () => {
    const people = [ALICE, BOB, ROUTER] as const;
    const move = fc.record({
      from: fc.constantFrom(zeroAddress, ...people),
      to: fc.constantFrom(zeroAddress, ...people),
      share: fc.bigInt(0n, 4n),
    });
    const property = fc.property(fc.array(move, { maxLength: 40 }), (drafts) => {
      const moves: Move[] = [];
      const summed = (holder: Hex) =>
        moves.reduce(
          (sum, { from, to, value }) => sum + (to === holder ? value : 0n) - (from === holder ? value : 0n),
          0n,
        );
      for (const { from, to, share } of drafts) {
        const value = from === zeroAddress ? share * 10n : (summed(from) * share) / 4n;
        moves.push({ from, to, value });
      }
      const { token, balance, anomalies } = play(moves);
      expect(people.map(balance)).toEqual(people.map(summed));
      expect(token.holderCount).toBe(people.filter((holder) => summed(holder) > 0n).length);
      expect(anomalies).toEqual([]);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
