/** @module Whether the registry's text matches the hash on the chain. */
import canonicalize from "canonicalize";
import type { Hex } from "viem";
import { keccak } from "../../config/keccak.ts";

/** The hashed text: the registry's original, nothing stripped. */
type Metadata = { title: string; description: string };

const known = new WeakMap<Metadata, Hex>();

/** keccak256 over the RFC 8785 canonical JSON of `{title, description}`, in UTF-8. Kept per registry entry. */
export function metadataHash(entry: Metadata): Hex {
  const kept = known.get(entry);
  if (kept !== undefined) return kept;
  const { title, description } = entry;
  const bytes = Buffer.from(canonicalize({ title, description }) ?? "");
  const hash: Hex = `0x${Buffer.from(keccak(bytes)).toString("hex")}`;
  known.set(entry, hash);
  return hash;
}
