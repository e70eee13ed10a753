/** @module The chain of the market in `shape.ts`. */
import { encodeAbiParameters, encodeEventTopics, getAbiItem, type Hex, stringToHex, zeroHash } from "viem";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import { metadataHash } from "../../api/market/metadata.ts";
import {
  EMPTY_BLOCKS,
  type Encoded,
  type PlacedLog,
  type ServedChain,
  statics,
  UNIT,
  word,
} from "../chain.ts";
import { createProgress } from "./progress.ts";
import { entryOf, type Shape, STEPS, shapeOf } from "./shape.ts";

/** Blocks from what is final to the head. */
const UNTIL_FINAL = 30;
const DAY = 86_400;
const CREATED = getAbiItem({ abi: listingEscrowEventsAbi, name: "ListingCreated" });
const CANCELLED = getAbiItem({ abi: listingEscrowEventsAbi, name: "ListingCancelled" });

export function millionChain(raises: number): ServedChain {
  const shape = shapeOf(raises);
  const head = shape.blocks + EMPTY_BLOCKS;
  const progress = createProgress("making the chain");
  return {
    ...{ head, finalized: head - UNTIL_FINAL, timeOf: shape.timeOf },
    logsIn(block) {
      progress(block / head);
      return logsIn(shape, block);
    },
  };
}

function logsIn(shape: Shape, block: number): PlacedLog[] {
  return [...shape.eventsIn(block)].map(({ raise, step }) => ({
    address: shape.factsOf(raise).escrow,
    ...eventOf(shape, raise, step),
  }));
}

function eventOf(shape: Shape, raise: number, step: number): Encoded {
  const { id, amount, originator } = shape.factsOf(raise);
  const backer = word(0xb000000n + (BigInt(raise) % 5_000n));
  const business = word(BigInt(originator));
  const interest = amount / 20n;
  switch (STEPS[shape.fateOf(raise)][step]) {
    case "created":
      return created(shape, raise);
    case "subscribed":
      return statics("Subscribed", [word(id), backer, backer], [amount, 0n, amount]);
    case "drawn": {
      const maturity = BigInt(shape.timeOf(shape.blockOf(raise, step)) + 180 * DAY);
      return statics("DrawnDown", [word(id), business], [amount, 0n, maturity]);
    }
    case "repaid":
      return statics("Repaid", [word(id), business], [amount, interest, 0n]);
    case "settled":
      return statics("ListingSettled", [word(id), word(0n)], [0n]);
    default:
      return {
        topics: encodeEventTopics({ abi: [CANCELLED], args: { onchainId: id } }) as Hex[],
        data: zeroHash,
      };
  }
}

/** The words are written here, as encoding a million of them takes minutes; the first is compared with viem's. */
function created(shape: Shape, raise: number): Encoded {
  const { id, originator, amount, couponRateBps, refnum } = shape.factsOf(raise);
  const fate = shape.fateOf(raise);
  // A raise that is never closed has its closing time behind the end of the chain.
  const closing = fate === "funding" || fate === "cancelled" ? shape.blocks * 2 : shape.blockOf(raise, 2);
  const closeAt = BigInt(shape.timeOf(closing));
  const metadata = metadataHash(entryOf(shape, raise));
  const token: Hex = `0x${(0xc0n * 2n ** 152n + BigInt(raise)).toString(16).padStart(40, "0")}`;
  const terms = { targetAmount: amount, minRaise: UNIT, couponRateBps, insuranceBps: 500, tenorDays: 180 };
  const words = [
    ...[BigInt(32 * 10), amount, UNIT, BigInt(couponRateBps), 500n, 180n, 0n, 1n, closeAt, BigInt(metadata)],
    BigInt(refnum.length),
  ];
  const text = stringToHex(refnum, { size: 32 }).slice(2);
  const encoded: Encoded = {
    topics: [...topicsOf(), `0x${word(id)}`, `0x${word(BigInt(originator))}`, `0x${word(BigInt(token))}`],
    data: `0x${words.map(word).join("")}${text}`,
  };
  if (!isChecked) {
    isChecked = true;
    const args = { onchainId: id, originator, token };
    const topics = encodeEventTopics({ abi: [CREATED], args }).join();
    const data = encodeAbiParameters(
      CREATED.inputs.filter((input) => !("indexed" in input && input.indexed)),
      [refnum, { ...terms, pricingMode: 0, goLiveAt: 1n, closeAt }, metadata],
    );
    if (topics !== encoded.topics.join() || data !== encoded.data)
      throw new Error(`ListingCreated is encoded wrongly: ${encoded.data}, not ${data}`);
  }
  return encoded;
}

let isChecked = false;
let createdTopic: Hex | null = null;

function topicsOf(): Hex[] {
  createdTopic ??= encodeEventTopics({ abi: [CREATED] })[0] as Hex;
  return [createdTopic];
}
