/**
 * The verdict on the proof of an event.
 * @module
 */
import type { Hex } from "viem";
import { textOf } from "./fields.ts";
import { checkInclusion } from "./inclusion.ts";
import type { Node } from "./node.ts";
import { check, must, refused } from "./refusal.ts";
import type { Check, ContractAbi, EventProof, Verdict } from "./verdict.ts";

/** @param own the reader's ABI of the contract; null without one */
export async function verifyEvent(proof: EventProof, node: Node, own: ContractAbi | null): Promise<Verdict> {
  const checks: Check[] = [];
  const emitted = await check(checks, "the event", async () => {
    const found = checkInclusion(proof, own);
    await checkHash(node, BigInt(proof.block.number), proof.block.hash as Hex);
    return found;
  });
  if (emitted === null) return refused("The event is not proven", checks);
  const { number, hash } = proof.block;
  const { address, name, onchainId, meaning } = emitted;
  const isOurs = meaning === null;
  const of = isOurs && onchainId !== null ? ` for its listing ${onchainId}` : "";
  return {
    proven: true,
    sentence: `Proven: the contract ${address} emitted ${isOurs ? name : textOf(emitted)}${of} in block ${number}, whose hash ${hash} your node confirms.`,
    notProven: [
      ...(isOurs ? [] : [onTrust([meaning], proof.mapping?.decimals), ...namesOnTrust([name], own)]),
      `That ${proof.event.publicId} is that listing: the service's registry says so.`,
      "The hash of the transaction and the index of the log in its block: a receipt has neither.",
      "That the block is final: your node says only that it is on its chain now.",
    ],
    checks,
  };
}

/** What events of other contracts are said to mean. */
export function onTrust(meanings: readonly string[], decimals: number | undefined): string {
  return `That ${meanings.join("; ")}, in ${decimals} decimals: the service's contracts module says so.`;
}

/** The names of arguments are not in a signature, and neither is which of them are topics. */
export function namesOnTrust(names: readonly string[], own: ContractAbi | null): string[] {
  if (own !== null) return [];
  return [
    `That the contract names the arguments of ${names.join(", ")} so, in this order: the service says it. Compare its source, or give its ABI.`,
  ];
}

/** @throws {Refusal} unless the node knows this block */
export async function checkHash(node: Node, number: bigint, hash: Hex): Promise<void> {
  const known = await node.blockHash(number);
  must(known !== null, `your node does not know block ${number}`);
  must(known === hash, `block ${number} of your node has the hash ${known}, and the proof is of ${hash}`);
}
