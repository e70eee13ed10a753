/**
 * The stylesheet and the script of the pages. Their names contain a hash of their bytes, so that browsers may cache
 * them for ever.
 * @module
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { type Body, createBody } from "../http/body.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { FOR_GOOD, send } from "../http/respond.ts";
import { brandCss } from "./brand/accent.ts";
import type { Brand } from "./brand/brand.ts";
import { coverCss } from "./covers/colours.ts";

const FOR_EVER = { "Cache-Control": "public, max-age=31536000, immutable" };

export type SiteAssets = { css: string; script: string; routes: Hono };

/** Reads and hashes the files. `routes` is to be mounted at the root. */
export function createSiteAssets(brand: Brand): SiteAssets {
  const css = asset(
    "site",
    "css",
    "text/css; charset=utf-8",
    brandCss(brand) +
      coverCss(brand.accent.light.accent) +
      [
        "site.css",
        "columns.css",
        "bars.css",
        "history.css",
        "raises.css",
        "pages.css",
        "charts.css",
        "developers.css",
      ]
        .map(source)
        .join("") +
      cardsCss(),
  );
  const script = asset(
    "site",
    "js",
    "text/javascript; charset=utf-8",
    ["site.js", "local-times.js", "charts.js"].map(source).join("\n"),
  );
  const routes = new Hono();
  for (const { path, body } of [css, script]) {
    routes.get(path, (c) => send(c, body, FOR_EVER, { lasting: FOR_GOOD }));
    routes.all(path, methodNotAllowed);
  }
  return { css: css.path, script: script.path, routes };
}

/** Window widths up to which tables become cards: those with few columns only on a phone. */
const CARDS_UP_TO = { narrow: "48rem", wide: "70rem" } as const;

/** CSS cannot give one set of rules two conditions, so the rules are repeated. In print a table stays a table. */
function cardsCss(): string {
  const rules = source("cards.css");
  return Object.entries(CARDS_UP_TO)
    .map(([width, upTo]) => {
      const own = rules.replaceAll(/\.cards\b/g, `.table--${width}`);
      return `@media screen and (max-width: ${upTo}) {\n${own}}\n`;
    })
    .join("");
}

function source(name: string): string {
  return readFileSync(fileURLToPath(new URL(`./assets/${name}`, import.meta.url)), "utf8");
}

function asset(name: string, extension: string, type: string, text: string): { path: string; body: Body } {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return { path: `/assets/${name}.${hash}.${extension}`, body: createBody(type, Buffer.from(text)) };
}
