/**
 * A registry document with its problems, and where in it they are.
 * @module
 */
import { loadImages } from "../../api/registry/images.ts";
import { parseRegistry, RegistryError } from "../../api/registry/parse.ts";
import type { Registry } from "../../api/registry/schema.ts";
import { requireSigner, signerOf } from "../../api/registry/signature.ts";
import type { RegistrySource } from "../../config/values.ts";
import { createPlaces, type Place } from "./places.ts";
import { nameOf, readBytes } from "./source.ts";

export type DocumentFinding = Partial<Place> & { readonly text: string };

export type CheckedDocument = {
  /** a path, or the origin of a URL, which may have a password in it */
  readonly name: string;
  /** null when it cannot be used */
  readonly registry: Registry | null;
  /** whose signature it has; null when it has none, or cannot be used */
  readonly signer: string | null;
  /** Empty when it can be used. */
  readonly problems: readonly DocumentFinding[];
  readonly warnings: readonly DocumentFinding[];
  /** Of a text that begins with a path in the document, such as `listings[3].title: …`. */
  findingOf(text: string): DocumentFinding;
};

/** @param expected who must have signed it; null: it need not be signed */
export async function checkDocument(
  source: RegistrySource,
  expected: `0x${string}` | null,
): Promise<CheckedDocument> {
  const name = nameOf(source);
  let placeOf: (problem: string) => Place | null = () => null;
  const findingOf = (text: string): DocumentFinding => ({ ...placeOf(text), text });
  try {
    const bytes = await readBytes(source);
    placeOf = createPlaces(new TextDecoder().decode(bytes));
    const registry = parseRegistry(bytes);
    if (expected !== null) await requireSigner(registry, expected);
    const signer = await signerOf(registry);
    const { problems } = await loadImages({ source, registry });
    const warnings = [...problems, ...warnOfSignature(registry, signer, expected)].map(findingOf);
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

/** Of a signature that nobody checks. */
function warnOfSignature({ signature }: Registry, signer: string | null, expected: string | null): string[] {
  if (signature === null || expected !== null) return [];
  const by = signer === null ? "nobody's" : `by ${signer}`;
  return [`signature: is ${by}; without REGISTRY_SIGNER the service does not check it`];
}

/** `registry.json:3:14`, or the name alone. */
export function whereIs({ name }: Pick<CheckedDocument, "name">, { line, column }: DocumentFinding): string {
  return line === undefined ? name : `${name}:${line}:${column}`;
}
