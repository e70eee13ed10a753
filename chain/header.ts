/**
 * A block's header in RLP, whose keccak256 is the block's hash. Yellow Paper, section 4.4, with the fields that EIP-1559 (London),
 * EIP-4895 (Shanghai), EIP-4844 and EIP-4788 (Cancun) and EIP-7685 (Prague) append.
 * @module
 */
import { RLP } from "@ethereumjs/rlp";
import { bytesToHex, type Hex } from "viem";
import { keccak } from "../config/keccak.ts";
import type { RpcHeader } from "./raw-blocks.ts";

type Field = readonly [name: keyof Omit<RpcHeader, "hash">, kind: "bytes" | "number"];

const FIELDS: readonly Field[] = [
  ["parentHash", "bytes"],
  ["sha3Uncles", "bytes"],
  ["miner", "bytes"],
  ["stateRoot", "bytes"],
  ["transactionsRoot", "bytes"],
  ["receiptsRoot", "bytes"],
  ["logsBloom", "bytes"],
  ["difficulty", "number"],
  ["number", "number"],
  ["gasLimit", "number"],
  ["gasUsed", "number"],
  ["timestamp", "number"],
  ["extraData", "bytes"],
  ["mixHash", "bytes"],
  ["nonce", "bytes"],
];

/** In the order of the forks that appended them. */
const LATER_FIELDS: readonly Field[] = [
  ["baseFeePerGas", "number"],
  ["withdrawalsRoot", "bytes"],
  ["blobGasUsed", "number"],
  ["excessBlobGas", "number"],
  ["parentBeaconBlockRoot", "bytes"],
  ["requestsHash", "bytes"],
];

/** How many of them the last block had: the next one is probably of the same fork. */
let usual = LATER_FIELDS.length;

/** Thrown when no header with the block's hash can be made from a node's answer. */
export class HeaderError extends Error {
  override readonly name = "HeaderError";
}

/**
 * The header that hashes to the block's hash.
 *
 * A node may return fields that are not in the header, such as those of a future fork, so each number of later fields is tried.
 * A missing field between others is the empty string, as BSC encoded the beacon root between Cancun and Bohr.
 * @throws {HeaderError} when there is none
 */
export function encodeHeader(block: RpcHeader): Hex {
  const first = FIELDS.map((field) => fieldOf(block, field));
  const later = LATER_FIELDS.map((field) => fieldOf(block, field));
  const hash = bytesOf(block.hash);
  for (const count of new Set([usual, ...later.keys(), later.length])) {
    const header = RLP.encode([...first, ...later.slice(0, count)]);
    if (!hash.equals(keccak(header))) continue;
    usual = count;
    return `0x${Buffer.from(header).toString("hex")}`;
  }
  throw new HeaderError(`the header of block ${Number(block.number)} does not hash to the block's hash`);
}

/** The hash of a header of the fork of London, which has the first of the later fields alone: for chains of our own. */
export function hashOfHeader(header: Omit<RpcHeader, "hash">): Hex {
  const fields = [...FIELDS, ...LATER_FIELDS.slice(0, 1)];
  return bytesToHex(keccak(RLP.encode(fields.map((field) => fieldOf(header, field)))));
}

function fieldOf(block: Omit<RpcHeader, "hash">, [name, kind]: Field): Uint8Array {
  const value = block[name] ?? "0x";
  return kind === "bytes" ? bytesOf(value) : numberBytes(value);
}

/** Big-endian without leading zeros: nothing for 0. */
export function numberBytes(value: Hex): Uint8Array {
  const digits = value.slice(2).replace(/^0+/, "");
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
}

/** What is not hex ends the bytes, so that their hash is another one. */
export const bytesOf = (value: Hex): Buffer => Buffer.from(value.slice(2), "hex");
