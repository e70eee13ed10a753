/** @module A registry document with its problems, and where in it they are. */
import { join } from "node:path";
import type { Settings } from "../../config/environment.ts";
import { createLocator, placeInFile, type SourceLocation } from "../../config/json-places.ts";
import type { RegistrySource } from "../../config/values.ts";
import type { Draft } from "./draft.ts";
import { RegistryError } from "./error.ts";
import { loadImages } from "./images.ts";
import type { EntryList } from "./known.ts";
import type { Registry } from "./schema.ts";
import { requiredSigner, requireSigner, signerOf } from "./signature.ts";
import { nameOf, readDraft } from "./source.ts";

/** @property file in a folder, the file of the entry */
export type DocumentFinding = Partial<SourceLocation> & { readonly file?: string; readonly text: string };

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
  let findingOf = (text: string): DocumentFinding => ({ text });
  try {
    const draft = await readDraft(source);
    findingOf = finder(source, draft);
    const { registry } = await draft.finish();
    if (expected !== null) await requireSigner(registry, expected);
    const signer = await signerOf(registry, settings);
    const { problems } = await loadImages({ source, registry });
    const warnings = [
      ...problems,
      ...(expected === null ? warnOfSignature(registry, signer, settings) : []),
    ].map((text) => findingOf(text));
    return { name, registry, signer, problems: [], warnings, findingOf };
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const hidden = error.total - error.problems.length;
    const problems = [
      ...error.problems.map((text) => findingOf(text)),
      ...(hidden > 0 ? [{ text: `and ${hidden} more` }] : []),
    ];
    return { name, registry: null, signer: null, problems, warnings: [], findingOf };
  }
}

/** Longer documents are not parsed again to find a place in them. */
const MOST_LOCATED = 64 * 1024 * 1024;

/** Finds the place of a text that begins with the path of an entry. */
function finder(source: RegistrySource, draft: Draft): (text: string) => DocumentFinding {
  const raw = draft.raw();
  if (raw !== null && raw.length <= MOST_LOCATED) {
    const locate = createLocator(new TextDecoder().decode(raw));
    return (text) => ({ ...locate(text), text });
  }
  return (text) => {
    const [path, list, index] = /^(originators|listings)\[(\d+)\](?:\[\d+\]|\.[A-Za-z]+)*/.exec(text) ?? [];
    if (path === undefined) return { text };
    const place = draft.placeOf(list as EntryList, Number(index));
    if (place === undefined) return { text };
    if (source.kind !== "folder") return { text: draft.located(text.replace(` (${place})`, "")) };
    const [file = place, inList = ""] = place.split(", ");
    const location = placeInFile(join(source.path, file), inList + path.replace(/^[a-z]+\[\d+\]/, ""));
    return { ...location, file, text: text.replace(` (${place})`, "") };
  };
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

/** `registry.json:3:14`, or the name alone; in a folder with the name of the file. */
export function whereIs(
  { name }: Pick<CheckedDocument, "name">,
  { file, line, column }: DocumentFinding,
): string {
  const path = file === undefined ? name : join(name, file);
  return line === undefined ? path : `${path}:${line}:${column}`;
}
