/**
 * The anomalies of one event. At most one row of a kind; several differences share it.
 * @module
 */
import type { Provenance } from "./events.ts";
import { MAX_UINT256 } from "./rules.ts";
import type { AnomalyRow } from "./state.ts";
import type { AnomalyKind, AnomalySource, Difference } from "./vocabulary.ts";

export class AnomalyLog {
  readonly #event: { kind: AnomalySource; at: Provenance };
  readonly #differences = new Map<AnomalyKind, Difference[]>();

  constructor(event: { kind: AnomalySource; at: Provenance }) {
    this.#event = event;
  }

  add(kind: AnomalyKind, difference?: Difference): void {
    const known = this.#differences.get(kind) ?? [];
    this.#differences.set(kind, difference === undefined ? known : [...known, difference]);
  }

  /** The chain's running total, whatever we expected; a difference is a `total_mismatch`. Base units. */
  settleTotal(field: string, expected: bigint, found: bigint): bigint {
    if (expected !== found) {
      this.add("total_mismatch", { field, expected: expected.toString(), found: found.toString() });
    }
    return found;
  }

  /** A sum for which the chain has no running total. Past a uint256 it stays at the largest and says so. */
  sum(field: string, a: bigint, b: bigint): bigint {
    const total = a + b;
    if (total <= MAX_UINT256) return total;
    this.add("total_mismatch", { field, expected: total.toString(), found: MAX_UINT256.toString() });
    return MAX_UINT256;
  }

  rows(): AnomalyRow[] {
    const { kind: eventKind, at } = this.#event;
    const { escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash } = at;
    return [...this.#differences].map(([kind, differences]) => ({
      escrowAddress,
      onchainId,
      eventId,
      kind,
      eventKind,
      differences,
      blockNumber,
      blockTime,
      txHash,
    }));
  }
}
