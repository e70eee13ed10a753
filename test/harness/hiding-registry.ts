/**
 * A registry in which a listing keeps its public id, as it does with operators, and with the market after a reorganisation does not;
 * the first one is left out until it is shown.
 * @module
 */
import type { RegistryDocument } from "../model/registry.ts";

type Entry = RegistryDocument["listings"][number];

const pairOf = ({ escrowAddress, onchainId }: Entry) => `${escrowAddress} ${onchainId}`;

export function createHidingRegistry() {
  let first: RegistryDocument | null = null;
  let isHidden = true;
  const hidden = () => first?.listings[0]?.publicId;
  return {
    hidden,
    /** From the next document on. */
    show() {
      isHidden = false;
    },
    /** @param document of the market */
    published(document: RegistryDocument): RegistryDocument {
      first ??= document;
      const { originators, listings } = first;
      const known = new Set(listings.flatMap((one) => [one.publicId, pairOf(one)]));
      const own = new Set(originators.map(({ publicId }) => publicId));
      const added = document.listings.filter((one) => !known.has(one.publicId) && !known.has(pairOf(one)));
      return {
        ...document,
        originators: [...originators, ...document.originators.filter(({ publicId }) => !own.has(publicId))],
        listings: [...listings, ...added].filter(({ publicId }) => !isHidden || publicId !== hidden()),
      };
    },
  };
}
