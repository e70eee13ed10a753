/**
 * Answers with a page: in HTML or Markdown, made once for each market, with the links that lead to everything else.
 * @module
 */
import type { Context } from "hono";
import { LRUCache } from "lru-cache";
import { DatabaseSilentError } from "../database/checkpoint.ts";
import { type Body, createBody } from "../http/body.ts";
import { linkHeader, linksOfPage } from "../http/links.ts";
import { preferredType } from "../http/negotiate.ts";
import { problem } from "../http/problem.ts";
import { send } from "../http/respond.ts";
import { estimateTokens } from "../http/tokens.ts";
import type { Snapshot } from "../market/snapshot.ts";
import { isoTime } from "../time.ts";
import type { SiteAssets } from "./assets.ts";
import { databaseSilentPage, type ErrorPage, failedPage, missingPage, startingPage } from "./errors.ts";
import type { Found } from "./found.ts";
import { createFrame } from "./frame.tsx";
import { documentHtml } from "./html/document.tsx";
import { documentMarkdown } from "./markdown/document.ts";
import type { Page } from "./page.ts";
import { type PageDependencies, type Source, sourceOf } from "./pages.ts";
import { addressOf, SITE_PATHS } from "./paths.ts";
import { pagePolicy } from "./policy.ts";
import { type Sync, syncOf } from "./system/sync.ts";

const FORMS = ["text/html", "text/markdown"] as const;
/** What a path without a page can be answered with: a program that asks for JSON gets the problem. */
const ERROR_FORMS = [...FORMS, "application/problem+json", "application/json"] as const;
type Form = (typeof FORMS)[number];

/** Of one market. Words that somebody searches for make pages without end. */
const MOST_PAGES = 300;
const MOST_BYTES = 32 * 1024 * 1024;

/** A page that was found and written, or what else came of it. */
type Written =
  | Exclude<Found, { kind: "page" | "refused" }>
  | { kind: "page" | "refused"; body: Body; hasConsole: boolean; isProvisional: boolean };

/** Promises, so that a page is made once however many ask for it meanwhile. */
type Pages = LRUCache<string, Promise<Written>>;

export type Answers = {
  page(c: Context): Promise<Response>;
  missing(c: Context): Promise<Response>;
};

export function createAnswers(deps: PageDependencies, assets: SiteAssets): Answers {
  const { publicUrl } = deps.site;
  const { frame, scriptHash } = createFrame(deps, assets);
  const policies = { page: pagePolicy(scriptHash, false), console: pagePolicy(scriptHash, true) };
  const ofMarket = new WeakMap<Snapshot, Pages>();
  const ofService = emptyPages();

  const isInLlms = ({ path }: Page) =>
    deps.isKnowledgeInLlms && (path === SITE_PATHS.knowledge || path.startsWith(`${SITE_PATHS.knowledge}/`));

  const write = (page: Page, form: Form, sync: Sync, isError = false): Body => {
    const links = linksOfPage(publicUrl, isError ? null : page.path);
    const text =
      form === "text/html"
        ? documentHtml({ page, frame, links, sync, isError })
        : documentMarkdown({ page, sync, publicUrl, isInLlms: isInLlms(page), isError });
    return createBody(`${form}; charset=utf-8`, Buffer.from(text));
  };

  /** The page in a form, from those that are kept where it may be. */
  const written = async (
    source: Source,
    key: string,
    form: Form,
    query: URLSearchParams,
  ): Promise<Written> => {
    const snapshot = deps.feed.current();
    const sync = syncOf(deps);
    const pages =
      source.freshness === "now" ? null : source.freshness === "service" ? ofService : pagesOf(snapshot);
    const fullKey = JSON.stringify([key, form, sync.state, sync.text]);
    const known = pages?.get(fullKey);
    if (known !== undefined) return known;
    const made = Promise.resolve(source.find({ snapshot, query })).then((found) =>
      writtenFrom(found, (page) => write(page, form, sync)),
    );
    if (pages !== null) keep(pages, fullKey, made);
    return made;
  };

  const pagesOf = (snapshot: Snapshot | null): Pages | null => {
    if (snapshot === null) return null;
    const known = ofMarket.get(snapshot) ?? emptyPages();
    ofMarket.set(snapshot, known);
    return known;
  };

  const errorLinks = linkHeader(linksOfPage(publicUrl, null));
  const sendError = (c: Context, error: ErrorPage, form: Form, sync: Sync | null): Promise<Response> => {
    const { status, page } = error;
    const body = write(page, form, sync ?? QUIET, true);
    const headers = {
      ...headersOf(form, body, false),
      ...error.headers,
      Link: errorLinks,
      "X-Robots-Tag": "noindex",
      "Cache-Control": "no-store",
    };
    return send(c, body, headers, status);
  };

  const headersOf = (form: Form, body: Body, hasConsole: boolean): Record<string, string> =>
    form === "text/html"
      ? { "Content-Security-Policy": hasConsole ? policies.console : policies.page }
      : { "X-Markdown-Tokens": String(tokensOf(body)) };

  /** A page that says that there is none needs no state to say it. */
  const syncOrNull = (): Sync | null => {
    try {
      return syncOf(deps);
    } catch {
      return null;
    }
  };

  const missing = async (c: Context, detail = "Nothing is published at this address."): Promise<Response> => {
    const { isMarkdown } = addressOf(c.req.path);
    const type = isMarkdown ? FORMS[1] : preferredType(c.req.header("Accept"), ERROR_FORMS);
    if (type === "text/html" || type === "text/markdown")
      return sendError(c, missingPage(detail), type, syncOrNull());
    return problem(c, { code: "not_found", detail });
  };

  const answerWith = async (c: Context, source: Source, accepted: Form | null): Promise<Response> => {
    const form = accepted ?? FORMS[0];
    const { path, isMarkdown } = addressOf(c.req.path);
    const query = relevant(new URL(c.req.url).searchParams, source.parameters);
    const snapshot = deps.feed.current();
    const found = await written(source, `${path}?${query}`, form, query);
    if (found.kind === "missing") return missing(c, found.detail);
    if (accepted === null) {
      return problem(c, { code: "not_acceptable", detail: `This page is ${FORMS.join(" or ")} only.` });
    }
    if (found.kind === "not_indexed_yet") return sendError(c, startingPage(), form, syncOf(deps));
    if (found.kind === "moved") {
      c.header("Vary", "Accept, Accept-Encoding");
      c.header("Cache-Control", "public, max-age=1");
      return c.redirect(isMarkdown ? SITE_PATHS.markdownOf(found.path) : found.path, 302);
    }

    const canonical = { rel: "canonical", href: publicUrl + path };
    const links = linksOfPage(publicUrl, path);
    const headers = {
      ...headersOf(form, found.body, found.hasConsole),
      ...FRESHNESS[source.freshness],
      ...(source.freshness === "market" && snapshot !== null ? asOf(snapshot) : {}),
      Link: linkHeader(form === "text/markdown" ? [...links, canonical] : links),
      // A search engine should list a page once.
      ...(isMarkdown ? { "X-Robots-Tag": "noindex" } : {}),
    };
    return send(c, found.body, headers, found.kind === "refused" ? 400 : 200);
  };

  return {
    missing,
    async page(c) {
      const { path, isMarkdown } = addressOf(c.req.path);
      const source = sourceOf(deps, path);
      if (source === null) return missing(c);
      const accepted = isMarkdown ? FORMS[1] : preferredType(c.req.header("Accept"), FORMS);
      try {
        return await answerWith(c, source, accepted);
      } catch (error) {
        const requestId = c.get("requestId") ?? "";
        if (error instanceof DatabaseSilentError) {
          deps.log.warn({ msg: "The database does not answer", requestId, path: c.req.path, error });
          return sendError(c, databaseSilentPage(), accepted ?? FORMS[0], syncOrNull());
        }
        deps.log.error({ msg: "A page could not be made", requestId, path: c.req.path, error });
        // What failed may be what would tell the state.
        return sendError(c, failedPage(requestId), accepted ?? FORMS[0], null);
      }
    },
  };
}

const counted = new WeakMap<Body, number>();

/** Counted once for each body. */
function tokensOf(body: Body): number {
  const tokens = counted.get(body) ?? estimateTokens(body.bytes.toString("utf8"));
  counted.set(body, tokens);
  return tokens;
}

/** Where the state is not known, nothing is said of it. */
const QUIET: Sync = { state: "ok", indexed: null, head: null, start: null, percent: null, text: "" };

const FRESHNESS = {
  market: { "Cache-Control": "public, max-age=1" },
  service: { "Cache-Control": "public, max-age=60" },
  now: { "Cache-Control": "no-store" },
} as const;

function emptyPages(): Pages {
  return new LRUCache({ max: MOST_PAGES, maxSize: MOST_BYTES });
}

/** A page that could not be made is made again; one that was counts by its bytes. */
function keep(pages: Pages, key: string, made: Promise<Written>): void {
  pages.set(key, made, { size: 1 });
  const forget = () => pages.delete(key);
  made.then((written) => {
    // What is not there yet may be there at any moment, also of the same market.
    if (written.kind === "not_indexed_yet" || ("body" in written && written.isProvisional)) forget();
    else if ("body" in written && pages.has(key)) pages.set(key, made, { size: written.body.bytes.length });
  }, forget);
}

function writtenFrom(found: Found, write: (page: Page) => Body): Written {
  if (found.kind !== "page" && found.kind !== "refused") return found;
  const isProvisional = found.kind === "page" && found.isProvisional === true;
  const hasConsole = found.page.console !== undefined;
  return { kind: found.kind, body: write(found.page), hasConsole, isProvisional };
}

function asOf({ market: { head } }: Snapshot): Record<string, string> {
  return { "X-Indexed-Block": head.number.toString(), "X-Indexed-At": isoTime(head.timestamp) };
}

/** What of a query changes the page, in one order. */
function relevant(query: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams(names.flatMap((name) => query.getAll(name).map((value) => [name, value])));
}
