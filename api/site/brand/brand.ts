/**
 * What makes the site an operator's own: its name, logo and accent. All come from the configuration and are settled at
 * the start; what the service calls itself for machines (its cards and catalogs) does not follow them.
 * @module
 */
import { readFile } from "node:fs/promises";
import { type Accent, accentColours } from "./accent.ts";
import { type Logo, loadLogo, logoOf } from "./logo.ts";

export type Brand = {
  /** plain text: whoever writes it into HTML escapes it */
  name: string;
  logo: Logo;
  accent: Accent;
};

export type BrandParameters = {
  siteName: string;
  /** path of an SVG or PNG file; null for the mark that comes with the service */
  siteLogo: string | null;
  /** `#rrggbb` */
  siteAccent: string;
};

const MARK = new URL("./mark.svg", import.meta.url);
/** The fill of the mark's tile in the file, which gives way to the accent. */
const TILE = "#0f6b74";
const PAPER = "#ffffff";

/** @throws {LogoError} when the logo cannot be used */
export async function loadBrand({ siteName, siteLogo, siteAccent }: BrandParameters): Promise<Brand> {
  const accent = accentColours(siteAccent);
  const logo = siteLogo === null ? await ourMark(accent) : await loadLogo(siteLogo);
  return { name: siteName, logo, accent };
}

/** One mark for light and dark pages: a tile in the colour of the light theme's buttons, and what is read on it. */
async function ourMark({ light }: Accent): Promise<Logo> {
  const drawn = await readFile(MARK, "utf8");
  const coloured = drawn.replaceAll(TILE, light.accentStrong).replaceAll(PAPER, light.onAccent);
  return logoOf(Buffer.from(coloured));
}
