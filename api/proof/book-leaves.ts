/**
 * The leaves under the root of the book: each listing and each event as the chain's events make them, with explicit lists of members. Another
 * release that keeps more still has the same root. A change of what is here is another `BOOK_VERSION`.
 * @module
 */
import { hash } from "node:crypto";
import type { Hex } from "viem";
import type { EventPosition } from "../../src/fold/event-id.ts";
import { PERSONS } from "../../src/fold/event-kinds.ts";
import type { ListingRow, StoredRow } from "../../src/fold/state.ts";
import { type Pair, pairKey } from "../registry/schema.ts";
import { hashOf, leafHash, type Tree, upTo } from "./book-tree.ts";
import type { Leaf } from "./packed-leaves.ts";

/** The version of the leaves and of the tree. Roots of different versions cannot be compared. */
export const BOOK_VERSION = 1;

/** A row of the ledger with the hash of its block. */
export type BookEvent = StoredRow & { blockHash: Hex };

/** The members of a leaf, in canonical order: big integers as decimal strings, times unix seconds. */
export type Members = Record<string, unknown>;

const LISTING_MEMBERS = inOrder([
  ...["escrowAddress", "onchainId", "createdAt", "createdBlock", "createdEventId", "originator", "token"],
  ...["refnum", "metadataHash", "targetAmount", "minRaise", "couponRateBps", "insuranceBps", "tenorDays"],
  ...["pricingMode", "goLiveAt", "closeAt", "raisedAmount", "subscriberCount", "refundedAmount"],
  ...["returnedPrincipal", "reserveBalance", "reserveApplied", "outstandingPrincipal", "repaidPrincipal"],
  ...["repaidInterest", "claimedAmount", "firstSubscribedAt", "frozenAt", "decidedAt", "closedAt"],
  ...["closeReason", "minRaiseMet", "closedCouponRateBps", "drawnDownAt", "drawnAmount", "drawdownFee"],
  ...["maturityAt", "clearedAt", "terminalKind", "terminalAt", "terminalReason", "outcome"],
  ...["writtenOffPrincipal", "updatedBlock", "updatedAt", "updatedTx", "updatedEventId"],
] as const satisfies readonly (keyof ListingRow)[]);

const EVENT_MEMBERS = inOrder([
  ...["blockNumber", "logIndex", "part", "blockHash", "blockTime", "txHash", "kind", "escrowAddress"],
  ...["onchainId", "args", "committed", "refunded", "repaidPrincipal", "repaidInterest", "outstanding"],
] as const satisfies readonly (keyof BookEvent)[]);
const HIDDEN: ReadonlySet<string> = new Set(PERSONS);

/** The members of a listing's leaf, in canonical order: amounts in base units and times in unix seconds, as decimal strings. */
export function listingMembers(row: ListingRow): Members {
  const members: Members = {};
  for (const name of LISTING_MEMBERS) members[name] = plain(row[name]);
  return members;
}

/** Addresses of persons are replaced by their hashes: the root is the same whether a service names them or not. */
export function eventMembers(row: BookEvent): Members {
  const members: Members = {};
  for (const name of EVENT_MEMBERS)
    members[name] = name === "args" ? withoutPersons(row.args) : plain(row[name]);
  return members;
}

/** Spreads listings evenly, and says nothing of a listing that is not shown. */
export function listingKey(pair: Pair): string {
  return hash("sha256", pairKey(pair));
}

const BLOCK_DIGITS = 10;
const INDEX_DIGITS = 8;
const PART_DIGITS = 2;
const PLACE_DIGITS = INDEX_DIGITS + PART_DIGITS;

/** Sorts like the chain: a prefix is a range of blocks. */
export function eventKey({
  blockNumber,
  logIndex,
  part,
}: Pick<BookEvent, "blockNumber" | "logIndex" | "part">): string {
  return blockDigits(blockNumber) + hexDigits(logIndex, INDEX_DIGITS) + hexDigits(part, PART_DIGITS);
}

/** The position of the event with this key. */
export function positionOf(key: string): Required<EventPosition> {
  return {
    blockNumber: BigInt(`0x${key.slice(0, BLOCK_DIGITS)}`),
    logIndex: Number(`0x${key.slice(BLOCK_DIGITS, -PART_DIGITS)}`),
    part: Number(`0x${key.slice(-PART_DIGITS)}`),
  };
}

/** The events of blocks up to this one. */
export function ledgerUpTo(ledger: Tree | null, block: bigint): Tree | null {
  return upTo(ledger, blockDigits(block) + "f".repeat(PLACE_DIGITS));
}

/** Members in canonical order need no canonicalization (RFC 8785): their JSON has it. */
export function toLeaf(key: string, members: Members): Leaf {
  return { key, hash: leafHash(JSON.stringify(members)) };
}

/** Put before the hashes of the two trees. */
const ROOT = Buffer.from(`raisebook book ${BOOK_VERSION}\n`);

/** The root of the book: over the version, the root of the listings, and the root of the ledger. */
export function rootOf(trees: { listings: Tree | null; ledger: Tree | null }): Hex {
  const roots = [trees.listings, trees.ledger].map((tree) => Buffer.from(hashOf(tree).slice(2), "hex"));
  return `0x${hash("sha256", Buffer.concat([ROOT, ...roots]))}`;
}

function plain(value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : (value ?? null);
}

function withoutPersons(args: StoredRow["args"]): Members {
  const members: Members = {};
  for (const name of inOrder(Object.keys(args))) {
    const value = args[name];
    const isHidden = HIDDEN.has(name) && typeof value === "string";
    members[name] = isHidden ? `0x${hash("sha256", value.toLowerCase())}` : ordered(value);
  }
  return members;
}

/** The value with the members of its objects in canonical order. */
function ordered(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(ordered);
  const members = value as Members;
  return Object.fromEntries(inOrder(Object.keys(members)).map((name) => [name, ordered(members[name])]));
}

/** In the order of UTF-16 code units. No name begins with a digit: an object would have it first. */
function inOrder<Name extends string>(names: readonly Name[]): readonly Name[] {
  return names.toSorted();
}

function blockDigits(block: bigint): string {
  return block.toString(16).padStart(BLOCK_DIGITS, "0");
}

function hexDigits(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
