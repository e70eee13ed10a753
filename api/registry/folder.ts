/**
 * Loads a registry from a folder with a file per entry: `listings/*`, `originators/*` or a list in `originators.*`, and the
 * revision and signature in `registry.*`; each is JSON or YAML. Other files are ignored.
 * @module
 */
import type { BigIntStats } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { isObject } from "../../config/is-object.ts";
import { errorCode } from "../../config/safe-fetch.ts";
import { createDraft, type Draft } from "./draft.ts";
import { RegistryError } from "./error.ts";
import { fileVersion } from "./file.ts";
import { MOST_AT_ONCE } from "./json-stream.ts";
import { type EntryList, findKnown, type KnownEntries } from "./known.ts";
import type { Loaded, LoadOptions } from "./loaded.ts";
import { decodeText, parseJson, reasonOf } from "./parse.ts";

/** Files that are read at the same time. */
const AT_ONCE = 32;
const DATA_FILE = /^(?!\.).+\.(?:json|ya?ml)$/;

/** A file with an entry, with a list of them, or with the other members of the document. */
type DataFile = { readonly name: string; readonly list: EntryList | null; readonly isList: boolean };
type Versioned = DataFile & { readonly version: string; readonly isTooLarge: boolean };

/** @throws {RegistryError} when a file is unreadable */
export async function loadFolder(folder: string, { validators, ...options }: LoadOptions): Promise<Loaded> {
  try {
    // A link may be switched while the files are read, which must all be of one folder.
    const path = await realpath(folder).catch(() => folder);
    const files = await inBatches(await dataFiles(path), (file) => versionOf(path, file));
    if (validators && isSame(files, validators)) return { kind: "unchanged" };
    const known = await options.known?.();
    const draft = createDraft({ known });
    const read: Record<string, string> = {};
    let top: Record<string, unknown> = {};
    // In their order, by which problems name entries.
    await inBatches(
      files,
      (file) => (keyOf(file, validators, known) === null ? contentOf(path, file) : null),
      (content, file) => {
        const { name, list, version, isList } = file;
        const before = keyOf(file, validators, known);
        let key = "";
        if (list === null) top = { ...top, ...topOf(draft, file, content ?? "is missing") };
        else if (before !== null && draft.addKnown(list, before, name)) key = before;
        else if (isList) addList(draft, list, file, content ?? "is missing");
        else if (content === null || typeof content === "string")
          draft.addUnreadable(list, content ?? "is missing", name);
        else key = draft.add(list, content.value, name);
        read[name] = `${version}#${key}`;
      },
    );
    draft.setTop(top);
    return { kind: "document", draft, validators: read };
  } catch (error) {
    if (error instanceof RegistryError) throw error;
    const code = errorCode(error);
    throw new RegistryError([`the registry's folder could not be read${code ? ` (${code})` : ""}`]);
  }
}

async function dataFiles(path: string): Promise<DataFile[]> {
  const above = await namesIn(path);
  if (above === null) throw new RegistryError(["the registry's folder does not exist"]);
  const [originators, listings] = await Promise.all([
    namesIn(join(path, "originators")),
    namesIn(join(path, "listings")),
  ]);
  if (listings === null) throw new RegistryError(["the registry's folder has no folder listings"]);
  const named = (stem: string) => above.filter((name) => name.replace(/\.[a-z]+$/, "") === stem);
  // Otherwise the revision of one could go with the signature of another.
  if (named("registry").length > 1)
    throw new RegistryError([`the registry's folder has ${named("registry").join(" and ")}: keep one`]);
  return [
    ...named("registry").map((name) => ({ name, list: null, isList: false })),
    ...named("originators").map((name) => ({ name, list: "originators" as const, isList: true })),
    ...(originators ?? []).map((name) => entryFile("originators", name)),
    ...listings.map((name) => entryFile("listings", name)),
  ];
}

function entryFile(list: EntryList, name: string): DataFile {
  return { name: `${list}/${name}`, list, isList: false };
}

/** The JSON and YAML files of a folder, in the same order everywhere; null if there is no such folder. */
async function namesIn(folder: string): Promise<string[] | null> {
  try {
    return (await readdir(folder)).filter((name) => DATA_FILE.test(name)).sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

async function versionOf(path: string, file: DataFile): Promise<Versioned> {
  let stats: BigIntStats;
  try {
    stats = await stat(join(path, file.name), { bigint: true });
  } catch (error) {
    throw unreadable(file, error);
  }
  if (!stats.isFile()) throw new RegistryError([`the registry's folder: ${file.name} is not a regular file`]);
  return { ...file, version: fileVersion(stats), isTooLarge: stats.size > MOST_AT_ONCE };
}

function unreadable({ name }: DataFile, error: unknown): RegistryError {
  const code = errorCode(error);
  if (code === "ENOENT") return new RegistryError([`the registry's folder: ${name} does not exist any more`]);
  return new RegistryError([`the registry's folder: ${name} could not be read${code ? ` (${code})` : ""}`]);
}

function isSame(files: readonly Versioned[], before: Readonly<Record<string, string>>): boolean {
  return (
    files.length === Object.keys(before).length &&
    files.every(({ name, version }) => before[name]?.split("#", 1)[0] === version)
  );
}

/** The key of a known entry whose file has not changed; null for a file that has to be read. */
function keyOf(
  { name, list, version }: Versioned,
  before: LoadOptions["validators"],
  known: KnownEntries | undefined,
): string | null {
  const [versionBefore, key = ""] = before?.[name]?.split("#") ?? [];
  return versionBefore === version && list !== null && findKnown(known, list, key) !== null ? key : null;
}

type Content = { readonly value: unknown } | string;

/** The value of a file, or the reason why there is none. */
async function contentOf(path: string, file: Versioned): Promise<Content> {
  if (file.isTooLarge) return `is larger than ${MOST_AT_ONCE} bytes`;
  let bytes: Uint8Array;
  try {
    bytes = await readFile(join(path, file.name));
  } catch (error) {
    throw unreadable(file, error);
  }
  return file.name.endsWith(".json") ? parseJson(bytes) : parseYaml(bytes);
}

/** Every scalar is a text: an address or an id is never taken for a number, nor a title for a date. */
function parseYaml(bytes: Uint8Array): Content {
  const text = decodeText(bytes);
  if (text === null) return "is not UTF-8";
  const document = parseDocument(text, { schema: "failsafe", prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) return `is not YAML: ${reasonOf(new Error(error.message.split("\n", 1)[0]))}`;
  try {
    return { value: document.toJS() };
  } catch (thrown) {
    return `is not YAML: ${reasonOf(thrown)}`;
  }
}

function addList(draft: Draft, list: EntryList, { name }: DataFile, content: Content): void {
  if (typeof content === "string") draft.problem(`${list}: ${content} (${name})`);
  else if (!Array.isArray(content.value)) draft.problem(`${list}: is not a list of ${list} (${name})`);
  else for (const [index, entry] of content.value.entries()) draft.add(list, entry, `${name}, [${index}]`);
}

/** The members of `registry.json` or `registry.yaml`, in which a revision is a text. */
function topOf(draft: Draft, { name }: DataFile, content: Content): Record<string, unknown> {
  if (typeof content === "string") draft.problem(`the document ${content} (${name})`);
  else if (!isObject(content.value)) draft.problem(`the document: is not an object (${name})`);
  else {
    const { revision, ...members } = content.value;
    for (const list of ["originators", "listings"])
      if (list in members) draft.problem(`${list}: cannot be in ${name}: each has a file of its own`);
    if (revision === undefined) return members;
    return { ...members, revision: /^\d{1,16}$/.test(String(revision)) ? Number(revision) : revision };
  }
  return {};
}

/** Results in the order of the items, some at a time. */
async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result> | Result,
  onResult?: (result: Result, item: Item) => void,
): Promise<Result[]> {
  const all: Result[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const batch = items.slice(start, start + AT_ONCE);
    const results = await Promise.all(batch.map(work));
    if (onResult === undefined) all.push(...results);
    else for (const [index, item] of batch.entries()) onResult(results[index] as Result, item);
  }
  return all;
}
