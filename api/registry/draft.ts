/**
 * A registry while it is read, entry by entry. Entries that were valid before are recognised by their text, and not
 * validated again.
 * @module
 */
import { createHash, hash } from "node:crypto";
import type { z } from "zod";
import { isObject } from "../../config/is-object.ts";
import { crossProblems } from "./across-entries.ts";
import { canonicalJson } from "./canonical-json.ts";
import { sha256, withPauses } from "./content-hash.ts";
import { RegistryError } from "./error.ts";
import { digestOf, type EntryList, findDigest, type KnownEntries, keyOf, LISTS } from "./known.ts";
import { createPacker } from "./packed.ts";
import {
  type Checked,
  canonical,
  contentDigest,
  locatorOf,
  type Parsed,
  packedPlacesOf,
  parsedOf,
  withoutLists,
} from "./parsed.ts";
import { plainListing } from "./plain-listing.ts";
import { packedRegistry, pairKey, registryDocument } from "./schema.ts";

/** Entries of one list. */
export const MOST_ENTRIES = 1_000_000;
/** Problems that are kept; all are counted. */
const MOST_KEPT = 100;

export type DraftOptions = {
  /** Entries that need not be validated again. */
  readonly known?: KnownEntries | undefined;
  /**
   * The later `Registry.hash`: the keccak256 of the document, or, for a source that no signature can cover, the sha256 of the
   * hashes of its entries. That is known at once after a change of one in 100,000.
   */
  readonly digest?: "keccak256" | "entries";
};

export type Draft = ReturnType<typeof createDraft>;

export function createDraft({ known, digest = "keccak256" }: DraftOptions = {}) {
  const packerOf = (list: EntryList) =>
    createPacker({ keepsSums: digest === "entries", before: known?.[list] ?? null });
  const packers = { originators: packerOf("originators"), listings: packerOf("listings") };
  /** entries of a list so far, unusable ones included */
  const counts: Record<EntryList, number> = { originators: 0, listings: 0 };
  /** where among the known entries of its list the next one probably is */
  const expected: Record<EntryList, number> = { originators: 0, listings: 0 };
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

  /** Counts an entry, usable or not, so that those after it keep their index. */
  const nextIn = (list: EntryList, at: string | undefined): number => {
    const index = counts[list];
    if (index >= MOST_ENTRIES) throw new RegistryError([`${list}: has more than ${MOST_ENTRIES} entries`]);
    if (at !== undefined) places[list][index] = at;
    counts[list] += 1;
    return index;
  };

  const located = locatorOf({
    originators: (index) => places.originators[index],
    listings: (index) => places.listings[index],
  });

  /** @param at the place of the entry in the source, such as a file; not needed for a single document */
  const add = (list: EntryList, json: unknown, at?: string, sourceKey?: string): string => {
    const key = keyOf(list, sourceKey ?? hash("sha256", JSON.stringify(json) ?? "", "base64"));
    const digest = digestOf(key);
    if (!take(list, digest, at)) addNew(list, json, digest, at);
    return key;
  };

  const sumOf = (canonical: string) => (digest === "entries" ? hash("sha256", canonical, "buffer") : null);

  const addNew = (list: EntryList, json: unknown, key: Uint8Array, at: string | undefined) => {
    const index = nextIn(list, at);
    const plain = list === "listings" ? plainListing(json) : null;
    if (plain !== null) {
      packers[list].add(plain, key, sumOf(plain.canonical));
      return;
    }
    const { data, error } = registryDocument.shape[list].element.safeParse(json, { reportInput: true });
    if (error === undefined) {
      const canonical = canonicalJson(json);
      const isListing = "originator" in data;
      const text = {
        ...{ publicId: data.publicId, canonical },
        pair: isListing ? pairKey(data) : "",
        owner: isListing ? data.originator : "",
        hasPicture: (isListing ? data.cover : data.logo) !== undefined,
      };
      packers[list].add(text, key, sumOf(canonical));
    } else for (const issue of error.issues) report(list, describeIssue(issue, [list, index]));
  };

  /** Adds an entry by the key that `add` returned for it. False if it is not known. */
  const addKnown = (list: EntryList, key: string, at?: string): boolean => take(list, digestOf(key), at);

  const take = (list: EntryList, digest: Uint8Array, at: string | undefined): boolean => {
    const one = known === undefined ? null : findDigest(known, list, digest, expected[list]);
    if (one === null) return false;
    expected[list] = one.index + 1;
    nextIn(list, at);
    packers[list].take(one);
    return true;
  };

  /** Adds an entry as its source has it, in JSON, which is read only if it is not known. */
  const addJson = (
    list: EntryList,
    bytes: Uint8Array,
    parse: (bytes: Uint8Array) => unknown,
    at?: string,
  ) => {
    const digest = hash("sha256", bytes, "buffer");
    if (!take(list, digest, at)) addNew(list, parse(bytes), digest, at);
  };

  /** An entry that cannot be read at all. */
  const addUnreadable = (list: EntryList, problem: string, at: string) => {
    report(list, `${list}[${nextIn(list, at)}]: ${problem}`);
  };

  /** The document without its lists, except for one that is missing (`undefined`) or no list. */
  const setTop = (members: unknown) => {
    top = isObject(members) ? { ...members } : {};
    const lists = Object.fromEntries(LISTS.flatMap((list) => (list in top ? [] : [[list, []]])));
    const { error } = registryDocument.safeParse(isObject(members) ? { ...top, ...lists } : members, {
      reportInput: true,
    });
    for (const issue of error?.issues ?? []) {
      const [first] = issue.path;
      const where = first === "$schema" ? "top" : LISTS.find((list) => list === first);
      report(where ?? "end", describeIssue(issue));
    }
  };

  const problem = (text: string) => report("top", text);

  const check = (): Checked => {
    const problems = [...found.top, ...found.originators, ...found.listings, ...found.end];
    if (total > 0) throw new RegistryError(problems.map(located), total);
    const document = withoutLists.parse(top);
    const packed = { originators: packers.originators.finish(), listings: packers.listings.finish() };
    const across = crossProblems(packedRegistry(document, "0x", packed), packed.listings.ownerOf);
    if (across.length > 0) throw new RegistryError(across.map(located));
    return { document, packed, top };
  };

  /** The result must not refer to the draft, which would keep the entries of the registry before in memory. */
  const parsed = (checked: Checked, contentHash: `0x${string}`, digits: string): Parsed =>
    parsedOf(checked, {
      ...{ hash: contentHash, version: digits.slice(0, 16), raw },
      places: packedPlacesOf(places),
    });

  /** The digits of the version, if they are known without hashing the document again; else null. */
  const versionOf = (contentHash: string) => (digest === "entries" ? contentHash.slice(2) : version);

  /** Checks the draft, and hashes it in steps. @throws {RegistryError} with its problems */
  function* finishing(): Generator<void, Parsed> {
    const checked = check();
    const contentHash = yield* contentDigest(checked, digest);
    const digits = versionOf(contentHash) ?? (yield* sha256(canonical(checked, { isSigned: true }))).slice(2);
    return parsed(checked, contentHash, digits);
  }

  return {
    ...{ add, addJson, addKnown, addUnreadable, setTop, problem, located },
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
    /** As in `Parsed`; null before it is known, which for a document in parts is at the end. */
    version: () => version?.slice(0, 16) ?? null,
    /** The document as it was read, or null. */
    raw: () => raw,
    /** The place of an entry in the source; undefined in a single document. */
    placeOf: (list: EntryList, index: number) => places[list][index],
    finishing,
    /** Like `finishing`, with other work between the steps. @throws {RegistryError} with its problems */
    finish: () => withPauses(finishing()),
  };
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
