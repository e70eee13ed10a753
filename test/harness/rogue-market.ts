/** @module A registry that publishes the first ids of some escrows, for tests that make up their own events. */
import { ORIGINATOR } from "./emit.ts";

/** Public ids are `lst_<name>_<id>`, all of one approved originator. */
export function registryOf(escrows: Record<string, string>, ids = 60) {
  const listings = Object.entries(escrows).flatMap(([name, escrowAddress]) =>
    Array.from({ length: ids }, (_, index) => ({
      publicId: `lst_${name}_${index + 1}`,
      originator: "org_one",
      escrowAddress,
      onchainId: String(index + 1),
      title: "A raise",
      description: "",
    })),
  );
  const originator = {
    publicId: "org_one",
    legalName: "One",
    jurisdiction: "SG",
    kybStatus: "approved",
    addresses: [ORIGINATOR],
  };
  return { originators: [originator], listings };
}
