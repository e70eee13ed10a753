/** @module The rows that a server has called final: none may be gone later, and none may be called so before the chain does. */
import type { ChainFinality } from "./chain-finality.ts";

type Row = Record<string, unknown>;

export type FinalRows = {
  /**
   * The faults of the newest events as of a block, newest first; also keeps those that are called final.
   * @param isWhole whether these are all there are
   * @param isShown whether a raise is, by its `publicId`: not without a registry entry, nor before its go-live
   */
  wrongIn(
    events: readonly Row[],
    about: { asOf: bigint; isWhole: boolean; isShown: (publicId: unknown) => boolean },
  ): string[];
  /** The events that are not final yet although the chain's final block is above them. */
  missingIn(events: readonly Row[], due: bigint): string[];
};

export function createFinalRows({ most }: Pick<ChainFinality, "most">): FinalRows {
  const kept = new Map<string, Row>();
  return {
    wrongIn(events, { asOf, isWhole, isShown }) {
      const shown = new Set(events.map(keyOf));
      const oldest = events.at(-1);
      const isWithin = (row: Row) => isWhole || (oldest !== undefined && isAfter(row, oldest));
      const isDue = (row: Row) =>
        BigInt(`${row.blockNumber}`) <= asOf && isWithin(row) && isShown(row.publicId);
      const gone = [...kept].flatMap(([key, row]) => (isDue(row) && !shown.has(key) ? [row] : []));
      const final = events.filter(({ finality }) => finality === "final");
      for (const row of final) kept.set(keyOf(row), row);
      return [
        ...gone.map((row) => `was final, and is gone: ${keyOf(row)}`),
        ...final
          .filter(({ blockNumber }) => BigInt(`${blockNumber}`) > most())
          .map((row) => `is final, and the chain's final block is ${most()} at most: ${keyOf(row)}`),
      ];
    },
    missingIn: (events, due) =>
      events
        .filter(({ finality, blockNumber }) => finality !== "final" && BigInt(`${blockNumber}`) <= due)
        .map((row) => `is not final, and all up to block ${due} should be: ${keyOf(row)}`),
  };
}

const keyOf = ({ kind, blockNumber, logIndex, txHash }: Row) =>
  `${blockNumber}/${logIndex} ${kind} ${txHash}`;

function isAfter(one: Row, other: Row): boolean {
  const above = Number(one.blockNumber) - Number(other.blockNumber);
  return above > 0 || (above === 0 && Number(one.logIndex) > Number(other.logIndex));
}
