/** @module A registry document with its problems, and where in it they are. */
import type { Settings } from "../../config/environment.ts";
import { createLocator, type SourceLocation } from "../../config/json-places.ts";
import type { RegistrySource } from "../../config/values.ts";
import { loadImages } from "./images.ts";
import { parseRegistry, RegistryError } from "./parse.ts";
import type { Registry } from "./schema.ts";
import { requiredSigner, requireSigner, signerOf } from "./signature.ts";
import { nameOf, readBytes } from "./source.ts";

export type DocumentFinding = Partial<SourceLocation> & { readonly text: string };

export type CheckedDocument = {
  /** a path, or the origin of a URL, which may have a password in it */
  readonly name: string;
  /** null when it cannot be used */
  readonly registry: Registry | null;
  /** the signer; null for an unsigned or unusable document */
  readonly signer: string | null;
  /** Empty when it can be used. */
  readonly problems: readonly DocumentFinding[];
  readonly warnings: readonly DocumentFinding[];
  /** The place of a text that begins with a path in the document, such as `listings[3].title: …`. */
  findingOf(text: string): DocumentFinding;
};

/** @param settings the required signer (null: no signature is required), and the service */
export async function checkDocument(
  source: RegistrySource,
  settings: Pick<Settings, "registrySigner" | "publicUrl" | "chainId">,
): Promise<CheckedDocument> {
  const expected = requiredSigner(settings);
  const name = nameOf(source);
  let placeOf: (problem: string) => SourceLocation | null = () => null;
  const findingOf = (text: string): DocumentFinding => ({ ...placeOf(text), text });
  try {
    const bytes = await readBytes(source);
    placeOf = createLocator(new TextDecoder().decode(bytes));
    const registry = parseRegistry(bytes);
    if (expected !== null) await requireSigner(registry, expected);
    const signer = await signerOf(registry, settings);
    const { problems } = await loadImages({ source, registry });
    const warnings = [
      ...problems,
      ...(expected === null ? warnOfSignature(registry, signer, settings) : []),
    ].map(findingOf);
    return { name, registry, signer, problems: [], warnings, findingOf };
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const hidden = error.total - error.problems.length;
    const problems = [
      ...error.problems.map(findingOf),
      ...(hidden > 0 ? [{ text: `and ${hidden} more` }] : []),
    ];
    return { name, registry: null, signer: null, problems, warnings: [], findingOf };
  }
}

function warnOfSignature(
  { signature }: Registry,
  signer: string | null,
  { publicUrl, chainId }: Pick<Settings, "publicUrl" | "chainId">,
): string[] {
  if (signature === null) return [];
  const by = signer === null ? "invalid" : `by ${signer} if it is for ${publicUrl} on chain ${chainId}`;
  return [`signature: is ${by}; without REGISTRY_SIGNER the service does not check it`];
}

/** `registry.json:3:14`, or the name alone. */
export function whereIs({ name }: Pick<CheckedDocument, "name">, { line, column }: DocumentFinding): string {
  return line === undefined ? name : `${name}:${line}:${column}`;
}
