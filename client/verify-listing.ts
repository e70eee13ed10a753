/**
 * The verdict on the proof of a listing's totals.
 * @module
 */
import type { Hex } from "viem";
import type { Emitted } from "./decoded.ts";
import { checkInclusion } from "./inclusion.ts";
import type { Node } from "./node.ts";
import { check, must, refused } from "./refusal.ts";
import { checkSum, type ProvenTotal, RULES } from "./totals.ts";
import type { Check, EventProof, ListingProof, Verdict } from "./verdict.ts";
import { checkHash } from "./verify-event.ts";

type Options = { complete: boolean; proofOf: ((event: string) => Promise<EventProof>) | null };

export async function verifyListing(proof: ListingProof, node: Node, options: Options): Promise<Verdict> {
  const checks: Check[] = [];
  const { asOf, totals } = proof;
  const asOfBlock = BigInt(asOf.blockNumber);
  const hashes = new Map<string, Promise<void>>();
  const hashOnce = (number: bigint, hash: Hex) => {
    const key = `${number} ${hash}`;
    const known = hashes.get(key) ?? checkHash(node, number, hash);
    hashes.set(key, known);
    return known;
  };
  const emittedBy = async (source: string, given: EventProof): Promise<Emitted> => {
    const { event, block } = given;
    must(`${event.blockNumber}-${event.logIndex}` === source, `the proof is of another event than ${source}`);
    must(BigInt(block.number) <= asOfBlock, `the event ${source} is later than the figures`);
    const emitted = checkInclusion(given);
    must(emitted.address === proof.escrowAddress, `the event ${source} is of another contract`);
    must(`${emitted.args.onchainId}` === proof.onchainId, `the event ${source} is of another listing`);
    await hashOnce(BigInt(block.number), block.hash as Hex);
    return emitted;
  };

  await check(checks, "the block of the figures", () => hashOnce(asOfBlock, asOf.hash as Hex));
  const absent: string[] = [];
  for (const name of Object.keys(RULES)) {
    const total = (totals as Readonly<Record<string, ProvenTotal | undefined>>)[name];
    const shown = total?.value ?? "";
    const work = async () => {
      must(total !== undefined, "the proof does not have it");
      await checkTotal(name, total, emittedBy, options);
      if (total.source === null && total.sumOf?.length === 0) absent.push(name);
    };
    await check(checks, name, work, () => `${shown}, as the events say`);
    if (options.complete) await checkView(checks, name, shown, proof, node);
  }
  if (checks.some(({ holds }) => !holds))
    return refused("Not all of the listing's totals are proven", checks);
  const isProven = options.complete || absent.length < Object.keys(RULES).length;
  return {
    proven: isProven,
    sentence: sentenceOf(proof, absent, options),
    notProven: openOf(proof, absent, options),
    checks,
  };
}

async function checkTotal(
  name: string,
  total: ProvenTotal,
  emittedBy: (source: string, proof: EventProof) => Promise<Emitted>,
  { proofOf }: Options,
): Promise<void> {
  const { source, proof, sumOf } = total;
  must(sumOf !== null, "the service says that it follows from no sum of events");
  must((source === null) === (proof === null), "the source and its proof do not go together");
  const carrier = source === null || proof === null ? null : await emittedBy(source, proof);
  const parts: { part: (typeof sumOf)[number]; emitted: Emitted }[] = [];
  const seen = new Map<string, Emitted>();
  for (const part of sumOf) {
    must(
      source === null || isBefore(source, part.source),
      `the event ${part.source} is not later than ${source}`,
    );
    must(proofOf !== null, `the events that it is the sum of were not asked for, ${part.source} and others`);
    const emitted = seen.get(part.source) ?? (await emittedBy(part.source, await proofOf(part.source)));
    seen.set(part.source, emitted);
    parts.push({ part, emitted });
  }
  must(
    new Set(sumOf.map((part) => `${part.source} ${part.field}`)).size === sumOf.length,
    "an event counts twice",
  );
  checkSum(name, total, carrier, parts);
}

/** Whether an event `<blockNumber>-<logIndex>` is before another. */
function isBefore(one: string, other: string): boolean {
  const [block = "0", index = "0"] = one.split("-");
  const [otherBlock = "0", otherIndex = "0"] = other.split("-");
  return BigInt(block) === BigInt(otherBlock)
    ? Number(index) < Number(otherIndex)
    : BigInt(block) < BigInt(otherBlock);
}

/** A total without a view is listed as not proven. */
async function checkView(
  checks: Check[],
  name: string,
  value: string,
  proof: ListingProof,
  node: Node,
): Promise<void> {
  const view = RULES[name]?.view ?? null;
  if (view === null) return;
  const ask = async () => {
    const answer = await node.view(
      proof.escrowAddress as Hex,
      view,
      BigInt(proof.onchainId),
      BigInt(proof.asOf.blockNumber),
    );
    must(
      answer !== null,
      "your node does not say: the contract has no such view, or the node no longer has that block's state",
    );
    must(`${answer}` === value, `the contract says ${answer}, and the proof ${value}`);
  };
  await check(checks, `${name} of the contract`, ask, () => `${value}, as the contract says`);
}

function sentenceOf(
  { escrowAddress, onchainId, asOf }: ListingProof,
  absent: readonly string[],
  { complete }: Options,
): string {
  const names = Object.keys(RULES).filter((name) => !absent.includes(name));
  const listing = `listing ${onchainId} of the contract ${escrowAddress}`;
  const upTo = `up to block ${asOf.blockNumber}`;
  if (names.length === 0) {
    return complete
      ? `Proven: the totals of ${listing} are 0 ${upTo}: the contract itself says so.`
      : `Nothing is proven: ${listing} is said to have had no event of money ${upTo}, and only the contract can confirm that.`;
  }
  const by = complete ? "and the contract itself says the same" : "by events whose blocks your node confirms";
  return `Proven: ${names.join(", ")} of ${listing} follow from its own events ${upTo}, ${by}.`;
}

function openOf({ publicId, asOf }: ListingProof, absent: string[], { complete }: Options): string[] {
  const never =
    absent.length === 0 ? [] : [`That there was no event of ${absent.join(", ")}, which are served as 0.`];
  const sums = "That no repayment was left out of repaidAmount: no contract has a view of it.";
  const later = `That no later event up to block ${asOf.blockNumber} was left out: ask with complete.`;
  return [
    ...(complete ? [sums] : [...never, later]),
    `That ${publicId} is that listing: the service's registry says so.`,
    "That the blocks are final: your node says only that they are on its chain now.",
  ];
}
