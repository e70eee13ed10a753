/**
 * The HTTP edge of the GraphQL face: who may ask in which form, and how much. What is about HTTP alone is answered as
 * a problem; what is about the query in the form of GraphQL over HTTP.
 * @module
 */
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type Body, createBody, worthCompressing } from "../http/body.ts";
import { preferredEncoding, preferredType } from "../http/negotiate.ts";
import { problem } from "../http/problem.ts";
import { answer, answerStatic } from "../http/respond.ts";
import type { Snapshot } from "../market/snapshot.ts";
import { isoTime } from "../market/time.ts";
import { type Question, readBody, readUrl } from "./question.ts";

/** Bytes of a question. */
const LARGEST_BODY = 64 * 1024;

const ALLOW = "GET, HEAD, POST, OPTIONS";
const JSON_TYPES = ["application/json", "application/graphql-response+json"] as const;
/** Of the page at the same address. */
const PAGE_TYPES = ["text/html", "text/markdown"] as const;
type JsonType = (typeof JSON_TYPES)[number];

export type Answered = {
  status: number;
  /** from the errors of the query */
  retryAfter: string | null;
  text: string;
  hasErrors: boolean;
  snapshot: Snapshot | null;
};

export type EndpointParameters = {
  /** answers a question as this type */
  ask(question: Question, type: JsonType, requestId: string): Promise<Answered>;
  /** how to ask, for whoever comes without a query */
  description: Body;
};

/** The endpoint, to be mounted at its path. A reader who wants a page is left to whoever has pages. */
export function createEndpoint({ ask, description }: EndpointParameters): Hono {
  const endpoint = new Hono();

  const respond = async (c: Context, read: Question | string, type: JsonType) => {
    if (typeof read === "string") return send(c, badRequest(read), type);
    const answered = await ask(read, type, c.get("requestId") ?? "");
    const { status, snapshot, hasErrors, text } = answered;
    if (c.req.method === "POST" || status !== 200 || hasErrors || snapshot === null) {
      return send(c, answered, type);
    }
    return answer(c, createBody(type, Buffer.from(text)), snapshot.market.head);
  };

  endpoint.get("/", async (c, next) => {
    const { searchParams } = new URL(c.req.url);
    const accept = c.req.header("Accept");
    // With a query too: the console keeps what is typed in its own address.
    const forReaders = searchParams.has("query") ? [] : (["text/plain"] as const);
    const wanted = preferredType(accept, [...forReaders, ...JSON_TYPES, ...PAGE_TYPES]);
    if (wanted === "text/html" || wanted === "text/markdown") return next();
    if (wanted === "text/plain") return answerStatic(c, description);
    const type = preferredType(accept, JSON_TYPES);
    return type === null ? notAcceptable(c) : respond(c, readUrl(searchParams), type);
  });

  const tooLarge = (c: Context) =>
    problem(c, { code: "payload_too_large", detail: `A body has at most ${LARGEST_BODY} bytes here.` });
  endpoint.post("/", bodyLimit({ maxSize: LARGEST_BODY, onError: tooLarge }), async (c) => {
    if (!/^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? "")) {
      return problem(c, {
        code: "unsupported_media_type",
        detail: "The Content-Type must be application/json.",
      });
    }
    const type = preferredType(c.req.header("Accept"), JSON_TYPES);
    return type === null ? notAcceptable(c) : respond(c, readBody(await c.req.text()), type);
  });

  endpoint.all("/", (c, next) => {
    if (c.req.method === "GET" || c.req.method === "HEAD") return next();
    const detail = `${c.req.method} is not allowed here: ask with GET or POST.`;
    return problem(c, { code: "method_not_allowed", detail, headers: { Allow: ALLOW } });
  });
  return endpoint;
}

function notAcceptable(c: Context): Response {
  const detail = `This path answers with ${JSON_TYPES.join(" or ")} only.`;
  return problem(c, { code: "not_acceptable", detail });
}

/** What is no question, by the media type alone: GraphQL over HTTP has a 400 for it in both. */
function badRequest(message: string): Answered {
  const text = JSON.stringify({ errors: [{ message, extensions: { code: "BAD_REQUEST" } }] });
  return { status: 400, retryAfter: null, text, hasErrors: true, snapshot: null };
}

/** Sends an answer that is not kept: to a POST, or with errors that the next block may change. */
async function send(c: Context, { status, retryAfter, text, snapshot }: Answered, type: JsonType) {
  const body: Body = createBody(type, Buffer.from(text));
  const encoding = worthCompressing(body) ? preferredEncoding(c.req.header("Accept-Encoding")) : "identity";
  const bytes = await body.encode(encoding);
  const head = snapshot?.market.head;
  return new Response(new Uint8Array(bytes), {
    status,
    // An object of the class: of a plain one the HTTP adapter makes a new copy for HEAD, without what is set later.
    headers: new Headers({
      "Content-Type": type,
      "Content-Length": String(bytes.length),
      "Cache-Control": "no-store",
      Vary: "Accept, Accept-Encoding",
      ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
      ...(retryAfter === null ? {} : { "Retry-After": retryAfter }),
      ...(head === undefined
        ? {}
        : { "X-Indexed-Block": head.number.toString(), "X-Indexed-At": isoTime(head.timestamp) }),
    }),
  });
}
