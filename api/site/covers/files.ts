/**
 * Serves the operator's pictures, each at a path that changes with its bytes.
 * @module
 */
import { Hono } from "hono";
import { IMAGE_TYPES, type Image } from "../../../config/format/image.ts";
import { type Body, createBody } from "../../http/body.ts";
import { methodNotAllowed } from "../../http/problem.ts";
import { send } from "../../http/respond.ts";
import type { MarketSource } from "../../market/snapshot.ts";
import type { Registry } from "../../registry/schema.ts";
import { FOR_EVER, IMAGE_POLICY } from "../brand/assets.ts";
import { fileName, PICTURES_PATH } from "./pictures.ts";

/** The files in use, to be mounted at the root; others fall through. */
export function createPictureFiles({ feed }: { feed: MarketSource }): Hono {
  const byFile = new WeakMap<Registry["images"], ReadonlyMap<string, Image>>();
  const bodies = new WeakMap<Image, Body>();
  const imageAt = (file: string): Image | undefined => {
    const images = feed.current()?.registry.images;
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
