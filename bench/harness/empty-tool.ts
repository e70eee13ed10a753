/**
 * The protocol library with one tool that does nothing, in a separate process, on the same adapter as the service: a
 * server and a transport for each request.
 * @module
 */
import { getRequestListener } from "@hono/node-server";
import { McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { serve } from "./serve.ts";
import { answerOwner } from "./worker.ts";

answerOwner(() =>
  serve(
    getRequestListener(async (request) => {
      const server = new McpServer({ name: "empty", version: "1.0.0" });
      server.registerTool("empty", { description: "Does nothing." }, () => ({ content: [] }));
      const transport = new WebStandardStreamableHTTPServerTransport({
        ...{ sessionIdGenerator: undefined, enableJsonResponse: true },
      });
      await server.connect(transport);
      try {
        return await transport.handleRequest(request);
      } finally {
        void server.close();
      }
    }),
  ),
);
