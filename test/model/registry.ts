/** @module The registry document as an operator writes it: `market.md`, "The registry". */
import { type Hex, keccak256, toBytes } from "viem";

export type RegistryOriginator = {
  publicId: string;
  legalName: string;
  jurisdiction: string;
  kybStatus: string;
  addresses: readonly string[];
};

export type RegistryListing = {
  publicId: string;
  originator: string;
  escrowAddress: string;
  onchainId: string;
  title: string;
  description: string;
};

export type RegistryDocument = {
  originators: readonly RegistryOriginator[];
  listings: readonly RegistryListing[];
};

/** An id within an escrow says nothing without the escrow. */
export function pairKeyOf(escrow: string, onchainId: bigint | string): string {
  return `${escrow.toLowerCase()}/${onchainId}`;
}

export function owns({ addresses }: RegistryOriginator, address: string): boolean {
  return addresses.some((own) => own.toLowerCase() === address.toLowerCase());
}

/**
 * keccak256 over the RFC 8785 form of `{title, description}`, which the chain commits to. For two strings without
 * lone surrogates that form is the keys in order and `JSON.stringify` of each.
 */
export function metadataHashOf({ title, description }: { title: string; description: string }): Hex {
  return keccak256(
    toBytes(`{"description":${JSON.stringify(description)},"title":${JSON.stringify(title)}}`),
  );
}

/** Control, bidirectional and invisible characters, which could make a text read as something else. */
const DECEIVING = new RegExp(
  [
    String.raw`[\p{Cc}\p{Bidi_Control}\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]`,
    String.raw`[\uFE00-\uFE0D]`,
    String.raw`(?<!\p{Emoji})[\uFE0E\uFE0F]`,
  ].join("|"),
  "gu",
);

export function oneLine(text: string): string {
  return text.replace(DECEIVING, "");
}

export function lines(text: string): string {
  return text.split("\n").map(oneLine).join("\n");
}
