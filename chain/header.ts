/**
 * A block's header in RLP, whose keccak256 is the block's hash. Yellow Paper, section 4.4, with the fields that EIP-1559 (London),
 * EIP-4895 (Shanghai), EIP-4844 and EIP-4788 (Cancun) and EIP-7685 (Prague) append.
 * @module
 */
import { bytesToHex, type Hex } from "viem";
import { keccak } from "../config/keccak.ts";
import type { RpcHeader } from "./raw-blocks.ts";
import { bytesOf, encodeRlp, type Item, quantity } from "./rlp.ts";

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
  const hash = block.hash.toLowerCase();
  for (const count of new Set([usual, ...LATER_FIELDS.keys(), LATER_FIELDS.length])) {
    const header = bytesOrNull(block, count);
    if (header === null || hashOf(header) !== hash) continue;
    usual = count;
    return `0x${header.toString("hex")}`;
  }
  throw new HeaderError(`the header of block ${Number(block.number)} does not hash to the block's hash`);
}

/** The hash of a header of the fork of London, which has the first of the later fields alone: for chains of our own. */
export function hashOfHeader(header: Omit<RpcHeader, "hash">): Hex {
  return hashOf(headerBytes(header, 1));
}

const hashOf = (header: Uint8Array): Hex => bytesToHex(keccak(header));

/** Null when one of the fields is not hex. */
function bytesOrNull(block: RpcHeader, laterFields: number): Buffer | null {
  try {
    return headerBytes(block, laterFields);
  } catch {
    return null;
  }
}

/** @throws {TypeError} when one of the fields is not hex */
function headerBytes(block: Omit<RpcHeader, "hash">, laterFields: number): Buffer {
  const fields = [...FIELDS, ...LATER_FIELDS.slice(0, laterFields)];
  return bytesOf(encodeRlp(fields.map((field) => fieldOf(block, field))));
}

function fieldOf(block: Omit<RpcHeader, "hash">, [name, kind]: Field): Item {
  const value = block[name] ?? "0x";
  return kind === "bytes" ? value : quantity(value);
}
