/**
 * The sitemaps (sitemaps.org, protocol 0.9): every canonical page of the current market with the date of its last change, as XML and as plain
 * text. A file holds 50,000 addresses. Beyond that `/sitemap.xml` is an index of files, each of one group of pages; a group with more pages
 * than that has several. Only files that are asked for are made, and the newest are kept in bounded memory.
 * Plain text has no index, so `/sitemap.txt` is then the first of the files.
 * @module
 */
import type { MiddlewareHandler } from "hono";
import { html } from "hono/html";
import { type Body, createBoundedBodyCache } from "../http/etagged-body.ts";
import { PATHS, TYPES } from "../http/links.ts";
import { methodNotAllowed, notIndexedYet } from "../http/problem.ts";
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

const SITEMAP = /^\/sitemap(?:-[a-z\d-]{1,60})?\.(?:xml|txt)$/;
/** Bytes of the newest files, with room for compressed forms. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A page in a file; `url` is absolute and ASCII. */
type Entry = { url: string; lastmod: string };

/** Pages that are listed together, such as the raises of a month. */
export type SitemapGroup = {
  /** part of the names of its files */
  name: string;
  count: number;
  /** characters of the longest path that a page of it can have */
  longest: number;
  /** changes with each change of its pages */
  revision: string;
  /** the last change of any of its pages, ISO 8601 */
  updated: string;
  /** in an order in which new pages come last */
  pages(): readonly SitemapPage[];
};

export type SitemapParameters = {
  publicUrl: string;
  /** null before the first indexed block: crawlers would keep files without any raise for an hour */
  now(): {
    /** identity of the pages: the same object as long as they are the same */
    version: object;
    groups(): readonly SitemapGroup[];
  } | null;
};

/** A middleware, not routes: the files change with the market. Groups are listed once for each version. */
export function createSitemaps({ publicUrl, now }: SitemapParameters): MiddlewareHandler {
  const kept = new WeakMap<object, Sitemaps>();
  const bodies = createBoundedBodyCache(MOST_BYTES);
  const sitemapsNow = (): Sitemaps | null => {
    const pages = now();
    if (pages === null) return null;
    const { version, groups } = pages;
    const known = kept.get(version) ?? sitemapsOf(groups(), publicUrl);
    kept.set(version, known);
    return known;
  };
  return async (c, next) => {
    const { path, method } = c.req;
    if (!SITEMAP.test(path)) return next();
    const sitemaps = sitemapsNow();
    if (sitemaps === null) throw notIndexedYet();
    const file = sitemaps.fileAt(path);
    if (file === null) return next();
    if (method !== "GET" && method !== "HEAD") return methodNotAllowed(c);
    // A kept answer must not keep the file, which can list the pages of its market.
    const { revision, make } = file;
    const body = bodies(kept, `${path} ${revision}`, make);
    const isCurrent = () => sitemapsNow()?.fileAt(path)?.revision === revision;
    return send(c, body, FOR_AN_HOUR, { lasting: { isCurrent, head: () => null } });
  };
}

type SitemapFile = { revision: string; make(): Body };

export type Sitemaps = {
  /** the files that there are now; none is made */
  paths: readonly string[];
  fileAt(path: string): SitemapFile | null;
};

/** A page listed twice in a group appears once, with its latest change; one whose address is too long for the protocol is left out. */
export function sitemapsOf(
  groups: readonly SitemapGroup[],
  publicUrl: string,
  limits = FILE_LIMITS,
): Sitemaps {
  const revision = groups.map((group) => `${group.name}:${group.revision}`).join(" ");
  const files = new Map<string, SitemapFile>();
  const add = (name: string, revision: string, entries: () => readonly Entry[]) => {
    const text = () =>
      textBody(
        PLAIN_TYPE,
        entries()
          .map(({ url }) => `${url}\n`)
          .join(""),
      );
    files.set(`${name}.xml`, { revision, make: () => textBody(TYPES.xml, urlSetOf(entries())) });
    files.set(`${name}.txt`, { revision, make: text });
  };
  const all = groups.reduce((sum, { count }) => sum + count, 0);
  const perFile = (longest: number) =>
    Math.max(
      1,
      Math.min(limits.urls, Math.floor((limits.bytes - FRAME) / (ENTRY + publicUrl.length + longest))),
    );
  if (all <= perFile(Math.max(0, ...groups.map(({ longest }) => longest)))) {
    const entries = () =>
      entriesOf(
        groups.flatMap(({ pages }) => pages()),
        publicUrl,
      ).sort(byUrl);
    add("/sitemap", revision, entries);
  } else {
    const parts = groups.flatMap(({ name, count, longest, pages, ...group }) => {
      const most = perFile(longest);
      return Array.from({ length: Math.ceil(count / most) }, (_, at) => {
        const path = `/sitemap-${name}${at === 0 ? "" : `-${at + 1}`}`;
        const entries = () => entriesOf(pages(), publicUrl).slice(at * most, (at + 1) * most);
        add(path, group.revision, entries);
        return { path, lastmod: group.updated };
      });
    });
    const index = parts.map(({ path, lastmod }) => ({ url: `${publicUrl}${path}.xml`, lastmod }));
    files.set(PATHS.sitemapXml, { revision, make: () => textBody(TYPES.xml, indexOf(index)) });
    const [first] = parts;
    const text = first && files.get(`${first.path}.txt`);
    if (text !== undefined) files.set(PATHS.sitemapText, text);
  }
  return { paths: [...files.keys()], fileAt: (path) => files.get(path) ?? null };
}

/** Bytes of an entry besides its address, which is escaped with what its longest path leaves. */
const ENTRY = 100;

function byUrl(a: Entry, b: Entry): number {
  return a.url < b.url ? -1 : 1;
}

/** In the order of the pages. */
function entriesOf(pages: readonly SitemapPage[], publicUrl: string): Entry[] {
  const lastmodByUrl = new Map<string, string>();
  for (const { path, updated } of pages) {
    const url = publicUrl + new URL(publicUrl + path).pathname;
    if (url.length > LONGEST_URL) continue;
    const known = lastmodByUrl.get(url);
    if (known === undefined || known < updated) lastmodByUrl.set(url, updated);
  }
  return [...lastmodByUrl].map(([url, lastmod]) => ({ url, lastmod }));
}

function urlSetOf(part: readonly Entry[]): string {
  return documentOf(
    "urlset",
    part.map((entry) => asXml("url", entry)),
  );
}

function indexOf(parts: readonly Entry[]): string {
  return documentOf(
    "sitemapindex",
    parts.map((entry) => asXml("sitemap", entry)),
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
