/** @module Encodes the market's actions as calls to the reference contracts. */
import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  maxUint256,
  stringToHex,
} from "viem";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import { listingTokenAbi } from "../../abis/ListingToken.ts";
import { secondaryDeskAbi } from "../../abis/SecondaryDesk.ts";
import { testDollarAbi } from "../../abis/TestDollar.ts";
import { metadataHash } from "../../api/market/metadata.ts";
import type { EscrowName, RaiseId, Terms } from "./actions.ts";
import type { Actor } from "./cast.ts";
import type { Call, CallableAction } from "./contracts.ts";

/** The addresses of contracts and accounts. */
type Addresses = {
  readonly dollar: Address;
  readonly desk: Address;
  escrow(name: EscrowName): Address;
  addressOf(actor: Actor): Address;
  /** The token of a raise that is already on the chain. */
  tokenOf(raise: RaiseId): Promise<Address>;
};

/** The call with which `by` performs `action`. */
export async function callOf(by: Actor, action: CallableAction, contracts: Addresses): Promise<Call> {
  const from = contracts.addressOf(by);
  return { from, ...(await encode(action, from, contracts)) };
}

type Encoded = Omit<Call, "from">;

/** A function that encodes calls to the contract at `to`, typed by its ABI. */
export function contractAt<const ContractAbi extends Abi>(to: Address, abi: ContractAbi) {
  return <Name extends ContractFunctionName<ContractAbi, "nonpayable">>(
    functionName: Name,
    ...args: ContractFunctionArgs<ContractAbi, "nonpayable", Name> & readonly unknown[]
  ): Encoded => ({
    to,
    data: encodeFunctionData({ abi, functionName, args } as unknown as EncodeFunctionDataParameters),
  });
}

async function encode(action: CallableAction, from: Address, contracts: Addresses): Promise<Encoded> {
  const { addressOf } = contracts;
  const dollar = contractAt(contracts.dollar, testDollarAbi);
  const desk = contractAt(contracts.desk, secondaryDeskAbi);
  switch (action.kind) {
    case "mint":
      return dollar("mint", from, action.amount);
    case "approveDollar": {
      const { spender } = action;
      return dollar("approve", spender === "desk" ? contracts.desk : contracts.escrow(spender), maxUint256);
    }
    case "fillOffer":
      return desk("fillOffer", BigInt(action.offerId), action.amount);
    case "cancelOffer":
      return desk("cancelOffer", BigInt(action.offerId));
    case "approveToken": {
      const token = contractAt(await contracts.tokenOf(action.raise), listingTokenAbi);
      return token("approve", contracts.desk, maxUint256);
    }
    case "createOffer": {
      const { raise, amount, priceBps, expiresAt } = action;
      return desk("createOffer", await contracts.tokenOf(raise), amount, BigInt(priceBps), BigInt(expiresAt));
    }
  }
  const escrow = contractAt(contracts.escrow(action.raise.escrow), listingEscrowAbi);
  const id = BigInt(action.raise.onchainId);
  switch (action.kind) {
    case "createListing": {
      const { originator, refnum, terms, metadata } = action;
      return escrow(action.kind, addressOf(originator), refnum, termsStruct(terms), metadataHash(metadata));
    }
    case "updateTerms":
      return escrow(action.kind, id, termsStruct(action.terms), metadataHash(action.metadata));
    case "subscribe":
      return escrow(action.kind, id, addressOf(action.backer), action.amount, action.bidRateBps);
    case "cancel":
    case "voidListing":
      return escrow(action.kind, id, stringToHex(action.reason, { size: 32 }));
    case "refund":
      return escrow(action.kind, id, addressOf(action.backer));
    case "drawDown":
      return escrow(action.kind, id, from);
    case "repay":
      return escrow(action.kind, id, action.principal, action.interest);
    case "withdraw":
    case "postReserve":
    case "releaseReserve":
    case "applyReserve":
      return escrow(action.kind, id, action.amount);
    case "close":
    case "settle":
    case "claimPayout":
      return escrow(action.kind, id);
  }
}

function termsStruct({ pricingMode, goLiveAt, closeAt, ...terms }: Terms) {
  const times = { goLiveAt: BigInt(goLiveAt), closeAt: BigInt(closeAt ?? 0) };
  return { ...terms, pricingMode: pricingMode === "fixed" ? 0 : 1, ...times };
}
