/** @module HTTP for GraphQL. An error of HTTP alone is a problem, one of the request has the form of GraphQL over HTTP. */
import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type Body, createBody } from "../http/etagged-body.ts";
import { preferredType } from "../http/negotiate.ts";
import { problem } from "../http/problem.ts";
import { LARGEST_BODY, requestText } from "../http/request-text.ts";
import { answer, answerStatic, answerUnkept } from "../http/respond.ts";
import type { Snapshot } from "../market/snapshot.ts";
import { type GraphqlRequest, readBody, readUrl } from "./request.ts";

const ALLOW = "GET, HEAD, POST, OPTIONS";
export const JSON_TYPES = ["application/json", "application/graphql-response+json"] as const;
/** Headers of the page at the same address. */
const PAGE_TYPES = ["text/html", "text/markdown"] as const;
type JsonType = (typeof JSON_TYPES)[number];

export type Executed = {
  status: number;
  /** seconds, from the errors of the query */
  retryAfter: string | null;
  text: string;
  hasErrors: boolean;
  /** null before the first indexed block */
  snapshot: Snapshot | null;
};

export type EndpointParameters = {
  /** Executes a request, for an answer of this type. */
  execute(request: GraphqlRequest, type: JsonType, requestId: string): Promise<Executed>;
  /** the answer to a GET without a query, as text */
  description(): Body;
  /** its `Link` header, that of the page at the same address */
  links: string;
};

/** The endpoint, to be mounted at its path. Requests for a page fall through to the site. */
export function createEndpoint({ execute, description, links }: EndpointParameters): Hono {
  const endpoint = new Hono();

  const respond = async (c: Context, request: GraphqlRequest | string) => {
    const type = preferredType(c.req.header("Accept"), JSON_TYPES);
    if (type === null) {
      const detail = `This path answers with ${JSON_TYPES.join(" or ")} only.`;
      return problem(c, { code: "not_acceptable", detail });
    }
    const isRequest = typeof request !== "string";
    const result = isRequest ? await execute(request, type, c.get("requestId") ?? "") : badRequest(request);
    const { status, retryAfter, hasErrors, snapshot } = result;
    const body = createBody(type, Buffer.from(result.text));
    const head = snapshot?.market.head ?? null;
    // An error may be gone with the next block.
    const isKept = c.req.method !== "POST" && status === 200 && !hasErrors;
    if (isKept && head !== null) return answer(c, body, head);
    const headers: Record<string, string> = retryAfter === null ? {} : { "Retry-After": retryAfter };
    return answerUnkept(c, body, head, status as ContentfulStatusCode, headers);
  };

  endpoint.get("/", async (c, next) => {
    const { searchParams } = new URL(c.req.url);
    // With a query too: a browser is led to the page that shows the answer.
    const isRequest = searchParams.has("query") || searchParams.has("extensions");
    const forReaders = isRequest ? [] : (["text/plain"] as const);
    const type = preferredType(c.req.header("Accept"), [...forReaders, ...JSON_TYPES, ...PAGE_TYPES]);
    if (type === "text/html" || type === "text/markdown") return next();
    return type === "text/plain"
      ? answerStatic(c, description(), { Link: links })
      : respond(c, readUrl(searchParams));
  });

  endpoint.post("/", async (c) => {
    const text = await requestText(c);
    if (text === null) {
      const detail = `A body has at most ${LARGEST_BODY} bytes here.`;
      return problem(c, { code: "payload_too_large", detail });
    }
    if (!/^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? "")) {
      const detail = "The Content-Type must be application/json.";
      return problem(c, { code: "unsupported_media_type", detail });
    }
    return respond(c, readBody(text));
  });

  endpoint.all("/", (c, next) => {
    if (c.req.method === "GET" || c.req.method === "HEAD") return next();
    const detail = `${c.req.method} is not allowed here: ask with GET or POST.`;
    return problem(c, { code: "method_not_allowed", detail, headers: { Allow: ALLOW } });
  });
  return endpoint;
}

/** The answer to an invalid request: GraphQL over HTTP has status 400 for it in both media types. */
export function badRequest(message: string): Executed {
  const text = JSON.stringify({ errors: [{ message, extensions: { code: "BAD_REQUEST" } }] });
  return { status: 400, retryAfter: null, text, hasErrors: true, snapshot: null };
}
