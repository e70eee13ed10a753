/**
 * The operator's logo: an SVG or PNG file, read and checked once, at the start.
 * @module
 */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { type Body, createBody } from "../../http/body.ts";
import { checkSvg } from "./safe-svg.ts";

export type Logo = {
  kind: "svg" | "png";
  /** URL path; the name changes with the bytes */
  path: string;
  body: Body;
  /** pixels of a PNG, units of an SVG: only the ratio matters */
  width: number;
  height: number;
};

/** The logo cannot be used. Each problem is a clause such as "is larger than 100 KB". */
export class LogoError extends Error {
  override readonly name = "LogoError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The logo ${problems.join("; ")}`);
    this.problems = problems;
  }
}

/** Bytes. */
const LARGEST = 100_000;
const TYPES = { svg: "image/svg+xml", png: "image/png" } as const;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_END = Buffer.from("IEND");
const MOST_PIXELS = 4096;

/** @throws {LogoError} when the file cannot be read, is too large or is no drawing */
export async function loadLogo(file: string): Promise<Logo> {
  return logoOf(await readLogo(file));
}

async function readLogo(file: string): Promise<Buffer<ArrayBuffer>> {
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new LogoError(["is not a file"]);
    if (found.size > LARGEST)
      throw new LogoError([`has ${found.size} bytes; at most ${LARGEST} are allowed`]);
    return await readFile(file);
  } catch (error) {
    if (error instanceof LogoError) throw error;
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT") throw new LogoError(["does not exist"]);
    throw new LogoError([`cannot be read${typeof code === "string" ? ` (${code})` : ""}`]);
  }
}

/** The logo that these bytes are. @throws {LogoError} */
export function logoOf(bytes: Buffer<ArrayBuffer>): Logo {
  if (bytes.length > LARGEST) throw new LogoError([`is larger than ${LARGEST} bytes`]);
  const isPng = bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE);
  const { width, height } = isPng ? pngSize(bytes) : svgSize(bytes);
  const kind = isPng ? "png" : "svg";
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return { kind, path: `/brand/logo-${hash}.${kind}`, body: createBody(TYPES[kind], bytes), width, height };
}

type Size = { width: number; height: number };

function svgSize(bytes: Buffer): Size {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new LogoError(["is neither a PNG file nor an SVG file in UTF-8"]);
  }
  if (!text.includes("<svg")) throw new LogoError(["is neither a PNG nor an SVG file"]);
  const checked = checkSvg(text);
  if ("problems" in checked) throw new LogoError(checked.problems);
  return checked;
}

/** The first chunk of a PNG file is the header with the size; the last one is the empty IEND. */
function pngSize(bytes: Buffer): Size {
  const isWhole =
    bytes.length >= 45 &&
    bytes.toString("latin1", 12, 16) === "IHDR" &&
    bytes.subarray(-8, -4).equals(PNG_END);
  if (!isWhole) throw new LogoError(["is a PNG file that is not whole"]);
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const allowed = (pixels: number) => pixels >= 1 && pixels <= MOST_PIXELS;
  if (!allowed(size.width) || !allowed(size.height)) {
    throw new LogoError([`has ${size.width} by ${size.height} pixels; 1 to ${MOST_PIXELS} are allowed`]);
  }
  return size;
}
