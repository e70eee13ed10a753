/** @module Loads a registry from a URL, which may answer in pages. */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { quote } from "../../config/format/untrusted-text.ts";
import { isObject } from "../../config/is-object.ts";
import { errorCode, RedirectError, safeFetch, withoutPassword } from "../../config/safe-fetch.ts";
import { createDeadline } from "./deadline.ts";
import { createDraft, type Draft } from "./draft.ts";
import { RegistryError } from "./error.ts";
import { readJson } from "./json-stream.ts";
import type { EntryList } from "./known.ts";
import {
  byteCounter,
  DEFAULT_MAX_BYTES,
  DEFAULT_TIMEOUT,
  type Loaded,
  type LoadOptions,
  type Validators,
} from "./loaded.ts";
import { type Members, setTop } from "./parse.ts";

const MOST_PAGES = 10_000;

/**
 * The first page decides whether there is anything new: a 304 for it stands for all pages.
 * @throws {RegistryError} when a page cannot be had
 */
export async function loadUrl(configured: string, options: LoadOptions): Promise<Loaded> {
  const { validators = null, maxBytes = DEFAULT_MAX_BYTES, timeout = DEFAULT_TIMEOUT } = options;
  const sum = createHash("sha256");
  const count = byteCounter(maxBytes);
  const begin = async () => {
    const draft = createDraft({ known: await options.known?.() });
    return { draft, pages: createPages(draft) };
  };
  let reading: ReturnType<typeof begin> | null = null;
  const seen = new Set<string>();
  let firstValidators: Validators = null;
  let url: URL | null = new URL(configured);
  for (let page = 1; url !== null; page++) {
    if (page > MOST_PAGES)
      throw new RegistryError([`the registry's server sends more than ${MOST_PAGES} pages`]);
    const { href } = withoutPassword(url);
    if (seen.has(href)) throw new RegistryError([`next: of page ${page - 1} leads back to an earlier page`]);
    seen.add(href);
    const deadline = createDeadline(timeout);
    const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal;
    try {
      const conditions = page === 1 ? (validators ?? {}) : {};
      const headers = { accept: "application/json", ...conditions };
      const { response, from } = await safeFetch({ configured, url, headers, signal });
      if (response.status === 304 && page === 1 && validators !== null) {
        await response.body?.cancel();
        return { kind: "unchanged" };
      }
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new RegistryError([`the registry's server answered ${response.status}${ofPage(page)}`]);
      }
      if (page === 1) firstValidators = responseValidators(response.headers);
      reading ??= begin();
      const { pages } = await reading;
      const body = tapped(response.body ?? [], (chunk) => {
        count(chunk);
        sum.update(chunk);
        deadline.extend(chunk.byteLength);
      });
      url = await pages.read(page, body, { from, link: response.headers.get("link") });
    } catch (error) {
      if (error instanceof RegistryError) throw error;
      if (deadline.signal.aborted)
        throw new RegistryError([`the registry's server did not answer within ${timeout} ms${ofPage(page)}`]);
      if (error instanceof RedirectError) throw new RegistryError([`the registry's server ${error.message}`]);
      const code = errorCode(error);
      const why = code ? ` (${code})` : "";
      throw new RegistryError([`the registry's server could not be reached${why}${ofPage(page)}`]);
    } finally {
      deadline.clear();
    }
  }
  const { draft, pages } = await (reading ?? begin());
  pages.end();
  draft.setVersion(sum.digest("hex"));
  return { kind: "document", draft, validators: firstValidators, isPaged: seen.size > 1 };
}

const ofPage = (page: number) => (page === 1 ? "" : ` for page ${page}`);

async function* tapped(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  tap: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    tap(chunk);
    yield chunk;
  }
}

type Origin = { readonly from: URL; readonly link: string | null };

/** Joins the lists of all pages. Every other member is the first page's; a later page may repeat it. */
function createPages(draft: Draft) {
  const lists = new Set<EntryList>();
  let top: unknown = {};
  let isReadable = true;

  const join = (page: number, { top: members, lists: named }: Members) => {
    for (const list of named) lists.add(list);
    if (page === 1) top = members;
    else if (!isObject(members)) draft.problem(`page ${page} is not an object`);
    else {
      const first = isObject(top) ? top : {};
      for (const [name, value] of Object.entries(members))
        if (!isDeepStrictEqual(first[name], value))
          draft.problem(`page ${page} does not have what the first page says in ${quote(name)}`);
    }
  };

  return {
    /** The next page; null after the last one. */
    async read(page: number, body: AsyncIterable<Uint8Array>, { from, link }: Origin): Promise<URL | null> {
      const { members, bytes } = await readJson(draft, body, (path) => `page ${page}, ${path}`);
      if (members === null) {
        isReadable = false;
        return null;
      }
      const { next: named, ...rest } = isObject(members.top) ? members.top : {};
      join(page, isObject(members.top) ? { ...members, top: rest } : members);
      const next = named ?? nextIn(link);
      if (next !== undefined && next !== null) return nextPage(next, from, page);
      // Its problems have paths in the document itself.
      if (page === 1 && bytes !== null) draft.setRaw(bytes);
      return null;
    },
    end() {
      if (isReadable) setTop(draft, { top, lists });
    },
  };
}

function nextPage(next: unknown, from: URL, page: number): URL {
  const refuse = (problem: string): never => {
    throw new RegistryError([`next: of page ${page} ${problem}`]);
  };
  if (typeof next !== "string" || !URL.canParse(next, from.href)) return refuse("is not a URL");
  const url = new URL(next, from.href);
  if (url.origin !== from.origin) refuse("is of another server");
  return withoutPassword(url);
}

/** The target of `<…>; rel="next"` in a Link header. */
function nextIn(link: string | null): string | undefined {
  return /<([^<>]*)>\s*(?:;[^,<]*)?;\s*rel="?next"?(?=[\s;,]|$)/i.exec(link ?? "")?.[1];
}

/** In the form of request headers for the next conditional GET. */
function responseValidators(headers: Headers): Validators {
  const etag = headers.get("etag");
  if (etag !== null) return { "if-none-match": etag };
  const modified = headers.get("last-modified");
  // It may change again in the second of the answer.
  const isSettled = modified !== null && modified !== headers.get("date");
  return isSettled ? { "if-modified-since": modified } : null;
}
