/**
 * The fold of a listing token's transfers into the balances of its holders.
 *
 * Pure and total. No figure of a raise depends on these balances: a holder need not be a backer. Invariant:
 * `holderCount` is the number of balances above zero. The zero address, which mints and burns, has no balance.
 * @module
 */
import { type Hex, zeroAddress } from "viem";
import { AnomalyLog } from "./anomalies.ts";
import type { Provenance, Transfer } from "./events.ts";
import type { AnomalyRow, HolderRow, TokenRow } from "./state.ts";

/** A transfer with its place; `at` names the token's listing. */
export type LocatedTransfer = Transfer & { at: Provenance };

/** The token and the two balances before a transfer; null if there is no row yet. */
export type TransferState = { token: TokenRow; from: HolderRow | null; to: HolderRow | null };

export type TransferResult = { token: TokenRow; holders: HolderRow[]; anomalies: AnomalyRow[] };

/** Folds one transfer. A sender's balance stops at zero; a larger transfer is an anomaly. */
export function foldTransfer(state: TransferState, transfer: LocatedTransfer): TransferResult {
  const { from, to, value, scale, at } = transfer;
  const anomalies = new AnomalyLog({ kind: "transfer", at }, scale);
  const holders: HolderRow[] = [];
  let { holderCount } = state.token;
  const { token } = state.token;

  const set = (holder: Hex, before: bigint, balance: bigint) => {
    if (before > 0n) holderCount -= 1;
    if (balance > 0n) holderCount += 1;
    holders.push({ token, holder, balance });
  };
  const held = from === zeroAddress ? value : (state.from?.balance ?? 0n);
  if (value > held) anomalies.differ("total_mismatch", "balance", held, value);
  if (from !== to) {
    if (from !== zeroAddress) set(from, held, value > held ? 0n : held - value);
    const received = state.to?.balance ?? 0n;
    if (to !== zeroAddress) set(to, received, anomalies.sum("balance", received, value));
  }
  return {
    token: { ...state.token, holderCount, updatedBlock: at.blockNumber },
    holders,
    anomalies: anomalies.rows(),
  };
}
