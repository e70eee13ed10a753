/**
 * The product's endpoint over tools that only the conformance suite calls: contents, schemas and refusals that none of
 * the product's own tools has.
 * @module
 */
import { fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { z } from "zod";
import { createEndpoint } from "../../api/mcp/endpoint.ts";

/** A picture of one pixel, and a sound of no length. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const text = (words: string) => ({ type: "text" as const, text: words });
const image = { type: "image" as const, data: PNG, mimeType: "image/png" };
const audio = { type: "audio" as const, data: WAV, mimeType: "audio/wav" };
const resource = (uri: string, mimeType: string, words: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: words },
});

/** The tools that the suite's documents require, and their contents. */
const CONTENTS = {
  test_simple_text: [text("This is a simple text response for testing.")],
  test_image_content: [image],
  test_audio_content: [audio],
  test_embedded_resource: [
    resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ],
  test_multiple_content_types: [
    text("Multiple content types test:"),
    image,
    resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ],
};

/** The keywords of JSON Schema 2020-12 that the suite wants to find again in the list of tools. */
const EVERY_KEYWORD = fromJsonSchema({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  // biome-ignore-start lint/suspicious/noThenProperty: a keyword of JSON Schema
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  // biome-ignore-end lint/suspicious/noThenProperty: a keyword of JSON Schema
  additionalProperties: false,
});

/** The endpoint as the service mounts it, at `/mcp`. */
export function createFixtureApp(): Hono {
  const endpoint = createEndpoint({
    makeServer: createFixtureServer,
    isTool: () => true,
    sourceOf: () => null,
    hostnames: ["127.0.0.1", "localhost", "[::1]"],
    description: "Tools for the conformance suite.",
    onError: () => {},
  });
  return new Hono().route("/mcp", endpoint);
}

function createFixtureServer(): McpServer {
  const server = new McpServer({ name: "fixtures", version: "1.0.0" });
  for (const [name, content] of Object.entries(CONTENTS)) {
    server.registerTool(name, { description: "Answers with made-up contents." }, () => ({ content }));
  }
  server.registerTool("test_error_handling", { description: "Always fails." }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Takes what only a whole JSON Schema can say.", inputSchema: EVERY_KEYWORD },
    () => ({ content: [text("ok")] }),
  );
  server.registerTool(
    "test_custom_header",
    {
      description: "Has an argument that is repeated in a header.",
      inputSchema: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }),
    },
    ({ region }) => ({ content: [text(region)] }),
  );
  server.registerTool("test_missing_capability", { description: "Needs a model of the client." }, () =>
    inputRequired({
      inputRequests: {
        words: inputRequired.createMessage({
          messages: [{ role: "user", content: text("Say something.") }],
          maxTokens: 10,
        }),
      },
    }),
  );
  server.registerTool("test_streaming_elicitation", { description: "Asks its caller." }, () =>
    inputRequired({
      inputRequests: {
        answer: inputRequired.elicit({
          message: "Which colour?",
          requestedSchema: { type: "object", properties: { colour: { type: "string" } } },
        }),
      },
    }),
  );
  server.registerTool("test_logging_tool", { description: "Logs while it works." }, async (context) => {
    await context.mcpReq.log("info", "working");
    return { content: [text("done")] };
  });
  server.server.registerCapabilities({ tools: { listChanged: false }, logging: {} });
  return server;
}
