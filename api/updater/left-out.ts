/** @module Logs what a new market leaves out, or decides against the registry: each listing once. */
import type { Logger } from "../../config/log.ts";
import type { Contradiction, Unprojectable } from "../market/market.ts";
import { pairKey } from "../registry/schema.ts";

export function logUnprojectable(
  log: Logger,
  before: readonly Unprojectable[],
  now: readonly Unprojectable[],
): void {
  for (const listing of newOnes(before, now, pairKey))
    log.error({ msg: "A listing cannot be shown and is left out", ...listing });
}

export function logContradictions(
  log: Logger,
  before: readonly Contradiction[],
  now: readonly Contradiction[],
): void {
  const keyOf = ({ publicId, fields }: Contradiction) => `${publicId} ${fields.join()}`;
  for (const one of newOnes(before, now, keyOf))
    log.warn({ msg: "The registry contradicts the chain, which counts", ...one });
}

function newOnes<T>(before: readonly T[], now: readonly T[], keyOf: (one: T) => string): readonly T[] {
  if (before === now) return [];
  const logged = new Set(before.map(keyOf));
  return now.filter((one) => !logged.has(keyOf(one)));
}
