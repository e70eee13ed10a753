/**
 * Encodes the market's actions as calls to the reference contracts.
 * @module
 */
import { type Address, encodeFunctionData, type Hex, maxUint256, stringToHex } from "viem";
import { listingEscrowAbi } from "../../abis/ListingEscrow.ts";
import { listingTokenAbi } from "../../abis/ListingToken.ts";
import { secondaryDeskAbi } from "../../abis/SecondaryDesk.ts";
import { testDollarAbi } from "../../abis/TestDollar.ts";
import { metadataHash } from "../../api/market/metadata.ts";
import type { Action, EscrowName, RaiseAction, RaiseId, Terms } from "./actions.ts";
import type { Actor } from "./cast.ts";

/** The addresses of contracts and accounts. */
export type Contracts = {
  readonly dollar: Address;
  readonly desk: Address;
  escrow(name: EscrowName): Address;
  addressOf(actor: Actor): Address;
  /** The token of a raise that is already on the chain. */
  tokenOf(raise: RaiseId): Promise<Address>;
};

export type Call = {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
};

/** All actions but deployments. */
export type CallableAction = Exclude<Action, { kind: "deployEscrow" }>;

/** The call by which `by` does `action`. */
export async function callOf(by: Actor, action: CallableAction, contracts: Contracts): Promise<Call> {
  const from = contracts.addressOf(by);
  if ("raise" in action) return { from, ...(await raiseCall(action, from, contracts)) };
  const { dollar, desk } = contracts;
  switch (action.kind) {
    case "mint": {
      const args = [from, action.amount] as const;
      return {
        from,
        to: dollar,
        data: encodeFunctionData({ abi: testDollarAbi, functionName: "mint", args }),
      };
    }
    case "approveDollar": {
      const spender = action.spender === "desk" ? desk : contracts.escrow(action.spender);
      return { from, to: dollar, data: approval(spender) };
    }
    case "fillOffer": {
      const args = [BigInt(action.offerId), action.amount] as const;
      const data = encodeFunctionData({ abi: secondaryDeskAbi, functionName: "fillOffer", args });
      return { from, to: desk, data };
    }
    case "cancelOffer": {
      const args = [BigInt(action.offerId)] as const;
      const data = encodeFunctionData({ abi: secondaryDeskAbi, functionName: "cancelOffer", args });
      return { from, to: desk, data };
    }
  }
}

async function raiseCall(
  action: RaiseAction & { raise: RaiseId },
  from: Address,
  contracts: Contracts,
): Promise<Omit<Call, "from">> {
  if (action.kind === "approveToken") {
    return { to: await contracts.tokenOf(action.raise), data: approval(contracts.desk) };
  }
  if (action.kind === "createOffer") {
    const token = await contracts.tokenOf(action.raise);
    const args = [token, action.amount, BigInt(action.priceBps), BigInt(action.expiresAt)] as const;
    const data = encodeFunctionData({ abi: secondaryDeskAbi, functionName: "createOffer", args });
    return { to: contracts.desk, data };
  }
  return {
    to: contracts.escrow(action.raise.escrow),
    data: escrowData(action, BigInt(action.raise.onchainId), from, contracts),
  };
}

function escrowData(
  action: Exclude<RaiseAction, { kind: "approveToken" | "createOffer" }>,
  id: bigint,
  from: Address,
  { addressOf }: Contracts,
): Hex {
  const abi = listingEscrowAbi;
  const { kind } = action;
  switch (kind) {
    case "createListing": {
      const { originator, refnum, terms, metadata } = action;
      const args = [addressOf(originator), refnum, termsStruct(terms), metadataHash(metadata)] as const;
      return encodeFunctionData({ abi, functionName: kind, args });
    }
    case "updateTerms": {
      const args = [id, termsStruct(action.terms), metadataHash(action.metadata)] as const;
      return encodeFunctionData({ abi, functionName: kind, args });
    }
    case "subscribe": {
      const args = [id, addressOf(action.backer), action.amount, action.bidRateBps] as const;
      return encodeFunctionData({ abi, functionName: kind, args });
    }
    case "cancel":
    case "voidListing": {
      const args = [id, stringToHex(action.reason, { size: 32 })] as const;
      return encodeFunctionData({ abi, functionName: kind, args });
    }
    case "refund":
      return encodeFunctionData({ abi, functionName: kind, args: [id, addressOf(action.backer)] });
    case "drawDown":
      return encodeFunctionData({ abi, functionName: kind, args: [id, from] });
    case "repay":
      return encodeFunctionData({ abi, functionName: kind, args: [id, action.principal, action.interest] });
    case "withdraw":
    case "postReserve":
    case "releaseReserve":
    case "applyReserve":
      return encodeFunctionData({ abi, functionName: kind, args: [id, action.amount] });
    case "close":
    case "settle":
    case "claimPayout":
      return encodeFunctionData({ abi, functionName: kind, args: [id] });
  }
}

function termsStruct({ pricingMode, goLiveAt, closeAt, ...terms }: Terms) {
  return {
    ...terms,
    pricingMode: pricingMode === "fixed" ? 0 : 1,
    goLiveAt: BigInt(goLiveAt),
    closeAt: BigInt(closeAt ?? 0),
  };
}

function approval(spender: Address): Hex {
  return encodeFunctionData({
    abi: listingTokenAbi,
    functionName: "approve",
    args: [spender, maxUint256],
  });
}
