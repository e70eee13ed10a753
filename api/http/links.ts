/** @module The paths of the service, and the `Link` header (RFC 8288) of its pages, with relations that agents look for. */

export type Link = {
  rel: string;
  /** absolute */
  href: string;
  /** media type, without parameters; not given where it is negotiated */
  type?: string;
};

/** Another form of a page: its path from the root, and its media type. */
export type Alternate = { path: string; type: string };

export const PATHS = {
  openApi: "/openapi.json",
  llms: "/llms.txt",
  auth: "/auth.md",
  aiCatalog: "/.well-known/ai-catalog.json",
  ard: "/.well-known/ard.json",
  apiCatalog: "/.well-known/api-catalog",
  serverCard: "/.well-known/mcp/server-card.json",
  skills: "/.well-known/agent-skills/index.json",
  sitemapXml: "/sitemap.xml",
  sitemapText: "/sitemap.txt",
  robots: "/robots.txt",
  registrySchema: "/registry.schema.json",
  tools: "/v1/mcp",
  graphql: "/graphql",
  graphqlPage: "/developers/graphql",
  listings: "/v1/listings",
  health: "/v1/health",
  knowledge: "/knowledge",
  documentation: "/md/knowledge",
  developers: "/developers",
  reference: "/developers/reference",
  data: "/data",
  // The market's; a raise and a business have the same names below their pages.
  feed: "/feed.atom",
  calendar: "/calendar.ics",
  picture: "/share.png",
} as const;

export const TYPES = {
  aiCatalog: "application/ai-catalog+json",
  linkset: "application/linkset+json",
  serverCard: "application/mcp-server-card+json",
  schema: "application/schema+json",
  json: "application/json",
  markdown: "text/markdown",
  xml: "application/xml",
  html: "text/html",
  plain: "text/plain",
  atom: "application/atom+xml",
  calendar: "text/calendar",
} as const;

export function markdownPath(path: string): string {
  return path === "/" ? "/md/index" : `/md${path}`;
}

/**
 * The links of every page in every form; HTML has the same as `<link>` elements.
 * @param path of the page in its canonical form, from the root; null for the page of an address that has none
 * @param alternates other forms of it, besides Markdown
 */
export function linksOfPage(
  publicUrl: string,
  path: string | null,
  alternates: readonly Alternate[] = [],
): readonly Link[] {
  const to = (rel: string, target: string, type: string): Link => ({ rel, href: publicUrl + target, type });
  return [
    to("api-catalog", PATHS.apiCatalog, TYPES.linkset),
    to("service-desc", PATHS.openApi, TYPES.json),
    to("service-desc", PATHS.serverCard, TYPES.serverCard),
    to("service-doc", PATHS.developers, TYPES.html),
    to("service-doc", PATHS.documentation, TYPES.markdown),
    to("service-meta", PATHS.skills, TYPES.json),
    to("describedby", PATHS.llms, TYPES.markdown),
    to("describedby", PATHS.auth, TYPES.markdown),
    ...(path === null ? [] : [to("alternate", markdownPath(path), TYPES.markdown)]),
    ...alternates.map(({ path, type }) => to("alternate", path, type)),
    to("ai-catalog", PATHS.aiCatalog, TYPES.aiCatalog),
    to("ard", PATHS.ard, TYPES.json),
    to("status", PATHS.health, TYPES.json),
    to("sitemap", PATHS.sitemapXml, TYPES.xml),
    to("sitemap", PATHS.sitemapText, TYPES.plain),
  ];
}

/** The links as the value of one header. Targets are URLs and types tokens: nothing in them needs quoting. */
export function linkHeader(links: readonly Link[]): string {
  const show = ({ href, rel, type }: Link) =>
    `<${href}>; rel="${rel}"${type === undefined ? "" : `; type="${type}"`}`;
  return links.map(show).join(", ");
}
