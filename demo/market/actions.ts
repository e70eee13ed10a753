/**
 * What people do in the demo's market, in the words of the market. `calls.ts` turns it into calls of contracts.
 * Amounts are base units, rates basis points, times unix seconds.
 * @module
 */
import type { Actor } from "./cast.ts";

/** The first deployment, and the one that replaced it: ids begin at 1 in both. */
export type EscrowName = "legacy" | "current";

/** A raise as the chain knows it. */
export type RaiseId = {
  readonly escrow: EscrowName;
  readonly onchainId: number;
};

export type PricingMode = "fixed" | "auction";

export type Terms = {
  readonly targetAmount: bigint;
  readonly minRaise: bigint;
  readonly couponRateBps: number;
  readonly insuranceBps: number;
  readonly tenorDays: number;
  readonly pricingMode: PricingMode;
  readonly goLiveAt: number;
  readonly closeAt: number | null;
};

/** The text that the chain commits to by its hash. */
export type Metadata = {
  readonly title: string;
  readonly description: string;
};

/** What somebody does with one raise. */
export type RaiseAction =
  | {
      readonly kind: "createListing";
      readonly refnum: string;
      readonly originator: Actor;
      readonly terms: Terms;
      readonly metadata: Metadata;
    }
  | { readonly kind: "updateTerms"; readonly terms: Terms; readonly metadata: Metadata }
  | {
      readonly kind: "subscribe";
      readonly backer: Actor;
      readonly amount: bigint;
      /** 0 in a fixed raise */
      readonly bidRateBps: number;
    }
  | { readonly kind: "withdraw"; readonly amount: bigint }
  | { readonly kind: "close" }
  | { readonly kind: "cancel"; readonly reason: string }
  | { readonly kind: "voidListing"; readonly reason: string }
  | { readonly kind: "refund"; readonly backer: Actor }
  | { readonly kind: "postReserve"; readonly amount: bigint }
  | { readonly kind: "releaseReserve"; readonly amount: bigint }
  | { readonly kind: "applyReserve"; readonly amount: bigint }
  | { readonly kind: "drawDown" }
  | { readonly kind: "repay"; readonly principal: bigint; readonly interest: bigint }
  | { readonly kind: "settle" }
  | { readonly kind: "claimPayout" }
  /** Lets the desk move the actor's tokens of this raise. */
  | { readonly kind: "approveToken" }
  | {
      readonly kind: "createOffer";
      readonly amount: bigint;
      readonly priceBps: number;
      readonly expiresAt: number;
    };

export type Action =
  | { readonly kind: "deployEscrow"; readonly escrow: EscrowName }
  | { readonly kind: "mint"; readonly amount: bigint }
  /** Lets a contract move the actor's dollars. */
  | { readonly kind: "approveDollar"; readonly spender: EscrowName | "desk" }
  | { readonly kind: "fillOffer"; readonly offerId: number; readonly amount: bigint }
  | { readonly kind: "cancelOffer"; readonly offerId: number }
  | (RaiseAction & { readonly raise: RaiseId });

/** One action at its time. Steps of one time share a block. */
export type Step = {
  readonly at: number;
  readonly by: Actor;
  readonly action: Action;
};
