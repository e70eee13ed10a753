/**
 * Proves that a log is in a block: header, path, receipt, log. Nothing from the service is trusted except the block's hash, which
 * the reader's own node must confirm.
 * @module
 */
import { type Hex, hexToBigInt, keccak256, toRlp } from "viem";
import { decodeLog, isoTime } from "./decoded.ts";
import { checkFields, type Emitted } from "./fields.ts";
import { must } from "./refusal.ts";
import type { components } from "./schema.ts";
import { bytesOf, decodeRlp, valueAt } from "./trie.ts";
import type { ContractAbi } from "./verdict.ts";

type EventProof = components["schemas"]["EventProof"];

/** Positions in a header. */
const RECEIPTS_ROOT = 5;
const NUMBER = 8;
const TIMESTAMP = 11;
const LEAST_FIELDS = 15;

/**
 * Checks all of a proof except the block's hash, which needs a node.
 * @param own the reader's ABI of the contract; null without one
 * @returns the log as it is in the block
 * @throws {Refusal} if a step of the proof fails
 */
export function checkInclusion(proof: EventProof, own: ContractAbi | null): Emitted {
  const { event, block, transactionIndex, logInReceipt, log } = proof;
  for (const [name, index] of Object.entries({ transactionIndex, logInReceipt }))
    must(Number.isSafeInteger(index) && index >= 0, `the ${name} is no index`);
  const header = proof.header as Hex;
  must(keccak256(header) === block.hash, "the header does not have the block's hash");
  const fields = decodeRlp(header, "the header");
  must(typeof fields !== "string" && fields.length >= LEAST_FIELDS, "the header has too few fields");
  const number = numberOf(bytesOf(fields[NUMBER], "the number in the header"));
  const timestamp = isoTime(numberOf(bytesOf(fields[TIMESTAMP], "the time in the header")));
  must(`${number}` === block.number, `the header is of block ${number}`);
  must(timestamp === block.timestamp, `the header's time is ${timestamp}`);
  must(event.blockNumber === block.number, "the event names another block");
  must(event.blockTime === block.timestamp, "the event names another time");

  const root = bytesOf(fields[RECEIPTS_ROOT], "the receiptsRoot");
  const key = toRlp(transactionIndex === 0 ? "0x" : numberHex(transactionIndex));
  const receipt = valueAt(root, key, proof.path as Hex[]);
  must(receipt === proof.receipt, "the path leads to another receipt");

  const found = logOf(receipt, logInReceipt);
  const isSame =
    found.address === log.address &&
    found.data === log.data &&
    found.topics.length === log.topics.length &&
    found.topics.every((topic, index) => topic === log.topics[index]);
  must(isSame, `log ${logInReceipt} of the receipt is another`);
  return checkFields(event, decodeLog(found, proof.abi, own), proof.mapping);
}

/** A log of a receipt, which is a list, preceded by the byte of its type if it has one. */
function logOf(receipt: Hex, place: number): { address: Hex; topics: Hex[]; data: Hex } {
  const isTyped = Number.parseInt(receipt.slice(2, 4), 16) < 0x80;
  const items = decodeRlp(isTyped ? `0x${receipt.slice(4)}` : receipt, "the receipt");
  const logs = typeof items === "string" ? undefined : items[3];
  must(logs !== undefined && typeof logs !== "string", "the receipt has no logs");
  const log = logs[place];
  must(log !== undefined && typeof log !== "string", `the receipt has no log ${place}`);
  const topics = log[1];
  must(topics !== undefined && typeof topics !== "string", `log ${place} has no topics`);
  return {
    address: bytesOf(log[0], "the log's address"),
    topics: topics.map((topic) => bytesOf(topic, "a topic")),
    data: bytesOf(log[2], "the log's data"),
  };
}

function numberOf(bytes: Hex): bigint {
  return bytes === "0x" ? 0n : hexToBigInt(bytes);
}

function numberHex(value: number): Hex {
  const digits = value.toString(16);
  return `0x${digits.padStart(digits.length + (digits.length % 2), "0")}`;
}
