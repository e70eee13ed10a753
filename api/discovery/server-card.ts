/**
 * The card of the tool server (SEP-2127): how to connect, and nothing that the server itself reports. It is served where
 * the proposal puts it, below each address of the endpoint, and at the well-known path where older clients look.
 * @module
 */
import { PATHS, TYPES } from "../http/links.ts";
import type { ToolServer } from "./published.ts";
import { type PublishedFile, prettyBody } from "./published.ts";

/** At most 100 characters, by the card's schema. */
export const CARD_DESCRIPTION =
  "Reads a fundraising marketplace on a test network: raises, businesses, rules.";

const CARD_PATHS = [PATHS.serverCard, "/v1/mcp/server-card", "/mcp/server-card"] as const;

export function serverCardFiles(publicUrl: string, toolServer: ToolServer, version: string): PublishedFile[] {
  const body = prettyBody(TYPES.serverCard, serverCard(publicUrl, toolServer, version));
  return CARD_PATHS.map((path) => ({ path, body }));
}

function serverCard(publicUrl: string, { name, title, revisions }: ToolServer, version: string): object {
  const endpoint = publicUrl + PATHS.tools;
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: `${reversedHost(publicUrl)}/${name}`,
    version,
    title,
    description: CARD_DESCRIPTION,
    websiteUrl: publicUrl,
    remotes: [
      {
        type: "streamable-http",
        url: endpoint,
        supportedProtocolVersions: revisions,
      },
    ],
    // For readers of the earlier proposal; the same as the server reports at run time.
    serverInfo: { name, version },
    transport: { type: "streamable-http", endpoint },
    capabilities: { tools: { listChanged: false } },
  };
}

/** `raises.example` becomes `example.raises`; an IP address stays as it is. */
function reversedHost(publicUrl: string): string {
  const host = hostOf(publicUrl);
  return /^[\d.-]+$/.test(host) ? host : host.split(".").reverse().join(".");
}

/** The host without its port, in characters that names and URNs allow: an IPv6 address has others. */
export function hostOf(publicUrl: string): string {
  return new URL(publicUrl).hostname.replace(/^\[|\]$/g, "").replaceAll(":", "-");
}
