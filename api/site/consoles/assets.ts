/**
 * The files of a console: another's program from its package, and a script and a style sheet of ours. Their addresses
 * name their content, so that a browser never asks for one twice.
 * @module
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Context, Hono } from "hono";
import { type Body, createBody } from "../../http/body.ts";
import { methodNotAllowed, problem } from "../../http/problem.ts";
import { answerStatic } from "../../http/respond.ts";

/** In the order in which a page loads them: the ones of ours after those that they change. */
export type ConsoleFiles = { styles: Named; scripts: Named };
type Named = readonly (readonly [name: string, content: string | Buffer])[];

export type ConsoleAssets = {
  /** Paths from the root, in the same order. Files are read when somebody asks for the first time. */
  paths(): Promise<{ styles: string[]; scripts: string[] }>;
  /** to be mounted at the page's path */
  routes: Hono;
};

export function createConsoleAssets(path: string, read: () => Promise<ConsoleFiles>): ConsoleAssets {
  let reading: Promise<Awaited<ReturnType<typeof hashed>>> | null = null;
  const files = () => {
    reading ??= read().then(hashed);
    reading.catch(() => {
      reading = null;
    });
    return reading;
  };
  const routes = new Hono();
  routes.all("/assets/:hash/:name", async (c) => {
    const { hash, bodies } = await files();
    const body = c.req.param("hash") === hash ? bodies.get(c.req.param("name")) : undefined;
    if (body === undefined) return notFound(c);
    if (c.req.method !== "GET" && c.req.method !== "HEAD") return methodNotAllowed(c);
    const response = await answerStatic(c, body);
    response.headers.set("Cache-Control", "public, max-age=31536000, immutable");
    return response;
  });
  routes.all("/*", (c, next) => (c.req.path === path ? next() : notFound(c)));
  return {
    routes,
    async paths() {
      const { hash, styles, scripts } = await files();
      const addresses = (named: Named) => named.map(([name]) => `${path}/assets/${hash}/${name}`);
      return { styles: addresses(styles), scripts: addresses(scripts) };
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

/** A file of `browser/`. */
export function ownFile(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(new URL(`./browser/${name}`, import.meta.url)));
}

function notFound(c: Context): Response {
  return problem(c, { code: "not_found", detail: "There is nothing at this path." });
}
