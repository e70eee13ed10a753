/** @module The stylesheet and the scripts of the pages, at paths with a hash of their bytes: cached for ever. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { type Body, createBody } from "../http/etagged-body.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { FOR_EVER, FOR_GOOD, type Headers, send } from "../http/respond.ts";
import { brandCss } from "./brand/accent.ts";
import type { Brand } from "./brand/brand.ts";
import { coverCss } from "./covers/colours.ts";
import type { EmbedTheme } from "./embed/card.tsx";

/** The verifier, by the name that the worker imports it by. */
const VERIFY = "../../../client/dist/verify.js";

const PAGE_SCRIPTS = [
  "change.js",
  "live.js",
  "board.js",
  "site.js",
  "local-times.js",
  "charts.js",
  "estimate.js",
  "choices.js",
  "watched.js",
  "share.js",
];

/** The worker alone may call a node of the visitor's choice; pages only this service. docs/decisions/0040-proof-in-the-page.md. */
const WORKER_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self' https: http://127.0.0.1:* http://localhost:*";

export type SiteAssets = {
  css: string;
  script: string;
  /** the stylesheet of framed cards by theme */
  embedCss: Record<EmbedTheme, string>;
  routes: Hono;
};

/** Reads and hashes the files. `routes` is to be mounted at the root. */
export function createSiteAssets(brand: Brand): SiteAssets {
  const css = asset(
    "site.css",
    "text/css; charset=utf-8",
    brandCss(brand) +
      coverCss(brand.accent.light.accent) +
      [
        "theme.css",
        "site.css",
        "covers.css",
        "columns.css",
        "bars.css",
        "history.css",
        "raises.css",
        "choices.css",
        "board.css",
        "dense.css",
        "pages.css",
        "charts.css",
        "developers.css",
        "reference.css",
        "prover.css",
        "raise.css",
        "texts.css",
      ]
        .map(source)
        .join("") +
      cardsCss() +
      source("large-text.css") +
      source("print.css"),
  );
  const embedCss = cardSheets(brand);
  const verify = script("verify.js", source(VERIFY));
  const worker = {
    ...script("prove-worker.js", source("prove-worker.js"), { [VERIFY]: verify }),
    headers: { "Content-Security-Policy": WORKER_POLICY },
  };
  const prove = script("prove.js", source("prove.js"), { "./prove-worker.js": worker });
  const main = script("site.js", PAGE_SCRIPTS.map(part).join("\n"), { "./prove.js": prove });
  const routes = new Hono();
  for (const { path, body, headers } of [css, main, prove, worker, verify, ...Object.values(embedCss)]) {
    routes.get(path, (c) => send(c, body, { ...FOR_EVER, ...headers }, { lasting: FOR_GOOD }));
    routes.all(path, methodNotAllowed);
  }
  const { auto, light, dark } = embedCss;
  return {
    css: css.path,
    script: main.path,
    embedCss: { auto: auto.path, light: light.path, dark: dark.path },
    routes,
  };
}

const DARK = "@media screen and (prefers-color-scheme: dark)";

/** One source for the three themes: a chosen one has the rules of dark colours always, or never. */
function cardSheets(brand: Brand): Record<EmbedTheme, Asset> {
  const colours = brandCss(brand) + coverCss(brand.accent.light.accent) + source("theme.css");
  const sheet = (name: string, css: string) =>
    asset(
      name,
      "text/css; charset=utf-8",
      css + ["bars.css", "covers.css", "embed.css"].map(source).join(""),
    );
  const chosen = (theme: "light" | "dark", media: string) =>
    sheet(
      `embed-${theme}.css`,
      colours.replaceAll(DARK, media).replace("color-scheme: light dark", `color-scheme: ${theme}`),
    );
  return {
    auto: sheet("embed.css", colours),
    light: chosen("light", "@media not all"),
    dark: chosen("dark", "@media all"),
  };
}

/** Window widths up to which tables become cards: those with few columns only on a phone, or on the smallest. */
const CARDS_UP_TO = { small: "24rem", narrow: "48rem", wide: "70rem", dense: "78rem" } as const;

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

/** A script as part of a file that also contains its imports. */
function part(name: string): string {
  return source(name).replaceAll(/^(export |import .*\n)/gm, "");
}

type Asset = { path: string; body: Body; headers?: Headers };

/** @param loads the files that it loads, by its names for them */
function script(name: string, text: string, loads: Readonly<Record<string, Asset>> = {}): Asset {
  const linked = Object.entries(loads).reduce(
    (some, [own, { path }]) => some.replaceAll(`"${own}"`, `"${path}"`),
    text,
  );
  return asset(name, "text/javascript; charset=utf-8", linked);
}

function asset(name: string, type: string, text: string): Asset {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  const path = `/assets/${name.replace(/(?=\.\w+$)/, `.${hash}`)}`;
  return { path, body: createBody(type, Buffer.from(text)) };
}
