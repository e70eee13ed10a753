/**
 * The demo's interface to a market's contracts: the project's own (`reference.ts`) or an example's (`demo/contracts/`). Amounts are in base
 * units with 18 decimals, whatever the contracts count in.
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

/** A raise as its contracts report it. */
export type Figures = { readonly stage: RaiseStage; readonly raised: bigint; readonly outstanding: bigint };

export type Call = { readonly from: Address; readonly to: Address; readonly data: Hex };

/** All actions except deployments. */
export type CallableAction = Exclude<Action, { kind: "deployEscrow" }>;

/** A raise, as its contracts are asked to make it and the registry to publish it. */
export type RaiseFacts = { readonly id: RaiseId; readonly refnum: string; readonly terms: Terms };

type Offer = { readonly offerId: number; readonly expiresAt: bigint; readonly remaining: bigint };

export type MarketContracts = {
  addressOf(actor: Actor): Address;
  /** The place of a raise on the chain, for the registry. */
  placeOf(raise: RaiseId): { readonly escrowAddress: Address; readonly onchainId: string };
  /** The facts of a raise that the registry gives because its contracts do not. */
  entryOf(raise: RaiseFacts): object;
  refnumOf(raise: RaiseId): string;
  /** The calls with which `by` performs an action, in order; none for what these contracts do not have. */
  callsOf(by: Actor, action: CallableAction): Promise<readonly Call[]>;
  figuresOf(raise: RaiseId): Promise<Figures>;
  /** The accounts with a part of a raise; before the drawdown the amount is the principal. */
  holdersOf(raise: RaiseId): Promise<{ backer: Backer; amount: bigint }[]>;
  /** The id that the next raise of the current escrow gets. */
  nextId(): Promise<number>;
  /** The latest offers of the desk; none without one. */
  latestOffers(): Promise<Offer[]>;
  /** The features of raises on these contracts. */
  readonly abilities: { readonly auctions: boolean; readonly reserve: boolean; readonly undoing: boolean };
};
