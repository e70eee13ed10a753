/** @module Sends an encoded body: entity tag and 304, freshness, content coding. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { isoTime } from "../../config/format/time.ts";
import type { Block } from "../../src/fold/events.ts";
import { VARY } from "./common-headers.ts";
import { type Body, type Form, formNow } from "./etagged-body.ts";
import { preferredCoding } from "./negotiate.ts";
import type { OpenEndedBindings } from "./open-ended.ts";
import { routeOf } from "./request-metrics.ts";

export type Headers = Record<string, string>;
const DISPOSITION = "Content-Disposition";

/** The block of an answer, and for the live market the id of the newest event. */
export type Indexed = Block & { lastRow?: string | undefined };

/** How long an answer may be repeated. */
export type Validity = {
  /** whether the same request would be answered with the same body now */
  isCurrent(): boolean;
  /** block to report when resent; null if it depends on no block */
  head(): Indexed | null;
};

/** An answer that can be repeated for requests to the same address with the same `Accept`. */
export type Kept = Validity & {
  body: Body;
  route: string;
  /** without the headers of the block and of the coding */
  headers: Headers;
  /** whether only its 304 can be repeated: the body has the tag alone */
  isStreamed?: boolean;
};

export type Bindings = OpenEndedBindings & {
  /** keeps an answer for repetition (`fast-lane.ts`) */
  keep?: ((kept: Kept) => void) | undefined;
  /** whether the server adds the common headers, which costs less there */
  addsCommonHeaders?: boolean | undefined;
};

/** For answers that change only with a release or the configuration. */
export const FOR_GOOD: Validity = { isCurrent: () => true, head: () => null };

export const FOR_AN_HOUR: Headers = { "Cache-Control": "public, max-age=3600" };
export const FOR_EVER: Headers = { "Cache-Control": "public, max-age=31536000, immutable" };

/** The block of an answer. In headers and not in the body, so that an unchanged market keeps its tag. */
export function indexedHeaders({ number, timestamp, lastRow }: Indexed): Headers {
  return {
    "X-Indexed-Block": number.toString(),
    "X-Indexed-At": isoTime(timestamp),
    ...(lastRow === undefined ? {} : { "X-Indexed-Event": lastRow }),
  };
}

/** The head for an answer about the past, which is not made with the newest event. */
export const withoutEvent = <Head extends Indexed>(head: Head): Head => ({ ...head, lastRow: undefined });

/** Sends a body as of `head`, cacheable until the next block. */
export function answer(
  c: Context,
  body: Body,
  head: Indexed,
  { headers = {}, lasting }: { headers?: Headers; lasting?: Validity | undefined } = {},
): Promise<Response> {
  const all = { ...headers, "Cache-Control": "public, max-age=1" };
  return send(c, body, all, { lasting, head });
}

/** Sends an answer that must not be cached, such as one to a POST. @param head null before the first block */
export function answerUnkept(
  c: Context,
  body: Body,
  head: Indexed | null,
  status: ContentfulStatusCode,
  extra: Headers,
): Promise<Response> {
  const headers = { ...extra, "Cache-Control": "no-store", ...(head === null ? {} : indexedHeaders(head)) };
  return sendEncoded(c, body, headers, status);
}

/** Sends a body that changes only with a release or the configuration. */
export function answerStatic(c: Context, body: Body, headers: Headers = {}): Promise<Response> {
  return send(c, body, { ...FOR_AN_HOUR, ...headers }, { lasting: FOR_GOOD });
}

/** Sends the client to another address for as long as the market stays the same. @param path from the root, with a query */
export function answerMoved(c: Context, path: string): Response {
  c.header("Vary", VARY.Vary);
  c.header("Cache-Control", "public, max-age=1");
  return c.redirect(path, 302);
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

type SendOptions = {
  status?: ContentfulStatusCode;
  /** the block of the answer */
  head?: Indexed | null;
  /** set when the answer may be repeated without calling the handler */
  lasting?: Validity | undefined;
};

/** Sends a body with these headers. Only a 200 can be current: a 404 is never answered with a 304. */
export async function send(
  c: Context,
  body: Body,
  headers: Headers,
  { status = 200, head = null, lasting }: SendOptions = {},
): Promise<Response> {
  const all = { ...headers, ...(head === null ? {} : indexedHeaders(head)) };
  if (status !== 200) return sendEncoded(c, body, { ...all, ETag: body.etag }, status);
  if (lasting !== undefined) {
    (c.env as Bindings | undefined)?.keep?.({ ...lasting, body, route: routeOf(c), headers });
  }
  if (isCurrent(c.req.header("If-None-Match"), body.etag)) {
    return c.body(null, 304, notModifiedHeaders(body, all));
  }
  return sendEncoded(c, body, { ...all, ETag: body.etag }, 200);
}

/** Without a type the server's adapter adds its own, and a cache would store the answer under it. */
export function notModifiedHeaders(
  body: Pick<Body, "etag" | "type">,
  { [DISPOSITION]: _, ...headers }: Headers,
): Headers {
  return { ...headers, ETag: body.etag, ...VARY, "Content-Type": body.type };
}

async function sendEncoded(c: Context, body: Body, headers: Headers, status: ContentfulStatusCode) {
  const { coding, acceptsOthers } = preferredCoding(c.req.header("Accept-Encoding"));
  const form = formNow(body, coding, acceptsOthers) ?? { encoding: coding, bytes: await body.encode(coding) };
  return c.body(form.bytes, status, encodedHeaders(body, headers, form));
}

/** The headers of a body in one of its forms. */
export function encodedHeaders({ type }: Body, headers: Headers, { encoding, bytes }: Form): Headers {
  return {
    ...headers,
    ...VARY,
    "Content-Type": type,
    "Content-Length": String(bytes.length),
    ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
  };
}

/** Weak comparison, RFC 9110 section 8.8.3.2: `W/` does not count. */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => opaque(tag) === opaque(etag));
}

export function asDownload(filename: string): Headers {
  return { [DISPOSITION]: `attachment; filename="${filename}"` };
}

/** The `Link` to the next page (RFC 8288): this one's address with the cursor put in; nothing after the last page. */
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
