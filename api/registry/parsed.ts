/** @module A registry that follows every rule: its entries, its canonical JSON, and what is known of its source. */
import canonicalize from "canonicalize";
import type { z } from "zod";
import { chunksOf, keccak, sha256 } from "./content-hash.ts";
import { type EntryList, type KnownEntries, LISTS } from "./known.ts";
import type { Packed } from "./packed.ts";
import { type PackedPlaces, packPlaces, placeAt } from "./places.ts";
import { packedRegistry, type Registry, registryDocument } from "./schema.ts";

/** Entries of a short document. */
const MOST_SHORT = 5_000;

export const withoutLists = registryDocument.omit({ originators: true, listings: true });

export type Parsed = {
  readonly registry: Registry;
  /** First 16 hex digits of the sha256 of the document. */
  readonly version: string;
  /** The document: as it was read if it is short, or its canonical JSON. */
  content(): Iterable<Uint8Array>;
  readonly known: KnownEntries;
  /** Whether the document is short enough to be written within a moment. */
  readonly isShort: boolean;
  /** Adds where an entry is in the source to a problem that begins with its path. */
  located(problem: string): string;
  /** The parts to save for a later process. */
  readonly checked: Checked;
  readonly places: Readonly<Record<EntryList, PackedPlaces>>;
};

export type Checked = {
  /** without its lists */
  readonly document: z.output<typeof withoutLists>;
  /** the same as it was written */
  readonly top: Readonly<Record<string, unknown>>;
  readonly packed: KnownEntries;
};

type CanonicalOptions = {
  readonly isSigned: boolean;
  /** The JSON of an entry, or what stands for it. */
  readonly textOf?: (list: Packed, index: number) => string | Uint8Array;
};

/** The RFC 8785 canonical JSON of the document, with its signature or without. */
export function* canonical(
  { top, packed }: Checked,
  { isSigned, textOf = (list, index) => list.canonicalOf(index) }: CanonicalOptions,
): Generator<string | Uint8Array> {
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
      for (let index = 0; index < packed[list].length; index++) {
        if (index > 0) yield ",";
        yield textOf(packed[list], index);
      }
      yield "]";
    }
    before = ",";
  }
  yield "}";
}

/** `Registry.hash`, in steps. @param digest as in `DraftOptions` */
export function contentDigest(
  checked: Checked,
  digest: "keccak256" | "entries",
): Generator<void, `0x${string}`> {
  if (digest === "keccak256") return keccak(canonical(checked, { isSigned: false }));
  const textOf = (list: Packed, index: number) => JSON.stringify(base64(list.sumOf(index)));
  return sha256(canonical(checked, { isSigned: false, textOf }));
}

export type ParsedSource = Pick<Parsed, "version" | "places"> & {
  readonly hash: `0x${string}`;
  /** The whole document as it was read, if it came as one. */
  readonly raw: Uint8Array | null;
};

export function packedPlacesOf(places: Readonly<Record<EntryList, readonly string[]>>): Parsed["places"] {
  return { originators: packPlaces(places.originators), listings: packPlaces(places.listings) };
}

export function parsedOf(checked: Checked, { hash, version, raw, places }: ParsedSource): Parsed {
  const { document, packed } = checked;
  const isShort = packed.originators.length + packed.listings.length <= MOST_SHORT;
  return {
    registry: packedRegistry(document, hash, packed),
    version,
    // A longer one would be in memory twice.
    content: contentOf(checked, isShort ? raw : null),
    known: packed,
    isShort,
    located: locatorOf({
      originators: (index) => placeAt(places.originators, index),
      listings: (index) => placeAt(places.listings, index),
    }),
    ...{ checked, places },
  };
}

function contentOf(checked: Checked, raw: Uint8Array | null): Parsed["content"] {
  return () => (raw === null ? chunksOf(canonical(checked, { isSigned: true })) : [raw]);
}

export function locatorOf(
  placeIn: Record<EntryList, (index: number) => string | undefined>,
): (problem: string) => string {
  return (problem) => {
    const [, list, index] = /^(originators|listings)\[(\d+)\]/.exec(problem) ?? [];
    const place = list === undefined ? undefined : placeIn[list as EntryList](Number(index));
    return place === undefined ? problem : `${problem} (${place})`;
  };
}

function base64(bytes: Uint8Array | null): string {
  return Buffer.from(bytes ?? []).toString("base64");
}
