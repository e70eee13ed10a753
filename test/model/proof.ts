/**
 * Judges proofs: an event's from the Yellow Paper and the EIPs, the fields of the event from the contracts' interface as the documents
 * have it, and the arithmetic of totals from what they say the running figures mean. Shares nothing with the service or the client.
 * @module
 */
import { bytesToHex, type Hex, hexToBytes, keccak256, stringToBytes } from "viem";
import { follow, type Item, isHashOf, listOf, numberOf, readRlp, rlpOfNumber, stringOf } from "./rlp.ts";

type Fields = Readonly<Record<string, unknown>>;

/** As the service answers it. */
export type AnsweredProof = {
  event: Fields;
  block: { number: string; hash: string; timestamp: string };
  header: string;
  transactionIndex: number;
  path: string[];
  receipt: string;
  logInReceipt: number;
  log: { address: string; topics: string[]; data: string };
  abi: { type: string; name: string; inputs: AnsweredInput[] };
  mapping: object | null;
};
type AnsweredInput = { name: string; type: string; indexed?: boolean; components?: object[] };

/** Another market's events in the form of `EVENTS`, and what each means: the fields of the read interface. */
export type Foreign = {
  events: readonly EventShape[];
  read(name: string, values: Record<string, bigint>): Fields;
};
type EventShape = readonly [name: string, indexed: string, others: string];

export type AnsweredTotals = {
  escrowAddress: string;
  onchainId: string;
  totals: Record<
    string,
    {
      value: string;
      source: string | null;
      field: string | null;
      proof: AnsweredProof | null;
      sumOf: { source: string; field: string; sign: string; amount: string }[] | null;
    }
  >;
};

const TERMS =
  "uint256 targetAmount,uint256 minRaise,uint32 couponRateBps,uint32 insuranceBps,uint32 tenorDays,uint8 pricingMode,uint64 goLiveAt,uint64 closeAt";

/** The events of chain.md: indexed arguments before the bar. An enum is its number, the terms are a tuple of static values. */
const EVENTS: readonly EventShape[] = [
  [
    "ListingCreated",
    "uint256 onchainId,address originatorAddress,address tokenAddress",
    `string refnum,(${TERMS}),bytes32 metadataHash`,
  ],
  ["ListingTermsUpdated", "uint256 onchainId", `(${TERMS}),bytes32 metadataHash`],
  [
    "Subscribed",
    "uint256 onchainId,address backer,address payer",
    "uint256 amount,uint32 bidRateBps,uint256 totalRaised",
  ],
  ["Refunded", "uint256 onchainId,address backer,uint8 reason", "uint256 amount,uint256 totalRefunded"],
  [
    "ReserveChanged",
    "uint256 onchainId,uint8 reason,address account",
    "uint256 amount,uint256 reserveBalance",
  ],
  [
    "ListingClosed",
    "uint256 onchainId,uint8 reason",
    "uint256 raisedAmount,bool minRaiseMet,uint32 couponRateBps",
  ],
  ["DrawnDown", "uint256 onchainId,address to", "uint256 amount,uint256 fee,uint64 maturityAt"],
  [
    "Repaid",
    "uint256 onchainId,address payer",
    "uint256 principal,uint256 interest,uint256 outstandingPrincipal",
  ],
  ["PayoutClaimed", "uint256 onchainId,address holder", "uint256 amount,uint256 totalClaimed"],
  ["ListingSettled", "uint256 onchainId,uint8 outcome", "uint256 writtenOffPrincipal"],
  ["ListingCancelled", "uint256 onchainId", "bytes32 reason"],
  ["ListingVoided", "uint256 onchainId", "bytes32 reason"],
  [
    "OfferCreated",
    "uint256 offerId,address tokenAddress,address seller",
    "uint256 amount,uint256 priceBps,uint64 expiresAt",
  ],
  [
    "OfferFilled",
    "uint256 offerId,address tokenAddress,address buyer",
    "uint256 amount,uint256 cost,uint256 remaining",
  ],
  ["OfferCancelled", "uint256 offerId", "uint256 remaining"],
];

/** Names of enums' numbers, by event and argument. */
const WORDS: Record<string, readonly string[]> = {
  "ListingCreated pricingMode": ["fixed", "auction"],
  "ListingTermsUpdated pricingMode": ["fixed", "auction"],
  "Refunded reason": ["withdrawn", "outbid", "min_not_met", "cancelled", "voided"],
  "ReserveChanged reason": ["posted", "applied", "released"],
  "ListingClosed reason": ["filled", "deadline", "manual"],
  "ListingSettled outcome": ["repaid", "repaid_with_reserve", "defaulted"],
};
const TIMES = new Set(["goLiveAt", "closeAt", "maturityAt", "expiresAt"]);
/** Left out unless the service names persons. */
const PERSONS = new Set(["backer", "payer", "account", "to", "holder", "seller", "buyer"]);

const signatureOf = (name: string, ...lists: string[]) => {
  const types = lists.join(",").replace(/ \w+/g, "");
  return `${name}(${types})`;
};
const byTopic = (events: readonly EventShape[]) =>
  new Map(events.map((event) => [keccak256(stringToBytes(signatureOf(...event))), event] as const));
const BY_TOPIC = byTopic(EVENTS);

/** A proven log, decoded. */
export type Told = { contract: string; name: string; values: Record<string, bigint> };

/**
 * Checks a proof against the hash that the block is known to have.
 * @param foreign the contracts whose event it is, if not the project's
 * @throws when it does not hold, and says why
 */
export function judgeEvent(proof: AnsweredProof, knownHash: string, foreign?: Foreign): Told {
  const header = hexToBytes(proof.header as Hex);
  for (const index of [proof.transactionIndex, proof.logInReceipt])
    if (!Number.isSafeInteger(index) || index < 0) throw new Error(`${index} is no index`);
  if (proof.block.hash !== knownHash) throw new Error("the block has another hash");
  if (!isHashOf(hexToBytes(knownHash as Hex), header)) throw new Error("the header has another hash");
  const fields = listOf(readRlp(header));
  const timestamp = timeText(numberOf(fields[11]));
  expect("number", `${numberOf(fields[8])}`, proof.block.number, proof.event.blockNumber);
  expect("time", timestamp, proof.block.timestamp, proof.event.blockTime);

  const path = proof.path.map((node) => hexToBytes(node as Hex));
  const receipt = follow(stringOf(fields[5]), rlpOfNumber(proof.transactionIndex), path);
  expect("receipt", bytesToHex(receipt), proof.receipt);
  // EIP-2718: a type is below 0x80, and the list of a legacy receipt begins above.
  const isTyped = (receipt[0] ?? 0) < 0x80;
  const log = listOf(listOf(listOf(readRlp(isTyped ? receipt.slice(1) : receipt))[3])[proof.logInReceipt]);
  const [address, topics, data] = [stringOf(log[0]), listOf(log[1]).map(stringOf), stringOf(log[2])];
  expect("address", bytesToHex(address), proof.log.address);
  expect("topics", topics.map((topic) => bytesToHex(topic)).join(), proof.log.topics.join());
  expect("data", bytesToHex(data), proof.log.data);
  return judgeFields(proof, bytesToHex(address), topics, data, foreign);
}

function judgeFields(
  { event, abi, mapping }: AnsweredProof,
  contract: string,
  topics: readonly Uint8Array[],
  data: Uint8Array,
  foreign: Foreign | undefined,
): Told {
  const events = foreign === undefined ? BY_TOPIC : byTopic(foreign.events);
  const known = events.get(bytesToHex(topics[0] ?? new Uint8Array()));
  if (known === undefined) throw new Error("no event of the contracts");
  const [name, indexed, others] = known;
  judgeAbi(abi, known, foreign !== undefined);
  expect("presence of a mapping", foreign !== undefined, mapping !== null);
  const words: Item[] = topics.slice(1);
  const values: Record<string, bigint> = {};
  const take = (list: string, from: readonly Item[]) =>
    list.split(",").forEach((argument, index) => {
      const [, label = ""] = argument.replace(/[()]/g, "").split(" ");
      if (label !== "refnum") values[label] = wordOf(from[index]);
    });
  take(indexed, words);
  take(others, wordsIn(data));
  if (foreign !== undefined) {
    for (const [label, value] of Object.entries(foreign.read(name, values)))
      expect(label, value, event[label]);
    return { contract, name, values };
  }
  expect("kind", name.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase(), event.kind);
  for (const [label, value] of Object.entries(values)) {
    if (label === "onchainId" || (PERSONS.has(label) && !(label in event))) continue;
    expect(label, shown(name, label, value), event[label]);
  }
  if (name.startsWith("Offer")) expect("desk", contract, event.deskAddress);
  return { contract, name, values };
}

/** The event as a compiler has it: names in order, their types, and which are topics. */
function judgeAbi(abi: AnsweredProof["abi"], [name, indexed, others]: EventShape, isForeign: boolean): void {
  expect("abi", `event ${name}`, `${abi.type} ${abi.name}`);
  // The documents call addresses of contracts by their fields.
  const nameOf = (label: string) => (isForeign ? label : label.replace(/(originator|token)Address$/, "$1"));
  const argumentsIn = (list: string) =>
    list
      .replace(`(${TERMS})`, "tuple terms")
      .split(",")
      .map((argument) => argument.split(" "))
      .map(([type = "", label = ""]) => `${type} ${nameOf(label)}`);
  const listed = (isTopic: boolean) =>
    abi.inputs
      .filter((input) => (input.indexed ?? false) === isTopic)
      .map((input) => `${input.type} ${input.name}`)
      .join();
  expect("topics of the abi", argumentsIn(indexed).join(), listed(true));
  expect("data of the abi", argumentsIn(others).join(), listed(false));
  const terms = abi.inputs.flatMap(({ components = [] }) => components as AnsweredInput[]);
  if (others.includes(TERMS))
    expect("terms of the abi", TERMS, terms.map((input) => `${input.type} ${input.name}`).join());
}

function shown(name: string, label: string, value: bigint): unknown {
  const words = WORDS[`${name} ${label}`];
  if (words !== undefined) return words[Number(value)] ?? `unknown_${value}`;
  if (TIMES.has(label)) return label === "closeAt" && value === 0n ? null : timeText(value);
  if (label === "minRaiseMet") return value === 1n;
  if (label === "priceBps") return Number(value > 2n ** 53n - 1n ? 2n ** 53n - 1n : value);
  if (/Bps$|Days$/.test(label)) return Number(value);
  const size = /Address$/.test(label) || PERSONS.has(label) ? 40 : 64;
  const isHex =
    size === 40 || label === "metadataHash" || (label === "reason" && /Cancelled|Voided/.test(name));
  return isHex ? `0x${value.toString(16).padStart(size, "0")}` : `${value}`;
}

function wordsIn(data: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.floor(data.length / 32) }, (_, index) =>
    data.slice(32 * index, 32 * index + 32),
  );
}

function wordOf(item: Item | undefined): bigint {
  const word = stringOf(item);
  if (word.length !== 32) throw new Error("an argument is not there");
  return word.reduce((value, digit) => value * 256n + BigInt(digit), 0n);
}

/** Past the year 9999 the interface shows the last second. */
function timeText(seconds: bigint): string {
  const shownSeconds = seconds > 253_402_300_799n ? 253_402_300_799n : seconds;
  return new Date(Number(shownSeconds) * 1000).toISOString().replace(".000", "");
}

function expect(what: string, right: unknown, ...found: readonly unknown[]): void {
  for (const one of found) if (one !== right) throw new Error(`the ${what} is ${right}, and not ${one}`);
}

/** The argument that has the running figure after an event, by figure and event. */
const CARRIES: Record<string, Record<string, string | null>> = {
  raisedAmount: { Subscribed: "totalRaised", ListingClosed: "raisedAmount" },
  refundedAmount: { Refunded: "totalRefunded" },
  reserveBalance: { ReserveChanged: "reserveBalance" },
  outstandingPrincipal: { DrawnDown: "amount", Repaid: "outstandingPrincipal", ListingSettled: null },
  claimedAmount: { PayoutClaimed: "totalClaimed" },
  repaidAmount: {},
};

/**
 * Checks the figures of a listing.
 * @param hashOf the hash that a block is known to have
 * @param proofOf the proof of an event that a figure is the sum of
 * @throws when a figure does not follow
 */
export async function judgeTotals(
  { escrowAddress, onchainId, totals }: AnsweredTotals,
  hashOf: (block: string) => Promise<string> | string,
  proofOf: (event: string) => Promise<AnsweredProof> | AnsweredProof,
): Promise<void> {
  const tell = async (source: string, proof: AnsweredProof): Promise<Told> => {
    const told = judgeEvent(proof, await hashOf(proof.block.number));
    expect("event", source, `${proof.event.blockNumber}-${proof.event.logIndex}`);
    expect("listing", `${escrowAddress} ${onchainId}`, `${told.contract} ${told.values.onchainId}`);
    return told;
  };
  expect("figures", Object.keys(CARRIES).join(), Object.keys(totals).join());
  for (const [figure, { value, source, field, proof, sumOf }] of Object.entries(totals)) {
    if (sumOf === null) throw new Error(`${figure} follows from nothing`);
    let sum = 0n;
    const counted = new Set<string>();
    if (source !== null && proof !== null) {
      const { name, values } = await tell(source, proof);
      expect(`carrier of ${figure}`, CARRIES[figure]?.[name], field);
      sum = field === null ? 0n : (values[field] ?? -1n);
    } else expect("proof of nothing", null, source, proof, field);
    for (const part of sumOf) {
      const proven = await proofOf(part.source);
      const { name, values } = await tell(part.source, proven);
      if (proof !== null && !isLater(proven, proof)) throw new Error(`${part.source} is not later`);
      // A receipt has no index of a log in its block: a log is told from another by what its proof goes through.
      const amount = `${proven.block.number} ${proven.transactionIndex} ${proven.logInReceipt} ${part.field}`;
      if (counted.has(amount)) throw new Error(`${part.source} counts twice`);
      counted.add(amount);
      const isLowering = name === "Refunded" && figure === "raisedAmount" && (values.reason ?? 9n) < 2n;
      const isRaising = name === "Subscribed" && figure === "raisedAmount";
      const isPaying =
        name === "Repaid" && figure === "repaidAmount" && /^(principal|interest)$/.test(part.field);
      if (!isPaying && !((isLowering || isRaising) && part.field === "amount"))
        throw new Error(`${part.field} of ${name} is no part of ${figure}`);
      expect("sign", isLowering ? "-" : "+", part.sign);
      expect(part.field, `${values[part.field]}`, part.amount);
      sum += BigInt(`${part.sign}${part.amount}`);
    }
    expect(figure, `${sum}`, value);
  }
}

/** In the chain's order: by block, then by transaction, then by log of its receipt. */
function isLater(one: AnsweredProof, than: AnsweredProof): boolean {
  if (one.block.number !== than.block.number) return BigInt(one.block.number) > BigInt(than.block.number);
  return one.transactionIndex === than.transactionIndex
    ? one.logInReceipt > than.logInReceipt
    : one.transactionIndex > than.transactionIndex;
}
