/** @module Loads the pictures that a registry names. One that cannot be used is reported and left out: it never hides a raise. */
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { type Image, ImageError, imageOf } from "../../config/format/image.ts";
import type { RegistrySource } from "../../config/values.ts";
import { withPicture } from "./entries.ts";
import type { Registry } from "./schema.ts";

/** Bytes of one picture. */
const MOST_BYTES = 500_000;
/** Bytes of all pictures; the last one may go beyond. */
const MOST_BYTES_OF_ALL = 64_000_000;
const MOST_IMAGES = 1_000;
const RULES = { kinds: ["png", "jpg", "webp", "svg"], mostBytes: MOST_BYTES } as const;

/** The result for a name, and the version of the file. */
type Found = { readonly version: string; readonly image: Image | ImageError };

const TOO_MUCH: Found = {
  version: "",
  image: new ImageError([
    `is beyond the ${MOST_IMAGES} pictures and ${MOST_BYTES_OF_ALL} bytes that are kept in memory`,
  ]),
};

export type RegistryImages = {
  readonly images: ReadonlyMap<string, Image>;
  /** Such as `listings[3].cover: does not exist`, in the order of the document. */
  readonly problems: readonly string[];
  /** For the next load, which reads only files that changed since. */
  readonly found: ReadonlyMap<string, Found>;
};

export const NO_IMAGES: RegistryImages = { images: new Map(), problems: [], found: new Map() };

export type LoadImagesParameters = {
  readonly source: RegistrySource;
  readonly registry: Registry;
  readonly before?: RegistryImages;
};

/** Never throws. Equal files give the same `images` object as before. */
export async function loadImages({
  source,
  registry,
  before = NO_IMAGES,
}: LoadImagesParameters): Promise<RegistryImages> {
  const images = new Map<string, Image>();
  const found = new Map<string, Found>();
  const problems: string[] = [];
  let bytes = 0;
  for (const { at, name } of namesIn(registry)) {
    let one = found.get(name);
    if (one === undefined) {
      const isTooMuch = found.size >= MOST_IMAGES || bytes >= MOST_BYTES_OF_ALL;
      one = isTooMuch ? TOO_MUCH : await find(source, name, before.found.get(name));
      found.set(name, one);
      if (!(one.image instanceof ImageError)) bytes += one.image.bytes.length;
    }
    if (one.image instanceof ImageError) problems.push(`${at}: ${one.image.problems.join("; ")}`);
    else images.set(name, one.image);
  }
  const isSame =
    images.size === before.images.size &&
    [...images].every(([name, image]) => before.images.get(name) === image);
  return { images: isSame ? before.images : images, problems, found };
}

type Named = { readonly at: string; readonly name: string };
const knownNames = new WeakMap<Registry["listings"], readonly Named[]>();

/** Kept by the list of listings, as each poll asks again. */
function namesIn({ listings, originators }: Registry): readonly Named[] {
  const known = knownNames.get(listings);
  if (known !== undefined) return known;
  const named = (at: string, name: string | undefined) => (name === undefined ? [] : [{ at, name }]);
  const names = [
    ...withPicture(originators).flatMap(([index, { logo }]) => named(`originators[${index}].logo`, logo)),
    ...withPicture(listings).flatMap(([index, { cover }]) => named(`listings[${index}].cover`, cover)),
  ];
  knownNames.set(listings, names);
  return names;
}

async function find(source: RegistrySource, name: string, before: Found | undefined): Promise<Found> {
  if (!("path" in source)) {
    return {
      version: "",
      image: new ImageError(["cannot be loaded: pictures need a registry that is a file or a folder"]),
    };
  }
  try {
    return await read(source.kind === "folder" ? source.path : dirname(source.path), name, before);
  } catch (error) {
    return { version: "", image: error instanceof ImageError ? error : new ImageError([reasonOf(error)]) };
  }
}

async function read(folder: string, name: string, before: Found | undefined): Promise<Found> {
  const root = await realpath(folder);
  const path = await realpath(join(root, name));
  // Links are fine, as mounted configurations have them, but not out of the folder.
  if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
    throw new ImageError(["is outside of the registry's folder"]);
  }
  // Opening a pipe would wait for its other end.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) throw new ImageError(["is not a file"]);
    if (stats.size > MOST_BYTES) throw new ImageError([`is larger than ${MOST_BYTES} bytes`]);
    const version = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
    if (before?.version === version) return before;
    // The file may grow meanwhile.
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES + 1), 0, MOST_BYTES + 1, 0);
    return { version, image: checked(Buffer.from(buffer.subarray(0, bytesRead))) };
  } finally {
    await file.close();
  }
}

function checked(bytes: Buffer<ArrayBuffer>): Image | ImageError {
  try {
    return imageOf(bytes, RULES);
  } catch (error) {
    if (error instanceof ImageError) return error;
    throw error;
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" || code === "ENOTDIR") return "does not exist";
  return `cannot be read${typeof code === "string" ? ` (${code})` : ""}`;
}
