/**
 * The files at the root from which agents and crawlers discover the service. They are built once, at the start; only the
 * sitemaps follow the market. Interface document, "Discovery and agent-facing files".
 *
 * Mounted before the tool endpoint: two copies of the server card lie below its path, where `no-store` would apply.
 * @module
 */
import { Hono } from "hono";
import { bareHost } from "../../config/values.ts";
import { linkHeader, PATHS, TYPES } from "../http/links.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { answerStatic } from "../http/respond.ts";
import { registrySchemaText } from "../registry/schema.ts";
import { authText } from "./auth.ts";
import { llmsOf } from "./llms.ts";
import { addNoAuthorization } from "./no-authorization.ts";
import {
  type DiscoveryDependencies,
  MARKDOWN_TYPE,
  PLAIN_TYPE,
  type PublishedFile,
  prettyBody,
  type ToolServer,
  textBody,
} from "./published.ts";
import { type PublishedSkill, publishSkills, skillIndexFile } from "./skills.ts";

/** @returns the routes, to be mounted at the root, and whether llms.txt contains every page of the knowledge base in full */
export function createDiscovery(deps: DiscoveryDependencies) {
  const { knowledge, publicSettings, toolServer, version, log } = deps;
  const { publicUrl } = publicSettings;
  const skills = publishSkills(knowledge, publicSettings);
  const llms = llmsOf(deps);
  if (!llms.isWhole)
    log.info({ msg: "llms.txt only links some pages of the knowledge base: it would be too long" });
  const files: readonly PublishedFile[] = [
    { path: PATHS.llms, body: textBody(MARKDOWN_TYPE, llms.text) },
    { path: PATHS.auth, body: textBody(MARKDOWN_TYPE, authText(publicSettings, toolServer)) },
    ...aiCatalogFiles(publicUrl, toolServer, skills),
    apiCatalogFile(publicUrl, toolServer.title),
    ...serverCardFiles(publicUrl, toolServer, version),
    skillIndexFile(skills),
    ...skills.map(({ file }) => file),
    { path: PATHS.registrySchema, body: textBody(TYPES.schema, registrySchemaText()) },
    { path: PATHS.robots, body: textBody(PLAIN_TYPE, robotsText(publicUrl)) },
  ];
  const routes = new Hono();
  for (const { path, body, headers = {} } of files) {
    routes.get(path, (c) => answerStatic(c, body, headers));
    routes.all(path, methodNotAllowed);
  }
  addNoAuthorization(routes, publicUrl);
  return { routes, isKnowledgeInLlms: llms.isWhole };
}

/** Everything is allowed. One group for all crawlers: a crawler with its own group ignores the general one. */
function robotsText(publicUrl: string): string {
  return `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=yes
Allow: /

Sitemap: ${publicUrl}${PATHS.sitemapXml}
Sitemap: ${publicUrl}${PATHS.sitemapText}
Agentmap: ${publicUrl}${PATHS.ard}
`;
}

/** The type of a skill that readers of both formats accept; some refuse the working group's own. */
const SKILL_TYPE = 'text/markdown; profile="urn:air:agent-skills"';

/** One document for readers of AI Catalog and of its successor ARD, the stricter of which forbids other keys at the root. */
function aiCatalogFiles(
  publicUrl: string,
  toolServer: ToolServer,
  skills: readonly PublishedSkill[],
): PublishedFile[] {
  const { name, title } = toolServer;
  const host = hostOf(publicUrl);
  const catalog = {
    specVersion: "1.0",
    // A domain name, not a DID: a DID would promise a document that does not exist.
    host: { displayName: title, identifier: host, documentationUrl: publicUrl + PATHS.llms },
    entries: [
      {
        identifier: `urn:air:${host}:mcp:${name}`,
        displayName: `${title} tools`,
        type: TYPES.serverCard,
        url: publicUrl + PATHS.serverCard,
        description: CARD_DESCRIPTION,
        representativeQueries: [
          "Which raises take money now, and at what coupon?",
          "Show me one raise with its schedule and latest events",
          "Which businesses have grade A, and why?",
          "How do refunds work?",
        ],
      },
      ...skills.map(({ skill, url }) => ({
        identifier: `urn:air:${host}:skill:${skill.name}`,
        displayName: skill.title,
        type: SKILL_TYPE,
        url,
        description: skill.description,
        representativeQueries: skill.questions,
      })),
    ],
  };
  return [
    { path: PATHS.aiCatalog, body: prettyBody(TYPES.aiCatalog, catalog) },
    { path: PATHS.ard, body: prettyBody(TYPES.json, catalog) },
  ];
}

const PROFILE = "https://www.rfc-editor.org/info/rfc9727";

type Api = {
  title: string;
  /** where it answers; the anchor of its links */
  endpoint: string;
  type: string;
  description: { path: string; type: string };
};

/** Every endpoint answers a GET, so that following the catalog leads somewhere. */
const apisOf = (title: string): readonly Api[] => [
  {
    title: `${title} REST`,
    endpoint: PATHS.listings,
    type: TYPES.json,
    description: { path: PATHS.openApi, type: TYPES.json },
  },
  {
    title: `${title} tools (MCP)`,
    endpoint: PATHS.tools,
    type: "text/plain",
    description: { path: PATHS.serverCard, type: TYPES.serverCard },
  },
  {
    title: `${title} GraphQL`,
    endpoint: PATHS.graphql,
    type: "text/plain",
    // A plain GET of the endpoint returns the schema and how to query it.
    description: { path: PATHS.graphql, type: "text/plain" },
  },
  {
    title: `${title} open data`,
    endpoint: PATHS.data,
    type: TYPES.html,
    description: { path: PATHS.openApi, type: TYPES.json },
  },
];

/** The interfaces of this service as a linkset (RFC 9264), for `/.well-known/api-catalog` (RFC 9727). */
function apiCatalogFile(publicUrl: string, title: string): PublishedFile {
  const apis = apisOf(title);
  const at = (path: string) => publicUrl + path;
  const catalog = at(PATHS.apiCatalog);
  const items = apis.map(({ endpoint, type, title }) => ({ href: at(endpoint), type, title }));
  const linkset = [
    { anchor: catalog, item: items },
    ...apis.map(({ endpoint, description }) => ({
      anchor: at(endpoint),
      "service-desc": [{ href: at(description.path), type: description.type }],
      "service-doc": [
        { href: at(PATHS.developers), type: TYPES.html },
        { href: at(PATHS.documentation), type: TYPES.markdown },
        { href: at(PATHS.llms), type: TYPES.markdown },
      ],
      status: [{ href: at(PATHS.health), type: TYPES.json }],
    })),
  ];
  const links = [
    { rel: "api-catalog", href: catalog, type: TYPES.linkset },
    ...items.map(({ href, type }) => ({ rel: "item", href, type })),
  ];
  return {
    path: PATHS.apiCatalog,
    body: prettyBody(`${TYPES.linkset}; profile="${PROFILE}"`, { linkset }),
    headers: { Link: linkHeader(links) },
  };
}

/** At most 100 characters, by the card's schema. */
const CARD_DESCRIPTION = "Reads a fundraising marketplace on a test network: raises, businesses, rules.";

/** The card (SEP-2127) is where the proposal puts it, below each address of the endpoint, and where older clients look. */
const CARD_PATHS = [PATHS.serverCard, "/v1/mcp/server-card", "/mcp/server-card"] as const;

function serverCardFiles(publicUrl: string, toolServer: ToolServer, version: string): PublishedFile[] {
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
function hostOf(publicUrl: string): string {
  return bareHost(new URL(publicUrl).hostname).replaceAll(":", "-");
}
