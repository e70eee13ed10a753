/**
 * Which of the possible event sources an operator has configured. Ponder refuses an entry without an address,
 * so the config leaves an unconfigured source out and no handler is registered for it.
 * @module
 */
import type { Settings } from "./environment.ts";

export type Source = "ListingEscrow" | "ListingEscrowFromFactory" | "SecondaryDesk";

/** The sources that have an address, in the order in which their handlers are registered. */
export function configuredSources(settings: Pick<Settings, "escrows" | "escrowFactory" | "desk">): Source[] {
  const sources: Source[] = [];
  if (settings.escrows.length > 0) sources.push("ListingEscrow");
  if (settings.escrowFactory !== null) sources.push("ListingEscrowFromFactory");
  if (settings.desk !== null) sources.push("SecondaryDesk");
  return sources;
}

/** `contracts` without the sources that are not configured. The type keeps all, so that handlers stay typed. */
export function onlyConfigured<Contracts extends Record<Source, unknown>>(
  contracts: Contracts,
  settings: Pick<Settings, "escrows" | "escrowFactory" | "desk">,
): Contracts {
  const configured = new Set<string>(configuredSources(settings));
  return Object.fromEntries(Object.entries(contracts).filter(([name]) => configured.has(name))) as Contracts;
}
