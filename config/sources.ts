/**
 * Which of the possible event sources an operator has configured. Ponder refuses an entry without an address,
 * so the config leaves an unconfigured source out and no handler is registered for it.
 * @module
 */
import type { Settings } from "./environment.ts";

export type Source = "ListingEscrow" | "ListingEscrowFromFactory" | "SecondaryDesk" | "ListingToken";

type Followed = Pick<Settings, "escrows" | "escrowFactory" | "desk" | "holders">;

/** The sources that have an address, in the order in which their handlers are registered. */
export function configuredSources(settings: Followed): Source[] {
  const sources: Source[] = [];
  if (settings.escrows.length > 0) sources.push("ListingEscrow");
  if (settings.escrowFactory !== null) sources.push("ListingEscrowFromFactory");
  if (settings.desk !== null) sources.push("SecondaryDesk");
  if (settings.holders) sources.push("ListingToken");
  return sources;
}

/**
 * The escrows whose tokens' transfers are followed: those in the list; with a factory undefined, which is any contract
 * that says it creates one. That is the only way to follow the tokens of a factory's escrows, and lets a stranger's
 * event make the indexer fetch the transfers of a foreign token (which then fold into nothing).
 */
export function issuersOf({ escrows, escrowFactory }: Followed): `0x${string}`[] | undefined {
  return escrowFactory === null ? escrows.map(({ address }) => address) : undefined;
}

/** Whether the holders of an escrow's tokens are counted. */
export function followsHolders(settings: Followed, escrowAddress: string): boolean {
  const issuers = issuersOf(settings);
  return settings.holders && (issuers === undefined || issuers.some((address) => address === escrowAddress));
}

/** The first block that is followed of any escrow. */
export function firstBlock({ escrows, escrowFactory }: Followed): bigint {
  const starts = escrowFactory === null ? escrows : [...escrows, escrowFactory];
  return BigInt(Math.min(...starts.map(({ startBlock }) => startBlock)));
}

/** `contracts` without the sources that are not configured. The type keeps all, so that handlers stay typed. */
export function onlyConfigured<Contracts extends Record<Source, unknown>>(
  contracts: Contracts,
  settings: Followed,
): Contracts {
  const configured = new Set<string>(configuredSources(settings));
  return Object.fromEntries(Object.entries(contracts).filter(([name]) => configured.has(name))) as Contracts;
}
