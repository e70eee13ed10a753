/**
 * Snippets to paste: each works as it stands, with this service.
 * @module
 */
import { PATHS } from "../../http/links.ts";
import type { SiteDependencies } from "../dependencies.ts";
import type { Snippet } from "../page.ts";
import type { Operations } from "./operations.ts";

/** What the sections of the page are made from. */
export type DevelopersContext = Pick<SiteDependencies, "toolServer" | "queryLimits"> & {
  publicUrl: string;
  operations: Operations;
  snippets: ReturnType<typeof snippetsOf>;
};

/** The protocol revision without a handshake: one request is a whole session. */
const STATELESS = "2026-07-28";

/** By subject. `publicUrl` is an origin: nothing in it needs quoting. */
export function snippetsOf(publicUrl: string, serverName: string) {
  const base = `${publicUrl}/v1`;
  return {
    listings: bash(
      "The raises that accept money now, closing soonest first",
      `curl -s -A 'my-agent/1.0' '${base}/listings?status=funding&sort=closing_soon&limit=5'`,
    ),
    events: bash("The latest repayments", `curl -s '${base}/events?kind=repaid&limit=5'`),
    csv: bash("The live raises as a spreadsheet", `curl -s '${base}/listings.csv?status=live' -o raises.csv`),
    client: {
      label: "The typed client, from the workspace of the source code",
      language: "ts",
      text: `import { createRaisebookClient } from "@raisebook/client";

const book = createRaisebookClient({ baseUrl: "${base}", userAgent: "my-agent/1.0" });
const { listings } = await book.get("/listings", { query: { status: ["funding", "live"] } });
for (const { refnum, title, raisedAmount } of listings) {
  console.log(refnum, title, BigInt(raisedAmount));
}`,
    },
    servers: {
      label: "Settings for an agent or editor that reads mcpServers",
      language: "json",
      text: JSON.stringify(
        { mcpServers: { [serverName]: { type: "http", url: publicUrl + PATHS.tools } } },
        null,
        2,
      ),
    },
    inspector: bash(
      "The official inspector, on the command line",
      `npx @modelcontextprotocol/inspector --cli ${publicUrl}${PATHS.tools} --transport http --method tools/list`,
    ),
    tool: bash("A tool call without a client", toolCall(publicUrl + PATHS.tools)),
    query: { label: "A query", language: "graphql", text: QUERY },
    graphql: bash(
      "The same query on the command line",
      `curl -s '${publicUrl}${PATHS.graphql}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ query: QUERY.replace(/\s+/g, " ") })}'`,
    ),
    error: bash("What an error looks like", `curl -s '${base}/listings/lst_nowhere'`),
    current: bash(
      "A conditional request: run it twice, and the second response is a 304 as long as nothing has changed",
      `curl -s '${base}/listings' -o raises.json -w '%{http_code}\\n' \\
  --etag-save raises.etag --etag-compare raises.etag`,
    ),
  } satisfies Record<string, Snippet>;
}

const QUERY = `{
  listings(status: [funding], sort: closing_soon, first: 3) {
    totalCount
    nodes {
      refnum
      title
      raisedAmount
      targetAmount
      closeAt
      originator {
        legalName
        ratingGrade
      }
    }
  }
}`;

function bash(label: string, text: string): Snippet {
  return { label, language: "bash", text };
}

/** The revision requires headers that repeat parts of the body. */
function toolCall(endpoint: string): string {
  const tool = "list_deals";
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: tool,
      arguments: { status: ["funding"], limit: 3 },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientInfo": { name: "my-agent", version: "1.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
  return `curl -s '${endpoint}' \\
  -H 'Content-Type: application/json' \\
  -H 'MCP-Protocol-Version: ${STATELESS}' \\
  -H 'Mcp-Method: ${message.method}' \\
  -H 'Mcp-Name: ${tool}' \\
  -d '${JSON.stringify(message, null, 2)}'`;
}
