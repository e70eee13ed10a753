/**
 * The anomalies of one event: at most one row per kind, with all its differences.
 * @module
 */
import type { Provenance } from "./events.ts";
import type { AnomalyRow } from "./state.ts";
import type { AnomalyKind, AnomalySource, Difference } from "./vocabulary.ts";

export const MAX_UINT256 = 2n ** 256n - 1n;

export class AnomalyLog {
  readonly #event: { kind: AnomalySource; at: Provenance };
  readonly #scale: bigint;
  /** Null while there are none, as for most events. */
  #differences: Map<AnomalyKind, Difference[]> | null = null;

  /** @param scale of the event's figures to 18 decimals */
  constructor(event: { kind: AnomalySource; at: Provenance }, scale = 1n) {
    this.#event = event;
    this.#scale = scale;
  }

  add(kind: AnomalyKind, difference?: Difference): void {
    this.#differences ??= new Map();
    const differences = this.#differences.get(kind) ?? [];
    this.#differences.set(kind, difference === undefined ? differences : [...differences, difference]);
  }

  /** Adds a figure that is not the expected one. */
  differ(kind: AnomalyKind, field: string, expected: bigint, found: bigint): void {
    const text = (figure: bigint) => (figure * this.#scale).toString();
    this.add(kind, { field, expected: text(expected), found: text(found) });
  }

  /**
   * Returns the chain's running total, and reports a `total_mismatch` if another was expected. Without a running total, returns the
   * expected one, which cannot be negative either. Base units.
   */
  reconcile(field: string, expected: bigint, total: bigint | null): bigint {
    const found = total ?? (expected < 0n ? 0n : expected > MAX_UINT256 ? MAX_UINT256 : expected);
    if (expected !== found) this.differ("total_mismatch", field, expected, found);
    return found;
  }

  /** A sum without a running total on the chain. Stops at the largest uint256, with a `total_mismatch`. */
  sum(field: string, a: bigint, b: bigint): bigint {
    const total = a + b;
    if (total <= MAX_UINT256) return total;
    this.differ("total_mismatch", field, total, MAX_UINT256);
    return MAX_UINT256;
  }

  rows(): AnomalyRow[] {
    if (this.#differences === null) return [];
    const { kind: eventKind, at } = this.#event;
    const { logIndex, part, ...place } = at;
    return [...this.#differences].map(([kind, differences]) => ({ ...place, kind, eventKind, differences }));
  }
}
