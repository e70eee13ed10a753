/**
 * The verdict on a listing's totals in plain words: the figures that are proven, and what their proof leaves open.
 * @module
 */
import { formatUnits } from "viem";
import { type ProvenTotal, RULES } from "./totals.ts";
import type { ListingProof } from "./verdict.ts";
import { namesOnTrust, onTrust } from "./verify-event.ts";

/** What the figures rest on besides proven events. */
export type Grounds = {
  /** figures without any event */
  absent: string[];
  /** figures of other contracts that the service derives from more than events: nothing is said of these */
  derived: string[];
  /** figures that are sums alone */
  summed: string[];
  /** figures that the contract's view confirms, each with its call where only the service says that it is one */
  viewed: Map<string, string | null>;
  /** whether an event is of the project's contracts */
  isOurs: boolean;
  /** what the service says of events of other contracts, each with the event's name, which may have several */
  meanings: Map<string, string>;
  /** Whether the events say which listing they are of; null before the first. All do, or none: an escrow may have one listing. */
  nameListing: boolean | null;
  decimals: number | undefined;
};

/** Each total before its amount, and after "nothing was ever". */
const WORDS: Readonly<Record<string, { figure: string; done: string }>> = {
  raisedAmount: { figure: "committed", done: "committed" },
  refundedAmount: { figure: "refunded", done: "refunded" },
  reserveBalance: { figure: "reserve", done: "put into the reserve" },
  outstandingPrincipal: { figure: "principal owed", done: "drawn" },
  claimedAmount: { figure: "claimed by holders", done: "claimed by holders" },
  repaidAmount: { figure: "repaid", done: "repaid" },
};

/** The total of which no contract has a view. */
const UNVIEWED = "repaidAmount";

export function totalOf({ totals }: ListingProof, name: string): ProvenTotal | undefined {
  return (totals as Readonly<Record<string, ProvenTotal | undefined>>)[name];
}

/** What is proven, with its figures. */
export function sentenceOf(proof: ListingProof, { absent, derived, viewed, nameListing }: Grounds): string {
  const { escrowAddress, onchainId, asOf } = proof;
  const names = Object.keys(RULES).filter((name) => !absent.includes(name) && !derived.includes(name));
  const contract = `the contract ${escrowAddress}`;
  const listing = nameListing === false ? contract : `listing ${onchainId} of ${contract}`;
  const upTo = `up to block ${grouped(asOf.blockNumber)}`;
  const functions = [...viewed].flatMap(([name, signature]) =>
    signature === null ? [] : [`${figure(name)} by ${signature}`],
  );
  const itself =
    functions.length === 0 ? "the contract itself says" : `of ${joined(functions)} the contract says`;
  if (names.length === 0) {
    return viewed.size > 0
      ? `Proven ${upTo}: all totals of ${listing} are 0, and ${itself} so.`
      : `Nothing is proven: ${listing} is said to have had no event of money ${upTo}, and only the contract can confirm that.`;
  }
  const figures = names.map((name) => `${figure(name)} ${amountOf(totalOf(proof, name)?.value ?? "0")}`);
  const view = viewed.size > 0 ? `, and ${itself} the same` : "";
  return `Proven ${upTo}: ${joined(figures)}, of ${listing}. Your node confirmed every event they add up from${view}.`;
}

/** What the proof leaves open, in sentences. */
export function openOf(
  { publicId, asOf, onchainId }: ListingProof,
  { absent, derived, summed, viewed, meanings, nameListing, decimals }: Grounds,
  { complete, hasOwnAbi }: { complete: boolean; hasOwnAbi: boolean },
): string[] {
  const unviewed = (names: readonly string[]) => names.filter((name) => !viewed.has(name));
  const some = (names: readonly string[], text: string) => (names.length === 0 ? [] : [text]);
  const [sums, left] = [unviewed(summed), unviewed(Object.keys(RULES).filter((name) => name !== UNVIEWED))];
  const never = `That nothing was ever ${joined(absent.map(done), "or")} (${absent.length === 1 ? "this shows" : "these show"} 0).`;
  const whole = `That no further event counts for ${joined(sums.map(figure))}: a sum proves only what its own events come to.`;
  const later = `That no later event up to block ${grouped(asOf.blockNumber)} is missing: also compare with the contract's own totals (complete).`;
  const open = complete
    ? [
        "That no repayment is missing: no contract has a total of them.",
        ...some(
          left,
          `That no event is missing from ${joined(left.map(figure))}: the service names no view of the contract for it.`,
        ),
      ]
    : [...some(absent, never), ...some(sums, whole), later];
  const names = [...new Set(meanings.values())];
  const functions = [...viewed.values()].filter((signature) => signature !== null);
  return [
    ...unviewed(derived).map(
      (name) => `That ${figure(name)} is as shown: the service derives it from more than events.`,
    ),
    ...open,
    ...(names.length === 0
      ? []
      : [onTrust([...meanings.keys()], decimals), ...(hasOwnAbi ? [] : namesOnTrust(names, null))]),
    ...some(
      functions,
      `That ${joined(functions)} report these figures: the service's contracts module says so.`,
    ),
    ...(nameListing === false
      ? [`That the contract has no listing but ${onchainId}: its events name none.`]
      : []),
    `That ${publicId} is that listing: the service's registry says so.`,
    "That the blocks are final: your node says only that they are on its chain now.",
  ];
}

function figure(name: string): string {
  return WORDS[name]?.figure ?? name;
}

function done(name: string): string {
  return WORDS[name]?.done ?? name;
}

function joined(parts: readonly string[], word = "and"): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} ${word} ${last}`;
}

/** Such as "261,461.60": exact, with two decimals at least if it is not whole. @param value base units, 18 decimals */
function amountOf(value: string): string {
  const [whole = "0", fraction] = formatUnits(BigInt(value), 18).split(".");
  return fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction.padEnd(2, "0")}`;
}

function grouped(whole: string): string {
  return BigInt(whole).toLocaleString("en-US");
}
