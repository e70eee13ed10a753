/**
 * A registry while it is read, entry by entry, from whatever source. Entries that were valid before are recognised by their
 * text, and not validated again.
 * @module
 */
import { createHash, hash } from "node:crypto";
import { setImmediate as pause } from "node:timers/promises";
import canonicalize from "canonicalize";
import type { z } from "zod";
import { crossProblems } from "./across-entries.ts";
import { chunksOf, keccak, sha256 } from "./content-hash.ts";
import { RegistryError } from "./error.ts";
import {
  type Indexes,
  indexed,
  indexesOf,
  type Registry,
  type RegistryDocument,
  registryDocument,
} from "./schema.ts";

export type EntryList = "originators" | "listings";
type Entry = Registry[EntryList][number];

/** An entry, its RFC 8785 canonical JSON as it was written, and the hash of that. */
type KnownEntry = { readonly entry: Entry; readonly canonical: string; readonly sha256: string };
/** The entries of a registry, by the keys that `add` returned. */
export type KnownEntries = ReadonlyMap<string, KnownEntry>;

/** Entries of one list. */
export const MOST_ENTRIES = 1_000_000;
/** Entries of a short document. */
const MOST_SHORT = 5_000;
/** Problems that are kept; all are counted. */
const MOST_KEPT = 100;
export const LISTS: readonly EntryList[] = ["originators", "listings"];
const withoutLists = registryDocument.omit({ originators: true, listings: true });

export type Parsed = {
  readonly registry: Registry;
  /** First 16 hex digits of the sha256 of the document. */
  readonly version: string;
  /** The document: as it was read, or its canonical JSON if it came in parts. */
  content(): Iterable<Uint8Array>;
  readonly known: KnownEntries;
  /** Whether the document is short enough to be written within a moment. */
  readonly isShort: boolean;
  /** Adds where an entry is in the source to a problem that begins with its path. */
  located(problem: string): string;
};

export type DraftOptions = {
  /** Entries that need not be validated again. */
  readonly known?: KnownEntries | undefined;
  /**
   * What becomes of `Registry.hash`: the keccak256 of the document, or, for a source that no signature can cover, the sha256 of the
   * hashes of its entries. That is known at once after a change of one in 100,000.
   */
  readonly digest?: "keccak256" | "entries";
};

export type Draft = ReturnType<typeof createDraft>;

export function createDraft({ known = new Map(), digest = "keccak256" }: DraftOptions = {}) {
  const used = new Map<string, KnownEntry>();
  const ones: Record<EntryList, KnownEntry[]> = { originators: [], listings: [] };
  const entries: Record<EntryList, Entry[]> = { originators: [], listings: [] };
  const places: Record<EntryList, string[]> = { originators: [], listings: [] };
  const found = {
    top: [] as string[],
    originators: [] as string[],
    listings: [] as string[],
    end: [] as string[],
  };
  let total = 0;
  let top: Record<string, unknown> = {};
  /** The whole document as it was read, if it came as one. */
  let raw: Uint8Array | null = null;
  let version: string | null = null;

  const report = (where: keyof typeof found, problem: string) => {
    total += 1;
    if (found[where].length < MOST_KEPT) found[where].push(problem);
  };

  const nextIn = (list: EntryList, at: string | undefined): number => {
    const index = entries[list].length;
    if (index >= MOST_ENTRIES) throw new RegistryError([`${list}: has more than ${MOST_ENTRIES} entries`]);
    if (at !== undefined) places[list][index] = at;
    return index;
  };

  const take = (list: EntryList, key: string, one: KnownEntry) => {
    used.set(key, one);
    entries[list].push(one.entry);
    ones[list].push(one);
  };

  /** For an unusable entry, so that those after it keep their index. */
  const skip = (list: EntryList) => {
    entries[list].push({} as Entry);
  };

  const located = (problem: string) => {
    const [, list, index] = /^(originators|listings)\[(\d+)\]/.exec(problem) ?? [];
    const place = list === undefined ? undefined : places[list as EntryList][Number(index)];
    return place === undefined ? problem : `${problem} (${place})`;
  };

  /** @param at the place of the entry in the source, such as a file; not needed for a single document */
  const add = (list: EntryList, json: unknown, at?: string, sourceKey?: string): string => {
    const key = `${list} ${sourceKey ?? hash("sha256", JSON.stringify(json) ?? "", "base64")}`;
    if (addKnown(list, key, at)) return key;
    const index = nextIn(list, at);
    const { data, error } = registryDocument.shape[list].element.safeParse(json, { reportInput: true });
    if (error === undefined) {
      const canonical = canonicalize(json) ?? "";
      const sum = digest === "entries" ? hash("sha256", canonical, "base64") : "";
      take(list, key, { entry: data as Entry, canonical, sha256: sum });
    } else {
      for (const issue of error.issues) report(list, describeIssue(issue, [list, index]));
      skip(list);
    }
    return key;
  };

  /** Adds an entry by the key that `add` returned for it. False if it is not known. */
  const addKnown = (list: EntryList, key: string, at?: string): boolean => {
    const one = known.get(key) ?? used.get(key);
    if (one === undefined) return false;
    nextIn(list, at);
    take(list, key, one);
    return true;
  };

  /** An entry that cannot be read at all. */
  const addUnreadable = (list: EntryList, problem: string, at: string) => {
    report(list, `${list}[${nextIn(list, at)}]: ${problem}`);
    skip(list);
  };

  /** The document without its lists, except for one that is missing (`undefined`) or no list. */
  const setTop = (members: unknown) => {
    const isObject = typeof members === "object" && members !== null && !Array.isArray(members);
    top = isObject ? { ...members } : {};
    const lists = Object.fromEntries(LISTS.flatMap((list) => (list in top ? [] : [[list, []]])));
    const { error } = registryDocument.safeParse(isObject ? { ...top, ...lists } : members, {
      reportInput: true,
    });
    for (const issue of error?.issues ?? []) {
      const [first] = issue.path;
      const where = first === "$schema" ? "top" : LISTS.find((list) => list === first);
      report(where ?? "end", describeIssue(issue));
    }
  };

  const problem = (text: string) => report("top", text);

  const check = (): { document: RegistryDocument; indexes: Indexes } => {
    const problems = [...found.top, ...found.originators, ...found.listings, ...found.end];
    if (total > 0) throw new RegistryError(problems.map(located), total);
    const document = { ...withoutLists.parse(top), ...(entries as Pick<RegistryDocument, EntryList>) };
    const indexes = indexesOf(document);
    const across = crossProblems(document, indexes);
    if (across.length > 0) throw new RegistryError(across.map(located));
    return { document, indexes };
  };

  /** The canonical JSON, with the signature or without. @param textOf the JSON of an entry, or what stands for it */
  function* canonical(isSigned: boolean, textOf = (one: KnownEntry) => one.canonical): Generator<string> {
    const { signature, ...unsigned } = top;
    const members: Record<string, unknown> = {
      ...(isSigned ? top : unsigned),
      originators: null,
      listings: null,
    };
    let before = "{";
    for (const name of Object.keys(members).sort()) {
      yield `${before}${JSON.stringify(name)}:`;
      const list = LISTS.find((one) => one === name);
      if (list === undefined) yield canonicalize(members[name]) ?? "null";
      else {
        yield "[";
        for (const [index, one] of ones[list].entries()) yield index === 0 ? textOf(one) : `,${textOf(one)}`;
        yield "]";
      }
      before = ",";
    }
    yield "}";
  }

  const parsed = (checked: ReturnType<typeof check>, contentHash: `0x${string}`, digits: string): Parsed => {
    const whole = raw;
    return {
      registry: indexed(checked.document, contentHash, checked.indexes),
      version: digits.slice(0, 16),
      content: () => (whole === null ? chunksOf(canonical(true)) : [whole]),
      known: used,
      isShort: used.size <= MOST_SHORT,
      located,
    };
  };

  const digesting = () =>
    digest === "entries"
      ? sha256(canonical(false, (one) => JSON.stringify(one.sha256)))
      : keccak(canonical(false));

  /** Its version without a pass over the whole document. */
  const versionOf = (contentHash: string) => (digest === "entries" ? contentHash.slice(2) : version);

  return {
    ...{ add, addKnown, addUnreadable, setTop, problem, located },
    /** The document as it was read. */
    setRaw(bytes: Uint8Array) {
      raw = bytes;
      // An entry's path in the document says where it is.
      for (const list of LISTS) places[list] = [];
      version = createHash("sha256").update(bytes).digest("hex");
    },
    /** The sha256 of the document, for one that is not kept as it was read. */
    setVersion(digits: string) {
      version = digits;
    },
    /** The document as it was read, or null. */
    raw: () => raw,
    /** Where an entry is in the source; undefined in a single document. */
    placeOf: (list: EntryList, index: number) => places[list][index],
    /** @throws {RegistryError} with its problems */
    finishNow(): Parsed {
      const checked = check();
      const contentHash = toEnd(digesting());
      return parsed(checked, contentHash, versionOf(contentHash) ?? toEnd(sha256(canonical(true))).slice(2));
    },
    /** Like `finishNow`, without keeping other work waiting. @throws {RegistryError} with its problems */
    async finish(): Promise<Parsed> {
      const checked = check();
      const contentHash = await withPauses(digesting());
      const digits = versionOf(contentHash) ?? (await withPauses(sha256(canonical(true)))).slice(2);
      return parsed(checked, contentHash, digits);
    },
  };
}

function toEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

async function withPauses<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await pause();
  }
}

function describeIssue(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): string {
  const path = documentPath([...above, ...issue.path]);
  return path === "" ? `the document: ${issue.message}` : `${path}: ${issue.message}`;
}

/** `["listings", 3, "escrowAddress"]` as `listings[3].escrowAddress`. */
function documentPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}
