/**
 * The sitemaps (sitemaps.org, protocol 0.9): every canonical page of the current market with the date of its last change,
 * as XML and as plain text. A file holds 50,000 addresses; beyond that `/sitemap.xml` is an index of numbered files.
 * Plain text has no index, so `/sitemap.txt` is the first of its numbered files.
 * @module
 */
import type { MiddlewareHandler } from "hono";
import { html } from "hono/html";
import { type Body, createBodyCache } from "../http/etagged-body.ts";
import { PATHS, TYPES } from "../http/links.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { FOR_AN_HOUR, send } from "../http/respond.ts";
import { PLAIN_TYPE, textBody } from "./published.ts";

export type SitemapPage = {
  /** canonical, from the root */
  path: string;
  /** date or time of the last change, ISO 8601 */
  updated: string;
};

/** The protocol's limits for a file, and for an address in it. */
export const FILE_LIMITS = { urls: 50_000, bytes: 50 * 1024 * 1024 };
const LONGEST_URL = 2_047;
/** Bytes reserved for the first and the last lines of a file. */
const FRAME = 1_024;

const SITEMAP = /^\/sitemap(?:-([1-9]\d{0,4}))?\.(xml|txt)$/;

/** A page in a file; `url` is absolute and ASCII. */
type Entry = { url: string; lastmod: string };

export type SitemapParameters = {
  publicUrl: string;
  now(): {
    /** identity of the list: the same object as long as the pages are the same */
    version: object;
    pages(): readonly SitemapPage[];
  };
};

/** A middleware, not routes: the number of files changes with the market. Pages are listed once for each version. */
export function createSitemaps({ publicUrl, now }: SitemapParameters): MiddlewareHandler {
  const kept = new WeakMap<object, Sitemaps>();
  const sitemapsNow = (): Sitemaps => {
    const { version, pages } = now();
    const known = kept.get(version) ?? sitemapsOf(pages(), publicUrl);
    kept.set(version, known);
    return known;
  };
  return async (c, next) => {
    if (!SITEMAP.test(c.req.path)) return next();
    const sitemaps = sitemapsNow();
    const body = sitemaps.bodyAt(c.req.path);
    if (body === null) return next();
    if (c.req.method !== "GET" && c.req.method !== "HEAD") return methodNotAllowed(c);
    const lasting = { isCurrent: () => kept.get(now().version) === sitemaps, head: () => null };
    return send(c, body, FOR_AN_HOUR, { lasting });
  };
}

export type Sitemaps = {
  paths: readonly string[];
  bodyAt(path: string): Body | null;
};

/** A page listed twice appears once, with its latest change; one whose address is too long for the protocol is left out. */
export function sitemapsOf(pages: readonly SitemapPage[], publicUrl: string, limits = FILE_LIMITS): Sitemaps {
  const parts = partsOf(entriesOf(pages, publicUrl), limits);
  const isSplit = parts.length > 1;
  const numbered = isSplit ? parts.flatMap((_, at) => [partPath(at, "xml"), partPath(at, "txt")]) : [];
  const paths = [PATHS.sitemapXml, PATHS.sitemapText, ...numbered];
  const bodies = createBodyCache();
  return {
    paths,
    bodyAt(path) {
      if (!paths.includes(path)) return null;
      const [, number, form] = SITEMAP.exec(path) ?? [];
      const part = parts[Number(number ?? 1) - 1] ?? [];
      return bodies(parts, path, () => {
        if (form === "txt") return textBody(PLAIN_TYPE, part.map(({ url }) => `${url}\n`).join(""));
        const isIndex = isSplit && number === undefined;
        return textBody(TYPES.xml, isIndex ? indexOf(parts, publicUrl) : urlSetOf(part));
      });
    },
  };
}

function partPath(at: number, form: "xml" | "txt"): string {
  return `/sitemap-${at + 1}.${form}`;
}

/** Sorted by address, so that every replica serves the same bytes. */
function entriesOf(pages: readonly SitemapPage[], publicUrl: string): Entry[] {
  const lastmodByUrl = new Map<string, string>();
  for (const { path, updated } of pages) {
    const url = publicUrl + new URL(publicUrl + path).pathname;
    if (url.length > LONGEST_URL) continue;
    const known = lastmodByUrl.get(url);
    if (known === undefined || known < updated) lastmodByUrl.set(url, updated);
  }
  return [...lastmodByUrl]
    .map(([url, lastmod]) => ({ url, lastmod }))
    .sort((a, b) => (a.url < b.url ? -1 : 1));
}

/** At least one part, even without pages. XML is the longer form: what fits as XML fits as text. */
function partsOf(entries: readonly Entry[], most: typeof FILE_LIMITS): readonly (readonly Entry[])[] {
  const parts: Entry[][] = [];
  let part: Entry[] = [];
  let bytes = FRAME;
  for (const entry of entries) {
    const size = asXml("url", entry).length + 1;
    if (part.length === most.urls || bytes + size > most.bytes) {
      parts.push(part);
      part = [];
      bytes = FRAME;
    }
    part.push(entry);
    bytes += size;
  }
  return [...parts, part];
}

function urlSetOf(part: readonly Entry[]): string {
  return documentOf(
    "urlset",
    part.map((entry) => asXml("url", entry)),
  );
}

function indexOf(parts: readonly (readonly Entry[])[], publicUrl: string): string {
  const latest = (part: readonly Entry[]) => part.reduce((a, { lastmod: b }) => (a > b ? a : b), "");
  const entries = parts.map((part, at) => ({ url: publicUrl + partPath(at, "xml"), lastmod: latest(part) }));
  return documentOf(
    "sitemapindex",
    entries.map((entry) => asXml("sitemap", entry)),
  );
}

function documentOf(root: string, lines: readonly string[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`,
    ...lines,
    `</${root}>`,
    "",
  ].join("\n");
}

function asXml(element: string, { url, lastmod }: Entry): string {
  return `  <${element}><loc>${html`${url}`}</loc><lastmod>${lastmod}</lastmod></${element}>`;
}
