/**
 * The picture of a raise and the logo of a business: the operator's own, from the registry, or a substitute.
 * @module
 */
import type { Image } from "../../../config/format/image.ts";
import { stripControl } from "../../../config/format/untrusted-text.ts";
import type { Listing, Originator } from "../../market/schema.ts";
import type { Registry } from "../../registry/schema.ts";

/** A file of the operator's, at a path that changes with its bytes. */
export type OwnPicture = {
  kind: "image";
  /** a path from the root */
  src: string;
  /** alternative text where the picture appears without the name */
  alt: string;
  image: Image;
};

export type Cover = OwnPicture | { kind: "pattern"; id: string };

/** The path of the files. */
export const PICTURES_PATH = "/covers";

/** @param registry of the snapshot that the listing is from */
export function coverOf(
  { images, listingByPublicId }: Registry,
  listing: Pick<Listing, "publicId" | "title">,
): Cover {
  const image = imageNamed(images, listingByPublicId.get(listing.publicId)?.cover);
  return image === null
    ? { kind: "pattern", id: listing.publicId }
    : pictureOf(image, `Picture of the raise “${oneLine(listing.title)}”`);
}

/** Null without a logo: the name is enough. */
export function logoOf(
  { images, originatorByPublicId }: Registry,
  originator: Pick<Originator, "publicId" | "legalName">,
): OwnPicture | null {
  const image = imageNamed(images, originatorByPublicId.get(originator.publicId)?.logo);
  return image === null ? null : pictureOf(image, `Logo of ${oneLine(originator.legalName)}`);
}

function imageNamed(images: Registry["images"], name: string | undefined): Image | null {
  return name === undefined ? null : (images.get(name) ?? null);
}

function pictureOf(image: Image, alt: string): OwnPicture {
  return { kind: "image", src: `${PICTURES_PATH}/${fileName(image)}`, alt, image };
}

function oneLine(text: string): string {
  return stripControl(text, { keepLineFeeds: false });
}

/** Changes with the bytes. */
export function fileName({ hash, kind }: Image): string {
  return `${hash}.${kind}`;
}
