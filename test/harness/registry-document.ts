/** @module Small registry documents, as an operator writes them. */
import { RegistryError } from "../../api/registry/error.ts";
import { draftOf } from "../../api/registry/json-stream.ts";
import type { Registry } from "../../api/registry/schema.ts";

export const A = `0x${"a1".repeat(20)}`;

export type Fields = Record<string, unknown>;

export const ORIGINATOR = {
  publicId: "org_a",
  legalName: "A Ltd",
  jurisdiction: "SG",
  kybStatus: "approved",
  addresses: [A],
};

/** The n-th raise of that business. */
export const listingEntry = (n: number, fields: Fields = {}) => ({
  ...{ publicId: `lst_${n}`, originator: "org_a", escrowAddress: A, onchainId: `${n}` },
  ...{ title: "T", description: "" },
  ...fields,
});

export const registryDocument = (
  originators: readonly Fields[] = [ORIGINATOR],
  listings: readonly Fields[] = [listingEntry(1)],
) => ({ originators, listings });

/** A document with this many raises of one business. */
export const ofRaises = (count: number) =>
  registryDocument(
    [ORIGINATOR],
    Array.from({ length: count }, (_, index) => listingEntry(index + 1)),
  );

/** A document with this many businesses without a raise. */
export const ofBusinesses = (count: number) =>
  registryDocument(
    Array.from({ length: count }, (_, index) => ({ ...ORIGINATOR, publicId: `org_${index}`, addresses: [] })),
    [],
  );

export const withListing = (fields: Fields) => registryDocument([ORIGINATOR], [listingEntry(1, fields)]);
export const withOriginator = (fields: Fields) => registryDocument([{ ...ORIGINATOR, ...fields }]);

/** @throws {RegistryError} unless these bytes, or this text or value, are a registry */
export async function readRegistry(document: unknown): Promise<Registry> {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const bytes = document instanceof Uint8Array ? document : new TextEncoder().encode(text);
  return (await (await draftOf(bytes)).finish()).registry;
}

/** The problems of a document; empty if it is a registry. */
export async function problemsOf(document: unknown): Promise<readonly string[]> {
  try {
    await readRegistry(document);
  } catch (error) {
    if (error instanceof RegistryError) return error.problems;
    throw error;
  }
  return [];
}
