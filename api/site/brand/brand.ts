/** @module The operator's brand, fixed at the start. The service's name for machines stays the same. */
import { readFile, stat } from "node:fs/promises";
import { IMAGE_TYPES, ImageError, imageOf } from "../../../config/format/image.ts";
import { type Body, createBody } from "../../http/etagged-body.ts";
import { type Accent, accentColours } from "./accent.ts";

export type Brand = {
  /** plain text, to be escaped in HTML */
  name: string;
  logo: Logo;
  accent: Accent;
};

type BrandParameters = {
  siteName: string;
  /** path of an SVG or PNG file; null for the built-in mark */
  siteLogo: string | null;
  /** `#rrggbb` */
  siteAccent: string;
};

const MARK = new URL("./mark.svg", import.meta.url);
/** Fill of the mark's tile in the file, replaced by the accent. */
const TILE = "#0f6b74";
const PAPER = "#ffffff";

/** @throws {LogoError} when the logo cannot be used */
export async function loadBrand({ siteName, siteLogo, siteAccent }: BrandParameters): Promise<Brand> {
  const accent = accentColours(siteAccent);
  const logo = siteLogo === null ? await ourMark(accent) : logoOf(await readLogo(siteLogo));
  return { name: siteName, logo, accent };
}

/** One mark for light and dark pages: a tile in the button colour of the light theme, with a drawing that contrasts. */
async function ourMark({ light }: Accent): Promise<Logo> {
  const drawn = await readFile(MARK, "utf8");
  const coloured = drawn.replaceAll(TILE, light.accentStrong).replaceAll(PAPER, light.onAccent);
  return logoOf(Buffer.from(coloured));
}

type Logo = {
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

/** @throws {LogoError} when the file cannot be read or is too large */
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

export function logoOf(bytes: Buffer<ArrayBuffer>): Logo {
  try {
    const { kind, hash, width, height } = imageOf(bytes, { kinds: ["png", "svg"], mostBytes: LARGEST });
    const body = createBody(IMAGE_TYPES[kind], bytes);
    return { kind, path: `/brand/logo-${hash}.${kind}`, body, width, height };
  } catch (error) {
    throw error instanceof ImageError ? new LogoError(error.problems) : error;
  }
}
