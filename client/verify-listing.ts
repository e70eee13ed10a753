/**
 * The verdict on the proof of a listing's totals.
 * @module
 */
import { type Hex, isHex, keccak256, numberToHex, stringToHex } from "viem";
import { DECIMALS, type Emitted } from "./fields.ts";
import { checkInclusion } from "./inclusion.ts";
import { type Grounds, openOf, sentenceOf, totalOf } from "./listing-verdict.ts";
import type { Node } from "./node.ts";
import { check, must, refused } from "./refusal.ts";
import { checkSum, type Part, type ProvenTotal, RULES } from "./totals.ts";
import type { Check, ContractAbi, EventProof, ListingProof, Verdict } from "./verdict.ts";
import { checkHash } from "./verify-event.ts";

type Options = {
  complete: boolean;
  proofOf: ((event: string) => Promise<EventProof>) | null;
  /** the reader's ABI of the contract */
  own: ContractAbi | null;
};

export async function verifyListing(proof: ListingProof, node: Node, options: Options): Promise<Verdict> {
  const checks: Check[] = [];
  const { asOf } = proof;
  const asOfBlock = BigInt(asOf.blockNumber);
  const hashes = new Map<string, Promise<void>>();
  const hashOnce = (number: bigint, hash: Hex) => {
    const key = `${number} ${hash}`;
    const known = hashes.get(key) ?? checkHash(node, number, hash);
    hashes.set(key, known);
    return known;
  };
  const grounds: Grounds = {
    ...{
      absent: [],
      derived: [],
      summed: [],
      viewed: new Map(),
      meanings: new Map(),
      nameListing: null,
      isOurs: false,
    },
    decimals: undefined,
  };
  const readings = new Map<string, string>();
  const emittedBy = async (source: string, given: EventProof): Promise<Emitted> => {
    const { event, block, abi, mapping } = given;
    must(nameOf(event) === source, `the proof is of a different event than ${source}`);
    must(BigInt(block.number) <= asOfBlock, `the event ${source} is later than the figures`);
    const emitted = checkInclusion(given, options.own);
    const { address, name, onchainId, meaning } = emitted;
    must(address === proof.escrowAddress, `the event ${source} is of another contract`);
    const namesListing = meaning === null || onchainId !== null;
    must(!namesListing || onchainId === proof.onchainId, `the event ${source} is of another listing`);
    grounds.isOurs ||= meaning === null;
    must(meaning !== null || event.part === undefined, `the event ${source} has no log of its own`);
    const reading = JSON.stringify([abi, mapping?.decimals, mapping?.onchainId]);
    const before = readings.get(given.log.topics[0] ?? "") ?? reading;
    must(
      before === reading,
      `the event ${source} is decoded differently from other events with the same signature`,
    );
    readings.set(given.log.topics[0] ?? "", reading);
    if (meaning !== null) {
      grounds.meanings.set(meaning, name);
      grounds.decimals ??= mapping?.decimals;
      must(
        grounds.decimals === mapping?.decimals,
        `the event ${source} is said to have other decimals than others`,
      );
      grounds.nameListing ??= onchainId !== null;
      must(
        grounds.nameListing === (onchainId !== null),
        `some events say which listing they are of, and others, such as ${source}, do not`,
      );
    }
    await hashOnce(BigInt(block.number), block.hash as Hex);
    return emitted;
  };

  await check(checks, "the block of the figures", () => hashOnce(asOfBlock, asOf.hash as Hex));
  const isDerived = (name: string) => totalOf(proof, name)?.unexplained === "derived";
  // Those come last: whether the contract is another is known from the events of the others.
  const names = Object.keys(RULES).toSorted(
    (one, other) => Number(isDerived(one)) - Number(isDerived(other)),
  );
  for (const name of names) {
    const total = totalOf(proof, name);
    if (isDerived(name) && total?.sumOf === null && grounds.meanings.size > 0 && !grounds.isOurs) {
      grounds.derived.push(name);
      continue;
    }
    const work = async () => {
      must(total !== undefined, "the proof does not have it");
      await checkTotal(name, total, emittedBy, options);
      if (total.source !== null || total.sumOf === null) return;
      (total.sumOf.length === 0 ? grounds.absent : grounds.summed).push(name);
    };
    await check(checks, name, work, () => `${total?.value}, as the events say`);
  }
  if (options.complete) {
    for (const name of Object.keys(RULES)) await checkView(checks, name, proof, node, grounds);
  }
  if (checks.some(({ holds }) => !holds))
    return refused("Not all of the listing's totals are proven", checks);
  return {
    proven: grounds.viewed.size > 0 || grounds.absent.length < Object.keys(RULES).length,
    sentence: sentenceOf(proof, grounds),
    notProven: openOf(proof, grounds, { complete: options.complete, hasOwnAbi: options.own !== null }),
    checks,
  };
}

/** Why the service names no events for a total. */
const NO_SUM = {
  too_many_events: "more events would have to be summed than a proof names",
  no_such_sum: "the service says that it follows from no sum of events",
  derived: "the service derives it from more than events, such as terms in its registry",
};

async function checkTotal(
  name: string,
  total: ProvenTotal,
  emittedBy: (source: string, proof: EventProof) => Promise<Emitted>,
  { proofOf }: Options,
): Promise<void> {
  const { source, proof, sumOf } = total;
  must(sumOf !== null, NO_SUM[total.unexplained ?? "no_such_sum"] ?? NO_SUM.no_such_sum);
  must((source === null) === (proof === null), "the source and its proof do not go together");
  const carrier = source === null || proof === null ? null : await emittedBy(source, proof);
  const parts: { part: Part; emitted: Emitted }[] = [];
  const found = new Map<string, { given: EventProof; emitted: Emitted }>();
  const counted = new Set<string>();
  for (const part of sumOf) {
    must(proofOf !== null, `the events that it is the sum of were not asked for, ${part.source} and others`);
    let known = found.get(part.source);
    if (known === undefined) {
      const given = await proofOf(part.source);
      known = { given, emitted: await emittedBy(part.source, given) };
      found.set(part.source, known);
    }
    must(
      proof === null || isBefore(proof, known.given),
      `the event ${part.source} is not later than ${source}`,
    );
    parts.push({ part, emitted: known.emitted });
    for (const one of countedBy(part, known.given)) {
      must(!counted.has(one), "an event counts twice");
      counted.add(one);
    }
  }
  checkSum(name, total, carrier, parts);
}

/**
 * What a part of a sum counts: the field of an event of the project's contracts, or each argument of the log of another, with its sign.
 * Several events may be of one log.
 */
function countedBy({ field, sign }: Part, given: EventProof): string[] {
  const { mapping } = given;
  const log = placeOf(given).slice(0, -1).join();
  if (mapping === null || !Object.hasOwn(mapping.fields, field)) return [`${log} ${field}`];
  return (mapping.fields[field] ?? []).map((argument) => {
    const isLess = argument.startsWith("-") !== (sign === "-");
    return `${log} ${isLess ? "-" : "+"}${argument.replace(/^-/, "")}`;
  });
}

/** `<blockNumber>-<logIndex>`, and `.<part>` for the later events of a log. */
function nameOf({ blockNumber, logIndex, part }: EventProof["event"]): string {
  return `${blockNumber}-${logIndex}${part === undefined ? "" : `.${part}`}`;
}

/** Where an event is on the chain, as far as that is proven: the index in its name is not, since no receipt has it. */
function placeOf({ block, transactionIndex, logInReceipt, event: { part = 0 } }: EventProof): number[] {
  return [Number(block.number), transactionIndex, logInReceipt, part];
}

function isBefore(one: EventProof, other: EventProof): boolean {
  const [place, otherPlace] = [placeOf(one), placeOf(other)];
  const at = place.findIndex((value, index) => value !== otherPlace[index]);
  return at !== -1 && (place[at] ?? 0) < (otherPlace[at] ?? 0);
}

/** A total without a view is listed as not proven. */
async function checkView(
  checks: Check[],
  name: string,
  proof: ListingProof,
  node: Node,
  grounds: Grounds,
): Promise<void> {
  const total = totalOf(proof, name);
  const call = viewOf(name, total, proof, grounds);
  if (call === null) return;
  const ask = async () => {
    must(total !== undefined, "the proof does not have it");
    const { signature, data, decimals } = call;
    must(SIGNATURE.test(signature), "the service names no function for it");
    must(isHex(data) && data.startsWith(selectorOf(signature)), `the call is not one of ${signature}`);
    must(
      grounds.decimals === undefined || call !== total.view || decimals === grounds.decimals,
      "its view is said to have other decimals than the events",
    );
    const given = data.slice(selectorOf(signature).length);
    const isOfListing = given === wordOf(proof.onchainId);
    must(
      isOfListing || !signature.endsWith("(uint256)") || grounds.nameListing === false,
      `the call of ${signature} is of another listing`,
    );
    const asked = isOfListing || given === "" ? signature : `${signature} with 0x${given}`;
    const block = BigInt(proof.asOf.blockNumber);
    const answer = await node.view(proof.escrowAddress as Hex, data as Hex, block);
    must(
      answer !== null,
      "your node does not say: the contract has no such view, or the node no longer has that block's state",
    );
    const figure = answer * 10n ** BigInt(DECIMALS - decimals);
    must(`${figure}` === total.value, `the contract says ${figure}, and the proof ${total.value}`);
    grounds.viewed.set(name, call === total.view ? asked : null);
  };
  await check(checks, `${name} of the contract`, ask, () => `${total?.value}, as the contract says`);
}

const SIGNATURE = /^[A-Za-z_$][\w$]*\([\w,()[\]]*\)$/;

/** The call that the project's contracts have for the figure; of other contracts, the one that the service names. */
function viewOf(
  name: string,
  total: ProvenTotal | undefined,
  { onchainId }: ListingProof,
  { isOurs, meanings }: Grounds,
): NonNullable<ProvenTotal["view"]> | null {
  if (!isOurs && total !== undefined && total.view !== null) return total.view;
  const view = RULES[name]?.view ?? null;
  if (view === null || meanings.size > 0) return null;
  const signature = `${view}(uint256)`;
  return { signature, data: `${selectorOf(signature)}${wordOf(onchainId)}`, decimals: DECIMALS };
}

/** The argument of a call that is a listing's id, without `0x`. */
function wordOf(onchainId: string): string {
  return numberToHex(BigInt(onchainId), { size: 32 }).slice(2);
}

function selectorOf(signature: string): string {
  return keccak256(stringToHex(signature)).slice(0, 10);
}
