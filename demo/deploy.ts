/** @module Deploys the reference contracts on a local chain. */
import { type Abi, type Address, type Hex, parseEventLogs } from "viem";
import { escrowFactoryAbi } from "../abis/EscrowFactory.ts";
import { listingEscrowAbi } from "../abis/ListingEscrow.ts";
import { secondaryDeskAbi } from "../abis/SecondaryDesk.ts";
import { testDollarAbi } from "../abis/TestDollar.ts";
import { escrowFactoryBytecode } from "../contracts/artifacts/EscrowFactory.ts";
import { listingEscrowBytecode } from "../contracts/artifacts/ListingEscrow.ts";
import { secondaryDeskBytecode } from "../contracts/artifacts/SecondaryDesk.ts";
import { testDollarBytecode } from "../contracts/artifacts/TestDollar.ts";
import type { LocalChain } from "./chain.ts";

/** A contract's address in lowercase, and the block of its deployment. */
export type Deployment = { address: Address; blockNumber: bigint };

/** As in the settings. */
export function addressAndBlock({ address, blockNumber }: Deployment): string {
  return `${address}@${blockNumber}`;
}

export type DeployEscrowParameters = {
  dollar: Address;
  /** The factory that deploys and announces the escrow. */
  factory?: Address;
  /** Basis points of the principal at each drawdown; default 0. */
  feeBps?: number;
  /** Creates and runs the listings. Default: the first account. */
  owner?: Address;
  /** Default: the owner. */
  feeRecipient?: Address;
};

/** Deploys any contract from the first account. */
export async function deployContract(
  chain: LocalChain,
  params: { abi: Abi; bytecode: Hex; args?: readonly unknown[] },
): Promise<Deployment> {
  const hash = await chain.walletClient(0).deployContract(params);
  const receipt = await chain.receiptOf(hash);
  const { contractAddress, blockNumber, status } = receipt;
  if (status !== "success" || !contractAddress) throw new Error(`the deployment reverted in ${hash}`);
  return { address: lowercase(contractAddress), blockNumber };
}

export function deployDollar(chain: LocalChain): Promise<Deployment> {
  return deployContract(chain, { abi: testDollarAbi, bytecode: testDollarBytecode });
}

/** Deploys a factory owned by the first account. */
export function deployFactory(chain: LocalChain): Promise<Deployment> {
  const args = [firstAccount(chain)];
  return deployContract(chain, { abi: escrowFactoryAbi, bytecode: escrowFactoryBytecode, args });
}

export function deployDesk(chain: LocalChain, { dollar }: { dollar: Address }): Promise<Deployment> {
  return deployContract(chain, { abi: secondaryDeskAbi, bytecode: secondaryDeskBytecode, args: [dollar] });
}

export async function deployEscrow(chain: LocalChain, params: DeployEscrowParameters): Promise<Deployment> {
  const { dollar, factory, feeBps = 0, owner = firstAccount(chain), feeRecipient = owner } = params;
  const args = [dollar, owner, feeBps, feeRecipient] as const;
  if (!factory)
    return deployContract(chain, { abi: listingEscrowAbi, bytecode: listingEscrowBytecode, args });
  const hash = await chain
    .walletClient(0)
    .writeContract({ address: factory, abi: escrowFactoryAbi, functionName: "deploy", args });
  const { logs, blockNumber } = await chain.receiptOf(hash);
  const [announced] = parseEventLogs({ abi: escrowFactoryAbi, eventName: "EscrowDeployed", logs });
  if (!announced) throw new Error(`the factory announced no escrow in ${hash}`);
  return { address: lowercase(announced.args.escrow), blockNumber };
}

function firstAccount(chain: LocalChain): Address {
  return chain.walletClient(0).account.address;
}

function lowercase(address: Address): Address {
  return address.toLowerCase() as Address;
}
