/**
 * The event sources that the operator has configured. Ponder refuses contracts without an address, so unconfigured ones are
 * left out, and no handlers are registered for them.
 * @module
 */
import type { Settings } from "./environment.ts";

export type ContractName = "ListingEscrow" | "ListingEscrowFromFactory" | "SecondaryDesk" | "ListingToken";

/** Maximum number of contracts per log request of the backfill: endpoints limit the length of a request. */
export const ADDRESSES_PER_REQUEST = 200;
/** Maximum size of a batch in the backfill, if the endpoint accepts that many requests. */
export const REQUESTS_PER_BATCH = 50;

type ContractSettings = Pick<Settings, "escrows" | "escrowFactory" | "desk" | "holders">;

/** The sources with an address, in the order in which their handlers are registered. */
export function configuredSources(settings: ContractSettings): ContractName[] {
  const sources: ContractName[] = [];
  if (settings.escrows.length > 0) sources.push("ListingEscrow");
  if (settings.escrowFactory !== null) sources.push("ListingEscrowFromFactory");
  if (settings.desk !== null) sources.push("SecondaryDesk");
  if (settings.holders) sources.push("ListingToken");
  return sources;
}

/**
 * The escrows whose tokens' transfers are followed; undefined with a factory, which means every contract. That is the only
 * way to follow the tokens of a factory's escrows. The price: an unrelated contract's event can make the indexer fetch the
 * transfers of its token, which the fold ignores.
 */
export function issuersOf({ escrows, escrowFactory }: ContractSettings): `0x${string}`[] | undefined {
  return escrowFactory === null ? escrows.map(({ address }) => address) : undefined;
}

/** Whether the holders of an escrow's tokens are counted. */
export function followsHolders(settings: ContractSettings, escrowAddress: string): boolean {
  const issuers = issuersOf(settings);
  return settings.holders && (issuers === undefined || issuers.some((address) => address === escrowAddress));
}

/** Whether the events of an escrow are followed. Those of a factory are not known beforehand: with one, any may be. */
export function followsEscrow({ escrows, escrowFactory }: ContractSettings, escrowAddress: string): boolean {
  return escrowFactory !== null || escrows.some(({ address }) => address === escrowAddress);
}

/** The earliest start block of all escrows. */
export function firstBlock({ escrows, escrowFactory }: ContractSettings): bigint {
  const starts = escrowFactory === null ? escrows : [...escrows, escrowFactory];
  return BigInt(Math.min(...starts.map(({ startBlock }) => startBlock)));
}

/** `contracts` without unconfigured sources. The type keeps all of them, so that handlers stay typed. */
export function onlyConfigured<Contracts extends Record<ContractName, unknown>>(
  contracts: Contracts,
  settings: ContractSettings,
): Contracts {
  const configured = new Set<string>(configuredSources(settings));
  return Object.fromEntries(Object.entries(contracts).filter(([name]) => configured.has(name))) as Contracts;
}
