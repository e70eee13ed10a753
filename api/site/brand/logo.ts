/**
 * The operator's logo: an SVG or PNG file, read and checked once, at the start.
 * @module
 */
import { readFile, stat } from "node:fs/promises";
import { IMAGE_TYPES, ImageError, imageOf } from "../../../config/format/image.ts";
import { type Body, createBody } from "../../http/body.ts";

export type Logo = {
  kind: "svg" | "png";
  /** URL path; the name changes with the bytes */
  path: string;
  body: Body;
  /** pixels of a PNG, units of an SVG: only the ratio matters */
  width: number;
  height: number;
};

/** The logo cannot be used. Each problem is a clause such as "is larger than 100000 bytes". */
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

/** @throws {LogoError} when the file cannot be read, is too large or is not a picture */
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

/** The logo in these bytes. @throws {LogoError} */
export function logoOf(bytes: Buffer<ArrayBuffer>): Logo {
  try {
    const { kind, hash, width, height } = imageOf(bytes, { kinds: ["png", "svg"], mostBytes: LARGEST });
    const body = createBody(IMAGE_TYPES[kind], bytes);
    return { kind, path: `/brand/logo-${hash}.${kind}`, body, width, height };
  } catch (error) {
    throw error instanceof ImageError ? new LogoError(error.problems) : error;
  }
}
