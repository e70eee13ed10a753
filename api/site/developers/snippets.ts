/** @module Snippets to paste beyond those of the operations: each works unchanged with this service. */
import { PATHS } from "../../http/links.ts";
import type { SiteDependencies } from "../dependencies.ts";
import type { Snippet, Tabs } from "../endpoint.ts";
import { CLIENT_NAME, CLIENT_PATH } from "./client-package.ts";
import type { Operations } from "./operations.ts";

export type DevelopersContext = Pick<SiteDependencies, "toolServer"> & {
  publicUrl: string;
  operations: Operations;
  snippets: ReturnType<typeof snippetsOf>;
};

/** By subject. `publicUrl` is an origin: nothing in it needs quoting. */
export function snippetsOf(publicUrl: string, serverName: string) {
  const base = `${publicUrl}/v1`;
  return {
    install: bash("Install the client", installCommand(publicUrl)),
    client: {
      label: "Every repayment, page by page",
      language: "ts",
      text: `import { createRaisebookClient, RaisebookProblem } from "${CLIENT_NAME}";

const book = createRaisebookClient({ baseUrl: "${base}", userAgent: "my-agent/1.0" });
try {
  for await (const { events } of book.pages("/events", { query: { kind: ["repaid"], limit: 200 } })) {
    for (const event of events) {
      // Some contracts tell only what was paid in all.
      if (event.kind === "repaid") console.log(event.publicId, event.principal ?? event.paidAmount);
    }
  }
} catch (error) {
  if (!(error instanceof RaisebookProblem)) throw error;
  console.error(error.code, error.message);
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
    query: { label: "A query", language: "graphql", text: START },
    codegen: {
      label: "Types with GraphQL Code Generator: codegen.ts",
      language: "ts",
      text: codegen(publicUrl),
    },
    error: errorSnippet(publicUrl),
    current: bash(
      "A conditional request: run it twice, and the second response is a 304 as long as nothing has changed",
      `curl -s '${base}/listings' -o raises.json -w '%{http_code}\\n' \\
  --etag-save raises.etag --etag-compare raises.etag`,
    ),
  } satisfies Record<string, Snippet>;
}

const installCommand = (publicUrl: string) => `npm install ${publicUrl}${CLIENT_PATH}`;

export const errorSnippet = (publicUrl: string): Snippet =>
  bash("What an error looks like", `curl -s '${publicUrl}/v1/listings/lst_nowhere'`);

export function firstRequest(publicUrl: string): Tabs {
  const base = `${publicUrl}/v1`;
  const url = `${base}/listings?status=listed,funding&sort=closing_soon&limit=5`;
  return {
    id: "first",
    label: "The raises that accept money now, closing soonest first",
    snippets: [
      bash("curl", `curl -s -A 'my-agent/1.0' '${url}'`),
      {
        label: "TypeScript",
        language: "ts",
        text: `import { createRaisebookClient } from "${CLIENT_NAME}";

const book = createRaisebookClient({ baseUrl: "${base}", userAgent: "my-agent/1.0" });
const { listings } = await book.get("/listings", {
  query: { status: ["listed", "funding"], sort: "closing_soon", limit: 5 },
});
for (const { refnum, title, raisedAmount } of listings) {
  console.log(refnum, title, BigInt(raisedAmount));
}`,
      },
      {
        label: "Python",
        language: "python",
        text: `import json
import urllib.request

url = "${url}"
request = urllib.request.Request(url, headers={"User-Agent": "my-agent/1.0"})
with urllib.request.urlopen(request) as answer:
    for raise_ in json.load(answer)["listings"]:
        print(raise_["refnum"], raise_["title"], int(raise_["raisedAmount"]))`,
      },
    ],
  };
}

/** The raises that accept money. */
export const START = `{
  listings(
    status: [listed, funding]
    sort: closing_soon
    first: 3
  ) {
    totalCount
    nodes {
      publicId
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

/** Without `scalars` its types of amounts and times are `unknown`. */
const codegen = (publicUrl: string) => `export default {
  schema: "${publicUrl}${PATHS.graphql}",
  documents: "src/**/*.graphql",
  generates: {
    "src/graphql.ts": {
      plugins: ["typescript", "typescript-operations"],
      config: { scalars: { BigInt: "string", SafeInt: "number", DateTime: "string", Address: "string" } },
    },
  },
};`;

function bash(label: string, text: string): Snippet {
  return { label, language: "bash", text };
}
