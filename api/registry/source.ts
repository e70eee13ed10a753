/** @module The registry that a command works on: its argument or REGISTRY. */
import { loadEnvFiles, type Settings } from "../../config/environment.ts";
import { signedForIn } from "../../config/service-urls.ts";
import type { RegistrySource } from "../../config/values.ts";
import { VARIABLES } from "../../config/variables.ts";
import type { Draft } from "./draft.ts";
import { RegistryError } from "./error.ts";
import { loadRegistry } from "./load.ts";

/** Ends the process with exit code 2. */
type Refuse = (message: string) => never;

export function sourceOf(document: string | undefined, refuse: Refuse): RegistrySource {
  loadEnvFiles();
  const text = document ?? process.env.REGISTRY?.trim();
  if (!text) return refuse("name a document, or set REGISTRY");
  const { data, error } = VARIABLES.REGISTRY.schema.safeParse(text);
  return data ?? refuse(`the document ${error?.issues[0]?.message}`);
}

/** The required signer (null: no signature is required) and the service. The environment must be loaded. */
export function signatureSettings(
  refuse: Refuse,
): Pick<Settings, "registrySigner" | "publicUrl" | "chainId"> {
  const signedFor =
    signedForIn(process.env) ??
    refuse("CHAIN_ID, PUBLIC_URL, HOST or PORT is not valid: raisebook doctor says why");
  const text = process.env.REGISTRY_SIGNER?.trim();
  if (!text) return { registrySigner: null, ...signedFor };
  const { data, error } = VARIABLES.REGISTRY_SIGNER.schema.safeParse(text);
  const registrySigner = data ?? refuse(`REGISTRY_SIGNER ${error?.issues[0]?.message}`);
  return { registrySigner, ...signedFor };
}

/** A path, the origin of a URL, or a table at its server: a URL may have a password in it. */
export function nameOf(source: RegistrySource): string {
  if ("path" in source) return source.path;
  const { origin, host } = new URL(source.url);
  if (source.kind === "url") return origin;
  const { schema, name } = source.listings;
  return `table ${schema === null ? "" : `${schema}.`}${name} at ${host}`;
}

/** @throws {RegistryError} when it cannot be read; the problems of its content are the draft's */
export async function readDraft(source: RegistrySource): Promise<Draft> {
  const loaded = await loadRegistry(source);
  if (loaded.kind === "document") return loaded.draft;
  throw new RegistryError(["the registry's server sent no document"]);
}
