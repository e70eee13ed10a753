/** @module Logs what a new market leaves out, or decides against the registry: each listing once. */
import type { Logger } from "../../config/log.ts";
import type { Contradiction, Unprojectable } from "../market/market.ts";

export function logUnprojectable(
  log: Logger,
  before: readonly Unprojectable[],
  now: readonly Unprojectable[],
): void {
  if (before === now) return;
  const logged = new Set(before.map(({ escrowAddress, onchainId }) => `${escrowAddress}/${onchainId}`));
  for (const listing of now) {
    if (logged.has(`${listing.escrowAddress}/${listing.onchainId}`)) continue;
    log.error({ msg: "A listing cannot be shown and is left out", ...listing });
  }
}

export function logContradictions(
  log: Logger,
  before: readonly Contradiction[],
  now: readonly Contradiction[],
): void {
  if (before === now) return;
  const textOf = ({ publicId, fields }: Contradiction) => `${publicId} ${fields.join()}`;
  const logged = new Set(before.map(textOf));
  for (const one of now) {
    if (logged.has(textOf(one))) continue;
    log.warn({ msg: "The registry contradicts the chain, which counts", ...one });
  }
}
