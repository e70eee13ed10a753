/** @module Sends pages as HTML or Markdown, built once for each market, with links to everything else. */
import type { Context } from "hono";
import { LRUCache } from "lru-cache";
import type { Block } from "../../src/fold/events.ts";
import { DatabaseSilentError } from "../database/checkpoint.ts";
import { type Body, createBody } from "../http/etagged-body.ts";
import { linkHeader, linksOfPage, markdownPath } from "../http/links.ts";
import { preferredType } from "../http/negotiate.ts";
import { methodNotAllowed, methodRefusal, ProblemError, problem } from "../http/problem.ts";
import { answerMoved, send, type Validity, withoutEvent } from "../http/respond.ts";
import { sameParts } from "../http/same-parts.ts";
import { estimateTokens } from "../http/tokens.ts";
import { inStep, ReorganisingError } from "../ledger/in-step.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { SiteAssets } from "./assets.ts";
import {
  busyPage,
  databaseSilentPage,
  type ErrorPage,
  failedPage,
  missingPage,
  notAllowedPage,
  reorganisingPage,
  startingPage,
} from "./errors.ts";
import { withExplorer } from "./explorer.ts";
import { type DocumentParameters, documentHtml } from "./html/document.tsx";
import { documentMarkdown } from "./markdown/document.ts";
import type { Page, PageRequest, PageResult } from "./page.ts";
import { isMarkdownPath, SITE_PATHS } from "./paths.ts";
import { auditBadgeOf } from "./proof.ts";
import { createShell } from "./shell.tsx";
import type { Freshness, PageDependencies, SitePage } from "./site-page.ts";
import { withFiles } from "./subject.ts";
import { type Sync, syncOf } from "./system/sync.ts";
import { asOfTime } from "./times.ts";

const FORMS = ["text/html", "text/markdown"] as const;
/** Types of an answer without a page: programs that ask for JSON get the problem. */
const ERROR_FORMS = [...FORMS, "application/problem+json", "application/json"] as const;
type Form = (typeof FORMS)[number];

/** Features that no page uses. Others keep their default: the clipboard for copying, and the tools for an agent in the browser. */
const PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

const MOST_PAGES = 300;
const MOST_BYTES = 32 * 1024 * 1024;

/** A page in its final form, or another outcome of the request. */
type Written =
  | Exclude<PageResult, { kind: "page" | "refused" }>
  | ({ kind: "page" | "refused"; status: 200 | 400 | 503; body: Body } & Pick<
      Page,
      "path" | "alternates" | "isPast" | "isPassing"
    >);

/** Promises, so that concurrent requests build a page once. */
type KeptPages = LRUCache<string, Promise<Written>>;

export type Answers = {
  page(c: Context, page: SitePage): Promise<Response>;
  missing(c: Context): Promise<Response>;
  notAllowed(c: Context): Promise<Response>;
};

export function createAnswers(deps: PageDependencies, assets: SiteAssets): Answers {
  const { publicUrl, explorer } = deps.publicSettings;
  const { shell, policy } = createShell(deps, assets);
  const keptPages = createKeptPages();

  const isInLlms = ({ path }: Page) =>
    deps.isKnowledgeInLlms && (path === SITE_PATHS.knowledge || path.startsWith(`${SITE_PATHS.knowledge}/`));

  const write = (made: Page, form: Form, sync: Sync, print?: DocumentParameters["print"]): Body => {
    const isError = print === undefined;
    const page = withExplorer(made, explorer);
    const links = linksOfPage(publicUrl, isError ? null : page.path, page.alternates);
    const text =
      form === "text/html"
        ? documentHtml({ page, shell, links, sync, isError, print })
        : documentMarkdown({ page, sync, publicUrl, isInLlms: isInLlms(page), isError });
    return createBody(`${form}; charset=utf-8`, Buffer.from(text));
  };

  const written = (
    page: SitePage,
    id: string,
    { snapshot, query, ledger }: PageRequest & Pick<PageDependencies, "ledger">,
    form: Form,
    sync: Sync,
  ): Promise<Written> => {
    const make = async () => {
      const made = await page.make({ ...deps, ledger }, { snapshot, query }, id);
      const whole = page.hasFiles && made.kind === "page" ? { ...made, page: withFiles(made.page) } : made;
      const at = page.freshness === "market" ? snapshot?.market.head.timestamp : undefined;
      const search = query.size === 0 ? "" : `?${query}`;
      return writtenFrom(whole, (one) =>
        write(one, form, sync, {
          url: publicUrl + one.path + search,
          asOf: at === undefined ? null : asOfTime(one.updated, at),
        }),
      );
    };
    const kept = keptPages(page.freshness, snapshot);
    if (kept === null) return make();
    const key = JSON.stringify([page.path, id, `${query}`, form, sync.state, sync.text, proofText(deps)]);
    return kept.get(key) ?? keep(kept, key, make());
  };

  /** A page stays the same while its market, its banner and its audit line do. */
  const lasting = (snapshot: Snapshot | null, { state, text }: Sync, head: Block | null): Validity => {
    const isSame = sameParts([snapshot, proofText(deps), state, text]);
    return {
      isCurrent() {
        const now = syncOf(deps);
        return isSame([deps.updater.current(), proofText(deps), now.state, now.text]);
      },
      head: () => head,
    };
  };

  const errorLinks = linkHeader(linksOfPage(publicUrl, null));
  const sendError = (c: Context, error: ErrorPage, form: Form, sync: Sync | null): Promise<Response> => {
    const { status, page } = error;
    const body = write(page, form, sync ?? QUIET);
    const headers = {
      ...headersOf(form, body),
      ...error.headers,
      Link: errorLinks,
      "X-Robots-Tag": "noindex",
      "Cache-Control": "no-store",
    };
    return send(c, body, headers, { status });
  };

  const headersOf = (form: Form, body: Body): Record<string, string> =>
    form === "text/html"
      ? {
          "Content-Security-Policy": policy,
          "Permissions-Policy": PERMISSIONS,
        }
      : { "X-Markdown-Tokens": String(tokensOf(body)) };

  /** An error page does without the sync state if it cannot be determined. */
  const syncOrNull = (): Sync | null => {
    try {
      return syncOf(deps);
    } catch {
      return null;
    }
  };

  const missing = async (c: Context, detail = "Nothing is published at this address."): Promise<Response> => {
    const type = isMarkdownPath(c.req.path) ? FORMS[1] : preferredType(c.req.header("Accept"), ERROR_FORMS);
    if (type === "text/html" || type === "text/markdown")
      return sendError(c, missingPage(detail, c.req.path, deps.knowledge), type, syncOrNull());
    return problem(c, { code: "not_found", detail });
  };

  const notAllowed = async (c: Context): Promise<Response> => {
    // Programs that accept any type get the problem: few of them read pages or send anything to one.
    const type = preferredType(c.req.header("Accept"), ERROR_FORMS.toReversed());
    if (type === "text/html" || type === "text/markdown")
      return sendError(c, notAllowedPage(methodRefusal(c)), type, syncOrNull());
    return methodNotAllowed(c);
  };

  /** @param accepted null when the client accepts neither form */
  const answerWith = async (
    c: Context,
    page: SitePage,
    accepted: Form | null,
    { snapshot, ledger }: Pick<PageRequest, "snapshot"> & Pick<PageDependencies, "ledger">,
  ): Promise<Response> => {
    const form = accepted ?? FORMS[0];
    const sync = syncOf(deps);
    const query = relevant(new URL(c.req.url).searchParams, page);
    const made = await written(page, idIn(c), { snapshot, query, ledger }, form, sync);
    if (made.kind === "missing") return missing(c, made.detail);
    if (accepted === null) {
      return problem(c, { code: "not_acceptable", detail: `This page is ${FORMS.join(" or ")} only.` });
    }
    if (made.kind === "not_indexed_yet") return sendError(c, startingPage(), form, sync);
    if (made.kind === "busy") return sendError(c, busyPage(made.detail), form, sync);
    const isMarkdown = isMarkdownPath(c.req.path);
    if (made.kind === "moved") return answerMoved(c, isMarkdown ? markdownOf(made.path) : made.path);

    const canonical = { rel: "canonical", href: publicUrl + made.path };
    const links = linksOfPage(publicUrl, made.path, made.alternates);
    const headers = {
      ...headersOf(form, made.body),
      "Cache-Control": CACHE_CONTROL[page.freshness],
      Link: linkHeader(form === "text/markdown" ? [...links, canonical] : links),
      // Search engines should list a page once.
      ...(isMarkdown ? { "X-Robots-Tag": "noindex" } : {}),
    };
    const now = page.freshness === "market" ? (snapshot?.market.head ?? null) : null;
    const head = made.isPast ? now && withoutEvent(now) : now;
    return send(c, made.body, headers, {
      status: made.status,
      head,
      lasting: page.freshness === "now" || made.isPassing ? undefined : lasting(snapshot, sync, head),
    });
  };

  return {
    missing,
    notAllowed,
    async page(c, page) {
      const accepted = isMarkdownPath(c.req.path) ? FORMS[1] : preferredType(c.req.header("Accept"), FORMS);
      try {
        return await inStep(deps, (snapshot, ledger) => answerWith(c, page, accepted, { snapshot, ledger }));
      } catch (error) {
        if (error instanceof ReorganisingError)
          return sendError(c, reorganisingPage(), accepted ?? FORMS[0], syncOrNull());
        if (error instanceof ProblemError) throw error;
        const requestId = c.get("requestId") ?? "";
        if (error instanceof DatabaseSilentError) {
          deps.log.debug({ msg: "The database does not answer", requestId, path: c.req.path, error });
          return sendError(c, databaseSilentPage(), accepted ?? FORMS[0], syncOrNull());
        }
        deps.log.error({ msg: "A page could not be made", requestId, path: c.req.path, error });
        // Determining the sync state may be what failed.
        return sendError(c, failedPage(requestId), accepted ?? FORMS[0], null);
      }
    },
  };
}

/** The id in the address; empty for pages without one. `.md` may follow it, but not below `/md`. */
function idIn(c: Context): string {
  const [id = ""] = Object.values<string>(c.req.param());
  return c.req.path.startsWith("/md/") ? id : id.replace(/\.md$/, "");
}

function proofText({ audit }: Pick<PageDependencies, "audit">): string {
  return auditBadgeOf(audit.state())?.text ?? "";
}

const counted = new WeakMap<Body, number>();

function tokensOf(body: Body): number {
  const tokens = counted.get(body) ?? estimateTokens(body.bytes.toString("utf8"));
  counted.set(body, tokens);
  return tokens;
}

/** The state when sync is unknown; nothing is shown. */
const QUIET: Sync = {
  state: "ok",
  indexed: null,
  head: null,
  start: null,
  percent: null,
  text: "",
  progress: null,
};

const CACHE_CONTROL: Record<Freshness, string> = {
  market: "public, max-age=1",
  service: "public, max-age=60",
  now: "no-store",
};

/** Returns a function from a freshness to its cache: one for the service, one for each market, null for none. */
function createKeptPages(): (freshness: Freshness, snapshot: Snapshot | null) => KeptPages | null {
  const create = (): KeptPages => new LRUCache({ max: MOST_PAGES, maxSize: MOST_BYTES });
  const ofService = create();
  const ofMarket = new WeakMap<Snapshot, KeptPages>();
  return (freshness, snapshot) => {
    if (freshness === "service") return ofService;
    if (freshness === "now" || snapshot === null) return null;
    const known = ofMarket.get(snapshot) ?? create();
    ofMarket.set(snapshot, known);
    return known;
  };
}

/** Caches a page with its size and that of its key in bytes. A failed one is forgotten, and built again. */
function keep(pages: KeptPages, key: string, made: Promise<Written>): Promise<Written> {
  pages.set(key, made, { size: 1 + key.length });
  const forget = () => pages.delete(key);
  made.then((written) => {
    // Missing data may arrive at any moment, even for the same market.
    const isPassing = "body" in written && written.isPassing;
    if (written.kind === "not_indexed_yet" || written.kind === "busy" || isPassing) forget();
    else if ("body" in written && pages.has(key))
      pages.set(key, made, { size: key.length + written.body.bytes.length });
  }, forget);
  return made;
}

function writtenFrom(made: PageResult, write: (page: Page) => Body): Written {
  if (made.kind !== "page" && made.kind !== "refused") return made;
  const { kind, page } = made;
  const { path, alternates, isPast, isPassing } = page;
  const status = kind === "page" ? 200 : (made.status ?? 400);
  return { kind, status, path, alternates, isPast, isPassing, body: write(page) };
}

/** @param path perhaps with a query */
function markdownOf(path: string): string {
  const end = path.indexOf("?");
  return end < 0 ? markdownPath(path) : markdownPath(path.slice(0, end)) + path.slice(end);
}

/** The parameters that change the page, in a fixed order. */
function relevant(query: URLSearchParams, { query: parameters = {} }: SitePage): URLSearchParams {
  return new URLSearchParams(
    Object.keys(parameters).flatMap((name) => query.getAll(name).map((value) => [name, value])),
  );
}
