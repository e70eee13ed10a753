/**
 * The files of the brand: the logo, the icons that browsers ask for, and the manifest of the site.
 * @module
 */
import { Hono } from "hono";
import { createBody } from "../../http/body.ts";
import { methodNotAllowed } from "../../http/problem.ts";
import { send } from "../../http/respond.ts";
import { BACKGROUNDS } from "./accent.ts";
import type { Brand } from "./brand.ts";

export const MANIFEST_PATH = "/site.webmanifest";

/**
 * Of a drawing that is opened by itself: it loads nothing and runs nothing, whatever is in it. Its own styles apply;
 * the pages that show it as a picture keep their own policy.
 */
const LOGO_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const FOR_EVER = { "Cache-Control": "public, max-age=31536000, immutable" };
const FOR_AN_HOUR = { "Cache-Control": "public, max-age=3600" };

/** Where the icon of this brand is: a name that stays, unlike that of the logo. */
export function iconPath({ logo }: Pick<Brand, "logo">): string {
  return `/favicon.${logo.kind}`;
}

/** The files, to be mounted at the root. What it does not know it leaves to others. */
export function createBrandAssets({ brand }: { brand: Brand }): Hono {
  const assets = new Hono();
  const { logo } = brand;
  const icon = iconPath(brand);
  const policy = { "Content-Security-Policy": LOGO_POLICY };
  const manifest = createBody("application/manifest+json", Buffer.from(JSON.stringify(manifestOf(brand))));

  assets.get(logo.path, (c) => send(c, logo.body, { ...policy, ...FOR_EVER }));
  assets.get(icon, (c) => send(c, logo.body, { ...policy, ...FOR_AN_HOUR }));
  // Browsers ask for it where no page names an icon. There is no .ico file: one that is made of a drawing would be a
  // second picture to keep.
  assets.get("/favicon.ico", (c) => c.body(null, 302, { ...FOR_AN_HOUR, Location: icon }));
  assets.get(MANIFEST_PATH, (c) => send(c, manifest, FOR_AN_HOUR));
  for (const path of [logo.path, icon, "/favicon.ico", MANIFEST_PATH]) assets.all(path, methodNotAllowed);
  return assets;
}

/** Web Application Manifest (W3C). It says how the site is called and drawn; it is no app to install. */
function manifestOf(brand: Brand) {
  const { name, logo, accent } = brand;
  return {
    id: "/",
    name,
    start_url: "/",
    scope: "/",
    display: "browser",
    lang: "en",
    dir: "ltr",
    background_color: BACKGROUNDS.light[0],
    theme_color: accent.light.accentStrong,
    icons: [
      {
        src: logo.path,
        type: logo.body.type,
        sizes: logo.kind === "svg" ? "any" : `${logo.width}x${logo.height}`,
      },
    ],
  };
}
