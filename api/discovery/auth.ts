/** @module `/auth.md`: how agents authenticate. They do not. Interface document, "Authentication". */
import type { PublicSettings } from "../../config/public-settings.ts";
import { PATHS } from "../http/links.ts";
import { EXPENSIVE_REQUESTS } from "../http/problem.ts";
import { handOver } from "../market/sentences.ts";
import type { ToolServer } from "./published.ts";

export function authText(publicSettings: PublicSettings, toolServer: ToolServer): string {
  const at = (path: string) => publicSettings.publicUrl + path;
  const tools = toolServer.tools.map(({ name }) => `\`${name}\``).join(", ");
  return `# auth.md

This service is public and read-only. No credential is issued, needed or accepted.

## Audience

Software agents and developers that read the market of this service: ${at("/")}

## Registration

None. There is nothing to register for and no endpoint to call.

## Methods

- Anonymous \`GET\` and \`HEAD\` of every path: REST below \`${at("/v1")}\`, described in [OpenAPI](${at(PATHS.openApi)}).
- Anonymous \`POST\` of JSON-RPC (MCP, streamable HTTP) to \`${at(PATHS.tools)}\`, with the tools ${tools}.
- Anonymous \`POST\` of queries in GraphQL to \`${at(PATHS.graphql)}\`.

## Credentials

None. Send no \`Authorization\` header and no cookie: they are ignored. Send a \`User-Agent\` that names your agent.

## Who signs

Everything that moves money or belongs to an account (subscribing, selling on the secondary desk, claiming, binding a
payout wallet) needs a Sign-In With Ethereum signature, made by a person in a browser with the wallet that owns the
funds, and exchanged for a session there. That happens in an app, not here. No credential exists that lets software
act for a person. Never ask anybody for a private key or a seed phrase.

The pattern for an agent:

1. Read the market.
2. Form a recommendation.
3. To a person, ${handOver(publicSettings)}.

More: [knowledge base](${at(PATHS.documentation)})

## Limits

${clientLimit(publicSettings)} Expensive requests (${EXPENSIVE_REQUESTS}) ${publicSettings.rateLimit === null ? "alone can" : "also"} get a 429:
while too many of them wait, or queries about the past have just made this service query the chain for block times. A URL has at most 4,096 characters, a message to the tools 64 KiB. \`Retry-After\` of a 429
or 503 says when to ask again.

## Errors

\`application/problem+json\` (RFC 9457) with \`code\`, \`detail\` and \`requestId\`. No 401 is ever
sent, as there are no credentials; a 403 only for a host name that is not served. Tools answer invalid arguments with a sentence of advice.

## Deliberately absent

No authorization server exists, so its metadata does not either: \`/.well-known/openid-configuration\`,
\`/.well-known/oauth-authorization-server\`, \`/.well-known/oauth-protected-resource\`, \`/register\`, \`/authorize\` and
\`/token\` answer 404 on purpose. Connect without credentials.
`;
}

function clientLimit({ rateLimit }: Pick<PublicSettings, "rateLimit">): string {
  if (rateLimit === null) return "No client is rate limited; be reasonable.";
  return `A client may send ${rateLimit} requests a minute; \`RateLimit\` says how many are left, and more get a 429.`;
}
