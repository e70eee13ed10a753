/**
 * A long registry in a file, as it is in memory, so that the next process validates only entries that are new since. Where a signature
 * is required, the content is hashed again, and nothing is used that the signed content does not say.
 * @module
 */
import { type Bytes, inMemory } from "../../config/bytes.ts";
import {
  type Column,
  readColumns,
  readSmall,
  type SavedColumns,
  writeColumns,
} from "../../config/columns-file.ts";
import { sha256, withPauses } from "./content-hash.ts";
import { RegistryError } from "./error.ts";
import { type EntryList, LISTS } from "./known.ts";
import type { Validators } from "./loaded.ts";
import { restorePacked, type SavedPacked } from "./packed.ts";
import { contentDigest, type Parsed, parsedOf, withoutLists } from "./parsed.ts";
import { pairKey } from "./schema.ts";
import { type RequiredSigner, requireSigner } from "./signature.ts";

/** Grows with every change of what is in the file, of the rules of entries, or of what recognises an entry. */
const FORMAT = 2;

/** A saved copy that may be used, and what its source said of it. */
export type SavedCopy = {
  readonly copy: Parsed;
  readonly validators: Validators;
  /** sha256 of `copy.content()`, in hex */
  readonly sum: string;
};

type Small = Pick<SavedCopy, "validators" | "sum"> & {
  readonly hash: `0x${string}`;
  readonly version: string;
  readonly top: Readonly<Record<string, unknown>>;
  readonly sizes: Readonly<Record<EntryList, { ids: number; pairs: number; blocks: number }>>;
};

export type RegistryFile = {
  readonly path: string;
  /** a text that is equal for processes with the same release, source and signer */
  readonly origin: string;
  /** The required signer; null: the registry need not be signed. */
  readonly signer: RequiredSigner | null;
};

const identityOf = ({ origin }: RegistryFile) => ({ kind: "registry", format: FORMAT, origin });

/** A reader finds a whole file or none. */
export async function writeRegistry(file: RegistryFile, copy: Parsed, validators: Validators): Promise<void> {
  const { checked, places, version } = copy;
  const saved = { originators: checked.packed.originators.save(), listings: checked.packed.listings.save() };
  const small: Small = {
    ...{ validators, version, hash: copy.registry.hash, top: checked.top },
    sum: (await withPauses(sha256(copy.content()))).slice(2),
    sizes: { originators: sizesOf(saved.originators), listings: sizesOf(saved.listings) },
  };
  const columns = LISTS.map((list) => columnsOf(list, saved[list], places[list]));
  await writeColumns(file.path, identityOf(file), small, Object.assign({}, ...columns));
}

/** The validators that the source gave with the saved copy, without reading its entries; null without a usable file. */
export async function readValidators(file: RegistryFile): Promise<Validators> {
  const found = await readSmall(file.path, identityOf(file));
  return found === null ? null : (found.small as Small).validators;
}

/** Null for a file that is missing, damaged, of another origin or format, or not signed as it must be. */
export async function readRegistry(file: RegistryFile): Promise<SavedCopy | null> {
  // Each originator is read at every start.
  const found = await readColumns(file.path, identityOf(file), (name) => /^listings block \d+$/.test(name));
  if (found === null) return null;
  const { validators, sum, hash, version, top, sizes } = found.small as Small;
  const { signer } = file;
  const packedOf = (list: EntryList) =>
    restorePacked(savedPacked(list, found.columns, { ...sizes[list], isTrusted: signer === null }));
  const packed = { originators: packedOf("originators"), listings: packedOf("listings") };
  const places = {
    originators: placesOf("originators", found.columns),
    listings: placesOf("listings", found.columns),
  };
  const checked = { document: withoutLists.parse(top), top, packed };
  const copy = parsedOf(checked, { hash, version, places, raw: null });
  if (signer !== null && !(await isSigned(copy, signer))) return null;
  return { copy, validators, sum };
}

async function isSigned({ checked, registry }: Parsed, signer: RequiredSigner): Promise<boolean> {
  // No signature covers the entries of a table.
  if ((await withPauses(contentDigest(checked, "keccak256"))) !== registry.hash) return false;
  if (!LISTS.every((list) => hasOwnKeys(list, checked))) return false;
  return requireSigner(registry, signer).then(
    () => true,
    (error) => {
      if (error instanceof RegistryError) return false;
      throw error;
    },
  );
}

/** Whether the keys of entries are those that their texts have. */
function hasOwnKeys(list: EntryList, { packed }: Parsed["checked"]): boolean {
  const entries = packed[list];
  for (let index = 0; index < entries.length; index++) {
    const text = entries.canonicalOf(index).toString("latin1");
    if (entries.publicIdOf(index) !== memberOf(text, "publicId")) return false;
    if (list === "originators") continue;
    const onchainId = memberOf(text, "onchainId");
    const pair = pairKey({ escrowAddress: memberOf(text, "escrowAddress").toLowerCase(), onchainId });
    if (entries.pairOf(index) !== pair || entries.ownerOf(index) !== memberOf(text, "originator"))
      return false;
  }
  return true;
}

/** The text of a member that needs no escape, in canonical JSON, where a quote within a text always has a backslash before it. */
function memberOf(json: string, name: string): string {
  const start = json.indexOf(`"${name}":"`) + name.length + 4;
  return json.slice(start, json.indexOf('"', start));
}

const sizesOf = ({ indexes, blocks }: SavedPacked) => ({
  ids: indexes?.ids.size ?? 0,
  pairs: indexes?.pairs.size ?? 0,
  blocks: blocks.length,
});

function columnsOf(list: EntryList, saved: SavedPacked, places: Parsed["places"][EntryList]) {
  const { blocks, numbers, keys, sums, pictures, indexes } = saved;
  const columns: Record<string, Column | readonly Bytes[]> = {
    ...{ ...numbers, keys, pictures, placeTexts: places.text, placeStarts: places.starts },
    ...(sums !== null && { sums }),
    ...(indexes !== null && { ids: indexes.ids.slots, pairs: indexes.pairs.slots }),
    ...Object.fromEntries(blocks.map((block, index) => [`block ${index}`, [block]])),
  };
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [`${list} ${name}`, column]));
}

type Columns = SavedColumns["columns"];

type Sizes = Small["sizes"][EntryList] & {
  /** whether the indexes are used as they are */
  readonly isTrusted: boolean;
};

function savedPacked(
  list: EntryList,
  columns: Columns,
  { blocks, ids, pairs, isTrusted }: Sizes,
): SavedPacked {
  const bytes = (name: string) => columns[`${list} ${name}`] as Uint8Array;
  const numbers = (name: string) => columns[`${list} ${name}`] as Uint32Array;
  const indexes = {
    ids: { size: ids, slots: numbers("ids") },
    pairs: { size: pairs, slots: numbers("pairs") },
  };
  return {
    blocks: Array.from({ length: blocks }, (_, index) => inBytes(columns[`${list} block ${index}`])),
    numbers: {
      ...{ inBlock: numbers("inBlock"), places: numbers("places") },
      ...{ keySizes: numbers("keySizes"), sizes: numbers("sizes") },
    },
    ...{ keys: bytes("keys"), sums: bytes("sums") ?? null, pictures: numbers("pictures") },
    indexes: isTrusted ? indexes : null,
  };
}

const inBytes = (block: Column | Bytes | undefined) =>
  block instanceof Uint8Array ? inMemory(block) : (block as Bytes);

const placesOf = (list: EntryList, columns: Columns) => ({
  text: columns[`${list} placeTexts`] as Uint8Array,
  starts: columns[`${list} placeStarts`] as Uint32Array,
});
