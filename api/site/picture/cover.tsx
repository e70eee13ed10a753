/** @jsxImportSource hono/jsx */
/** @module The cover of a raise as a band across the top of its picture. */
import { raw } from "hono/html";
import { IMAGE_TYPES, type Image } from "../../../config/format/image.ts";
import { patternSvg } from "../covers/drawing.tsx";
import type { Cover } from "../covers/pictures.ts";
import { PICTURE_SIZE } from "../page.ts";

const { width } = PICTURE_SIZE;
/** Height of the band, pixels. */
export const BAND = 140;
/** Pixels of a photo across, and shades of each of its colours: more would make a picture of several hundred kilobytes. */
const PHOTO = 320;
const SHADES = Array.from({ length: 32 }, (_, at) => (at / 31).toFixed(3)).join(" ");

export type CoverBandProps = {
  cover: Cover;
  /** public id of the raise, for the pattern */
  id: string;
  /** `#rrggbb` */
  accent: string;
};

/** Drawings fill the band; a photo has a part of it, next to the raise's pattern, which is all where the renderer cannot read the file. */
export function CoverBand({ cover, id, accent }: CoverBandProps) {
  const pattern = raw(patternSvg(id, accent, { width, height: BAND }));
  if (cover.kind === "pattern" || cover.image.kind === "webp") return pattern;
  const isPhoto = cover.image.kind !== "svg";
  const across = isPhoto ? PHOTO : width;
  return (
    <>
      {isPhoto && pattern}
      {isPhoto && raw(FEWER_SHADES)}
      <image
        filter={isPhoto ? "url(#shades)" : undefined}
        x={width - across}
        y={0}
        width={across}
        height={BAND}
        preserveAspectRatio="xMidYMid slice"
        href={dataUrl(cover.image)}
      />
    </>
  );
}

const FEWER_SHADES = `<filter id="shades" x="0" y="0" width="1" height="1"><feComponentTransfer color-interpolation-filters="sRGB">${["R", "G", "B"].map((one) => `<feFunc${one} type="discrete" tableValues="${SHADES}"/>`).join("")}</feComponentTransfer></filter>`;

const urls = new WeakMap<Image, string>();

function dataUrl(image: Image): string {
  const url = urls.get(image) ?? `data:${IMAGE_TYPES[image.kind]};base64,${image.bytes.toString("base64")}`;
  urls.set(image, url);
  return url;
}
