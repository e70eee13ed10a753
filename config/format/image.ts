/**
 * Checks from the bytes alone that they are an image fit for browsers. Nothing is decoded: the size is read from the
 * header, so that a small file cannot claim much memory here.
 * @module
 */
import { createHash } from "node:crypto";
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

const READERS = { png: pngSize, jpg: jpegSize, webp: webpSize };

function pixelSize(bytes: Buffer, kind: keyof typeof READERS): Size {
  const size = READERS[kind](bytes);
  if (size === null) throw new ImageError([`is a ${NAMES[kind]} file that is not whole`]);
  const allowed = (pixels: number) => pixels >= 1 && pixels <= MOST_PIXELS;
  if (!allowed(size.width) || !allowed(size.height)) {
    throw new ImageError([`has ${size.width} by ${size.height} pixels; 1 to ${MOST_PIXELS} are allowed`]);
  }
  return size;
}

/** Chunks of length, name, data and checksum; IHDR is the first and IEND the last, with nothing after it. */
function pngSize(bytes: Buffer): Size | null {
  let size: Size | null = null;
  for (let at = PNG_SIGNATURE.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    const end = at + 12 + length;
    if (end > bytes.length) return null;
    if (size === null) {
      if (name !== "IHDR" || length !== 13) return null;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (name === "IEND") return length === 0 && end === bytes.length ? size : null;
    at = end;
  }
  return null;
}

/** Segments of marker and length up to the scan; the frame header (SOF) has the size, and EOI ends the file. */
function jpegSize(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) return null;
  let size: Size | null = null;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) return null;
    if (marker === 0xda) return size;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      if (size !== null || length < 8) return null;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + length;
  }
  return null;
}

/** A RIFF file of the stated length, whose first chunk says how the picture is encoded. */
function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 !== bytes.length) return null;
  if (bytes.readUInt32LE(16) + 20 > bytes.length) return null;
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return null;
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      if (bytes[20] !== 0x2f) return null;
      const sizes = bytes.readUInt32LE(21);
      return { width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
