/** @module The configuration values that are URLs of sites, pages and nodes, most of them public; as in `values.ts`. */
import { type Fail, parseUrl, quoted, requireTls, splitList, textTo } from "./values.ts";

/** A URL that may be public. */
function publicUrlOf(text: string, fail: Fail): URL {
  const url = parseUrl(text, fail);
  requireTls(url, fail, "must begin with https://");
  if (url.username !== "" || url.password !== "") fail("must carry no user name or password: it is public");
  return url;
}

function publishedUrl(text: string, fail: Fail): URL {
  const url = publicUrlOf(text, fail);
  if (/[?#]/.test(text)) fail("must have no query and no fragment");
  if (text.endsWith("/")) fail("must not end with a slash");
  return url;
}

/** The root of a site: scheme, host and port. */
export const siteRoot = textTo((text, fail) => {
  const url = publishedUrl(text, fail);
  if (url.pathname !== "/") fail("must be the root of a site, without a path");
  return url.origin;
});

/** A server run by the operator, which may be reached without TLS. */
export const serviceRoot = textTo((text, fail) => {
  const url = parseUrl(text, fail);
  if (url.protocol !== "http:" && url.protocol !== "https:") fail("must begin with http:// or https://");
  if (url.username !== "" || url.password !== "") fail("must carry no user name or password");
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "")
    fail("must be the root of a server, without a path");
  return url.origin;
});

/** A site root or a page below it. */
export const pageUrl = textTo((text, fail) => {
  const url = publishedUrl(text, fail);
  return url.pathname === "/" ? url.origin : url.origin + url.pathname;
});

/** A node that pages offer to browsers: http only where the pages' policy lets a browser ask without TLS. Public, with its key. */
export const publicNode = textTo((text, fail) => {
  const url = publicUrlOf(text, fail);
  if (url.protocol === "http:" && !["127.0.0.1", "localhost"].includes(url.hostname))
    fail("must use https (http only at 127.0.0.1 and localhost)");
  return url.href;
});

/** The sites that may show a raise in a frame, as origins; "*": every site. */
export type EmbedOrigins = "*" | readonly string[];

export const embedOrigins = textTo((text, fail): EmbedOrigins => {
  if (text === "*") return text;
  if (text === "none") return [];
  return splitList(text).map((item, index) => {
    const entry = `entry ${index + 1}`;
    if (item === "") fail(`has an empty ${entry}`);
    if (item === "*" || item === "none") fail(`must be ${item} alone, or origins`);
    const url = URL.canParse(item) ? new URL(item) : null;
    if (url === null || !/^https?:$/.test(url.protocol) || !/^[a-z\d.:[\]-]+$/.test(url.host))
      return fail(`${entry} must be an origin, such as https://blog.example`);
    if (url.username !== "" || url.password !== "" || !/^[^/]+\/\/[^/?#]+\/?$/.test(item))
      fail(`${entry} must be an origin alone, without a user, path, query or fragment`);
    return url.origin;
  });
});

/** The operator's contact: a page, or an e-mail address. */
export type Contact = { readonly url: string } | { readonly email: string };

export const contact = textTo((text, fail): Contact => {
  if (/^[\w.+-]{1,64}@[a-z\d-]{1,63}(\.[a-z\d-]{1,63})+$/i.test(text)) return { email: text };
  if (text.includes("@")) fail("is not an e-mail address");
  return { url: publishedUrl(text, fail).href };
});

/** The kinds of explorer pages. */
const EXPLORED = ["tx", "address", "block"] as const;
export type Explored = (typeof EXPLORED)[number];
/** The URL of each kind of page, with `{tx}`, `{address}` or `{block}` for the value; null: no such page. */
export type Explorer = Readonly<Record<Explored, string | null>>;

/**
 * Either the root of an explorer with the usual paths, or its page URLs one by one, separated by commas. The text is
 * kept as it is: a URL parser would encode the braces.
 */
export const explorer = textTo((text, fail): Explorer => {
  const pages: Record<Explored, string | null> = { tx: null, address: null, block: null };
  const entries = splitList(text);
  for (const entry of entries) {
    // The text appears in HTML and in Markdown.
    const forms = [...entry.matchAll(/\{[^{}]*\}/g)].map(([form]) => form);
    if (/[^!#-;=?-Z_a-z~]/.test(entry.replaceAll(/\{[^{}]*\}/g, "")))
      fail("has characters that must be percent-encoded in a URL");
    const [form] = forms;
    if (form === undefined) {
      if (entries.length > 1)
        fail("has an entry without {tx}, {address} or {block}: give the root alone, or pages");
      publishedUrl(entry.replace(/\/$/, ""), fail);
      for (const kind of EXPLORED) pages[kind] = `${entry.replace(/\/$/, "")}/${kind}/{${kind}}`;
      break;
    }
    const kind = EXPLORED.find((one) => form === `{${one}}`);
    if (kind === undefined) return fail(`has ${quoted(form)}, which is not {tx}, {address} or {block}`);
    if (forms.length > 1) fail("must have one of {tx}, {address} and {block} in each entry");
    if (pages[kind] !== null) fail(`has two pages with ${form}`);
    explorerPage(entry, form, fail);
    pages[kind] = entry;
  }
  return pages;
});

/** Checks the URL of a page. The value may be anywhere after the host. */
function explorerPage(entry: string, form: string, fail: Fail): void {
  const url = publicUrlOf(entry.replace(form, "0"), fail);
  const host = /^https?:\/\/[^/?#]*/i.exec(entry)?.[0] ?? "";
  if (host.includes(form) || url.host === "") fail(`must have ${form} behind the host`);
}
