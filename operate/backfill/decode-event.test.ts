import fc from "fast-check";
import { type AbiEvent, encodeAbiParameters, getAbiItem, type Hex, parseAbi, parseAbiItem } from "viem";
import { expect, test } from "vitest";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../../abis/SecondaryDeskEvents.ts";
import { createDecoder } from "./decode-event.ts";
import { loadDecoder } from "./ponder.ts";

const { decodeEventLog } = await loadDecoder();

type Content = { topics: readonly Hex[]; data: Hex };

const OTHERS = parseAbi([
  "event All(uint256 indexed a, bool indexed b, bytes7 indexed c, uint8 indexed d, address e, uint48 f, uint56 g, bytes32 h, string i, string j)",
  "event Structs(Inner one, uint16 two)",
  "struct Inner { Innermost first; bool second; }",
  "struct Innermost { address a; uint40 b; }",
]);
const ABI: readonly AbiEvent[] = [...listingEscrowEventsAbi, ...secondaryDeskEventsAbi, ...OTHERS];

/** Ponder's decoding, in its order; the message of its refusal. */
function ponders(abiItem: AbiEvent, log: Content): string {
  try {
    return texts(decodeEventLog({ abiItem, ...log }));
  } catch {
    return "refused";
  }
}

function texts(args: unknown): string {
  return JSON.stringify(args, (_, value) => (typeof value === "bigint" ? `${value}n` : value));
}

const edge = fc.constantFrom(
  "0".repeat(64),
  `${"0".repeat(63)}1`,
  `${"0".repeat(62)}20`,
  `${"0".repeat(62)}40`,
  `${"0".repeat(50)}20000000000000`,
  `${"0".repeat(51)}1fffffffffffff`.slice(-64),
  "f".repeat(64),
  `${"0".repeat(24)}${"ab".repeat(20)}`,
  `0x${"1".repeat(62)}`,
  "G".repeat(64),
  "A".repeat(64),
);
const word = fc.oneof(
  edge,
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((one) => one.toString(16).padStart(64, "0")),
  fc.bigInt({ min: 0n, max: 400n }).map((one) => one.toString(16).padStart(64, "0")),
);

/** Mostly as long as the event needs. */
function logOf({ inputs }: AbiEvent): fc.Arbitrary<Content> {
  const indexed = inputs.filter((input) => input.indexed === true).length;
  const topics = fc.array(word, { minLength: indexed + 1, maxLength: indexed + 1 });
  const few = fc.array(word, { maxLength: 5 });
  const data = fc.array(word, { minLength: 2, maxLength: 16 }).map((words) => words.join(""));
  const cut = fc.tuple(data, fc.nat(300)).map(([one, length]) => one.slice(0, length));
  return fc.record({
    topics: fc
      .oneof({ weight: 5, arbitrary: topics }, few)
      .map((words) => words.map((one): Hex => `0x${one}`)),
    data: fc.oneof({ weight: 4, arbitrary: data }, cut).map((one): Hex => `0x${one}`),
  });
}

test.each(ABI.map((item) => [item.name, item] as const))("any log of %s: as Ponder decodes it", (_, item) => {
  const decode = createDecoder(item);
  expect(decode).not.toBeNull();
  fc.assert(
    fc.property(logOf(item), (log) => {
      const args = decode?.(log);
      if (args !== undefined) expect(texts(args)).toBe(ponders(item, log));
    }),
    { numRuns: 300 },
  );
});

const TERMS = { targetAmount: 5n * 10n ** 21n, minRaise: 1n, couponRateBps: 850, insuranceBps: 500 };
const REST = { tenorDays: 180, pricingMode: 1, goLiveAt: 1_700_000_000n, closeAt: 0n };
const CREATED = getAbiItem({ abi: listingEscrowEventsAbi, name: "ListingCreated" });

function created(refnum: string): Content {
  const plain = CREATED.inputs.filter((input) => !input.indexed);
  const topic: Hex = `0x${"0".repeat(24)}${"ab".repeat(20)}`;
  const hash: Hex = `0x${"cd".repeat(32)}`;
  const data = encodeAbiParameters(plain as never, [refnum, { ...TERMS, ...REST }, hash] as never);
  return { topics: [hash, topic, topic, topic], data };
}

test.each(["", "RB00042", "x".repeat(300), "\0\t"])("a text in ASCII is decoded here: %j", (refnum) => {
  const args = createDecoder(CREATED)?.(created(refnum));
  expect(args).toMatchObject({ refnum, terms: { ...TERMS, ...REST } });
  expect(texts(args)).toBe(ponders(CREATED, created(refnum)));
});

test.each(["Übermut", "🏗", "﻿"])("another text is left to Ponder: %j", (refnum) => {
  expect(createDecoder(CREATED)?.(created(refnum))).toBeUndefined();
});

test.each([
  "event Nothing()",
  "event Unnamed(uint256, address to)",
  "event Alike(uint256 a, uint256 a)",
  "event Signed(int256 a)",
  "event List(uint256[] a)",
  "event Lists(uint256[2] a)",
  "event Bytes(bytes a)",
  "event Hashed(string indexed a)",
  "event Prototype(uint256 __proto__)",
  "event Moved((string a, uint256 b) c)",
  "event HashedStruct((uint256 a, uint256 b) indexed c)",
])("%s is left to Ponder", (signature) => {
  expect(createDecoder(parseAbiItem(signature as "event A(uint256 a)"))).toBeNull();
});
