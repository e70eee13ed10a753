/**
 * The registry document of the demo: what its businesses and raises are called off the chain.
 * @module
 */
import type { RegistryDocument } from "../../api/registry/schema.ts";
import type { Metadata, RaiseId } from "./actions.ts";
import { BUSINESSES } from "./businesses.ts";
import type { Contracts } from "./calls.ts";
import { BUSINESS_NAMES, type BusinessName } from "./cast.ts";

type Entry = RegistryDocument["listings"][number];

type Publication = Metadata & {
  readonly publicId: string;
  readonly business: BusinessName;
  readonly id: RaiseId;
};

/** The entry by which a raise is published. */
export function registryEntry(raise: Publication, contracts: Contracts): Entry {
  return {
    publicId: raise.publicId,
    originator: BUSINESSES[raise.business].publicId,
    escrowAddress: contracts.escrow(raise.id.escrow),
    onchainId: String(raise.id.onchainId),
    title: raise.title,
    description: raise.description,
  };
}

/** A whole document with every business and these entries. */
export function registryDocument(listings: Entry[], contracts: Contracts): RegistryDocument {
  const originators = BUSINESS_NAMES.map((name) => ({
    ...BUSINESSES[name],
    addresses: [contracts.addressOf(name)],
  }));
  return { originators, listings };
}
