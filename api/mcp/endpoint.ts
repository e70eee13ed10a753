/**
 * The HTTP edge of the tool endpoint: hosts, sizes and media types. Stateless: a server and a transport for each request,
 * and one JSON answer, in the revisions with a handshake and in those without.
 * @module
 */
import {
  createMcpHandler,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isJsonContentType,
  isLegacyRequest,
  type McpServer,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  validateHostHeader,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import { z } from "zod";
import { oneLine } from "../../config/format/untrusted-text.ts";
import { preferredType } from "../http/negotiate.ts";
import { readBody } from "../http/request-body.ts";
import { type Answer, createKeptCalls } from "./kept-calls.ts";

/** Bytes of a message: room for many calls of any tool. */
const LARGEST_BODY = 64 * 1024;

const ALLOW = "GET, HEAD, POST, OPTIONS";

/** For errors of HTTP alone, which JSON-RPC has no code for. */
const HTTP_ERROR = -32_000;

export type EndpointParameters = {
  /** a new server for each request */
  makeServer(): McpServer;
  /** whether there is a tool of this name */
  isTool(name: string): boolean;
  /** the cache key of a tool's answers besides the message (`kept-calls.ts`) */
  sourceOf(name: string, args: Readonly<Record<string, unknown>>): object | null;
  /** names under which the service may be addressed, without a port */
  hostnames: readonly string[];
  /** the answer to a plain GET */
  description: string;
  /** receives the failures of the protocol library */
  onError(error: unknown): void;
};

/** The endpoint, to be mounted at its path. */
export function createEndpoint({
  makeServer,
  isTool,
  sourceOf,
  hostnames,
  description,
  onError,
}: EndpointParameters): Hono {
  const endpoint = new Hono();
  const kept = createKeptCalls();
  const modern = createMcpHandler(makeServer, { legacy: "reject", onerror: onError });

  endpoint.use(async (c, next) => {
    c.header("Cache-Control", "no-store");
    c.header("Vary", "Accept");
    await next();
  });
  endpoint.use(async (c, next) => {
    // Against DNS rebinding, which sends the attacker's name. Every Origin may read, as all data is public.
    const host = validateHostHeader(c.req.header("Host") ?? new URL(c.req.url).host, [...hostnames]);
    return host.ok ? next() : refuse(c, 403, HTTP_ERROR, "This host name is not served here.");
  });

  // Without a 405, clients that want an event stream retry every second forever.
  endpoint.get("/", (c) =>
    /\btext\/event-stream\b/i.test(c.req.header("Accept") ?? "") ? notAllowed(c) : c.text(description),
  );

  endpoint.post("/", async (c) => {
    const text = await readBody(c, LARGEST_BODY);
    if (text === null) return refuse(c, 413, HTTP_ERROR, `A message has at most ${LARGEST_BODY} bytes here.`);
    if (!isJsonContentType(c.req.header("Content-Type") ?? null)) {
      return refuse(c, 415, HTTP_ERROR, "The Content-Type must be application/json.");
    }
    if (preferredType(c.req.header("Accept"), ["application/json"]) === null) {
      return refuse(c, 406, HTTP_ERROR, "This endpoint answers with application/json only.");
    }
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return refuse(c, 400, PARSE_ERROR, "Parse error: the body is not JSON.");
    }
    if (Array.isArray(message)) {
      return refuse(c, 400, INVALID_REQUEST, "Invalid request: batches are not supported; send one message.");
    }
    const { id, method, params } = requestSchema.parse(message);
    // The list of tools never changes: there is nothing to listen for, and a stream would stay open.
    if (method === "subscriptions/listen") {
      return refuse(c, 404, METHOD_NOT_FOUND, "Method not found: nothing here sends notices.", id);
    }
    // The library would repeat the name.
    if (method === "tools/call" && params !== null && !isTool(params.name)) {
      return refuse(
        c,
        200,
        INVALID_PARAMS,
        "There is no such tool: call tools/list for the available ones.",
        id,
      );
    }
    const headers = protocolHeaders(c);
    const source =
      method === "tools/call" && params !== null ? sourceOf(params.name, params.arguments) : null;
    const length = text.length;
    const response = await kept.answer({ source, message: Object(message), length, id, headers }, async () =>
      safeAnswer(await answer(new Request(c.req.url, { method: "POST", headers }), message)),
    );
    return c.newResponse(response.body, response.status, response.headers);
  });
  endpoint.all("/", notAllowed);

  async function answer(request: Request, message: unknown): Promise<Response> {
    const parsed = { parsedBody: message };
    if (!(await isLegacyRequest(request, message))) return modern.fetch(request, parsed);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    const server = makeServer();
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, parsed);
    } finally {
      server.close().catch(onError);
    }
  }
  return endpoint;
}

/** The parts of a message that are read before the library validates it. */
const requestSchema = z
  .object({
    id: z.union([z.string(), z.number()]).nullable().catch(null),
    method: z.string().nullable().catch(null),
    params: z
      .object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).catch({}) })
      .nullable()
      .catch(null),
  })
  .catch({ id: null, method: null, params: null });

/**
 * The headers passed to the library: only the protocol's, so that no others can change an answer. Both media types are accepted,
 * as the revisions with a handshake demand although the answer is always JSON.
 */
function protocolHeaders(c: Context): Record<string, string> {
  const own = Object.entries(c.req.header()).filter(([name]) => name.startsWith("mcp-"));
  return {
    ...Object.fromEntries(own),
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
}

function refuse(
  c: Context,
  status: 200 | 400 | 403 | 404 | 405 | 406 | 413 | 415,
  code: number,
  message: string,
  id: string | number | null = null,
): Response {
  return c.json({ jsonrpc: "2.0", error: { code, message }, id }, status);
}

function notAllowed(c: Context): Response {
  c.header("Allow", ALLOW);
  return refuse(c, 405, HTTP_ERROR, "Method not allowed: send messages with POST.");
}

/** Characters of a text in an error. */
const LONGEST_ERROR_TEXT = 300;

/**
 * Cleans and shortens the texts of an error before they leave the endpoint: the library repeats the caller's input in them, and
 * answers malformed parameters with an internal error in its parser's words.
 */
async function safeAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const headers = Object.fromEntries(response.headers);
  const status = response.status as StatusCode;
  if (text === "") return { status, headers, body: null };
  // Most answers are results, and long.
  if (!text.includes('"error"')) return { status, headers, body: text };
  const answer: { error?: { code: number; message: string } } = JSON.parse(text);
  if (answer.error === undefined) return { status, headers, body: text };
  if (answer.error.code === INTERNAL_ERROR) {
    answer.error = { code: INVALID_PARAMS, message: "Invalid params: they are not of this method's form." };
  }
  const error = JSON.parse(JSON.stringify(answer.error), (_, value: unknown) =>
    typeof value === "string" ? oneLine(value.replace(/: \[\s*\{.*$/s, ""), LONGEST_ERROR_TEXT) : value,
  );
  return { status, headers, body: JSON.stringify({ ...answer, error }) };
}
