/**
 * A page with a third-party program, which sends requests only to this service. The addresses of its files contain a
 * hash of their content, so that browsers fetch them once. http.md, "Pages".
 * @module
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Context, Hono } from "hono";
import { type Body, createBody } from "../../http/etagged-body.ts";
import { methodNotAllowed, problem } from "../../http/problem.ts";
import { answerStatic } from "../../http/respond.ts";
import type { Page } from "../page.ts";
import { CRUMBS } from "../paths.ts";

export type ConsolePage = Omit<Page, "updated" | "crumbs" | "isLive" | "console"> & {
  console: { id: string; label: string };
};

/** In loading order: our files after those they override. */
export type ConsoleFiles = { styles: Named; scripts: Named };
type Named = readonly (readonly [name: string, content: string | Buffer])[];

export type Console = {
  /** The complete page. The files are read on the first request. */
  page(): Promise<Page>;
  /** the files, to be mounted at the page's path */
  files: Hono;
};

/** @param updated when the page changed last, ISO 8601 */
export function createConsole(
  page: ConsolePage,
  read: () => Promise<ConsoleFiles>,
  updated: string,
): Console {
  const { path } = page;
  let reading: Promise<Awaited<ReturnType<typeof hashed>>> | null = null;
  const files = () => {
    reading ??= read().then(hashed);
    reading.catch(() => {
      reading = null;
    });
    return reading;
  };
  const served = new Hono();
  served.all("/assets/:hash/:name", async (c) => {
    const { hash, bodies } = await files();
    const body = c.req.param("hash") === hash ? bodies.get(c.req.param("name")) : undefined;
    if (body === undefined) return notFound(c);
    if (c.req.method !== "GET" && c.req.method !== "HEAD") return methodNotAllowed(c);
    return answerStatic(c, body, { "Cache-Control": "public, max-age=31536000, immutable" });
  });
  served.all("/*", (c, next) => (c.req.path === path ? next() : notFound(c)));
  return {
    files: served,
    async page() {
      const { hash, styles, scripts } = await files();
      const addresses = (named: Named) => named.map(([name]) => `${path}/assets/${hash}/${name}`);
      return {
        ...page,
        updated,
        crumbs: [CRUMBS.board, CRUMBS.developers],
        isLive: false,
        console: { ...page.console, styles: addresses(styles), scripts: addresses(scripts) },
      };
    },
  };
}

function hashed({ styles, scripts }: ConsoleFiles) {
  const bodies = new Map<string, Body>();
  const hash = createHash("sha256");
  for (const [type, files] of [
    ["text/css; charset=utf-8", styles],
    ["text/javascript; charset=utf-8", scripts],
  ] as const) {
    for (const [name, content] of files) {
      const body = createBody(type, Buffer.from(content));
      bodies.set(name, body);
      hash.update(body.bytes);
    }
  }
  return { hash: hash.digest("hex").slice(0, 16), bodies, styles, scripts };
}

export function ownFile(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(new URL(`./browser/${name}`, import.meta.url)));
}

function notFound(c: Context): Response {
  return problem(c, { code: "not_found", detail: "There is nothing at this path." });
}
