/**
 * Sends an encoded body: entity tag and 304, freshness, content coding.
 * @module
 */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { isoTime } from "../../format/time.ts";
import type { Block } from "../../src/fold/events.ts";
import { type Body, worthCompressing } from "./body.ts";
import { preferredEncoding } from "./negotiate.ts";

type Headers = Record<string, string>;
/** Other clients may get another form at the same address. */
const VARY = { Vary: "Accept, Accept-Encoding" };

/** The block of an answer. In headers and not in the body, so that an unchanged market keeps its tag. */
export function indexedHeaders({ number, timestamp }: Block): Headers {
  return { "X-Indexed-Block": number.toString(), "X-Indexed-At": isoTime(timestamp) };
}

/** Sends a body as of `head`, cacheable until the next block. */
export function answer(c: Context, body: Body, head: Block, extra: Headers = {}): Promise<Response> {
  return send(c, body, { ...extra, "Cache-Control": "public, max-age=1", ...indexedHeaders(head) });
}

/**
 * Sends an answer that must not be cached, such as one to a POST.
 * @param head the block of the answer; null before the first one
 */
export function answerUnkept(
  c: Context,
  body: Body,
  head: Block | null,
  status: ContentfulStatusCode,
  extra: Headers,
): Promise<Response> {
  const headers = { ...extra, "Cache-Control": "no-store", ...(head === null ? {} : indexedHeaders(head)) };
  return sendEncoded(c, body, headers, status);
}

/** Sends a body that changes only with a release or the configuration. */
export function answerStatic(c: Context, body: Body): Promise<Response> {
  return send(c, body, { "Cache-Control": "public, max-age=3600" });
}

/** Sends a value that is true only now. The length is for HEAD, whose body no server can measure. */
export function answerNow(c: Context, value: unknown): Response {
  const text = JSON.stringify(value);
  return c.body(text, 200, {
    "Cache-Control": "no-store",
    ...VARY,
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(text)),
  });
}

/** Sends a body with these headers. Only a 200 can be current: a 404 is never answered with a 304. */
export async function send(
  c: Context,
  body: Body,
  others: Headers,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const headers = { ...others, ETag: body.etag, ...VARY };
  const isSame = status === 200 && isCurrent(c.req.header("If-None-Match"), body.etag);
  // Without a type the server's adapter adds one of its own, and a cache would store the page under it.
  if (isSame) return c.body(null, 304, { ...headers, "Content-Type": body.type });
  return sendEncoded(c, body, headers, status);
}

/** Sends a body in the client's preferred coding. */
async function sendEncoded(c: Context, body: Body, headers: Headers, status: ContentfulStatusCode) {
  const encoding = worthCompressing(body) ? preferredEncoding(c.req.header("Accept-Encoding")) : "identity";
  const bytes = await body.encode(encoding);
  return c.body(bytes, status, {
    ...headers,
    ...VARY,
    "Content-Type": body.type,
    "Content-Length": String(bytes.length),
    ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
  });
}

/** Weak comparison, RFC 9110 section 8.8.3.2: `W/` does not count. */
function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => opaque(tag) === opaque(etag));
}

/** The same answer as a download. */
export function download(response: Response, filename: string): Response {
  if (response.ok) response.headers.set("Content-Disposition", `attachment; filename="${filename}"`);
  return response;
}

/**
 * The `Link` to the next page (RFC 8288): the address of this one with the cursor put in; nothing after the last page.
 * @param url of this page
 */
export function nextPage(
  url: string,
  { publicUrl }: { publicUrl: string },
  nextCursor: string | null,
): Headers {
  if (nextCursor === null) return {};
  const { pathname, searchParams } = new URL(url);
  searchParams.set("cursor", nextCursor);
  return { Link: `<${publicUrl}${pathname}?${searchParams}>; rel="next"` };
}
