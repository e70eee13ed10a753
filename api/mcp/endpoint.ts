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
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { oneLine } from "../../config/format/untrusted-text.ts";
import { preferredType } from "../http/negotiate.ts";
import { LARGEST_BODY, requestText } from "../http/request-text.ts";

const ALLOW = "GET, HEAD, POST, OPTIONS";

/** For errors of HTTP alone, which JSON-RPC has no code for. */
const HTTP_ERROR = -32_000;

export function createEndpoint(parameters: {
  makeServer(): McpServer;
  isTool(name: string): boolean;
  /** the cache key of a tool's answers besides the message (`createKeptCalls`) */
  sourceOf(name: string, args: Readonly<Record<string, unknown>>): object | null;
  /** names under which the service may be addressed, without a port */
  hostnames: readonly string[];
  description: string;
  onError(error: unknown): void;
}): Hono {
  const { makeServer, isTool, sourceOf, hostnames, description, onError } = parameters;
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
    const text = await requestText(c);
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

/** Only the protocol's, so that no others change an answer. Revisions with a handshake demand that both types are accepted. */
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

/** The library repeats the caller's input in errors, and answers malformed parameters with an internal error in its own words. */
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

type Answer = {
  status: StatusCode;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | null;
};

type Call = {
  /** what decides on the answer besides the message, as long as it is the same object; null where more does */
  source: object | null;
  message: object;
  /** characters of the message as it came: a long one may nest too deeply to be written again */
  length: number;
  id: string | number | null;
  /** those of the protocol: no others change an answer */
  headers: Readonly<Record<string, string>>;
};

/** Bytes kept for one source. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Characters of a message. */
const LONGEST_MESSAGE = 4_096;

/** The result as JSON, under its question; or a whole answer, under the question and its id. */
type Kept = { headers: Answer["headers"]; body: Buffer<ArrayBuffer> };

type Message = { jsonrpc: string; result?: { isError?: boolean } };

/** Gives answers again to the same question with another id, for as long as their source lives. */
function createKeptCalls() {
  const kept = new WeakMap<object, LRUCache<string, Kept>>();
  return {
    /** The answer to a call: what `make` has answered to the same question, or answers now. Errors are not kept. */
    async answer(
      { source, message, length, id, headers }: Call,
      make: () => Promise<Answer>,
    ): Promise<Answer> {
      // The library refuses other numbers as an id.
      const isId = typeof id === "string" || Number.isSafeInteger(id);
      if (source === null || !isId || length > LONGEST_MESSAGE) return make();
      const question = JSON.stringify([headers, { ...message, id: undefined }]);
      const known = kept.get(source);
      // Clients count their messages: ids recur, and a copy of a long answer costs as much as the rest of a call.
      const withId = `${question}\0${JSON.stringify(id)}`;
      const whole = known?.get(withId);
      if (whole !== undefined) return { status: 200, ...whole };
      const result = known?.get(question);
      if (result !== undefined) {
        const body = Buffer.from(`{"result":${result.body},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`);
        const finished = { headers: result.headers, body };
        known?.set(withId, finished);
        return { status: 200, ...finished };
      }
      const answer = await make();
      if (answer.status !== 200 || typeof answer.body !== "string") return answer;
      const made: Message = JSON.parse(answer.body);
      if (made.result === undefined || made.result.isError === true) return answer;
      const answers = kept.get(source) ?? new LRUCache({ maxSize: MOST_BYTES, sizeCalculation: sizeOf });
      kept.set(source, answers);
      answers.set(question, { headers: answer.headers, body: Buffer.from(JSON.stringify(made.result)) });
      return answer;
    },
  };
}

function sizeOf({ body }: Kept, question: string): number {
  return body.length + 2 * question.length;
}
