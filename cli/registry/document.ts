/**
 * A registry document with its problems, and where in it they are.
 * @module
 */
import { loadImages } from "../../api/registry/images.ts";
import { loadRegistry } from "../../api/registry/load.ts";
import { parseRegistry, RegistryError } from "../../api/registry/parse.ts";
import type { Registry } from "../../api/registry/schema.ts";
import type { RegistrySource } from "../../config/values.ts";
import { createPlaces, type Place } from "./places.ts";

export type DocumentFinding = Partial<Place> & { readonly text: string };

export type CheckedDocument = {
  /** a path, or the origin of a URL, which may have a password in it */
  readonly name: string;
  /** null when it cannot be used */
  readonly registry: Registry | null;
  /** Empty when it can be used. */
  readonly problems: readonly DocumentFinding[];
  readonly warnings: readonly DocumentFinding[];
  /** Of a text that begins with a path in the document, such as `listings[3].title: …`. */
  findingOf(text: string): DocumentFinding;
};

export async function checkDocument(source: RegistrySource): Promise<CheckedDocument> {
  const name = source.kind === "file" ? source.path : new URL(source.url).origin;
  let placeOf: (problem: string) => Place | null = () => null;
  const findingOf = (text: string): DocumentFinding => ({ ...placeOf(text), text });
  try {
    const loaded = await loadRegistry(source);
    const bytes = loaded.kind === "document" ? loaded.bytes : new Uint8Array();
    placeOf = createPlaces(new TextDecoder().decode(bytes));
    const registry = parseRegistry(bytes);
    const { problems } = await loadImages({ source, registry });
    return { name, registry, problems: [], warnings: problems.map(findingOf), findingOf };
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const hidden = error.total - error.problems.length;
    const problems = [
      ...error.problems.map(findingOf),
      ...(hidden > 0 ? [{ text: `and ${hidden} more` }] : []),
    ];
    return { name, registry: null, problems, warnings: [], findingOf };
  }
}

/** `registry.json:3:14`, or the name alone. */
export function whereIs({ name }: Pick<CheckedDocument, "name">, { line, column }: DocumentFinding): string {
  return line === undefined ? name : `${name}:${line}:${column}`;
}
