/** @module The registry document: off-chain facts, as a zod schema from which `registry.schema.json` is generated. */
import { z } from "zod";
import type { Image } from "../../config/format/image.ts";
import { UNKNOWN_ID } from "../../src/fold/events.ts";
import { COUNTRY_CODES } from "./countries.ts";
import { changedSince, type Entries, type EntryLookup, lookupOf, packedEntries } from "./entries.ts";
import type { Packed } from "./packed.ts";
import { FROM_THE_REGISTRY, readTerms } from "./terms.ts";
import { address, not, notObject } from "./values.ts";

/** The values of `kybStatus`, which the interface document leaves open. */
export const KYB_STATUSES = [
  "not_started",
  "submitted",
  "in_review",
  "approved",
  "rejected",
  "expired",
] as const;

export type KybStatus = (typeof KYB_STATUSES)[number];

/**
 * Text with a length in code points, as JSON Schema counts. Control and bidirectional characters are allowed: the hash on the
 * chain is over the text as it is. Lone surrogates are not: they have no UTF-8 form.
 */
function text(shortest: number, longest: number) {
  const error = not("a text", `${shortest} to ${longest} characters`);
  return z
    .string({ error })
    .refine((value) => value.isWellFormed(), {
      error: "holds half of a surrogate pair, which is no character",
      abort: true,
    })
    .refine((value) => hasLength(value, shortest, longest), { error })
    .meta({ minLength: shortest, maxLength: longest });
}

/** In code points, of which a text has half as many as code units at least: they need not always be counted. */
export function hasLength(value: string, shortest: number, longest: number): boolean {
  if (value.length >= 2 * shortest && value.length <= longest) return true;
  return value.length <= 2 * longest && inRange([...value].length, shortest, longest);
}

function inRange(value: number, lowest: number, highest: number): boolean {
  return value >= lowest && value <= highest;
}

export const PUBLIC_IDS = { org_: /^org_[A-Za-z0-9_-]{1,64}$/, lst_: /^lst_[A-Za-z0-9_-]{1,64}$/ };

function publicId(prefix: "org_" | "lst_") {
  const error = not("a public id", `${prefix} and 1 to 64 of A-Z a-z 0-9 _ -`);
  return z.string({ error }).regex(PUBLIC_IDS[prefix], { error });
}

const notOnchainId = not("an on-chain id", 'a decimal string from "0" to 2^256 - 1, without leading zeros');

export const ONCHAIN_ID = /^(0|[1-9][0-9]{0,77})$/;

const onchainId = z
  .string({ error: notOnchainId })
  .regex(ONCHAIN_ID, { error: notOnchainId, abort: true })
  .refine((value) => BigInt(value) < UNKNOWN_ID, { error: notOnchainId });

const notImage = not("a picture", "the name of a PNG, JPEG, WebP or SVG file next to the registry file");

/** Below the folder of the registry file: no step may begin with a dot, and nothing can be a URL. */
const imageFile = z
  .string({ error: notImage })
  .max(200, { error: notImage, abort: true })
  .regex(/^[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/, { error: notImage })
  .optional();

const notWebsite = not("a website", "an https address of at most 300 characters, without a user name");

/** Only what needs no escaping anywhere, and shows where it leads: the host is plain letters, so an international one is in punycode. */
const website = z
  .string({ error: notWebsite })
  .max(300, { error: notWebsite, abort: true })
  .regex(
    /^https:\/\/[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?([/?#][A-Za-z0-9._~!$&*+,;=:@%/?#-]*)?$/,
    { error: notWebsite },
  )
  .refine((value) => URL.canParse(value), { error: notWebsite })
  .optional();

const notRevision = not("a revision", "a whole number from 1 to 2^53 - 1");
const notSignature = not("a signature", "0x and 130 hex digits");

const originator = z
  .strictObject(
    {
      publicId: publicId("org_").describe("Public identifier. Assigned once, never reused."),
      legalName: text(1, 200).describe("Legal name of the business, 1 to 200 characters."),
      jurisdiction: z
        .enum(COUNTRY_CODES, { error: not("a country", "an assigned ISO 3166-1 alpha-2 code in capitals") })
        .describe("Country of incorporation, ISO 3166-1 alpha-2."),
      kybStatus: z
        .enum(KYB_STATUSES, { error: not("a status", KYB_STATUSES.join(", ")) })
        .describe("Status of the business verification. Only approved businesses are graded."),
      addresses: z
        .array(address.describe("An address in hex, any case."), {
          error: not("a list", "a list of addresses"),
        })
        .describe("Addresses that the business uses on the chain, each once. May be empty."),
      logo: imageFile.describe(
        "Logo: the name of a PNG, JPEG, WebP or SVG file in the folder of this document, or below it. Optional.",
      ),
      description: text(0, 2000)
        .optional()
        .describe("What the business does, in its own words, up to 2,000 characters. Optional."),
      website: website.describe("Website of the business, an https address. Optional."),
    },
    { error: notObject },
  )
  .describe("A business that raises money.");

/** Fewest and most code points of a listing's texts. */
export const [TITLE, DESCRIPTION] = [[1, 200] as const, [0, 4000] as const];

const listing = z
  .strictObject(
    {
      publicId: publicId("lst_").describe(
        "Public identifier. Assigned off the chain; outlives a redeploy: the entry is then pointed at the new pair.",
      ),
      originator: publicId("org_").describe("publicId of the originator, which must be in this document."),
      escrowAddress: address.describe("Escrow contract of the listing, hex in any case."),
      onchainId: onchainId.describe(
        "Id within the escrow, as a decimal string. Unique only with escrowAddress.",
      ),
      title: text(...TITLE).describe("Title, 1 to 200 characters."),
      description: text(...DESCRIPTION).describe("Description, up to 4,000 characters. May be empty."),
      ...FROM_THE_REGISTRY,
      cover: imageFile.describe(
        "Picture of the raise: the name of a PNG, JPEG, WebP or SVG file in the folder of this document, or below it. Optional.",
      ),
    },
    { error: notObject },
  )
  .describe("A raise to publish.");

export const registryDocument = z
  .strictObject(
    {
      $schema: text(1, 500)
        .optional()
        .describe("Where the JSON Schema of this document is, for editors. Optional."),
      originators: z
        .array(originator, { error: not("a list", "a list of originators") })
        .describe("The businesses, each public id once."),
      listings: z
        .array(listing, { error: not("a list", "a list of listings") })
        .describe("The raises, each public id and each pair of escrowAddress and onchainId once."),
      revision: z
        .int({ error: notRevision })
        .min(1, { error: notRevision })
        .optional()
        .describe(
          "Number of this document: each that is signed has a higher one than those before, so that none can be replaced by an older one. Needed by a signature.",
        ),
      signature: z
        .string({ error: notSignature })
        .regex(/^0x[0-9a-fA-F]{130}$/, { error: notSignature })
        .transform((value) => value as `0x${string}`)
        .optional()
        .describe("The operator's signature (EIP-712) of everything else in this document. Optional."),
    },
    { error: notObject },
  )
  .describe("What Raisebook cannot read from the chain: the originators, and the raises to publish.");

/** The text of `registry.schema.json`: the JSON Schema (2020-12) of the document that an operator writes. */
export function registrySchemaText(): string {
  const { $schema, ...rest } = z.toJSONSchema(registryDocument, { target: "draft-2020-12", io: "input" });
  return `${JSON.stringify({ $schema, title: "Raisebook registry", ...rest }, null, 2)}\n`;
}

export type RegistryDocument = z.output<typeof registryDocument>;
export type RegistryOriginator = Readonly<RegistryDocument["originators"][number]>;
export type RegistryListing = Readonly<RegistryDocument["listings"][number]>;

/** A valid document. Addresses are lowercase, `onchainId` is a canonical decimal string. */
export type Registry = {
  readonly originators: Entries<RegistryOriginator>;
  readonly listings: Entries<RegistryListing>;
  readonly originatorByPublicId: EntryLookup<RegistryOriginator>;
  readonly listingByPublicId: EntryLookup<RegistryListing>;
  /** By `pairKey`. */
  readonly listingByPair: EntryLookup<RegistryListing>;
  /** keccak256 over the RFC 8785 canonical JSON of the document without its signature, which is signed; for a table the sha256 of its entries' hashes. */
  readonly hash: `0x${string}`;
  readonly revision: number | null;
  /** Not checked yet (`signature.ts`). */
  readonly signature: `0x${string}` | null;
  /** The usable pictures, by the names that `cover` and `logo` give. */
  readonly images: ReadonlyMap<string, Image>;
};

/** A listing on the chain; the address in lowercase. */
export type Pair = { escrowAddress: `0x${string}`; onchainId: bigint };

export function pairOf({ escrowAddress, onchainId }: { escrowAddress: string; onchainId: string }): Pair {
  return { escrowAddress: escrowAddress as Pair["escrowAddress"], onchainId: BigInt(onchainId) };
}

/** A listing's identity on the chain, as the key of `listingByPair`. The address must be lowercase. */
export function pairKey(pair: { escrowAddress: string; onchainId: bigint | string }): string {
  return `${pair.escrowAddress}:${pair.onchainId}`;
}

type Indexed = Pick<
  Registry,
  "originators" | "listings" | "originatorByPublicId" | "listingByPublicId" | "listingByPair"
>;

/** A registry of entries that are objects already. @param hash of the document's content, as in `Registry` */
export function indexed(
  document: Pick<RegistryDocument, "revision" | "signature"> & Pick<Registry, "originators" | "listings">,
  hash: `0x${string}`,
): Registry {
  const { originators, listings } = document;
  return registryOf(document, hash, {
    ...{ originators, listings },
    originatorByPublicId: lookupOf(originators, ({ publicId }) => publicId),
    listingByPublicId: lookupOf(listings, ({ publicId }) => publicId),
    listingByPair: lookupOf(listings, pairKey),
  });
}

/** A registry of packed entries, which are valid. */
export function packedRegistry(
  document: Pick<RegistryDocument, "revision" | "signature">,
  hash: `0x${string}`,
  packed: { readonly originators: Packed; readonly listings: Packed },
): Registry {
  const originators = packedEntries(packed.originators, readOriginator);
  const listings = packedEntries(packed.listings, readListing);
  return registryOf(document, hash, {
    originators: originators.entries,
    originatorByPublicId: originators.byPublicId,
    listings: listings.entries,
    listingByPublicId: listings.byPublicId,
    listingByPair: listings.byPair,
  });
}

function registryOf(
  { revision, signature }: Pick<RegistryDocument, "revision" | "signature">,
  hash: `0x${string}`,
  entries: Indexed,
): Registry {
  return { ...entries, hash, revision: revision ?? null, signature: signature ?? null, images: new Map() };
}

/** Listings that are new or different. */
export function changedListings(before: Registry, after: Registry): readonly RegistryListing[] {
  return changedSince({ entries: before.listings, byPublicId: before.listingByPublicId }, after.listings);
}

/** Originators that are new or different. */
export function changedOriginators(before: Registry, after: Registry): readonly RegistryOriginator[] {
  const { originators: entries, originatorByPublicId: byPublicId } = before;
  return changedSince({ entries, byPublicId }, after.originators);
}

/** An entry of its canonical JSON, as the schema makes it: much faster, as nothing has to be checked. */
function readOriginator(canonical: string): RegistryOriginator {
  const entry = JSON.parse(canonical) as z.input<typeof originator>;
  return { ...entry, addresses: entry.addresses.map(lowercase) };
}

function readListing(canonical: string): RegistryListing {
  const { escrowAddress, tokenAddress, terms, ...others } = JSON.parse(canonical) as z.input<typeof listing>;
  return {
    ...others,
    escrowAddress: lowercase(escrowAddress),
    ...(terms !== undefined && { terms: readTerms(terms) }),
    ...(tokenAddress !== undefined && { tokenAddress: lowercase(tokenAddress) }),
  };
}

const lowercase = (text: string) => text.toLowerCase() as `0x${string}`;
