/** @module The tool endpoint in OpenAPI: the envelope of JSON-RPC. Interface document, "Tool endpoint (/mcp)". */
import { type RouteConfig, z } from "@hono/zod-openapi";
import { anyPathAnswers } from "../http/described-answers.ts";
import { type HeaderComponent, headersOf } from "../http/described-headers.ts";
import { text } from "../market/fields.ts";

const id = z
  .union([z.string(), z.number()])
  .openapi({ description: "Chosen by the client; the answer has the same.", example: 1 });
const version = z.literal("2.0").openapi({ description: "Version of JSON-RPC." });

const requestSchema = z
  .object({
    jsonrpc: version,
    id: id
      .optional()
      .openapi({ description: "Without one, the message is a notification and is answered with 202." }),
    method: text(
      "`tools/list`, `tools/call`, `ping`; `server/discover` in the revision without a handshake, `initialize` in those with one.",
      "tools/call",
    ),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .openapi({ description: "The parameters of the method; for `tools/call`: `name` and `arguments`." }),
  })
  .openapi("JsonRpcRequest", { description: "One message. Batches are not supported." });

const resultSchema = z
  .object({
    jsonrpc: version,
    id,
    result: z.record(z.string(), z.unknown()).openapi({
      description:
        "The result of the method. For `tools/call`: `structuredContent` is as the tool's output schema says, `content` has the same as text, and `isError` marks advice on what to ask otherwise.",
    }),
  })
  .openapi("JsonRpcResult", { description: "A method's answer." });

const errorSchema = z
  .object({
    jsonrpc: version,
    id: id.nullable().optional().openapi({
      description: "Null or absent when the message could not be read.",
    }),
    error: z.object({
      code: z.int().openapi({
        description:
          "-32700 not JSON, -32600 no message, -32601 no such method, -32602 wrong parameters or no such tool, -32020 headers and message disagree, -32000 HTTP alone.",
        example: -32602,
      }),
      message: text("What was wrong.", "Tool nope not found"),
      data: z.unknown().optional().openapi({ description: "Details." }),
    }),
  })
  .openapi("JsonRpcError", { description: "An error of the protocol." });

const protocolHeaders = z.object({
  "mcp-protocol-version": text(
    "Revision of the protocol that the client speaks, from the second message on.",
    "2025-11-25",
  ).optional(),
  "mcp-method": text(
    "The message's `method`. Required from revision 2026-07-28 on.",
    "tools/call",
  ).optional(),
  "mcp-name": text(
    "The tool that is called. Required with `tools/call` from revision 2026-07-28 on.",
    "list_deals",
  ).optional(),
});

function rpcError(description: string, ...more: readonly HeaderComponent[]) {
  return {
    description,
    headers: headersOf("RequestId", "CacheNever", "Vary", ...more),
    content: { "application/json": { schema: errorSchema } },
  };
}

const hostNotServed = { 403: rpcError("The host that the request names is not this service's.") };

export const TOOL_ROUTES: readonly RouteConfig[] = [
  {
    method: "post",
    path: "/mcp",
    operationId: "callTool",
    summary: "Send a message to the tool server",
    description:
      "Model Context Protocol over streamable HTTP, without state and without credentials: one JSON-RPC message in, one JSON answer out. Four tools, all read-only: `list_deals`, `get_deal`, `list_businesses`, `search_knowledge`. A message has at most 64 KiB.",
    tags: ["Tools"],
    request: {
      headers: protocolHeaders,
      body: {
        required: true,
        description: "One message.",
        content: { "application/json": { schema: requestSchema } },
      },
    },
    responses: {
      200: {
        description: "The answer, or an error of the protocol.",
        headers: headersOf("RequestId", "CacheNever", "Vary"),
        content: { "application/json": { schema: z.union([resultSchema, errorSchema]) } },
      },
      202: {
        description: "A notification was accepted; there is nothing to answer.",
        headers: headersOf("RequestId", "CacheNever", "Vary"),
      },
      400: rpcError("Not a message of JSON-RPC, a batch, or headers that do not fit the message."),
      ...hostNotServed,
      404: rpcError("No such method, in the revision without a handshake."),
      406: rpcError("`Accept` excludes `application/json`."),
      413: rpcError("The message has more than 64 KiB."),
      415: rpcError("The `Content-Type` is not `application/json`."),
      ...anyPathAnswers,
    },
  },
  {
    method: "get",
    path: "/mcp",
    operationId: "describeTools",
    summary: "Description of the tool server",
    description:
      "A plain description, with no JSON-RPC handshake. A client that asks for an event stream gets the protocol's 405, as there is none.",
    tags: ["Tools"],
    responses: {
      200: {
        description: "The description.",
        headers: headersOf("RequestId", "CacheNever", "Vary"),
        content: { "text/plain": { schema: { type: "string" } } },
      },
      ...hostNotServed,
      405: rpcError("`Accept` names `text/event-stream`; there is no stream to listen to.", "Allow"),
      ...anyPathAnswers,
    },
  },
];
