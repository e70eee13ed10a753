/**
 * The operator's brand: name, logo and accent from the configuration, fixed at the start. The service's name for machines (in
 * cards and catalogs) stays the same.
 * @module
 */
import { readFile } from "node:fs/promises";
import { type Accent, accentColours } from "./accent.ts";
import { type Logo, loadLogo, logoOf } from "./logo.ts";

export type Brand = {
  /** plain text, to be escaped in HTML */
  name: string;
  logo: Logo;
  accent: Accent;
};

export type BrandParameters = {
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
  const logo = siteLogo === null ? await ourMark(accent) : await loadLogo(siteLogo);
  return { name: siteName, logo, accent };
}

/** One mark for light and dark pages: a tile in the button colour of the light theme, with a drawing that contrasts. */
async function ourMark({ light }: Accent): Promise<Logo> {
  const drawn = await readFile(MARK, "utf8");
  const coloured = drawn.replaceAll(TILE, light.accentStrong).replaceAll(PAPER, light.onAccent);
  return logoOf(Buffer.from(coloured));
}
