/**
 * The HTTP edge of the tool endpoint: who may speak, how much, and in which form. Stateless: a server and a transport
 * for each request, and one JSON answer, for the revisions with a handshake and for those without.
 * @module
 */
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpServer,
  validateHostHeader,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { preferredType } from "../http/negotiate.ts";
import { oneLine } from "../untrusted-text.ts";

/** Bytes of a message: any call of a tool fits many times. */
const LARGEST_BODY = 64 * 1024;

const ALLOW = "GET, HEAD, POST, OPTIONS";

/** Codes of JSON-RPC, and -32000 for what HTTP alone is about. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const HTTP_ERROR = -32_000;

export type EndpointParameters = {
  /** a new server for each request */
  makeServer(): McpServer;
  /** whether there is a tool of this name */
  isTool(name: string): boolean;
  /** names under which the service may be addressed, without a port */
  hostnames: readonly string[];
  /** what a GET without an event stream answers */
  description: string;
  /** gets what the protocol library could not answer for */
  onError(error: unknown): void;
};

/** The endpoint, to be mounted at its path. */
export function createEndpoint({
  makeServer,
  isTool,
  hostnames,
  description,
  onError,
}: EndpointParameters): Hono {
  const endpoint = new Hono();
  const modern = createMcpHandler(makeServer, { legacy: "reject", onerror: onError });

  endpoint.use(async (c, next) => {
    await next();
    c.res.headers.set("Cache-Control", "no-store");
    c.res.headers.set("Vary", "Accept");
  });
  endpoint.use(async (c, next) => {
    // A page that rebinds its own name to this machine sends that name. Every Origin may read: all here is public.
    const host = validateHostHeader(c.req.header("Host") ?? new URL(c.req.url).host, [...hostnames]);
    return host.ok ? next() : refuse(c, 403, HTTP_ERROR, "This host name is not served here.");
  });

  // A client that asks for an event stream and gets anything but a 405 asks again every second, for ever.
  endpoint.get("/", (c) =>
    /\btext\/event-stream\b/i.test(c.req.header("Accept") ?? "") ? notAllowed(c) : c.text(description),
  );

  const tooLarge = (c: Context) =>
    refuse(c, 413, HTTP_ERROR, `A message has at most ${LARGEST_BODY} bytes here.`);
  endpoint.post("/", bodyLimit({ maxSize: LARGEST_BODY, onError: tooLarge }), async (c) => {
    if (!isJsonContentType(c.req.header("Content-Type") ?? null)) {
      return refuse(c, 415, HTTP_ERROR, "The Content-Type must be application/json.");
    }
    if (preferredType(c.req.header("Accept"), ["application/json"]) === null) {
      return refuse(c, 406, HTTP_ERROR, "This endpoint answers with application/json only.");
    }
    let message: unknown;
    try {
      message = JSON.parse(await c.req.text());
    } catch {
      return refuse(c, 400, PARSE_ERROR, "Parse error: the body is not JSON.");
    }
    if (Array.isArray(message)) {
      return refuse(c, 400, INVALID_REQUEST, "Invalid request: batches are not supported; send one message.");
    }
    // The list of tools never changes: there is nothing to listen for, and a stream would stay open.
    if (methodOf(message) === "subscriptions/listen") {
      return refuse(c, 404, METHOD_NOT_FOUND, "Method not found: nothing here sends notices.", idOf(message));
    }
    const tool = toolOf(message);
    if (tool !== null && !isTool(tool)) {
      const advice = "There is no such tool: tools/list has the ones there are.";
      return refuse(c, 200, INVALID_PARAMS, advice, idOf(message));
    }
    return withoutEcho(await answer(asksForBoth(c.req.raw), message));
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

/**
 * The revisions with a handshake want both types accepted, although the answer is always JSON. Whoever takes JSON is
 * served.
 */
function asksForBoth(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set("Accept", "application/json, text/event-stream");
  return new Request(request.url, { method: request.method, headers });
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

/** Characters of an error's texts. */
const LONGEST_ERROR = 300;

/**
 * The answer; the texts of an error are short and harmless, whatever the library repeats in them of what was sent. It
 * calls parameters of the wrong form an internal error and shows its parser's own words.
 */
async function withoutEcho(response: Response): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  if (text === "") return new Response(null, { status, headers });
  const answer: { error?: { code: number; message: string } } = JSON.parse(text);
  if (answer.error === undefined) return new Response(text, { status, headers });
  if (answer.error.code === INTERNAL_ERROR) {
    answer.error = { code: INVALID_PARAMS, message: "Invalid params: they are not of this method's form." };
  }
  const error = JSON.parse(JSON.stringify(answer.error), (_, value: unknown) => {
    if (typeof value !== "string") return value;
    return oneLine(value.replace(/: \[\s*\{.*$/s, ""), LONGEST_ERROR);
  });
  return new Response(JSON.stringify({ ...answer, error }), { status, headers });
}

/** The name in a call of a tool, null when the message is none. The library would repeat an unknown one. */
function toolOf(message: unknown): string | null {
  if (methodOf(message) !== "tools/call") return null;
  const { params } = message as { params?: { name?: unknown } | null };
  return typeof params?.name === "string" ? params.name : null;
}

function methodOf(message: unknown): unknown {
  return message !== null && typeof message === "object" && "method" in message ? message.method : undefined;
}

function idOf(message: unknown): string | number | null {
  if (message === null || typeof message !== "object" || !("id" in message)) return null;
  return typeof message.id === "string" || typeof message.id === "number" ? message.id : null;
}
