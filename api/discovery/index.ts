/**
 * The files at the root from which agents and crawlers discover the service. They are built once, at the start; only the
 * sitemaps follow the market. Interface document, "Discovery and agent-facing files".
 *
 * Mounted before the tool endpoint: two copies of the server card lie below its path, where `no-store` would apply.
 * @module
 */
import { Hono } from "hono";
import { PATHS, TYPES } from "../http/links.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { answerStatic } from "../http/respond.ts";
import { registrySchemaText } from "../registry/schema.ts";
import { aiCatalogFiles } from "./ai-catalog.ts";
import { apiCatalogFile } from "./api-catalog.ts";
import { authText } from "./auth.ts";
import { llmsOf } from "./llms.ts";
import { addNoAuthorization } from "./no-authorization.ts";
import {
  type DiscoveryDependencies,
  MARKDOWN_TYPE,
  PLAIN_TYPE,
  type PublishedFile,
  textBody,
} from "./published.ts";
import { serverCardFiles } from "./server-card.ts";
import { publishSkills, skillIndexFile } from "./skills.ts";

export type Discovery = {
  /** to be mounted at the root; unknown paths fall through */
  routes: Hono;
  /** whether llms.txt contains every page of the knowledge base in full */
  isKnowledgeInLlms: boolean;
};

export function createDiscovery(deps: DiscoveryDependencies): Discovery {
  const { knowledge, publicSettings, toolServer, version, log } = deps;
  const { publicUrl } = publicSettings;
  const skills = publishSkills(knowledge, publicSettings);
  const llms = llmsOf(deps);
  if (!llms.isWhole) log.info({ msg: "llms.txt has some pages of the knowledge base as links alone" });
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
