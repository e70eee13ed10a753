/** @module The registry that a command works on: its argument or REGISTRY. */
import { loadEnvFiles, type Settings } from "../../config/environment.ts";
import type { RegistrySource } from "../../config/values.ts";
import { signedForIn, VARIABLES } from "../../config/variables.ts";
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

/** A path, or the origin of a URL, which may have a password in it. */
export function nameOf(source: RegistrySource): string {
  return source.kind === "file" ? source.path : new URL(source.url).origin;
}

/** @throws {RegistryError} when it cannot be read */
export async function readBytes(source: RegistrySource): Promise<Uint8Array> {
  const loaded = await loadRegistry(source);
  return loaded.kind === "document" ? loaded.bytes : new Uint8Array();
}
