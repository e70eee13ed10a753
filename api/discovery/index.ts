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
import type { DiscoveryDependencies } from "./dependencies.ts";
import { llmsOf } from "./llms.ts";
import { addNoAuthorization } from "./no-authorization.ts";
import { MARKDOWN_TYPE, type PublishedFile, textBody } from "./published.ts";
import { robotsFile } from "./robots.ts";
import { serverCardFiles } from "./server-card.ts";
import { publishSkills, skillIndexFile } from "./skills.ts";

/** The files, to be mounted at the root. What it does not know it leaves to others. */
export function createDiscovery(deps: DiscoveryDependencies): Hono {
  const discovery = new Hono();
  for (const { path, body, headers = {} } of publish(deps)) {
    discovery.get(path, (c) => {
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
      return answerStatic(c, body);
    });
    discovery.all(path, methodNotAllowed);
  }
  addNoAuthorization(discovery, deps.site.publicUrl);
  return discovery;
}

function publish({ knowledge, site, toolServer, version, log }: DiscoveryDependencies): PublishedFile[] {
  const { publicUrl } = site;
  const skills = publishSkills(knowledge, site);
  const llms = llmsOf(knowledge, site, toolServer);
  if (!llms.isWhole) log.info({ msg: "llms.txt has some pages of the knowledge base as links alone" });
  return [
    { path: PATHS.llms, body: textBody(MARKDOWN_TYPE, llms.text) },
    { path: PATHS.auth, body: textBody(MARKDOWN_TYPE, authText(site, toolServer)) },
    ...aiCatalogFiles(publicUrl, toolServer, skills),
    apiCatalogFile(publicUrl, toolServer.title),
    ...serverCardFiles(publicUrl, toolServer, version),
    skillIndexFile(skills),
    ...skills.map(({ file }) => file),
    robotsFile(publicUrl),
  ];
}
