/** @module The tag of a list by the set of its items: the same in whatever parts the list is made. */
import { type Body, hashOf, tagOf } from "./etagged-body.ts";

const LANES = 4;
/** The bytes of a hash that count. */
const BYTES = 16;

/** A sum of hashes modulo 2^128, its lowest 32 bits first. Which items it has does not depend on how they were added. */
export type ContentSum = Uint32Array<ArrayBuffer>;

export function noContent(): ContentSum {
  return new Uint32Array(LANES);
}

export function addSum(sum: ContentSum, other: Uint32Array): void {
  let carry = 0;
  for (let lane = 0; lane < LANES; lane++) {
    const exact = (sum[lane] as number) + (other[lane] as number) + carry;
    sum[lane] = exact;
    carry = exact > 0xffffffff ? 1 : 0;
  }
}

const hash = Buffer.alloc(BYTES);
const lanes = new Uint32Array(LANES);

/** Adds a body that was tagged by its bytes. */
export function addBody(sum: ContentSum, { etag }: Pick<Body, "etag">): void {
  // 22 characters after W/" have the bytes.
  hash.write(etag.slice(3, 25), "base64url");
  addHash(sum);
}

/** Adds the same as a body with these bytes. */
export function addBytes(sum: ContentSum, content: Buffer<ArrayBuffer>): void {
  hashOf(content).copy(hash, 0, 0, BYTES);
  addHash(sum);
}

function addHash(sum: ContentSum): void {
  for (let lane = 0; lane < LANES; lane++) lanes[lane] = hash.readUInt32LE(4 * lane);
  addSum(sum, lanes);
}

/** The tag of a list. @param others tags of what else is in the answer */
export function listTag(sum: ContentSum, ...others: readonly string[]): string {
  return tagOf([...sum, ...others].join(" "));
}
