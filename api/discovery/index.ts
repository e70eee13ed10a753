/**
 * The files at the root by which agents and crawlers find everything. All are made once, from what the service itself
 * runs on; the sitemaps follow the market and are the site's. Interface document, "Discovery and agent-facing files".
 *
 * Mounted before the tool endpoint: two copies of its card lie below its path, where its own rules for answers that must
 * not be kept would hold.
 * @module
 */
import { Hono } from "hono";
import { PATHS } from "../http/links.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { answerStatic } from "../http/respond.ts";
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
  /** to be mounted at the root; what it does not know it leaves to others */
  routes: Hono;
  /** whether llms.txt has every page of the knowledge base whole */
  isKnowledgeInLlms: boolean;
};

export function createDiscovery(deps: DiscoveryDependencies): Discovery {
  const { knowledge, site, toolServer, version, log } = deps;
  const { publicUrl } = site;
  const skills = publishSkills(knowledge, site);
  const llms = llmsOf(deps);
  if (!llms.isWhole) log.info({ msg: "llms.txt has some pages of the knowledge base as links alone" });
  const files: readonly PublishedFile[] = [
    { path: PATHS.llms, body: textBody(MARKDOWN_TYPE, llms.text) },
    { path: PATHS.auth, body: textBody(MARKDOWN_TYPE, authText(site, toolServer)) },
    ...aiCatalogFiles(publicUrl, toolServer, skills),
    apiCatalogFile(publicUrl, toolServer.title),
    ...serverCardFiles(publicUrl, toolServer, version),
    skillIndexFile(skills),
    ...skills.map(({ file }) => file),
    { path: PATHS.robots, body: textBody(PLAIN_TYPE, robotsText(publicUrl)) },
  ];
  const routes = new Hono();
  for (const { path, body, headers = {} } of files) {
    routes.get(path, (c) => {
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
      return answerStatic(c, body);
    });
    routes.all(path, methodNotAllowed);
  }
  addNoAuthorization(routes, publicUrl);
  return { routes, isKnowledgeInLlms: llms.isWhole };
}

/** Crawlers may do everything. One group for all: a group of its own would take a crawler out of what the others are told. */
function robotsText(publicUrl: string): string {
  return `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=yes
Allow: /

Sitemap: ${publicUrl}${PATHS.sitemapXml}
Sitemap: ${publicUrl}${PATHS.sitemapText}
Agentmap: ${publicUrl}${PATHS.ard}
`;
}
