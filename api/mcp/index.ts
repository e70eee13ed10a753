/**
 * The MCP face: four read-only tools over streamable HTTP. Interface document, "Tool endpoint (/mcp)".
 * @module
 */
import type { Hono } from "hono";
import { SERVER_TITLE, TOOLS } from "./catalog.ts";
import { createEndpoint } from "./endpoint.ts";
import { createToolServer, type ServerDependencies } from "./server.ts";

/** The endpoint over the service's tools. */
export function createMcp(deps: ServerDependencies): Hono {
  const { feed, publicSettings, log } = deps;
  return createEndpoint({
    makeServer: () => createToolServer(deps),
    isTool: (name) => TOOLS.some((tool) => tool.name === name),
    sourceOf: (name, args) =>
      TOOLS.some((tool) => tool.name === name && !tool.readsLedger?.(args)) ? feed.current() : null,
    hostnames: [new URL(publicSettings.publicUrl).hostname, "127.0.0.1", "localhost", "[::1]"],
    description: describeEndpoint(publicSettings.publicUrl),
    onError: (error) => log.debug({ msg: "A message to the tool endpoint was refused", error }),
  });
}

/** The answer to a plain GET. Interface document: "a plain description of the tool server". */
function describeEndpoint(publicUrl: string): string {
  return [
    `${SERVER_TITLE}: a read-only tool server (Model Context Protocol, streamable HTTP, no authentication).`,
    "",
    `Send JSON-RPC messages with POST to ${publicUrl}/v1/mcp, or to ${publicUrl}/mcp.`,
    "",
    ...TOOLS.map(({ name, title }) => `- ${name}: ${title}`),
    "",
    "No tool can move money, bind a wallet or read anything that belongs to an account.",
    `All about it: ${publicUrl}/knowledge/using-the-tools`,
    "",
  ].join("\n");
}
