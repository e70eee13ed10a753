/**
 * Settings that all starts over the same tables must share, so that a takeover continues the same tables and answers.
 * Only digests are stored.
 * @module
 */
import { createHash } from "node:crypto";
import type { Settings } from "../../config/environment.ts";
import { type Problem, problemWith, SettingsError } from "../../config/problems.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { environmentOf } from "../../config/settings-environment.ts";
import type { VariableName } from "../../config/variables.ts";

/** Settings that decide what is written or answered. Paths may differ; their contents may not. */
const VALUES: readonly VariableName[] = [
  ...(["CHAIN_ID", "ESCROWS", "ESCROW_FACTORY", "DESK", "HOLDERS", "FINALITY_DEPTH"] as const),
  ...(["REGISTRY_SIGNER", "PUBLIC_URL", "APP_URL", "CONTACT", "EXPLORER_URL", "PUBLIC_NODE"] as const),
  ...(["EMBED_ORIGINS", "SITE_NAME", "SITE_ACCENT", "EXPOSE_ACCOUNTS"] as const),
];

/** A digest for each variable, and of the code that writes the tables as `DATABASE_SCHEMA`. */
export type SharedSettings = Readonly<Partial<Record<VariableName, string>>>;

/** @param registry hash of the registry in use; null: not known */
export function sharedSettingsOf(settings: Settings, registry: string | null): SharedSettings {
  const env = environmentOf(settings);
  return {
    ...Object.fromEntries(VALUES.map((name) => [name, digestOf(env[name] ?? "")])),
    CONTRACTS: digestOf(settings.contracts?.text ?? ""),
    ...(registry !== null && { REGISTRY: registry }),
    DATABASE_SCHEMA: schemaNameOf({ ...settings, databaseSchema: null }),
  };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** @throws {SettingsError} with each variable that differs. Those that only one of the two knows do not count. */
export function requireSameSettings(own: SharedSettings, theirs: SharedSettings): void {
  const names = Object.keys(own) as VariableName[];
  const differing = names.filter((name) => theirs[name] !== undefined && theirs[name] !== own[name]);
  // The code's digest has the contracts in it.
  const told = differing.length > 1 ? differing.filter((name) => name !== "DATABASE_SCHEMA") : differing;
  if (told.length > 0) throw new SettingsError(told.map(problemOf));
}

function problemOf(variable: VariableName): Problem {
  if (variable === "DATABASE_SCHEMA") {
    const what = "names tables that another start indexes with another release's code";
    return problemWith(variable, what, "Start the same release, or leave DATABASE_SCHEMA out.");
  }
  const what = "is not that of the start that indexes into the same tables: this one cannot stand by for it";
  const remedy = "Give both the same, or stop the other one first.";
  return problemWith(variable, what, remedy);
}
