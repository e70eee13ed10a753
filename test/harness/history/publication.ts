/** @module The registry's side of a history: which raises are published, as whose, and with which words. */
import { type Address, getAddress, type Hex } from "viem";
import { metadataHashOf, type RegistryDocument, type RegistryListing } from "../../model/registry.ts";
import { type CastOriginator, originators, strangers } from "./cast.ts";
import type { Random } from "./random.ts";

/** Decided with the raise, before the escrow has given it an id. */
export type Publication = {
  issuer: CastOriginator;
  /** the originator on the chain, which need not be the issuer's */
  address: Address;
  /** what the chain commits to, which need not be the words */
  metadataHash: Hex;
  /** undefined where the registry does not name the raise */
  words: Pick<RegistryListing, "publicId" | "title" | "description"> | undefined;
};

/** Characters of every kind that a text from a third party may have. */
const SPICE = ["\u0000", "\r\n", "\n", "\t", "\u007f", "\u0085", "\u200e", "\u202e", "\u2067", "\u061c"];
const WORDS = [
  "Cold",
  "Ærø",
  "trucks",
  '"solar"',
  "太陽光",
  "\\depot",
  "<b>now</b>",
  "🚚",
  "é",
  "\u2028",
  "=1+1",
];
const ID_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/** @param serial makes the public id unique */
export function randomPublication(random: Random, serial: number): Publication {
  // The last of the cast publishes nothing, and so is no visible originator.
  const issuer = random.one(originators.slice(0, -1));
  const address = random.chance(0.88)
    ? random.one(issuer.addresses)
    : random.one([...strangers, ...originators.flatMap(({ addresses }) => addresses)]);
  const publicId = `lst_${randomText(random, [...ID_CHARACTERS], random.between(1, 12))}${serial}`;
  const title = `${randomText(random, WORDS, random.between(1, 6), " ")}${random.one(["", random.one(SPICE)])}.`;
  const description = random.chance(0.1)
    ? ""
    : randomText(random, [...WORDS, ...SPICE], random.between(1, 40), " ");
  const metadataHash = random.chance(0.85)
    ? metadataHashOf({ title, description })
    : metadataHashOf({ title, description: `${description} ` });
  const words = random.chance(0.82) ? { publicId, title, description } : undefined;
  return { issuer, address, metadataHash, words };
}

export type Published = Publication & { escrow: Address; id: bigint };

/** The document as an operator might have written it, checksummed addresses and raises still to come included. */
export function registryOf(published: readonly Published[]): RegistryDocument {
  const listings = published.flatMap(({ issuer, escrow, id, words }, index) => {
    if (!words) return [];
    const escrowAddress = index % 3 === 0 ? getAddress(escrow) : escrow;
    return [{ ...words, originator: issuer.publicId, escrowAddress, onchainId: `${id}` }];
  });
  const [first] = published;
  const toCome = first
    ? {
        publicId: "lst_to_come",
        originator: first.issuer.publicId,
        escrowAddress: first.escrow,
        onchainId: `${2n ** 256n - 1n}`,
        title: "Announced, not deployed",
        description: "",
      }
    : undefined;
  return {
    originators: originators.map(({ publicId, legalName, jurisdiction, kybStatus, addresses }, index) => ({
      publicId,
      legalName,
      jurisdiction,
      kybStatus,
      addresses: addresses.map((address) => (index % 2 === 0 ? address : getAddress(address))),
    })),
    listings: toCome ? [...listings, toCome] : listings,
  };
}

function randomText(random: Random, pieces: readonly string[], length: number, between = ""): string {
  return Array.from({ length }, () => random.one(pieces)).join(between);
}
