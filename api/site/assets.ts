/**
 * The stylesheet and the script of the pages. Their names carry a hash of their bytes, so that a browser may keep them
 * for ever.
 * @module
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { type Body, createBody } from "../feed/body.ts";
import { methodNotAllowed } from "../problem.ts";
import { send } from "../rest/answer.ts";
import { brandCss } from "./brand/accent.ts";
import type { Brand } from "./brand/brand.ts";

const FOR_EVER = { "Cache-Control": "public, max-age=31536000, immutable" };

export type SiteAssets = { css: string; script: string; routes: Hono };

/** Reads and hashes the files; `routes` is to be mounted at the root. */
export function createSiteAssets(brand: Brand): SiteAssets {
  const css = asset("site", "css", "text/css; charset=utf-8", brandCss(brand) + source("site.css"));
  const script = asset("site", "js", "text/javascript; charset=utf-8", source("site.js"));
  const routes = new Hono();
  for (const { path, body } of [css, script]) {
    routes.get(path, (c) => send(c, body, FOR_EVER));
    routes.all(path, methodNotAllowed);
  }
  return { css: css.path, script: script.path, routes };
}

function source(name: string): string {
  return readFileSync(fileURLToPath(new URL(`./assets/${name}`, import.meta.url)), "utf8");
}

function asset(name: string, extension: string, type: string, text: string): { path: string; body: Body } {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return { path: `/assets/${name}.${hash}.${extension}`, body: createBody(type, Buffer.from(text)) };
}
