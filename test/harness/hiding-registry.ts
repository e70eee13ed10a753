/**
 * A registry that stays as it was at first: a listing keeps its public id, as it does with operators, and with the market after a
 * reorganisation does not. One listing may be left out for a while.
 * @module
 */
import type { RegistryDocument } from "../model/registry.ts";

export function createHidingRegistry() {
  let first: RegistryDocument | null = null;
  let hidden: string | null = null;
  return {
    /** Leaves a listing out from the next document on; null: none. */
    hide(publicId: string | null) {
      hidden = publicId;
    },
    /** @param document of the market */
    published(document: RegistryDocument): RegistryDocument {
      first ??= document;
      return { ...first, listings: first.listings.filter(({ publicId }) => publicId !== hidden) };
    },
  };
}
