/** @module The files of the brand: logo, icons and web manifest. */
import { Hono } from "hono";
import { createBody } from "../../http/etagged-body.ts";
import { methodNotAllowed } from "../../http/problem.ts";
import { FOR_AN_HOUR, FOR_EVER, FOR_GOOD, send } from "../../http/respond.ts";
import { BACKGROUNDS } from "./accent.ts";
import type { Brand } from "./brand.ts";

export const MANIFEST_PATH = "/site.webmanifest";

/** The policy of a drawing opened directly: it loads and runs nothing, whatever it contains. Its own styles apply. */
export const IMAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Path of the icon: stable, unlike the logo's. */
export function iconPath({ logo }: Pick<Brand, "logo">): string {
  return `/favicon.${logo.kind}`;
}

/** The files, to be mounted at the root; unknown paths fall through. */
export function createBrandAssets({ brand }: { brand: Brand }): Hono {
  const assets = new Hono();
  const { logo } = brand;
  const icon = iconPath(brand);
  const policy = { "Content-Security-Policy": IMAGE_POLICY };
  const manifest = createBody("application/manifest+json", Buffer.from(JSON.stringify(manifestOf(brand))));

  assets.get(logo.path, (c) => send(c, logo.body, { ...policy, ...FOR_EVER }, { lasting: FOR_GOOD }));
  assets.get(icon, (c) => send(c, logo.body, { ...policy, ...FOR_AN_HOUR }, { lasting: FOR_GOOD }));
  // Browsers request it when a page names no icon. An .ico file would be a second picture to maintain.
  assets.get("/favicon.ico", (c) => c.body(null, 302, { ...FOR_AN_HOUR, Location: icon }));
  assets.get(MANIFEST_PATH, (c) => send(c, manifest, FOR_AN_HOUR, { lasting: FOR_GOOD }));
  for (const path of [logo.path, icon, "/favicon.ico", MANIFEST_PATH]) assets.all(path, methodNotAllowed);
  return assets;
}

/** Web Application Manifest (W3C), with name and icon; the site is not an installable app. */
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
