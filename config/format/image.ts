/**
 * Checks from the bytes alone that they are an image fit for browsers. Nothing is decoded: the size is read from the
 * header, so that a small file cannot claim much memory here.
 * @module
 */
import { createHash } from "node:crypto";
import { imageSize } from "image-size";
import { checkSvg } from "./safe-svg.ts";

/** Media type by kind, which is also the extension. */
export const IMAGE_TYPES = {
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
} as const;
export type ImageKind = keyof typeof IMAGE_TYPES;

export type Image = {
  kind: ImageKind;
  /** first 16 hex digits of the bytes' sha256 */
  hash: string;
  /** pixels, or units of an SVG: only the ratio matters */
  width: number;
  height: number;
  bytes: Buffer<ArrayBuffer>;
};

/** The bytes are not a usable image. Each problem is a clause such as "is larger than 100000 bytes". */
export class ImageError extends Error {
  override readonly name = "ImageError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The image ${problems.join("; ")}`);
    this.problems = problems;
  }
}

type ImageRules<K extends ImageKind> = { kinds: readonly K[]; mostBytes: number };

const MOST_PIXELS = 4096;
const NAMES: Record<ImageKind, string> = { svg: "SVG", png: "PNG", jpg: "JPEG", webp: "WebP" };
const ALTERNATIVES = new Intl.ListFormat("en-GB", { type: "disjunction" });
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The chunk IEND, which is empty, with its checksum. */
const PNG_END = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);

type Size = { width: number; height: number };

/** Checks and describes an image. @throws {ImageError} */
export function imageOf<K extends ImageKind>(
  bytes: Buffer<ArrayBuffer>,
  { kinds, mostBytes }: ImageRules<K>,
): Image & { kind: K } {
  if (bytes.length > mostBytes) throw new ImageError([`is larger than ${mostBytes} bytes`]);
  const found = kindOf(bytes);
  const kind = kinds.find((allowed) => allowed === found);
  if (kind === undefined) {
    const names = ALTERNATIVES.format(kinds.map((allowed) => NAMES[allowed]));
    throw new ImageError([`is not a ${names} file`]);
  }
  const { width, height } = kind === "svg" ? svgSize(bytes) : pixelSize(bytes, kind);
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return { kind, hash, width, height, bytes };
}

function kindOf(bytes: Buffer): ImageKind | null {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return "png";
  if (bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xffd8ff) return "jpg";
  if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP") return "webp";
  return bytes.includes("<svg") ? "svg" : null;
}

function svgSize(bytes: Buffer): Size {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ImageError(["is not in UTF-8"]);
  }
  const checked = checkSvg(text);
  if ("problems" in checked) throw new ImageError(checked.problems);
  return checked;
}

function pixelSize(bytes: Buffer, kind: Exclude<ImageKind, "svg">): Size {
  const size = IS_WHOLE[kind](bytes) ? readSize(bytes) : null;
  if (size === null) throw new ImageError([`is a ${NAMES[kind]} file that is not whole`]);
  const allowed = (pixels: number) => pixels >= 1 && pixels <= MOST_PIXELS;
  if (!allowed(size.width) || !allowed(size.height)) {
    throw new ImageError([`has ${size.width} by ${size.height} pixels; 1 to ${MOST_PIXELS} are allowed`]);
  }
  return size;
}

/** Whether a file ends as its format does, with nothing behind it: an upload that was cut off does not. */
const IS_WHOLE = {
  png: (bytes: Buffer) => bytes.indexOf(PNG_END) === bytes.length - PNG_END.length,
  jpg: (bytes: Buffer) => bytes.readUInt16BE(bytes.length - 2) === 0xffd9,
  webp: (bytes: Buffer) => bytes.readUInt32LE(4) + 8 === bytes.length,
};

function readSize(bytes: Buffer): Size | null {
  try {
    return imageSize(bytes);
  } catch {
    return null;
  }
}
