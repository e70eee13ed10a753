/** @module The pictures of raises and logos of businesses: the operator's own, or a substitute. */
import { Hono } from "hono";
import { IMAGE_TYPES, type Image } from "../../../config/format/image.ts";
import { isolated } from "../../../config/format/untrusted-text.ts";
import { type Body, createBody } from "../../http/etagged-body.ts";
import { methodNotAllowed } from "../../http/problem.ts";
import { FOR_EVER, send } from "../../http/respond.ts";
import type { Originator } from "../../market/originator.ts";
import type { Listing } from "../../market/schema.ts";
import type { MarketSource } from "../../market/snapshot.ts";
import type { Registry } from "../../registry/schema.ts";
import { IMAGE_POLICY } from "../brand/assets.ts";

/** A file of the operator's, at a path that changes with its bytes. */
type OwnPicture = {
  kind: "image";
  src: string;
  /** alternative text where the picture appears without the name */
  alt: string;
  image: Image;
};

export type Cover = OwnPicture | { kind: "pattern"; id: string };

const PICTURES_PATH = "/covers";

/** @param registry of the snapshot that the listing is from */
export function coverOf(
  { images, listingByPublicId }: Registry,
  listing: Pick<Listing, "publicId" | "title">,
): Cover {
  const image = imageNamed(images, listingByPublicId.get(listing.publicId)?.cover);
  return image === null
    ? { kind: "pattern", id: listing.publicId }
    : pictureOf(image, `Picture of the raise “${isolated(listing.title)}”`);
}

/** Null without a logo: the name is enough. */
export function logoOf(
  { images, originatorByPublicId }: Registry,
  originator: Pick<Originator, "publicId" | "legalName">,
): OwnPicture | null {
  const image = imageNamed(images, originatorByPublicId.get(originator.publicId)?.logo);
  return image === null ? null : pictureOf(image, `Logo of ${isolated(originator.legalName)}`);
}

function imageNamed(images: Registry["images"], name: string | undefined): Image | null {
  return name === undefined ? null : (images.get(name) ?? null);
}

function pictureOf(image: Image, alt: string): OwnPicture {
  return { kind: "image", src: `${PICTURES_PATH}/${fileName(image)}`, alt, image };
}

function fileName({ hash, kind }: Image): string {
  return `${hash}.${kind}`;
}

/** The files in use, to be mounted at the root; others fall through. */
export function createPictureFiles({ updater }: { updater: MarketSource }): Hono {
  const byFile = new WeakMap<Registry["images"], ReadonlyMap<string, Image>>();
  const bodies = new WeakMap<Image, Body>();
  const imageAt = (file: string): Image | undefined => {
    const images = updater.current()?.registry.images;
    if (images === undefined) return undefined;
    const files =
      byFile.get(images) ?? new Map([...images.values()].map((image) => [fileName(image), image]));
    byFile.set(images, files);
    return files.get(file);
  };
  const bodyOf = (image: Image) => {
    const body = bodies.get(image) ?? createBody(IMAGE_TYPES[image.kind], image.bytes);
    bodies.set(image, body);
    return body;
  };
  const files = new Hono();
  files.get(`${PICTURES_PATH}/:file`, (c, next) => {
    const file = c.req.param("file");
    const image = imageAt(file);
    if (image === undefined) return next();
    // A picture that the operator withdraws is not served from memory either.
    const lasting = { isCurrent: () => imageAt(file) === image, head: () => null };
    return send(c, bodyOf(image), { "Content-Security-Policy": IMAGE_POLICY, ...FOR_EVER }, { lasting });
  });
  files.all(`${PICTURES_PATH}/:file`, (c, next) =>
    imageAt(c.req.param("file")) === undefined ? next() : methodNotAllowed(c),
  );
  return files;
}
