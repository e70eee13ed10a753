/**
 * What the demo needs of a market's contracts, whichever they are: the project's own (`reference.ts`) or those of an example
 * (`demo/contracts/`). Amounts are in base units with 18 decimals, whatever the contracts count in.
 * @module
 */
import type { Address, Hex } from "viem";
import type { Action, RaiseId, Terms } from "./actions.ts";
import type { Actor, Backer } from "./cast.ts";

/** In the order of the reference escrow's enum. */
export const STAGES = [
  ...(["none", "open", "succeeded", "failed", "cancelled", "voided", "drawn", "settled"] as const),
];

export type RaiseStage = (typeof STAGES)[number];

/** What the contracts themselves say of a raise. */
export type Figures = { readonly stage: RaiseStage; readonly raised: bigint; readonly outstanding: bigint };

export type Call = { readonly from: Address; readonly to: Address; readonly data: Hex };

/** All actions except deployments. */
export type CallableAction = Exclude<Action, { kind: "deployEscrow" }>;

/** A raise, as its contracts are asked to make it and the registry to publish it. */
export type RaiseFacts = { readonly id: RaiseId; readonly refnum: string; readonly terms: Terms };

type Offer = { readonly offerId: number; readonly expiresAt: bigint; readonly remaining: bigint };

export type MarketContracts = {
  addressOf(actor: Actor): Address;
  /** Where the registry finds a raise. */
  placeOf(raise: RaiseId): { readonly escrowAddress: Address; readonly onchainId: string };
  /** What the registry has to say of a raise because its contracts do not. */
  entryOf(raise: RaiseFacts): object;
  refnumOf(raise: RaiseId): string;
  /** The calls with which `by` performs an action, in order; none for what these contracts do not have. */
  callsOf(by: Actor, action: CallableAction): Promise<readonly Call[]>;
  figuresOf(raise: RaiseId): Promise<Figures>;
  /** Those with a part of a raise; before the drawdown the amount is the principal. */
  holdersOf(raise: RaiseId): Promise<{ backer: Backer; amount: bigint }[]>;
  /** The id that the next raise of the current escrow gets. */
  nextId(): Promise<number>;
  /** The latest offers of the desk; none without one. */
  latestOffers(): Promise<Offer[]>;
  /** What raises can have and undergo here. */
  readonly abilities: { readonly auctions: boolean; readonly reserve: boolean; readonly undoing: boolean };
};
