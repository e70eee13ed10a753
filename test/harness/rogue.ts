/**
 * Contracts that misbehave on purpose.
 *
 * @module
 */
import { feeDollarAbi, feeDollarBytecode } from "../../contracts/artifacts/FeeDollar.ts";
import { reentrantDollarAbi, reentrantDollarBytecode } from "../../contracts/artifacts/ReentrantDollar.ts";
import { rogueEscrowAbi, rogueEscrowBytecode } from "../../contracts/artifacts/RogueEscrow.ts";
import type { LocalChain } from "../../demo/chain.ts";
import { type Deployment, deployContract } from "../../demo/deploy.ts";

/** Emits any event of an escrow, a desk or a factory with any arguments; `batch` puts several into one transaction. */
export function deployRogueEscrow(chain: LocalChain): Promise<Deployment> {
  return deployContract(chain, { abi: rogueEscrowAbi, bytecode: rogueEscrowBytecode });
}

/** A dollar of which each transfer loses `feeBps` on the way. */
export function deployFeeDollar(chain: LocalChain, feeBps: bigint): Promise<Deployment> {
  return deployContract(chain, { abi: feeDollarAbi, bytecode: feeDollarBytecode, args: [feeBps] });
}

/** A dollar that makes one armed call in the middle of a transfer. */
export function deployReentrantDollar(chain: LocalChain): Promise<Deployment> {
  return deployContract(chain, { abi: reentrantDollarAbi, bytecode: reentrantDollarBytecode });
}
