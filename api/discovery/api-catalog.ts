/**
 * `/.well-known/api-catalog` (RFC 9727): the interfaces of this service as a linkset (RFC 9264).
 * @module
 */
import { linkHeader, PATHS, TYPES } from "../http/links.ts";
import { type PublishedFile, prettyBody } from "./published.ts";

const PROFILE = "https://www.rfc-editor.org/info/rfc9727";

/** One interface; paths from the root. */
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
];

/** @param title of the service */
export function apiCatalogFile(publicUrl: string, title: string): PublishedFile {
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
