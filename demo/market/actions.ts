/**
 * The actions of the demo's market, which `calls.ts` turns into contract calls. Amounts are in base units, rates in basis
 * points, times in unix seconds.
 * @module
 */
import type { Actor } from "./cast.ts";

/** The first deployment and its replacement; ids start at 1 in both. */
export type EscrowName = "legacy" | "current";

/** A raise's identity on the chain. */
export type RaiseId = { readonly escrow: EscrowName; readonly onchainId: number };

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

/** The text whose hash is on the chain. */
export type Metadata = { readonly title: string; readonly description: string };

/** An action on one raise. */
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

/** An action at a time. Steps at the same time share a block. */
export type Step = { readonly at: number; readonly by: Actor; readonly action: Action };
