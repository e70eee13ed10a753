/** @module Recognises a listing as most are: with the required fields alone, and all of them valid. The schema judges all others. */
import { ADDRESS } from "../../config/values.ts";
import type { EntryText } from "./packed.ts";
import { DESCRIPTION, hasLength, ONCHAIN_ID, PUBLIC_IDS, pairKey, TITLE } from "./schema.ts";

const FIELDS = 6;
/** Every number with so many digits is below 2^256. */
const MOST_DIGITS = 77;

/** The kept part of the entry; null for one that the schema has to judge. */
export function plainListing(json: unknown): EntryText | null {
  if (typeof json !== "object" || json === null || Object.getPrototypeOf(json) !== Object.prototype)
    return null;
  if (Object.keys(json).length !== FIELDS) return null;
  const { publicId, originator, escrowAddress, onchainId, title, description } = json as Record<
    string,
    unknown
  >;
  if (!matches(publicId, PUBLIC_IDS.lst_) || !matches(originator, PUBLIC_IDS.org_)) return null;
  if (!matches(escrowAddress, ADDRESS)) return null;
  if (!matches(onchainId, ONCHAIN_ID) || onchainId.length > MOST_DIGITS) return null;
  if (!isText(title, TITLE) || !isText(description, DESCRIPTION)) return null;
  return {
    publicId,
    pair: pairKey({ escrowAddress: escrowAddress.toLowerCase(), onchainId }),
    owner: originator,
    // The others need no escape.
    canonical: `{"description":${JSON.stringify(description)},"escrowAddress":"${escrowAddress}","onchainId":"${onchainId}","originator":"${originator}","publicId":"${publicId}","title":${JSON.stringify(title)}}`,
    hasPicture: false,
  };
}

function matches(value: unknown, pattern: RegExp): value is string {
  return typeof value === "string" && pattern.test(value);
}

function isText(value: unknown, [shortest, longest]: readonly [number, number]): value is string {
  return typeof value === "string" && value.isWellFormed() && hasLength(value, shortest, longest);
}
