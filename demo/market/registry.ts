/** @module The demo's registry: the off-chain names of its businesses and raises, and the file that the indexer watches. */
import { cp, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RegistryDocument } from "../../api/registry/schema.ts";
import type { Metadata } from "./actions.ts";
import { BUSINESS_NAMES, BUSINESSES, type BusinessName } from "./cast.ts";
import type { MarketContracts, RaiseFacts } from "./contracts.ts";

/** Drawn for the demo; the other raises show their patterns. */
const PICTURES = fileURLToPath(new URL("../pictures", import.meta.url));

type Entry = RegistryDocument["listings"][number];

type Publication = Metadata &
  RaiseFacts & { readonly publicId: string; readonly business: BusinessName; readonly cover?: string };

/** The entry that publishes a raise. */
export function registryEntry(
  raise: Publication,
  contracts: Pick<MarketContracts, "placeOf" | "entryOf">,
): Entry {
  return {
    publicId: raise.publicId,
    originator: BUSINESSES[raise.business].publicId,
    ...contracts.placeOf(raise.id),
    title: raise.title,
    description: raise.description,
    cover: raise.cover,
    ...contracts.entryOf(raise),
  };
}

/** A document with every business and these entries. */
export function registryDocument(
  listings: Entry[],
  contracts: Pick<MarketContracts, "addressOf">,
): RegistryDocument {
  const addresses = (name: BusinessName) => ({ addresses: [contracts.addressOf(name)] });
  return {
    originators: BUSINESS_NAMES.map((name) => ({ ...BUSINESSES[name], ...addresses(name) })),
    listings,
  };
}

export type RegistryFile = {
  readonly path: string;
  /** Replaces the document atomically, once the pictures are next to it. */
  write(document: RegistryDocument): Promise<void>;
};

export function registryFileIn(directory: string): RegistryFile {
  const path = join(directory, "registry.json");
  let pictures: Promise<void> | null = null;
  return {
    path,
    async write(document) {
      pictures ??= cp(PICTURES, join(directory, "pictures"), { recursive: true });
      await pictures;
      await writeFile(`${path}.new`, JSON.stringify(document, null, 2));
      await rename(`${path}.new`, path);
    },
  };
}
