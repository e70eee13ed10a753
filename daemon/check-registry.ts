/**
 * Reads the registry once, so that a bad one stops the start instead of the first request.
 * @module
 */
import { loadRegistry } from "../api/registry/load.ts";
import { parseRegistry, RegistryError } from "../api/registry/parse.ts";
import { type Problem, problemWith, type Settings } from "../config/environment.ts";

export async function checkRegistry({ registry }: Pick<Settings, "registry">): Promise<readonly Problem[]> {
  const name = registry.kind === "file" ? registry.path : new URL(registry.url).origin;
  try {
    const loaded = await loadRegistry(registry);
    if (loaded.kind === "document") parseRegistry(loaded.bytes);
    return [];
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const reasons = error.message.split("\n").map((line) => `\n    - ${line}`);
    return [problemWith("REGISTRY", `cannot be used (${name}):${reasons.join("")}`)];
  }
}
