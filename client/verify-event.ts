/**
 * The verdict on the proof of an event.
 * @module
 */
import type { Hex } from "viem";
import { checkInclusion } from "./inclusion.ts";
import type { Node } from "./node.ts";
import { check, must, refused } from "./refusal.ts";
import type { Check, EventProof, Verdict } from "./verdict.ts";

export async function verifyEvent(proof: EventProof, node: Node): Promise<Verdict> {
  const checks: Check[] = [];
  const emitted = await check(checks, "the event", async () => {
    const found = checkInclusion(proof);
    await checkHash(node, BigInt(proof.block.number), proof.block.hash as Hex);
    return found;
  });
  if (emitted === null) return refused("The event is not proven", checks);
  const { number, hash } = proof.block;
  const { onchainId } = emitted.args;
  const of = onchainId === undefined ? "" : ` for its listing ${onchainId}`;
  return {
    proven: true,
    sentence: `Proven: the contract ${emitted.address} emitted ${emitted.name}${of} in block ${number}, whose hash ${hash} your node confirms.`,
    notProven: [
      `That ${proof.event.publicId} is that listing: the service's registry says so.`,
      "The hash of the transaction and the index of the log in its block: a receipt has neither.",
      "That the block is final: your node says only that it is on its chain now.",
    ],
    checks,
  };
}

/** @throws {Refusal} unless the node knows this block */
export async function checkHash(node: Node, number: bigint, hash: Hex): Promise<void> {
  const known = await node.blockHash(number);
  must(known !== null, `your node does not know block ${number}`);
  must(known === hash, `block ${number} of your node has the hash ${known}, and the proof is of ${hash}`);
}
