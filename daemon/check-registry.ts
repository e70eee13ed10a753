/**
 * Reads the registry once, so that a bad one stops the start instead of the first request.
 * @module
 */
import { loadRegistry } from "../api/registry/load.ts";
import { parseRegistry, RegistryError } from "../api/registry/parse.ts";
import type { Registry } from "../api/registry/schema.ts";
import { type Problem, problemWith, type Settings, type Warning } from "../config/environment.ts";

export type RegistryCheck = {
  /** Null when it cannot be used. */
  readonly document: Registry | null;
  readonly problems: readonly Problem[];
};

export async function checkRegistry({ registry }: Pick<Settings, "registry">): Promise<RegistryCheck> {
  const name = registry.kind === "file" ? registry.path : new URL(registry.url).origin;
  try {
    const loaded = await loadRegistry(registry);
    return { document: loaded.kind === "document" ? parseRegistry(loaded.bytes) : null, problems: [] };
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const reasons = error.message.split("\n").map((line) => `\n    - ${line}`);
    const problem = problemWith("REGISTRY", `cannot be used (${name}):${reasons.join("")}`);
    return { document: null, problems: [problem] };
  }
}

/**
 * Raises of escrows that nobody follows, which no page will ever show. With a factory nobody can tell before its events
 * are indexed. No problem, since a registry may be ahead of a deployment.
 */
export function warnOfUnfollowed(
  { listings }: Registry,
  { escrows, escrowFactory }: Pick<Settings, "escrows" | "escrowFactory">,
): readonly Warning[] {
  if (escrowFactory !== null) return [];
  const followed = new Set<string>(escrows.map(({ address }) => address));
  const strangers = Map.groupBy(
    listings.filter(({ escrowAddress }) => !followed.has(escrowAddress)),
    ({ escrowAddress }) => escrowAddress,
  );
  return [...strangers].map(([escrow, { length }]) => ({
    variable: "REGISTRY",
    warning: `has ${length} ${length === 1 ? "listing" : "listings"} of the escrow ${escrow}, which is not in ESCROWS: nobody will see ${length === 1 ? "it" : "them"}`,
  }));
}
